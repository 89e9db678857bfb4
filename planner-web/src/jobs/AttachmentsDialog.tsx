import { Tab, Tabs } from "@mui/material";
import { type Job, texts, useModule, type ViewName } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { keys } from "../plan/keys.ts";
import { jobs } from "../plan/queries.ts";
import { Modal } from "../ui/Modal.tsx";
import { useLeave } from "../ui/unsaved.tsx";
import { Waiting } from "../ui/Waiting.tsx";
import { useView } from "../ui/view.ts";
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
  const { data: job, error } = useQuery({
    queryKey: keys.job(jobId),
    queryFn: () => jobs.get(jobId, { quiet: true }),
  });
  if (tabs.length === 0) return null;
  if (job === undefined) return <Waiting title={texts.attachments.title} error={error} onClose={onClose} />;
  return (
    <Modal title={`${texts.attachments.title} – ${job.uid}`} width="50%" onClose={onClose}>
      <Lists tabs={tabs} job={job} view={view} />
    </Modal>
  );
}

function Lists({ tabs, job, view }: { tabs: AttachmentKind[]; job: Job; view: ViewName }): ReactNode {
  const [chosen, setChosen] = useState<AttachmentKind | null>(null);
  const leave = useLeave();
  const tab = chosen ?? tabs[0];
  if (tab === undefined) return null;
  return (
    <>
      <Tabs
        value={tab}
        onChange={(_, value: AttachmentKind) => leave(() => setChosen(value))}
        sx={{ mb: 1.5 }}
      >
        {tabs.map((kind) => (
          <Tab key={kind} value={kind} label={texts.attachments[kind]} />
        ))}
      </Tabs>
      <AttachmentList key={tab} kind={tab} job={job} editable={view === "map"} />
    </>
  );
}
