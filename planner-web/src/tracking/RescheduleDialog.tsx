import { Box, Button, TextField } from "@mui/material";
import {
  dayjs,
  messageOfError,
  send,
  texts,
  toastError,
  toastSuccess,
  type TrackedJob,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { TimeField } from "../fields/TimeField.tsx";
import { Modal } from "../ui/Modal.tsx";
import { useChanged } from "../ui/unsaved.tsx";
import { textOrNull } from "../fields/text.ts";

interface RescheduleDialogProps {
  job: TrackedJob;
  path: string;
  onClose: () => void;
}

/** A customer asks for another time. The planners decide. */
export function RescheduleDialog({ job, path, onClose }: RescheduleDialogProps): ReactNode {
  const [date, setDate] = useState(job.scheduled_date ?? dayjs().format("YYYY-MM-DD"));
  const [from, setFrom] = useState("09:00");
  const [to, setTo] = useState("12:00");
  const [note, setNote] = useState("");
  const [working, setWorking] = useState(false);
  const unsaved = useChanged({ date, from, to, note });
  const days = job.reschedule?.max_days_ahead ?? 7;
  const ask = async (): Promise<void> => {
    setWorking(true);
    try {
      await send(`${path}/reschedule`, {
        method: "POST",
        body: { date, time_from: from, time_to: to, note: textOrNull(note) },
      });
      toastSuccess(texts.tracking.rescheduleSent);
      onClose();
    } catch (error) {
      toastError(messageOfError(error));
      setWorking(false);
    }
  };
  return (
    <Modal
      title={texts.tracking.reschedule}
      width={440}
      unsaved={unsaved}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" loading={working} onClick={() => void ask()}>
            {texts.tracking.send}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 2, pt: 0.5 }}>
        <TextField
          type="date"
          label={texts.tracking.rescheduleDate}
          value={date}
          onChange={(event) => setDate(event.target.value)}
          slotProps={{
            inputLabel: { shrink: true },
            htmlInput: {
              min: dayjs().format("YYYY-MM-DD"),
              max: dayjs().add(days, "day").format("YYYY-MM-DD"),
            },
          }}
        />
        <TimeField label={texts.tracking.rescheduleFrom} step={15} value={from} onChange={setFrom} />
        <TimeField label={texts.tracking.rescheduleTo} step={15} value={to} onChange={setTo} />
        {job.reschedule?.allow_note !== false && (
          <TextField
            multiline
            minRows={2}
            label={texts.tracking.rescheduleNote}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Box>
    </Modal>
  );
}
