import { Box, Button, Checkbox, FormControlLabel, Typography } from "@mui/material";
import { type JobDetail, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { Modal } from "../ui/Modal.tsx";
import { duplicateJob } from "./duplicate.ts";

interface DuplicateJobDialogProps {
  job: JobDetail;
  onClose: () => void;
  onDone: () => void;
}

/** Copies a job; which of its units are copied with it is chosen. */
export function DuplicateJobDialog({ job, onClose, onDone }: DuplicateJobDialogProps): ReactNode {
  const all = job.units.map(({ id }) => id);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(all));
  const [working, setWorking] = useState(false);
  const toggle = (id: number): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const copy = async (): Promise<void> => {
    setWorking(true);
    try {
      await duplicateJob(
        job,
        all.filter((id) => chosen.has(id)),
      );
      onDone();
    } catch {
      setWorking(false);
    }
  };
  return (
    <Modal
      title={`${texts.jobs.duplicateJob} – ${job.uid}`}
      width={440}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" loading={working} onClick={() => void copy()}>
            {texts.jobs.duplicateJob}
          </Button>
        </>
      }
    >
      {all.length === 0 ? (
        <Typography>{texts.attachments.noUnits}</Typography>
      ) : (
        <>
          <Typography sx={{ mb: 1 }}>{texts.jobs.duplicateUnits}</Typography>
          <FormControlLabel
            control={
              <Checkbox
                checked={chosen.size === all.length}
                indeterminate={chosen.size > 0 && chosen.size < all.length}
                onChange={(_, on) => setChosen(new Set(on ? all : []))}
              />
            }
            label={texts.common.all}
          />
          <Box sx={{ display: "grid", pl: 3, maxHeight: "50vh", overflow: "auto" }}>
            {job.units.map(({ id, uid, name }) => (
              <FormControlLabel
                key={id}
                control={<Checkbox checked={chosen.has(id)} onChange={() => toggle(id)} />}
                label={name === null ? uid : `${uid} · ${name}`}
              />
            ))}
          </Box>
        </>
      )}
    </Modal>
  );
}
