import { texts } from "@routewright/web";
import { Button } from "@mui/material";
import { DateInput, SelectInput, useListContext } from "react-admin";
import type { Query } from "@routewright/web";
import { exportFile } from "../../data/files.ts";
import { useMay } from "../../data/organisation.ts";
import { OneInput } from "../../inputs/index.ts";
import type { Noun } from "../../data/noun.ts";
import { ValidateRuns } from "../../database/runs/ValidateRuns.tsx";

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
  unsearchable: true,
  columns: [
    { source: "uid", label: texts.admin.shared.run, sortable: false },
    { source: "date", kind: "day", sortable: false },
    { source: "driver", sortable: false },
    { source: "vehicle", sortable: false },
    { source: "rate", sortable: false },
    { source: "km", label: "km", kind: "number", sortable: false },
    { source: "hours", kind: "number", sortable: false },
    { source: "drops", kind: "number", sortable: false },
    { source: "cost", kind: "number", sortable: false },
    { source: "validated_at", kind: "moment", sortable: false },
  ],
  filters: [
    <DateInput key="start" source="scheduled_date_start" label={texts.admin.shared.from} alwaysOn />,
    <DateInput key="end" source="scheduled_date_end" label={texts.admin.shared.until} alwaysOn />,
    <OneInput key="driver" source="driver_id" of="database/drivers" />,
    <OneInput key="vehicle" source="vehicle_id" of="transport_management/vehicles" />,
    <SelectInput
      key="validated"
      source="validated"
      choices={[
        { id: "true", name: texts.admin.costing.validated },
        { id: "false", name: texts.admin.costing.notValidated },
      ]}
    />,
  ],
  bulkActions: <ValidateRuns path="/run_cost_calculator/validate" />,
  listActions: <CostExport />,
};

/** The export is always queued: its file comes by e-mail. */
function CostExport() {
  const list = useListContext();
  const may = useMay("excel_export");
  if (!may) return null;
  const path = "/run_cost_calculator/export";
  const query = list.filterValues as Query;
  return (
    <>
      <Button onClick={() => void exportFile(path, "run_costs.csv", { ...query, kind: "csv" })}>
        {texts.admin.costing.csvByMail}
      </Button>
      <Button onClick={() => void exportFile(path, "run_costs.xlsx", { ...query, kind: "excel" })}>
        {texts.admin.costing.excelByMail}
      </Button>
    </>
  );
}
