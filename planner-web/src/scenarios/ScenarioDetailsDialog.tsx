import { Alert, Button, LinearProgress } from "@mui/material";
import {
  Facts,
  messageOfError,
  momentText,
  type Scenario,
  scenarioDateText,
  texts,
  useLevel,
  useSession,
} from "@routewright/web";
import type { ReactNode } from "react";
import { resetMapView } from "../map/fit.ts";
import { usePlanContext } from "../plan/context.ts";
import { closeAllDialogs, openDialog } from "../plan/dialogs.ts";
import { useScenario, useTerritoryGroups } from "../plan/queries.ts";
import { Modal } from "../ui/Modal.tsx";
import { useView } from "../ui/view.ts";
import { toggleStar } from "./star.ts";

interface ScenarioDetailsDialogProps {
  scenarioId: number;
  onClose: () => void;
}

/** A scenario of the calendar, with the way to the map and to everything that is done with a whole scenario. */
export function ScenarioDetailsDialog({ scenarioId, onClose }: ScenarioDetailsDialogProps): ReactNode {
  const { data: scenario, error } = useScenario(scenarioId);
  const { data: groups = [] } = useTerritoryGroups();
  const zone = useSession((state) => state.user?.organisation.timezone);
  return (
    <Modal
      title={scenario?.name ?? texts.scenarios.scenario}
      width={520}
      onClose={onClose}
      actions={scenario !== undefined && <Buttons scenario={scenario} />}
    >
      {scenario === undefined && error === null && <LinearProgress aria-label={texts.common.loading} />}
      {error !== null && <Alert severity="error">{messageOfError(error)}</Alert>}
      {scenario !== undefined && (
        <Facts
          facts={[
            [texts.scenarios.date, scenarioDateText(scenario.scheduled_date)],
            [texts.scenarios.stage, texts.scenarios.stages[scenario.stage]],
            [texts.jobs.title, String(scenario.jobs_count)],
            [texts.attachments.units, String(scenario.units_count)],
            [
              texts.territories.groups,
              groups
                .filter(({ id }) => scenario.territory_group_ids.includes(id))
                .map(({ name }) => name)
                .join(", "),
            ],
            [texts.scenarios.createdAt, momentText(scenario.created, zone)],
            [texts.scenarios.modifiedAt, momentText(scenario.modified, zone)],
          ]}
        />
      )}
    </Modal>
  );
}

function Buttons({ scenario }: { scenario: Scenario }): ReactNode {
  const { id } = scenario;
  const { scenario: active, activate } = usePlanContext();
  const writes = useLevel("scenarios_write");
  const map = useView() === "map";
  const edits = writes && map;
  return (
    <>
      {edits && (
        <>
          <Button onClick={() => void toggleStar(scenario)}>
            {scenario.starred ? texts.scenarios.unstar : texts.scenarios.star}
          </Button>
          <Button color="error" onClick={() => openDialog({ kind: "delete-scenario", scenarioId: id })}>
            {texts.common.delete}
          </Button>
          <Button onClick={() => openDialog({ kind: "duplicate-scenario", scenarioId: id })}>
            {texts.scenarios.duplicate}
          </Button>
          <Button onClick={() => openDialog({ kind: "scenario", scenarioId: id })}>
            {texts.common.edit}
          </Button>
        </>
      )}
      {active?.id !== id && <Button onClick={() => activate(id)}>{texts.scenarios.activate}</Button>}
      <Button
        variant="contained"
        onClick={() => {
          closeAllDialogs();
          if (active?.id === id) resetMapView();
          else activate(id);
        }}
      >
        {texts.scenarios.showOnMap}
      </Button>
    </>
  );
}
