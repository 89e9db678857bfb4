/** What a column of a job file can fill, by group. The names are those of the API. */
export const TARGETS = {
  job: [
    "uid",
    "address",
    "lat",
    "lon",
    "duration",
    "arrive_after",
    "leave_by",
    "pickup_from",
    "deliver_to",
    "type",
    "customer_name",
    "phone_number",
    "comments",
    "size",
    "customer_email",
    "consignee_info",
    "consignor_info",
    "external_comments",
    "dock_location",
    "priority",
    "colour",
    "invoice",
    "reference",
    "upload",
  ],
  unit: ["uid", "name", "invoice", "reference"],
  return: ["uid", "comments"],
  client: [
    "uid",
    "name",
    "email",
    "customer_name",
    "dock_location",
    "consignee_info",
    "external_comments",
    "colour",
  ],
} as const;

export type TargetGroup = keyof typeof TARGETS;

/** Mark of a column that is left out. */
export const IGNORE = "ignore";
const EXTRA_FIELD = "extra_field:";

/** Every target: job fields by their name, the others as `group.name`. */
export const ALL_TARGETS: readonly string[] = [
  ...TARGETS.job,
  ...(["unit", "return", "client"] as const).flatMap((group) =>
    TARGETS[group].map((name) => `${group}.${name}`),
  ),
];

export function extraFieldTarget(name: string): string {
  return `${EXTRA_FIELD}${name}`;
}

/** Name of the extra field that a target fills, or `null` when it is another target. */
export function extraFieldName(target: string): string | null {
  return target.startsWith(EXTRA_FIELD) ? target.slice(EXTRA_FIELD.length) : null;
}

/** A target is complete when it is known, or names its extra field. */
export function isTarget(target: string): boolean {
  const extra = extraFieldName(target);
  return target === IGNORE || (extra === null ? ALL_TARGETS.includes(target) : extra.trim() !== "");
}

/** What other systems call our fields; keys are normalised headers. */
const SYNONYMS: Record<string, string> = {
  order_no: "uid",
  order_number: "uid",
  order_id: "uid",
  job: "uid",
  job_uid: "uid",
  id: "uid",
  customer: "customer_name",
  name: "customer_name",
  company: "customer_name",
  recipient: "customer_name",
  street_address: "address",
  delivery_address: "address",
  latitude: "lat",
  longitude: "lon",
  lng: "lon",
  earliest: "arrive_after",
  from: "arrive_after",
  latest: "leave_by",
  until: "leave_by",
  to: "leave_by",
  service_min: "duration",
  service_time: "duration",
  minutes: "duration",
  qty: "size",
  quantity: "size",
  goods: "type",
  spec_type: "type",
  mobile: "phone_number",
  phone: "phone_number",
  telephone: "phone_number",
  e_mail: "customer_email",
  email: "customer_email",
  notes: "comments",
  driver_notes: "comments",
  instructions: "comments",
  color: "colour",
  client_uid: "client.uid",
  client_name: "client.name",
  unit_uid: "unit.uid",
  unit_name: "unit.name",
  return_uid: "return.uid",
};

/** Header in the form in which headers are compared: lower case, everything else as single underscores. */
export function normalised(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9.:]+/g, "_")
    .replaceAll(/^[_.]+|[_.]+$/g, "");
}

/** The target that a header names or commonly means; `null` when it is unknown. */
export function suggestTarget(header: string): string | null {
  const name = normalised(header);
  const extra = /^extra_field[:_](.+)$/.exec(name);
  if (extra !== null) {
    // The name keeps the spelling of the file.
    const original = header.trim().replace(/^extra.field[:_\s-]/i, "");
    return extraFieldTarget(original.trim());
  }
  if (ALL_TARGETS.includes(name)) return name;
  if (name.startsWith("job.") && ALL_TARGETS.includes(name.slice(4))) return name.slice(4);
  return SYNONYMS[name] ?? null;
}
