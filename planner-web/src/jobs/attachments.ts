import {
  type Container,
  hasSpecialCharacters,
  type Job,
  request,
  requestBlob,
  resource,
  type Return,
  saveFile,
  texts,
  type Unit,
  withToast,
} from "@routewright/web";
import { textOrNull } from "../fields/text.ts";
import { failureText } from "../ui/failure.ts";
import { queryClient } from "../ui/query-client.ts";

export type AttachmentKind = "units" | "returns" | "containers";

/** What a row of the list shows, whatever is attached. */
export interface Attachment {
  id: number;
  uid: string;
  name: string | null;
  invoice: string | null;
  reference: string | null;
  comments: string | null;
  extra_fields: Record<string, string>;
  /** The client that a return is taken back for. */
  client_id: number | null;
}

export interface AttachmentColumn {
  name: "name" | "invoice" | "reference" | "comments";
  label: string;
}

/** What each kind has beside its uid. */
export const ATTACHMENT_COLUMNS: Readonly<Record<AttachmentKind, readonly AttachmentColumn[]>> = {
  units: [
    { name: "name", label: texts.attachments.unitName },
    { name: "invoice", label: texts.jobs.fields.invoice },
    { name: "reference", label: texts.jobs.fields.reference },
  ],
  returns: [{ name: "comments", label: texts.attachments.comments }],
  containers: [],
};

export const units = resource<Unit>("/units");
export const returns = resource<Return>("/returns");
const containers = resource<Container>("/containers");

export async function loadAttachments(kind: AttachmentKind, jobId: number): Promise<Attachment[]> {
  const none = { name: null, invoice: null, reference: null, comments: null, client_id: null };
  if (kind === "units") {
    return (await units.all({ job_id: jobId })).map((unit) => ({ ...none, ...unit }));
  }
  if (kind === "returns") return (await returns.all({ job_id: jobId })).map((item) => ({ ...none, ...item }));
  return (await containers.all({ job_id: jobId })).map((item) => ({ ...none, ...item }));
}

export const attachmentKey = (kind: AttachmentKind, jobId: number): readonly unknown[] => [
  "attachments",
  kind,
  jobId,
];

async function refresh(kind: AttachmentKind, jobId: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: attachmentKey(kind, jobId) });
  await queryClient.invalidateQueries({ queryKey: ["job", jobId] });
}

export type AttachmentInput = Omit<Attachment, "id" | "client_id">;

/** Saves a unit or a return under its own texts; `stored` is `null` for a new one. */
export async function saveAttachment(
  kind: "units" | "returns",
  job: Job,
  stored: Pick<Attachment, "id" | "client_id"> | null,
  input: AttachmentInput,
): Promise<void> {
  const id = stored?.id ?? null;
  const { comments, name, invoice, reference, uid, extra_fields } = input;
  if (kind === "units") {
    const body = { uid, name, invoice, reference, extra_fields, job_id: job.id };
    const options = { quiet: true };
    await withToast(id === null ? units.create(body, options) : units.change(id, body, options), {
      loading: texts.attachments.saving,
      success: texts.attachments.saved,
      failure: failureText(texts.errors.unknown),
    });
  } else {
    const body = {
      uid,
      comments,
      extra_fields,
      job_id: job.id,
      // A new return is the job's client's; one that is there keeps whose it is.
      client_id: stored === null ? (job.client_id ?? null) : stored.client_id,
      organisation_id: job.organisation_id,
    };
    const options = { quiet: true };
    await withToast(id === null ? returns.create(body, options) : returns.change(id, body, options), {
      loading: texts.attachments.savingReturn,
      success: id === null ? texts.attachments.returnCreated : texts.attachments.returnUpdated,
      failure: texts.attachments.returnFailed,
    });
  }
  await refresh(kind, job.id);
}

/** Units of a job as they are, each with its container. */
export const unitsKey = (jobId: number): readonly unknown[] => [...attachmentKey("units", jobId), "whole"];

/**
 * Saves a container and puts the job's units into it or takes them out. `onId` hears the id before the units are
 * touched.
 */
