import { Box, Button, TextField, Typography } from "@mui/material";
import {
  type ChecklistDefinition,
  decimalOf,
  fill,
  recordTimeOf,
  type Runsheet,
  texts,
  toKm,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { PhotoPicker } from "../fields/PhotoPicker.tsx";
import { SignatureField } from "../fields/SignatureField.tsx";
import { ChecklistInputs } from "./ChecklistInputs.tsx";
import { type ChecklistDraft, checklistProblem, checklistRecord } from "./checklist.ts";
import { lastPosition } from "./position.ts";
import type { SheetState } from "./use-sheet.ts";

const MOST_PHOTOS = 5;
const ODOMETER_PROBLEMS: ReadonlySet<string> = new Set([
  texts.runsheet.needOdometer,
  texts.checks.numeric,
  texts.runs.checks.odometer,
]);

interface RouteFormProps {
  kind: "start" | "end";
  sheet: Runsheet;
  state: SheetState;
  onDone: () => void;
}

/** Starts or ends the route: odometer, photos, signature and the organisation's checklist. */
export function RouteForm({ kind, sheet, state, onDone }: RouteFormProps): ReactNode {
  const unit = sheet.organisation.distance_unit;
  const { app_settings: app } = sheet.settings;
  const starting = kind === "start";
  const checklist = starting ? sheet.checklists.start_route : sheet.checklists.end_route;
  const [odometer, setOdometer] = useState("");
  const [photos, setPhotos] = useState<Blob[]>([]);
  const [signature, setSignature] = useState<Blob | null>(null);
  const [answers, setAnswers] = useState<ChecklistDraft>({});
  const [asked, setAsked] = useState(false);
  const [saving, setSaving] = useState(false);
  const odometerNeeded = starting ? app.require_start_odometer : app.require_end_odometer;

  const check = (): string | null => {
    const value = decimalOf(odometer);
    if (odometer.trim() === "" && odometerNeeded) return texts.runsheet.needOdometer;
    if (!Number.isFinite(value) || value < 0) return texts.checks.numeric;
    const start = sheet.run.start_odometer;
    if (!starting && odometer.trim() !== "" && start !== null && toKm(value, unit) < start) {
      return texts.runs.checks.odometer;
    }
    if (starting && app.require_start_photo && photos.length === 0) return texts.runsheet.needPhoto;
    return checklist === null ? null : checklistProblem(checklist, answers);
  };

  const save = async (): Promise<void> => {
    setAsked(true);
    if (check() !== null) return;
    setSaving(true);
    const now = new Date();
    const km = odometer.trim() === "" ? null : toKm(decimalOf(odometer), unit);
    await sendChecklist(checklist, answers, state);
    await state.record({
      what: starting ? texts.runsheet.start : texts.runsheet.end,
      kind,
      subjectId: sheet.run.id,
      body: { odometer: km, [starting ? "actual_start_time" : "actual_end_time"]: now.toISOString() },
      files: [],
    });
    await state.record({
      what: starting ? texts.runs.routeStart : texts.runs.routeEnd,
      kind: "run_proof",
      subjectId: sheet.run.id,
      body: {
        mode: kind,
        record_time: recordTimeOf(now),
        odometer: km,
        photo_ids: [],
        signature_id: null,
        ...lastPosition(),
      },
      files: [
        ...photos.map((data, index) => ({
          field: "photo_ids",
          name: `${kind}-${index + 1}.jpg`,
          data,
          storedId: null,
        })),
        ...(signature === null
          ? []
          : [{ field: "signature_id", name: "signature.png", data: signature, storedId: null }]),
      ],
    });
    onDone();
  };

  // Told after the first try, and no longer than it is true.
  const problem = asked ? check() : null;
  return (
    <Box sx={{ display: "grid", gap: 2.5 }}>
      <Typography variant="h6">{starting ? texts.runsheet.start : texts.runsheet.end}</Typography>
      <TextField
        size="medium"
        label={fill(starting ? texts.runsheet.startOdometer : texts.runsheet.endOdometer, { unit })}
        value={odometer}
        required={odometerNeeded}
        error={problem !== null && ODOMETER_PROBLEMS.has(problem)}
        onChange={(event) => setOdometer(event.target.value)}
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
      />
      {checklist !== null && (
        <ChecklistInputs definition={checklist} answers={answers} onChange={setAnswers} />
      )}
      <PhotoPicker photos={photos} onChange={setPhotos} most={MOST_PHOTOS} label={texts.runsheet.addPhoto} />
      <SignatureField label={texts.runsheet.signature} onChange={setSignature} />
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
          {starting ? texts.runsheet.start : texts.runsheet.end}
        </Button>
      </Box>
    </Box>
  );
}

async function sendChecklist(
  checklist: ChecklistDefinition | null,
  answers: ChecklistDraft,
  state: SheetState,
): Promise<void> {
  if (checklist !== null) await state.record(checklistRecord(checklist, answers));
}
