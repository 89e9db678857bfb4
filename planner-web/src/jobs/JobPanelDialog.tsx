import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Modal } from "../ui/Modal.tsx";
import { JobPanel } from "./JobPanel.tsx";

interface JobPanelDialogProps {
  jobId: number | null;
  pool?: boolean;
  onClose: () => void;
}

/** Bulk Create Jobs: one job after the other, of the scenario or of the pool. */
export function JobPanelDialog({ pool = false, onClose }: JobPanelDialogProps): ReactNode {
  return (
    <Modal
      title={pool ? `${texts.jobs.bulkCreate} – ${texts.jobs.poolTitle}` : texts.jobs.bulkCreate}
      width="85%"
      height="92vh"
      sticky
      onClose={onClose}
    >
      <JobPanel pool={pool} />
    </Modal>
  );
}
