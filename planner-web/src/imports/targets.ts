import { texts } from "@routewright/web";

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
    "email",
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
  const plain = target.replace(/^job\./, "");
  return plain.startsWith(EXTRA_FIELD) ? plain.slice(EXTRA_FIELD.length) : null;
}

/** A target is complete when it is known, or names its extra field. */
export function isTarget(target: string): boolean {
  const extra = extraFieldName(target);
  return target === IGNORE || (extra === null ? ALL_TARGETS.includes(target) : extra.trim() !== "");
}

/** A target as people read it: its name and the form of its values. */
export function targetLabel(target: string): string {
  if (target === IGNORE) return texts.imports.ignored;
  const extra = extraFieldName(target);
  if (extra !== null) return fillExtra(extra);
  const labels: Record<string, string> = texts.imports.fields;
  return labels[target] ?? target;
}

function fillExtra(name: string): string {
  return name === "" ? texts.imports.extraField : `${texts.imports.extraField}: ${name}`;
}
