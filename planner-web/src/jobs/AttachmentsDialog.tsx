import { Tab, Tabs } from "@mui/material";
import { texts, useModule } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { keys } from "../plan/keys.ts";
import { jobs } from "../plan/queries.ts";
import { Modal } from "../shell/Modal.tsx";
import { Waiting } from "../shell/Waiting.tsx";
import { useView } from "../shell/view.ts";
import { AttachmentList } from "./AttachmentList.tsx";
import type { AttachmentKind } from "./attachments.ts";

interface AttachmentsDialogProps {
  jobId: number;
  onClose: () => void;
}

/** Units, returns and containers of a job. */
export function AttachmentsDialog({ jobId, onClose }: AttachmentsDialogProps): ReactNode {
  const view = useView();
  const units = useModule("units", view);
  const returns = useModule("returns", view);
  const containers = useModule("containers", view) && view !== "tracking";
  const tabs: AttachmentKind[] = [];
  if (units) tabs.push("units");
  if (returns) tabs.push("returns");
  if (containers) tabs.push("containers");
  const [chosen, setChosen] = useState<AttachmentKind | null>(null);
  const { data: job, error } = useQuery({
    queryKey: keys.job(jobId),
    queryFn: () => jobs.get(jobId, { quiet: true }),
  });
  const tab = chosen ?? tabs[0];
  if (tab === undefined) return null;
  if (job === undefined) return <Waiting title={texts.attachments.title} error={error} onClose={onClose} />;
  return (
    <Modal title={`${texts.attachments.title} – ${job.uid}`} width="50%" onClose={onClose}>
      <Tabs value={tab} onChange={(_, value: AttachmentKind) => setChosen(value)} sx={{ mb: 1.5 }}>
        {tabs.map((kind) => (
          <Tab key={kind} value={kind} label={texts.attachments[kind]} />
        ))}
      </Tabs>
      <AttachmentList key={tab} kind={tab} job={job} editable={view === "map"} />
    </Modal>
  );
}
