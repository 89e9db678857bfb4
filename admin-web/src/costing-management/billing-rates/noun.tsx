import { texts } from "@routewright/web";
import { NumberInput, TextInput } from "react-admin";
import { Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { amount, needed, notBlank } from "../../inputs/validators.ts";

/** What a run costs: per run, per kilometre, per hour and per drop. */
export const billingRates: Noun = {
  name: "costing_management/billing_rates",
  path: "billing_rates",
  ...texts.admin.nouns.billingRates,
  levels: levelsOf("billing_rates"),
  ids: "billing_rate_ids",
  representation: "name",
  columns: [
    { source: "name" },
    { source: "cost_per_run", kind: "number" },
    { source: "cost_per_km", kind: "number" },
    { source: "cost_per_hour", kind: "number" },
    { source: "cost_per_drop", kind: "number" },
    { source: "currency", sortable: false },
  ],
  form: () => (
    <>
      <Row>
        <TextInput source="name" validate={[needed(texts.admin.shared.nameRequired), notBlank]} />
        <TextInput source="currency" helperText={texts.admin.billingRates.currencyHelp} />
      </Row>
      <Row>
        <NumberInput source="cost_per_run" validate={amount} min={0} step="any" />
        <NumberInput source="cost_per_km" validate={amount} min={0} step="any" />
      </Row>
      <Row>
        <NumberInput source="cost_per_hour" validate={amount} min={0} step="any" />
        <NumberInput source="cost_per_drop" validate={amount} min={0} step="any" />
      </Row>
    </>
  ),
  defaults: () => ({ cost_per_run: 0, cost_per_km: 0, cost_per_hour: 0, cost_per_drop: 0 }),
};
