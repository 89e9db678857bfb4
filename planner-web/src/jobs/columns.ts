import { clockText, type Job, shortTime, sizeWords, texts } from "@routewright/web";
import { persisted } from "../ui/persisted.ts";

export interface JobColumn {
  name: keyof typeof texts.jobs.fields;
  /** Pixels. */
  width: number;
  text: (job: Job) => string;
}

const field = (name: keyof Job & keyof typeof texts.jobs.fields, width: number): JobColumn => ({
  name,
  width,
  text: (job) => {
    const value = job[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  },
});

/** Columns of the job lists, in their order. */
export const JOB_COLUMNS: readonly JobColumn[] = [
  field("uid", 120),
  field("customer_name", 180),
  { name: "address", width: 240, text: (job) => job.location.address },
  { name: "size", width: 130, text: (job) => sizeWords(job.size) },
  field("spec_type", 110),
  { name: "tags", width: 130, text: (job) => job.tags.map((tag) => tag.name).join(", ") },
  field("seq", 60),
  { name: "eta", width: 70, text: (job) => (job.eta === null ? "" : clockText(job.eta, job.timezone)) },
  { name: "arrive_after", width: 90, text: (job) => shortTime(job.arrive_after) },
  { name: "leave_by", width: 90, text: (job) => shortTime(job.leave_by) },
  field("duration", 90),
  field("phone_number", 140),
  field("customer_email", 180),
  field("comments", 200),
  field("external_comments", 180),
  field("consignee_info", 150),
  field("consignor_info", 150),
  field("dock_location", 120),
  { name: "priority", width: 80, text: (job) => (job.priority ? "✓" : "") },
  field("invoice", 110),
  field("reference", 110),
  field("organisation_id", 100),
];

const HIDDEN_BY_DEFAULT = [
  "comments",
  "customer_email",
  "duration",
  "arrive_after",
  "leave_by",
  "phone_number",
  "consignee_info",
  "consignor_info",
  "external_comments",
  "priority",
  "dock_location",
  "organisation_id",
];

/** Names of the hidden columns, kept in the browser. */
export const useJobColumns = persisted<{ hidden: string[] }>("jobColumns", { hidden: HIDDEN_BY_DEFAULT });

export function toggleColumn(name: string): void {
  useJobColumns.setState(({ hidden }) => ({
    hidden: hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name],
  }));
}

export function useShownColumns(): JobColumn[] {
  const hidden = useJobColumns((state) => state.hidden);
  return JOB_COLUMNS.filter(({ name }) => !hidden.includes(name));
}
