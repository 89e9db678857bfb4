import { clockText, fill, type Runsheet, type RunsheetJob, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { PhotoPicker } from "../fields/PhotoPicker.tsx";
import { SignatureField } from "../fields/SignatureField.tsx";
import { textOrNull } from "../fields/text.ts";
import { Button } from "../phone/Button.tsx";
import { Field, Select } from "../phone/Field.tsx";
import { Notice } from "../phone/Notice.tsx";
import { Amounts } from "./Amounts.tsx";
import { deliveredSize, plannedOf, type Typed, typedOf, wrongAmounts } from "./amounts.ts";
import { proofFiles } from "./checklist.ts";
import { demandsOf, lacking, type Part } from "./demands.ts";
import { deviceText } from "./device.ts";
import { type ItemMarks, itemParts, ItemProofs } from "./ItemProofs.tsx";
import { type KeptDraft, useKeptDraft } from "./kept-draft.ts";
import { lastPosition } from "./position.ts";
import { type KeptRecord, proofOf, recordOf } from "./record.ts";
import { reducedPhoto } from "./photo.ts";
import type { SheetState } from "./use-sheet.ts";

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
  signature: Blob | null;
  signedBy: string;
  comments: string;
  pin: string;
  /** Whether the recipient is old enough; empty while nobody has said. */
  oldEnough: "" | "yes" | "no";
  marks: ItemMarks;
  /** What was typed of each measure of the size. */
  amounts: Typed;
}

const EMPTY: Draft = {
  success: true,
  reasonId: "",
  photos: [],
  signature: null,
  signedBy: "",
  comments: "",
  pin: "",
  oldEnough: "",
  marks: {},
  amounts: {},
};

/** Records what happened at a stop: result, reason, photos, signature, and what became of each unit. */
export function ProofForm({ jobId, sheet, state, onDone }: ProofFormProps): ReactNode {
  const job = sheet.jobs.find(({ id }) => id === jobId);
  const [before] = useState(() => (job === undefined ? null : beforeOf(job, state.records)));
  const key = `${sheet.run.id}:${jobId}:${before?.at ?? ""}`;
  const kept = useKeptDraft(key, { ...EMPTY, ...before?.draft });
  if (job === undefined || kept === null) return null;
  return <Form job={job} sheet={sheet} state={state} kept={kept} before={before} onDone={onDone} />;
}

/** What was recorded of the stop before: a correction begins with it. */
interface Before {
  /** ISO 8601. */
  at: string;
  draft: Partial<Draft>;
  /** Files of it that the office has, which the correction keeps. */
  photoIds: number[];
  signatureId: number | null;
  /** The PIN has been right before. */
  pinKnown: boolean;
}

function beforeOf(job: RunsheetJob, records: readonly KeptRecord[]): Before | null {
  const recorded = recordOf(job.id, records);
  if (recorded !== undefined) {
    const proof = recorded.content.job_proof ?? {};
    const text = (name: string): string => (typeof proof[name] === "string" ? proof[name] : "");
    const of = (field: string): Blob[] =>
      recorded.files.filter((file) => file.field === field).map(({ data }) => data);
    return {
      at: recorded.capturedAt,
      draft: {
        success: proof["success"] !== false,
        reasonId: typeof proof["reason_id"] === "number" ? String(proof["reason_id"]) : "",
        signedBy: text("signature_name"),
        comments: text("comments"),
        pin: text("pin"),
        oldEnough: answerOf(proof["age_check"]),
        amounts: typedOf(proof["delivered_size"]),
        photos: of("photo_ids"),
        signature: of("signature_id")[0] ?? null,
      },
      photoIds: (proof["photo_ids"] as number[] | undefined) ?? [],
      signatureId: (proof["signature_id"] as number | null | undefined) ?? null,
      pinKnown: false,
    };
  }
  const proof = proofOf(job);
  if (proof === undefined) return null;
  return {
    at: `${proof.record_time.replace(" ", "T")}Z`,
    draft: {
      success: proof.success,
      reasonId: proof.reason_id === null ? "" : String(proof.reason_id),
      signedBy: proof.signature_name ?? "",
      comments: proof.comments ?? "",
      oldEnough: answerOf(proof.age_check),
      amounts: typedOf(proof.delivered_size),
    },
    photoIds: proof.photos.map(({ id }) => id),
    signatureId: proof.signature?.id ?? null,
    pinKnown: job.proofs.some(({ pin_ok: right }) => right === true),
  };
}

