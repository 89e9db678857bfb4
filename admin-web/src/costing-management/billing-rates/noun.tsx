import { texts } from "@routewright/web";
import { TextInput } from "react-admin";
import { NumberInput, Row } from "../../inputs/index.ts";
import { levelsOf, type Noun } from "../../data/noun.ts";
import { amount, needed, notBlank } from "../../inputs/validators.ts";

/** What a run costs: per run, per kilometre, per hour and per drop. */
export const billingRates: Noun = {
  name: "costing_management/billing_rates",
  path: "billing_rates",
  ...texts.admin.nouns.billingRates,
  audited: "billing_rate",
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
        <NumberInput source="cost_per_run" validate={amount} />
        <NumberInput source="cost_per_km" validate={amount} />
      </Row>
      <Row>
        <NumberInput source="cost_per_hour" validate={amount} />
        <NumberInput source="cost_per_drop" validate={amount} />
      </Row>
    </>
  ),
  defaults: () => ({ cost_per_run: 0, cost_per_km: 0, cost_per_hour: 0, cost_per_drop: 0 }),
};
