import { texts } from "@routewright/web";
import { Button } from "@mui/material";
import type { Scenario } from "@routewright/web/model";
import { useRecordContext } from "react-admin";
import { useMay } from "../../data/organisation.ts";
import { download } from "../../data/files.ts";

/** Opens the scenario on the map and downloads its run sheets. */
export function ScenarioActions() {
  const scenario = useRecordContext<Scenario>();
  const runs = useMay("runs_read");
  const excel = useMay("excel_export");
  if (!scenario) return null;
  const { id } = scenario;
  return (
    <>
      <Button href={`/?active_scenario=${id}`}>{texts.scenarios.showOnMap}</Button>
      <Button href={`/progress-report/${id}`}>{texts.scenarios.progressReport}</Button>
      {runs && (
        <Button onClick={() => void download(`/scenarios/${id}/runsheets_pdf`, `scenario-${id}.pdf`)}>
          {texts.admin.scenarios.runSheetsPdf}
        </Button>
      )}
      {runs && excel && (
        <Button onClick={() => void download(`/scenarios/${id}/runsheets_excel`, `scenario-${id}.xlsx`)}>
          {texts.admin.scenarios.runSheetsExcel}
        </Button>
      )}
    </>
  );
}
