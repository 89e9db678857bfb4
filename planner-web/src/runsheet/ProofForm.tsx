import { Box, Button, MenuItem, TextField, ToggleButton, ToggleButtonGroup, Typography } from "@mui/material";
import { recordTimeOf, type Runsheet, type RunsheetJob, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { PhotoPicker } from "../fields/PhotoPicker.tsx";
import { SignatureField } from "../fields/SignatureField.tsx";
import { type KeptDraft, useKeptDraft } from "./kept-draft.ts";
import { lastPosition } from "./position.ts";
import { type ItemMarks, ItemProofs, sendItemProofs } from "./ItemProofs.tsx";
import type { SheetState } from "./use-sheet.ts";
import { textOrNull } from "../fields/text.ts";

interface ProofFormProps {
  jobId: number;
  sheet: Runsheet;
  state: SheetState;
  onDone: () => void;
}

interface Draft {
  success: boolean;
  reasonId: string;
  photos: Blob[];
  signedBy: string;
  comments: string;
  marks: ItemMarks;
}

const EMPTY: Draft = { success: true, reasonId: "", photos: [], signedBy: "", comments: "", marks: {} };

/** Records what happened at a stop: result, reason, photos, signature, and what became of each unit. */
export function ProofForm({ jobId, sheet, state, onDone }: ProofFormProps): ReactNode {
  const job = sheet.jobs.find(({ id }) => id === jobId);
  const kept = useKeptDraft(`draft:${sheet.run.id}:${jobId}`, EMPTY);
  if (job === undefined || kept === null) return null;
  return <Form job={job} sheet={sheet} state={state} kept={kept} onDone={onDone} />;
}

interface FormProps extends Omit<ProofFormProps, "jobId"> {
  job: RunsheetJob;
  kept: KeptDraft<Draft>;
}

function Form({ job, sheet, state, kept, onDone }: FormProps): ReactNode {
  const { pod_settings: pod } = sheet.settings;
  const { draft, change } = kept;
  const { success, reasonId, photos, signedBy, comments, marks } = draft;
  const [signature, setSignature] = useState<Blob | null>(null);
  const [asked, setAsked] = useState(false);
  const [saving, setSaving] = useState(false);
  const reasons = sheet.reasons.filter(({ ok, applies_to: uses }) => ok === success && fits(uses));
  const offered = reasons.length > 0 ? reasons : sheet.reasons;

  const check = (): string | null => {
    if (!success && pod.reason_required_on_failure && reasonId === "") return texts.runsheet.needReason;
    if (success && pod.signature_required && signature === null) return texts.runsheet.needSignature;
    if (success && pod.signature_name_required && signature !== null && signedBy.trim() === "") {
      return texts.runsheet.needSignedBy;
    }
    if (pod.photo_required && photos.length === 0) return texts.runsheet.needPhoto;
    const unmarked = job.units.some(({ id }) => marks[`unit-${id}`] === undefined);
    return success && pod.unit_scan_required && unmarked ? texts.runsheet.needScan : null;
  };

  const save = async (): Promise<void> => {
    setAsked(true);
    if (check() !== null) return;
    setSaving(true);
    const time = recordTimeOf(new Date());
    await sendItemProofs(job, marks, time, state);
    await state.record({
      what: job.uid,
      kind: "job_proof",
      subjectId: job.id,
      body: {
        job_id: job.id,
        success,
        reason_id: reasonId === "" ? null : Number(reasonId),
        record_time: time,
        ...lastPosition(),
        signature_id: null,
        signature_name: textOrNull(signedBy),
        photo_ids: [],
        comments: textOrNull(comments),
      },
      files: [
        ...photos.map((data, index) => ({
          field: "photo_ids",
          name: `photo-${index + 1}.jpg`,
          data,
          storedId: null,
        })),
        ...(signature === null
          ? []
          : [{ field: "signature_id", name: "signature.png", data: signature, storedId: null }]),
      ],
    });
    await kept.forget();
    onDone();
  };

  // Told after the first try, and no longer than it is true.
  const problem = asked ? check() : null;
  return (
    <Box sx={{ display: "grid", gap: 2.5 }}>
      <Box>
        <Typography variant="h6">{job.customer_name ?? job.uid}</Typography>
        <Typography color="textSecondary">{job.location.address}</Typography>
      </Box>
      <ToggleButtonGroup
        exclusive
        fullWidth
        value={success ? "yes" : "no"}
        onChange={(_, value: "yes" | "no" | null) => {
          change({ success: value === null ? success : value === "yes", reasonId: "" });
        }}
      >
        <ToggleButton value="yes" color="success" sx={{ textTransform: "none", py: 1.5 }}>
          {texts.runsheet.delivered}
        </ToggleButton>
        <ToggleButton value="no" color="error" sx={{ textTransform: "none", py: 1.5 }}>
          {texts.runsheet.notDelivered}
        </ToggleButton>
      </ToggleButtonGroup>
      <TextField
        select
        size="medium"
        label={texts.runsheet.reason}
        required={!success && pod.reason_required_on_failure}
        error={problem === texts.runsheet.needReason}
        value={reasonId}
        onChange={(event) => change({ reasonId: event.target.value })}
      >
        <MenuItem value="">–</MenuItem>
        {offered.map(({ id, name }) => (
          <MenuItem key={id} value={String(id)}>
            {name}
          </MenuItem>
        ))}
      </TextField>
      <ItemProofs job={job} marks={marks} onChange={(next) => change({ marks: next })} />
      <PhotoPicker
        photos={photos}
        onChange={(next) => change({ photos: next })}
        most={pod.max_photos}
        label={texts.runsheet.addPhoto}
      />
      {success && (
        <>
          <SignatureField label={texts.runsheet.signature} onChange={setSignature} />
          <TextField
            size="medium"
            label={texts.runsheet.signedBy}
            error={problem === texts.runsheet.needSignedBy}
            value={signedBy}
            onChange={(event) => change({ signedBy: event.target.value })}
          />
        </>
      )}
      <TextField
        size="medium"
        multiline
        minRows={2}
        label={texts.runsheet.comments}
        value={comments}
        onChange={(event) => change({ comments: event.target.value })}
      />
      {problem !== null && (
        <Typography role="alert" color="error">
          {problem}
        </Typography>
      )}
      <Box sx={{ display: "flex", gap: 1 }}>
        <Button size="large" onClick={onDone}>
          {texts.common.back}
        </Button>
        <Button
          size="large"
          variant="contained"
          loading={saving}
          sx={{ flex: 1 }}
          onClick={() => void save()}
        >
          {texts.runsheet.save}
        </Button>
      </Box>
    </Box>
  );
}

function fits(uses: readonly string[]): boolean {
  return uses.length === 0 || uses.includes("job") || uses.includes("deliver");
}