export async function saveContainer(
  job: Job,
  id: number | null,
  fields: { uid: string; extra_fields: Record<string, string> },
  inside: { before: readonly number[]; after: readonly number[] },
  onId: (id: number) => void,
): Promise<void> {
  const work = async (): Promise<void> => {
    const options = { quiet: true };
    const saved = await (id === null
      ? containers.create(fields, options)
      : containers.change(id, fields, options));
    onId(saved.id);
    const { before, after } = inside;
    const changes = [
      ...after.filter((unit) => !before.includes(unit)).map((unit) => ({ id: unit, container_id: saved.id })),
      ...before.filter((unit) => !after.includes(unit)).map((unit) => ({ id: unit, container_id: null })),
    ];
    if (changes.length > 0) await units.changeMany(changes, options);
  };
  await withToast(work(), {
    loading: texts.attachments.saving,
    success: texts.attachments.saved,
    failure: failureText(texts.errors.unknown),
  });
  await refresh("units", job.id);
  await refresh("containers", job.id);
}

/** What is wrong with the uid of a unit, return or container. */
export function uidProblem(uid: string): string | null {
  if (uid.trim() === "") return texts.checks.uidRequired;
  return hasSpecialCharacters(uid) ? texts.checks.specialCharacters : null;
}

export async function deleteAttachment(kind: "units" | "returns", job: Job, id: number): Promise<void> {
  const isUnit = kind === "units";
  await withToast(isUnit ? units.remove(id, { quiet: true }) : returns.remove(id, { quiet: true }), {
    loading: isUnit ? texts.attachments.deleting : texts.attachments.removingReturn,
    success: isUnit ? texts.attachments.deleted : texts.attachments.returnDeleted,
    failure: isUnit ? failureText(texts.errors.unknown) : texts.attachments.returnNotDeleted,
  });
  await refresh(kind, job.id);
}

/** Moves or copies units or returns to their pool. */
export async function attachmentsToPool(
  kind: "units" | "returns",
  job: Job,
  ids: readonly number[],
  how: "move" | "copy",
): Promise<void> {
  const body = {
    job_id: job.id,
    [kind === "units" ? "unit_ids" : "return_ids"]: ids,
    organisation_id: job.organisation_id,
  };
  const call = request<unknown>(`/${kind}/${how}_to_pool`, {
    method: how === "move" ? "PATCH" : "POST",
    body,
    quiet: true,
  });
  await withToast(call, {
    loading: how === "move" ? texts.jobs.sendingToPool : texts.attachments.copying,
    success: how === "move" ? texts.jobs.sentToPool : texts.attachments.copied,
    failure: failureText(texts.jobs.failedToMove),
  });
  await refresh(kind, job.id);
}

/** Puts units or returns of the pool on a job. */
export async function attachmentsFromPool(
  kind: "units" | "returns",
  job: Job,
  ids: readonly number[],
): Promise<void> {
  const items = ids.map((id) => ({ id, job_id: job.id }));
  const call: Promise<unknown> =
    kind === "units" ? units.changeMany(items, { quiet: true }) : returns.changeMany(items, { quiet: true });
  await withToast(call, {
    loading: texts.attachments.saving,
    success: texts.attachments.saved,
    failure: failureText(texts.jobs.failedToMove),
  });
  await refresh(kind, job.id);
}

/** A copy of each of them, on the same job. */
export async function duplicateReturns(job: Job, ids: readonly number[]): Promise<void> {
  const work = async (): Promise<void> => {
    // One after the other: each takes the next free uid.
    for (const id of ids) {
      await request<Return>("/returns/duplicate", { method: "POST", body: { return_id: id }, quiet: true });
    }
  };
  try {
    await withToast(work(), {
      loading: texts.attachments.savingReturn,
      success: texts.attachments.returnCreated,
      failure: texts.attachments.returnFailed,
    });
  } finally {
    await refresh("returns", job.id);
  }
}

/** The same comments for several returns. */
export async function changeReturns(job: Job, ids: readonly number[], comments: string): Promise<void> {
  const items = ids.map((id) => ({ id, comments: textOrNull(comments) }));
  await withToast(returns.changeMany(items, { quiet: true }), {
    loading: texts.attachments.savingReturn,
    success: texts.attachments.returnUpdated,
    failure: texts.attachments.returnFailed,
  });
  await refresh("returns", job.id);
}

export async function printLabels(
  kind: "units" | "returns",
  job: Job,
  ids: readonly number[],
): Promise<void> {
  const file = await withToast(
    requestBlob(`/bulk_labels/${kind}`, { query: { obj_ids: ids, job_id: job.id }, quiet: true }),
    {
      loading: texts.attachments.labels,
      success: texts.attachments.labelsDone,
      failure: failureText(texts.errors.unknown),
    },
  );
  saveFile(file, `${kind}-labels.pdf`);
}
