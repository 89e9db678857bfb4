import { Button } from "@mui/material";
import { type Job, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { type Attachment, attachmentsToPool, printLabels } from "./attachments.ts";
import { PoolItemsDialog } from "./PoolItemsDialog.tsx";

interface PoolButtonsProps {
  kind: "units" | "returns";
  job: Job;
  /** The marked ones. */
  ids: number[];
  all: readonly Attachment[];
  writable: boolean;
  /** The marked ones are no longer on the job. */
  onMoved: () => void;
}

/** Units or returns of a job to the pool and back, and their labels. */
export function PoolButtons({ kind, job, ids, all, writable, onMoved }: PoolButtonsProps): ReactNode {
  const [choosing, setChoosing] = useState(false);
  const quietly = (work: Promise<void>, done?: () => void): void => void work.then(done, () => undefined);
  return (
    <>
      {writable && (
        <>
          <Button
            disabled={ids.length === 0}
            onClick={() => quietly(attachmentsToPool(kind, job, ids, "move"), onMoved)}
          >
            {texts.attachments.moveToPool}
          </Button>
          <Button
            disabled={ids.length === 0}
            onClick={() => quietly(attachmentsToPool(kind, job, ids, "copy"), onMoved)}
          >
            {texts.attachments.copyToPool}
          </Button>
          <Button onClick={() => setChoosing(true)}>{texts.attachments.fromPool}</Button>
        </>
      )}
      <Button disabled={all.length === 0} onClick={() => quietly(printLabels(kind, job, ids))}>
        {texts.attachments.printLabels}
      </Button>
      {choosing && <PoolItemsDialog kind={kind} job={job} onClose={() => setChoosing(false)} />}
    </>
  );
}
