import {
  Alert,
  Box,
  Button,
  Checkbox,
  FormControlLabel,
  MenuItem,
  TextField,
  Typography,
} from "@mui/material";
import { fill, type Job, request, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { TimeField } from "../fields/TimeField.tsx";
import { usePlanWork } from "../plan/use-plan-work.ts";
import { Modal } from "../ui/Modal.tsx";
import { type BulkDraft, bulkProblems, bulkValues, NO_CHANGE } from "./bulk-values.ts";

interface BulkUpdateDialogProps {
  jobIds: number[];
  onClose: () => void;
}

/** The same values for all marked jobs. */
export function BulkUpdateDialog({ jobIds, onClose }: BulkUpdateDialogProps): ReactNode {
  const { working, run } = usePlanWork();
  const [draft, setDraft] = useState<BulkDraft>(NO_CHANGE);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const problems: Readonly<Record<string, string | undefined>> = { ...refused, ...bulkProblems(draft) };
  const values = bulkValues(draft);
  const change = (part: Partial<BulkDraft>): void => {
    setDraft({ ...draft, ...part });
    setRefused({});
  };
  const save = (): Promise<void> => {
    const body = { job_ids: jobIds, values };
    return run(request<Job[]>("/jobs/bulk_update", { method: "PATCH", body, quiet: true }), {
      loading: texts.jobs.bulkUpdating,
      success: fill(texts.jobs.bulkUpdated, { n: jobIds.length }),
      failure: texts.jobs.bulkUpdateFailed,
      done: onClose,
      refused: setRefused,
    });
  };
  const text = (name: "duration" | "spec_type" | "comments"): ReactNode => (
    <TextField
      label={texts.jobs.fields[name]}
      value={draft[name]}
      multiline={name === "comments"}
      minRows={name === "comments" ? 2 : undefined}
      error={problems[name] !== undefined}
      helperText={problems[name]}
      onChange={(event) => change({ [name]: event.target.value })}
      sx={name === "comments" ? { gridColumn: "1 / -1" } : undefined}
      slotProps={name === "duration" ? { htmlInput: { inputMode: "decimal" } } : undefined}
    />
  );
  const time = (name: "arrive_after" | "leave_by"): ReactNode => (
    <TimeField
      label={texts.jobs.fields[name]}
      step={15}
      value={draft[name]}
      disabled={draft.no_window}
      problem={problems[name]}
      onChange={(value) => change({ [name]: value })}
    />
  );
  const fine = Object.values(problems).every((problem) => problem === undefined);
  return (
    <Modal
      title={fill(texts.jobs.bulkUpdateTitle, { n: jobIds.length })}
      width={560}
      sticky
      unsaved={draft !== NO_CHANGE && Object.keys(values).length > 0}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button
            variant="contained"
            loading={working}
            disabled={!fine || Object.keys(values).length === 0}
            onClick={() => void save()}
          >
            {texts.common.save}
          </Button>
        </>
      }
    >
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2 }}>
        {texts.jobs.bulkUpdateText}
      </Typography>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
        {text("duration")}
        {text("spec_type")}
        {time("arrive_after")}
        {time("leave_by")}
        <FormControlLabel
          sx={{ gridColumn: "1 / -1" }}
          control={
            <Checkbox checked={draft.no_window} onChange={(_, checked) => change({ no_window: checked })} />
          }
          label={texts.jobs.noWindow}
        />
        <TextField
          select
          label={texts.jobs.fields.priority}
          value={draft.priority}
          onChange={(event) => change({ priority: event.target.value as BulkDraft["priority"] })}
        >
          <MenuItem value="">{texts.jobs.unchanged}</MenuItem>
          <MenuItem value="yes">{texts.common.yes}</MenuItem>
          <MenuItem value="no">{texts.common.no}</MenuItem>
        </TextField>
        {text("comments")}
        {Object.keys(refused).some((field) => !(field in draft)) && (
          <Alert severity="error" sx={{ gridColumn: "1 / -1" }}>
            {Object.values(refused).join(" ")}
          </Alert>
        )}
      </Box>
    </Modal>
  );
}
