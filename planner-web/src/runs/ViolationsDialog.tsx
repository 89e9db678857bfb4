import { Alert, Box, Button } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { selectJob } from "../plan/selection.ts";
import { Modal } from "../ui/Modal.tsx";
import { useConstraintsCheck } from "./violations.ts";

/** All violations of the plan. */
export function ViolationsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { data } = useConstraintsCheck();
  const violations = data?.violations ?? [];
  return (
    <Modal title={texts.runs.violations} width={640} onClose={onClose}>
      <Box sx={{ display: "grid", gap: 1 }}>
        {violations.length === 0 && <Alert severity="success">{texts.runs.noViolations}</Alert>}
        {violations.map(({ severity, message, run_uid: run, job_uid: job, job_id: jobId }, index) => (
          <Alert
            key={index}
            severity={severity}
            action={
              jobId !== null && (
                <Button
                  color="inherit"
                  onClick={() => {
                    selectJob(jobId);
                    onClose();
                  }}
                >
                  {texts.map.showOnMap}
                </Button>
              )
            }
          >
            {[run, job].filter((name) => name !== null).join(" · ")}: {message}
          </Alert>
        ))}
      </Box>
    </Modal>
  );
}
