import { decimalOf, fill, type Runsheet, texts, toKm } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { PhotoPicker } from "../fields/PhotoPicker.tsx";
import { SignatureField } from "../fields/SignatureField.tsx";
import { Button } from "../phone/Button.tsx";
import { Field } from "../phone/Field.tsx";
import { ChecklistInputs } from "./ChecklistInputs.tsx";
import { type ChecklistDraft, checklistPart, checklistProblem, proofFiles } from "./checklist.ts";
import { odometerDoubt } from "./doubt.ts";
import { type KeptDraft, useKeptDraft } from "./kept-draft.ts";
import { reducedPhoto } from "./photo.ts";
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

interface Draft {
  odometer: string;
  photos: Blob[];
  signature: Blob | null;
  answers: ChecklistDraft;
}

const EMPTY: Draft = { odometer: "", photos: [], signature: null, answers: {} };

/** Starts or ends the route: odometer, photos, signature and the organisation's checklist. */
export function RouteForm(props: RouteFormProps): ReactNode {
  const kept = useKeptDraft(`${props.sheet.run.id}:${props.kind}`, EMPTY);
  return kept === null ? null : <Form {...props} kept={kept} />;
}

function Form({ kind, sheet, state, onDone, kept }: RouteFormProps & { kept: KeptDraft<Draft> }): ReactNode {
  const unit = sheet.organisation.distance_unit;
  const { app_settings: app } = sheet.settings;
  const starting = kind === "start";
  const checklist = starting ? sheet.checklists.start_route : sheet.checklists.end_route;
  const { odometer, photos, signature, answers } = kept.draft;
  const [asked, setAsked] = useState(false);
  const [saving, setSaving] = useState(false);
  const [meant, setMeant] = useState<string | null>(null);
  const odometerNeeded = starting ? app.require_start_odometer : app.require_end_odometer;

  const km = odometer.trim() === "" ? null : toKm(decimalOf(odometer), unit);
  const doubt = starting ? null : odometerDoubt(sheet.run, km, unit);

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
    // Asked once for each value: what the driver means is recorded.
    if (doubt !== null && meant !== odometer) {
      setMeant(odometer);
      return;
    }
    setSaving(true);
    const small = await Promise.all(photos.map(reducedPhoto));
    const answered = checklist === null ? null : checklistPart(checklist, answers);
    const safe = await state.record({
      kind,
      what: starting ? texts.runsheet.start : texts.runsheet.end,
      jobId: null,
      content: {
        route: { odometer: km, ...lastPosition() },
        ...(answered !== null && { checklist: answered.checklist }),
      },
      files: [...proofFiles(kind, small, signature), ...(answered?.files ?? [])],
    });
    setSaving(false);
    if (!safe) return;
    await kept.forget();
    onDone();
  };

  // Told after the first try, and no longer than it is true.
  const problem = asked ? check() : null;
  const questioned = doubt !== null && meant === odometer;
  return (
    <div className="ph-stack">
      <h2>{starting ? texts.runsheet.start : texts.runsheet.end}</h2>
      <Field
        label={fill(starting ? texts.runsheet.startOdometer : texts.runsheet.endOdometer, { unit })}
        value={odometer}
        required={odometerNeeded}
        error={problem !== null && ODOMETER_PROBLEMS.has(problem) ? "" : null}
        onChange={(value) => kept.change({ odometer: value })}
        inputMode="decimal"
      />
      {checklist !== null && (
        <ChecklistInputs
          definition={checklist}
          answers={answers}
          onChange={(next) => kept.change({ answers: next })}
        />
      )}
      <PhotoPicker
        photos={photos}
        onChange={(next) => kept.change({ photos: next })}
        most={MOST_PHOTOS}
        label={texts.runsheet.addPhoto}
      />
      <SignatureField
        label={texts.runsheet.signature}
        value={signature}
        onChange={(next) => kept.change({ signature: next })}
      />
      {problem !== null && (
        <p role="alert" className="ph-error">
          {problem}
        </p>
      )}
      {problem === null && questioned && (
        <p role="alert" className="ph-note">
          {doubt}
        </p>
      )}
      <div className="ph-row">
        <Button onClick={onDone}>{texts.common.back}</Button>
        <Button kind="filled" grow busy={saving} onClick={() => void save()}>
          {questioned ? texts.runsheet.odometerMeant : starting ? texts.runsheet.start : texts.runsheet.end}
        </Button>
      </div>
    </div>
  );
}
