import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Tooltip,
} from "@mui/material";
import { quietApi, messageOfError, useLevel, withToast, texts, fill } from "@routewright/web";
import type { Scenario } from "@routewright/web/model";
import { useState } from "react";
import { useRecordContext, useRedirect } from "react-admin";

/** Deletes a scenario; its jobs go to the pool or are deleted with it. */
export function DeleteScenario() {
  const scenario = useRecordContext<Scenario>();
  const redirect = useRedirect();
  const mayDeleteJobs = useLevel("jobs_delete");
  const [asking, setAsking] = useState(false);
  if (!scenario) return null;

  async function remove(deleteJobs: boolean): Promise<void> {
    setAsking(false);
    const work = quietApi.DELETE("/scenarios/{id}", {
      params: { path: { id: scenario?.id ?? 0 }, query: { delete_jobs: deleteJobs } },
    });
    await withToast(work, {
      loading: texts.scenarios.deleting,
      success: texts.scenarios.deleted,
      failure: (error) => `${texts.scenarios.deleteFailed}: ${messageOfError(error)}`,
    }).then(
      () => redirect("list", "database/scenarios"),
      () => undefined,
    );
  }
  return (
    <>
      <Tooltip title={scenario.has_proofs ? texts.scenarios.hasProofs : ""}>
        <span>
          <Button color="error" disabled={scenario.has_proofs} onClick={() => setAsking(true)}>
            {texts.common.delete}
          </Button>
        </span>
      </Tooltip>
      <Dialog open={asking} onClose={() => setAsking(false)}>
        <DialogTitle>{fill(texts.admin.scenarios.deleteOne, { name: scenario.name })}</DialogTitle>
        <DialogContent>
          <DialogContentText>{texts.admin.scenarios.deleteNote}</DialogContentText>
          <DialogContentText sx={{ mt: 1 }}>{texts.common.binned}</DialogContentText>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setAsking(false)}>{texts.common.cancel}</Button>
          <Button color="error" disabled={!mayDeleteJobs} onClick={() => void remove(true)}>
            {texts.admin.scenarios.deleteJobsToo}
          </Button>
          <Button variant="contained" onClick={() => void remove(false)}>
            {texts.scenarios.sendToPool}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
