import { Alert, Box, Button, Typography } from "@mui/material";
import { fill, request, requestAll, type Job, texts, useLevel, withToast } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { expectGone } from "../plan/follow.ts";
import { keys } from "../plan/keys.ts";
import { useScenario } from "../plan/queries.ts";
import { failureText } from "../ui/failure.ts";
import { Modal } from "../ui/Modal.tsx";
import { queryClient } from "../ui/query-client.ts";
import { nearestDay, scenariosBeside } from "./nearest-day.ts";
import { ReasonChoice } from "./ReasonChoice.tsx";

interface DeleteDialogProps {
  scenarioId: number;
  onClose: () => void;
}

/** Deletes a scenario; its jobs go to the pool or are deleted with it. */
export function DeleteDialog({ scenarioId, onClose }: DeleteDialogProps): ReactNode {
  const { scenarioId: open, activate } = usePlanContext();
  const { data: scenario } = useScenario(scenarioId);
  const deletesJobs = useLevel("jobs_delete");
  const [working, setWorking] = useState(false);
  const [why, setWhy] = useState<number | null>(null);
  const { data: others } = useQuery({
    queryKey: [...keys.scenarios, "beside", scenarioId],
    queryFn: () => scenariosBeside(scenario?.scheduled_date ?? ""),
    enabled: scenario !== undefined,
  });
  if (scenario === undefined) return null;
  const next = nearestDay(
    scenario,
    others?.filter(({ id }) => id !== scenarioId),
  );
  const reason = scenario.has_proofs
    ? texts.scenarios.hasProofs
    : others !== undefined && next === undefined
      ? texts.scenarios.isLast
      : null;

  const remove = async (deleteJobs: boolean): Promise<void> => {
    setWorking(true);
    expectGone(scenarioId, true);
    try {
      const jobs = deleteJobs ? [] : await requestAll<Job>("/jobs", { scenario_ids: [scenarioId] });
      await withToast(
        request(`/scenarios/${scenarioId}`, {
          method: "DELETE",
          query: { delete_jobs: deleteJobs, scenario_reason_id: why },
          quiet: true,
        }),
        {
          loading: texts.scenarios.deleting,
          success: texts.scenarios.deleted,
          failure: failureText(texts.scenarios.deleteFailed),
        },
      );
      onClose();
      // Who deletes another one stays where they are.
      if (next !== undefined && open === scenarioId) activate(next.id);
      queryClient.removeQueries({ queryKey: keys.plan(scenarioId) });
      queryClient.removeQueries({ queryKey: keys.scenario(scenarioId) });
      await queryClient.invalidateQueries({ queryKey: keys.scenarios });
      if (jobs.length > 0) openDialog({ kind: "tags", jobIds: jobs.map(({ id }) => id), fromPool: true });
    } catch {
      expectGone(scenarioId, false);
      setWorking(false);
    }
  };
  const disabled = reason !== null || working;
  return (
    <Modal
      title={texts.scenarios.deleteTitle}
      width={480}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          {deletesJobs && (
            <Button color="error" disabled={disabled} onClick={() => void remove(true)}>
              {texts.scenarios.deletePermanently}
            </Button>
          )}
          <Button variant="contained" disabled={disabled} onClick={() => void remove(false)}>
            {texts.scenarios.sendToPool}
          </Button>
        </>
      }
    >
      {reason === null ? (
        <Box sx={{ display: "grid", gap: 2 }}>
          <Typography>
            {fill(texts.scenarios.deleteText, { n: scenario.jobs_count, name: scenario.name })}
          </Typography>
          <Typography variant="body2" color="text.secondary">
            {texts.common.binned}
          </Typography>
          {scenario.stage === "tracking" && <ReasonChoice value={why} onChange={setWhy} />}
        </Box>
      ) : (
        <Alert severity="warning">{reason}</Alert>
      )}
    </Modal>
  );
}
