import {
  emailsText,
  type Job,
  type JobInput,
  optionalText,
  parseTimeOfDay,
  phoneText,
  placeSchema,
  requiredText,
  sizeText,
  texts,
  timeText,
  uidText,
  windowProblems,
  JOB_COLOUR,
} from "@routewright/web";
import { z } from "zod";
import { extraFieldProblems } from "../fields/ExtraFieldsEditor.tsx";
import { textOrNull } from "../fields/text.ts";

/** Fields that the form requires unless the organisation says otherwise. */
export const REQUIRED_JOB_FIELDS = [
  "uid",
  "location",
  "customer_name",
  "customer_email",
  "spec_type",
  "phone_number",
  "size",
] as const;

/** Rules of the job form; `required` names the fields that may not stay empty. */
export function jobSchema(required: readonly string[]) {
  const needs = (name: string, text: z.ZodType<string, string>): z.ZodType<string, string> =>
    required.includes(name) ? requiredText.pipe(text) : text;
  return z
    .object({
      uid: uidText,
      location: placeSchema.refine((value) => value !== null, texts.checks.required),
      customer_name: needs("customer_name", optionalText),
      customer_email: needs("customer_email", emailsText),
      phone_number: needs("phone_number", phoneText),
      duration: z.string().refine((text) => text.trim() === "" || Number(text) > 0, texts.checks.aboveZero),
      arrive_after: timeText,
      leave_by: timeText,
      size: needs("size", sizeText),
      spec_type: needs("spec_type", optionalText),
      priority: z.boolean(),
      idm: z.boolean(),
      colour: z.string(),
      comments: z.string(),
      consignee_info: z.string(),
      consignor_info: z.string(),
      external_comments: z.string(),
      dock_location: z.string(),
      invoice: z.string(),
      reference: z.string(),
      pickup_from: z.string(),
      deliver_to: z.string(),
      client_id: z.number().nullable(),
      extra_fields: z.array(z.object({ name: z.string(), value: z.string() })),
    })
    .superRefine((fields, context) => {
      const problems = windowProblems(fields.arrive_after, fields.leave_by);
      for (const [name, message] of Object.entries(problems)) {
        context.addIssue({ code: "custom", path: [name], message });
      }
      extraFieldProblems(fields.extra_fields).forEach((message, index) => {
        if (message !== undefined)
          context.addIssue({ code: "custom", path: ["extra_fields", index, "name"], message });
      });
    });
}

export type JobFields = z.input<ReturnType<typeof jobSchema>>;

/** What the form shows for a job, or for a new one. */
export function fieldsOf(job: Job | null): JobFields {
  const text = (value: string | null | undefined): string => value ?? "";
  return {
    uid: text(job?.uid),
    location: job?.location ?? null,
    customer_name: text(job?.customer_name),
    customer_email: text(job?.customer_email),
    phone_number: text(job?.phone_number),
    duration: job === null ? "" : String(job.duration),
    arrive_after: text(job?.arrive_after).slice(0, 5),
    leave_by: text(job?.leave_by).slice(0, 5),
    size: text(job?.size),
    spec_type: text(job?.spec_type),
    priority: job?.priority ?? false,
    idm: job?.idm ?? false,
    colour: job?.colour ?? JOB_COLOUR,
    comments: text(job?.comments),
    consignee_info: text(job?.consignee_info),
    consignor_info: text(job?.consignor_info),
    external_comments: text(job?.external_comments),
    dock_location: text(job?.dock_location),
    invoice: text(job?.invoice),
    reference: text(job?.reference),
    pickup_from: text(job?.pickup_from),
    deliver_to: text(job?.deliver_to),
    client_id: job?.client_id ?? null,
    extra_fields: Object.entries(job?.extra_fields ?? {}).map(([name, value]) => ({ name, value })),
  };
}

/** The wire form of the fields: empty texts are null, times `HH:mm`, an empty duration is left to the server. */
export function inputOf(fields: JobFields): JobInput {
  const { duration, extra_fields: extra, arrive_after, leave_by, location, uid, spec_type, ...rest } = fields;
  const input: Record<string, unknown> = {
    uid: uid.trim(),
    arrive_after: parseTimeOfDay(arrive_after),
    leave_by: parseTimeOfDay(leave_by),
    spec_type: textOrNull(spec_type.replaceAll(" ", "")),
    extra_fields: Object.fromEntries(extra.map(({ name, value }) => [name.trim(), value])),
  };
  if (location !== null)
    input["location"] = { address: location.address, lat: location.lat, lon: location.lon };
  if (duration.trim() !== "") input["duration"] = Number(duration);
  for (const [name, value] of Object.entries(rest)) {
    input[name] = typeof value === "string" ? textOrNull(value) : value;
  }
  return input;
}

/** Only what differs from the stored job. */
export function changesOf(before: JobFields, after: JobFields): JobInput {
  const old = inputOf(before) as Record<string, unknown>;
  const now = inputOf(after) as Record<string, unknown>;
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed);
}

/** What a form for a new job changes in a job that is there already: only what was typed, and differs. */
export function typedChanges(existing: Job, typed: JobFields): JobInput {
  const extra = new Map(Object.entries(existing.extra_fields));
  for (const { name, value } of typed.extra_fields) extra.set(name.trim(), value);
  const touched = new Set(Object.keys(changesOf(fieldsOf(null), typed)));
  const whole = {
    ...typed,
    extra_fields: [...extra].map(([name, value]) => ({ name, value })),
  };
  const changes = Object.entries(changesOf(fieldsOf(existing), whole)).filter(([name]) => touched.has(name));
  return Object.fromEntries(changes);
}
