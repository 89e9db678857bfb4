import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Tooltip,
} from "@mui/material";
import { request, useLevel, withToast } from "@routewright/web";
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
    const work = request(`/scenarios/${scenario?.id ?? 0}`, {
      method: "DELETE",
      query: deleteJobs ? { delete_jobs: true } : {},
      quiet: true,
    });
    await withToast(work, {
      loading: "Deleting scenario...",
      success: "Scenario deleted successfully",
      failure: (error) => `Failed to delete scenario: ${error instanceof Error ? error.message : ""}`,
    }).then(
      () => redirect("list", "database/scenarios"),
      () => undefined,
    );
  }
  return (
    <>
      <Tooltip title={scenario.has_proofs ? "Cannot delete scenario with proofs" : ""}>
        <span>
          <Button color="error" disabled={scenario.has_proofs} onClick={() => setAsking(true)}>
            Delete
          </Button>
        </span>
      </Tooltip>
      <Dialog open={asking} onClose={() => setAsking(false)}>
        <DialogTitle>{`Delete scenario '${scenario.name}'?`}</DialogTitle>
        <DialogContent>
          <DialogContentText>
            Its jobs can go to the job pool, or be deleted for good together with the scenario.
          </DialogContentText>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setAsking(false)}>Cancel</Button>
          <Button color="error" disabled={!mayDeleteJobs} onClick={() => void remove(true)}>
            Delete jobs too
          </Button>
          <Button variant="contained" onClick={() => void remove(false)}>
            Send to Pool
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
