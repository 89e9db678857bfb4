import { texts } from "@routewright/web";
import { SelectInput, TextInput } from "react-admin";
import { DayInput, OneInput, SCENARIO_FILTER } from "../../inputs/index.ts";
import type { Noun } from "../../data/noun.ts";
import { ValidateRuns } from "../../database/runs/ValidateRuns.tsx";
import { RunCostTotals } from "./RunCostTotals.tsx";
import { Statement } from "./Statement.tsx";

const { costing, shared } = texts.admin;

/** What runs cost, to be checked, validated and exported. */
export const runCosts: Noun = {
  name: "costing_management/run_cost_calculator",
  path: "run_cost_calculator",
  opens: "database/runs",
  idField: "run_id",
  ...texts.admin.nouns.runCosts,
  levels: { read: "billing_rates_read", write: "runs_write", delete: "runs_write" },
  representation: "uid",
  deletable: false,
  columns: [
    { source: "uid", label: shared.run },
    { source: "date", kind: "day" },
    { source: "driver" },
    { source: "vehicle" },
    { source: "haulier_id", reference: "transport_management/hauliers", sortable: false },
    {
      source: "billing_status",
      label: costing.status,
      render: ({ billing_status }) => (billing_status === "validated" ? costing.validated : costing.pending),
    },
    { source: "rate" },
    { source: "km", label: costing.distance, kind: "kilometres" },
    { source: "hours", kind: "amount" },
    { source: "drops", kind: "number" },
    { source: "run_amount", label: costing.forRun, kind: "amount", sortable: false },
    { source: "km_amount", label: costing.forDistance, kind: "amount", sortable: false },
    { source: "hour_amount", label: costing.forHours, kind: "amount", sortable: false },
    { source: "drop_amount", label: costing.forDrops, kind: "amount", sortable: false },
    { source: "cost", kind: "amount" },
    { source: "currency" },
    { source: "difference", label: costing.difference, kind: "amount", sortable: false },
    { source: "scenario", hidden: true },
    { source: "validated_at", kind: "moment" },
  ],
  filters: [
    <DayInput key="start" source="scheduled_date_start" label={shared.from} alwaysOn />,
    <DayInput key="end" source="scheduled_date_end" label={shared.until} alwaysOn />,
    <SelectInput
      key="validated"
      source="validated"
      label={costing.status}
      alwaysOn
      choices={[
        { id: "true", name: costing.validated },
        { id: "false", name: costing.pending },
      ]}
    />,
    <SelectInput
      key="difference"
      source="difference"
      label={costing.difference}
      choices={[{ id: "true", name: costing.differs }]}
    />,
    SCENARIO_FILTER,
    <OneInput key="client" source="client_id" of="database/clients" />,
    <OneInput key="haulier" source="haulier_id" of="transport_management/hauliers" />,
    <OneInput key="driver" source="driver_id" of="database/drivers" />,
    <OneInput key="vehicle" source="vehicle_id" of="transport_management/vehicles" />,
    <TextInput key="rate" source="rate" />,
    <TextInput key="currency" source="currency" />,
  ],
  summary: <RunCostTotals />,
  listActions: <Statement />,
  bulkActions: <ValidateRuns path="/run_cost_calculator/validate" />,
  files: { path: "/run_cost_calculator/export", name: "run_costs", byMail: true, sorted: true },
};