function answerOf(oldEnough: unknown): Draft["oldEnough"] {
  if (typeof oldEnough !== "boolean") return "";
  return oldEnough ? "yes" : "no";
}

interface FormProps extends Omit<ProofFormProps, "jobId"> {
  job: RunsheetJob;
  kept: KeptDraft<Draft>;
  before: Before | null;
}

function Form({ job, sheet, state, kept, before, onDone }: FormProps): ReactNode {
  const { pod_settings: pod } = sheet.settings;
  const { draft, change } = kept;
  const { success, reasonId, photos, signature, signedBy, comments, pin, oldEnough, marks, amounts } = draft;
  // Units are told one by one.
  const planned = job.units.length === 0 ? plannedOf(job.size) : {};
  const [asked, setAsked] = useState(false);
  /** What the driver was asked for and goes without. */
  const [without, setWithout] = useState<readonly Part[] | null>(null);
  const [wrongPin, setWrongPin] = useState<string | null>(null);
  const demands = demandsOf(job, pod);
  const [saving, setSaving] = useState(false);
  const reasons = sheet.reasons.filter(({ ok, applies_to: uses }) => ok === success && fits(uses));
  const offered = reasons.length > 0 ? reasons : sheet.reasons;
  const signed = signature !== null || (before?.signatureId ?? null) !== null;
  const pictures = photos.length + (before?.photoIds.length ?? 0);

  const given: Record<Part, boolean> = {
    photo: pictures > 0,
    signature: signed,
    scan: before !== null || job.units.every(({ id }) => marks[`unit-${id}`] !== undefined),
    pin: pin.trim() !== "" || (before?.pinKnown ?? false),
    note: comments.trim() !== "",
    age_check: oldEnough !== "",
  };

  const check = (): string | null => {
    if (!success && pod.reason_required_on_failure && reasonId === "") return texts.runsheet.needReason;
    if (success && wrongAmounts(planned, amounts).length > 0) return texts.runsheet.needAmounts;
    const part = lacking(demands, "required", given, success)[0];
    if (part !== undefined) return texts.runsheet.need[part];
    if (success && wrongPin !== null && wrongPin === pin) return texts.runsheet.wrongPin;
    const unnamed = signed && signedBy.trim() === "";
    return success && pod.signature_name_required && unnamed ? texts.runsheet.needSignedBy : null;
  };

  const save = async (): Promise<void> => {
    setAsked(true);
    if (check() !== null) return;
    const wanted = lacking(demands, "warn", given, success);
    // Asked once for each.
    if (wanted.some((part) => !(without ?? []).includes(part))) {
      setWithout(wanted);
      return;
    }
    setSaving(true);
    if (success && pin.trim() !== "" && !(await state.connection.isPin(job.id, pin))) {
      setWrongPin(pin);
      setSaving(false);
      return;
    }
    const place = lastPosition();
    const small = await Promise.all(photos.map(reducedPhoto));
    const safe = await state.record({
      kind: "stop",
      what: job.uid,
      jobId: job.id,
      content: {
        job_uid: job.uid,
        job_proof: {
          success,
          reason_id: reasonId === "" ? null : Number(reasonId),
          ...place,
          signature_id: success ? (before?.signatureId ?? null) : null,
          signature_name: success ? textOrNull(signedBy) : null,
          photo_ids: before?.photoIds ?? [],
          comments: textOrNull(comments),
          ...(success && pin.trim() !== "" ? { pin: pin.trim() } : {}),
          ...(success && oldEnough !== "" ? { age_check: oldEnough === "yes" } : {}),
          ...(success ? { delivered_size: deliveredSize(planned, amounts) } : {}),
          device: deviceText(navigator.userAgent, PAGE_VERSION),
        },
        ...itemParts(job, marks, place),
      },
      files: proofFiles("photo", small, success ? signature : null),
    });
    setSaving(false);
    if (!safe) return;
    await kept.forget();
    onDone();
  };

  // Told after the first try, and no longer than it is true.
  const problem = asked ? check() : null;
  const told = (text: string): string | null => (problem === text ? problem : null);
  const starred = (text: string, part: Part): string => (demands[part] === "required" ? `${text} *` : text);
  const going = (without ?? [])
    .filter((part) => lacking(demands, "warn", given, success).includes(part))
    .map((part) => texts.runsheet.parts[part])
    .join(", ");
  return (
    <div className="ph-stack">
      <div>
        <h2>{job.customer_name ?? job.uid}</h2>
        <p className="ph-quiet">{job.location.address}</p>
      </div>
      {before !== null && (
        <Notice tone="info">
          {fill(texts.runsheet.correcting, { time: clockText(before.at, sheet.organisation.timezone) })}
        </Notice>
      )}
      <div className="ph-row">
        <Button
          kind="toggle"
          tone="success"
          grow
          pressed={success}
          onClick={() => change({ success: true, reasonId: "" })}
        >
          {texts.runsheet.delivered}
        </Button>
        <Button
          kind="toggle"
          tone="error"
          grow
          pressed={!success}
          onClick={() => change({ success: false, reasonId: "" })}
        >
          {texts.runsheet.notDelivered}
        </Button>
      </div>
      <Select
        label={texts.runsheet.reason}
        required={!success && pod.reason_required_on_failure}
        error={told(texts.runsheet.needReason)}
        value={reasonId}
        options={offered.map(({ id, name }) => ({ value: String(id), text: name }))}
        onChange={(value) => change({ reasonId: value })}
      />
      <ItemProofs
        job={job}
        marks={marks}
        error={told(texts.runsheet.need.scan)}
        onChange={(next) => change({ marks: next })}
      />
      {success && (
        <Amounts planned={planned} typed={amounts} onChange={(next) => change({ amounts: next })} />
      )}
      <PhotoPicker
        photos={photos}
        onChange={(next) => change({ photos: next })}
        most={Math.max(0, pod.max_photos - (before?.photoIds.length ?? 0))}
        label={starred(texts.runsheet.addPhoto, "photo")}
        error={told(texts.runsheet.need.photo)}
      />
      {success && (
        <>
          <SignatureField
            label={starred(texts.runsheet.signature, "signature")}
            value={signature}
            error={told(texts.runsheet.need.signature)}
            onChange={(next) => change({ signature: next })}
          />
          <Field
            label={texts.runsheet.signedBy}
            required={pod.signature_name_required && signed}
            error={told(texts.runsheet.needSignedBy)}
            value={signedBy}
            onChange={(value) => change({ signedBy: value })}
          />
          {demands.pin !== null && !(before?.pinKnown ?? false) && (
            <Field
              inputMode="numeric"
              label={texts.runsheet.pin}
              required={demands.pin === "required"}
              error={told(texts.runsheet.need.pin) ?? told(texts.runsheet.wrongPin)}
              value={pin}
              onChange={(value) => change({ pin: value.replaceAll(/\D/g, "").slice(0, 6) })}
            />
          )}
          {demands.age_check !== null && (
            <Select
              label={texts.runsheet.ageCheck}
              required={demands.age_check === "required"}
              error={told(texts.runsheet.need.age_check)}
              value={oldEnough}
              options={[
                { value: "yes", text: texts.common.yes },
                { value: "no", text: texts.common.no },
              ]}
              onChange={(value) => change({ oldEnough: value as Draft["oldEnough"] })}
            />
          )}
        </>
      )}
      <Field
        multiline
        label={texts.runsheet.comments}
        required={demands.note === "required"}
        error={told(texts.runsheet.need.note)}
        value={comments}
        onChange={(value) => change({ comments: value })}
      />
      {problem === null && going !== "" && (
        <Notice tone="warning">{fill(texts.runsheet.without, { parts: going })}</Notice>
      )}
      {problem !== null && (
        <p role="alert" className="ph-error">
          {problem}
        </p>
      )}
      <div className="ph-row">
        <Button onClick={onDone}>{texts.common.back}</Button>
        <Button kind="filled" grow busy={saving} onClick={() => void save()}>
          {going !== ""
            ? texts.runsheet.saveWithout
            : before === null
              ? texts.runsheet.save
              : texts.runsheet.correct}
        </Button>
      </div>
    </div>
  );
}

function fits(uses: readonly string[]): boolean {
  return uses.length === 0 || uses.includes("job") || uses.includes("deliver");
}
