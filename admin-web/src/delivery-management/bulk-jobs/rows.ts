import { type FileContent, fill, readFile, type ReadingChoice, texts } from "@routewright/web";

/** A job as one line of the upload, in the API's field names. */
export type JobLine = Record<string, unknown>;

/** The jobs of a file. */
export interface JobFile {
  jobs: JobLine[];
  /** How its table was read; `null` for JSON. */
  table: FileContent | null;
  /** Why there are no jobs. */
  problem: string | null;
}

const NUMBERS = new Set(["duration"]);
const BOOLEANS = new Set(["priority", "idm"]);
const PLACE = new Set(["address", "lat", "lon"]);

/** Reads a CSV, XLSX, JSON or JSON lines file into jobs; throws with a text for the user when it cannot. */
export async function readJobs(source: Blob, name: string, choice?: ReadingChoice): Promise<JobFile> {
  if (/\.(json|ndjson|jsonl)$/i.test(name)) {
    return { jobs: readJson(await unicodeText(source)), table: null, problem: null };
  }
  return jobsOf(await readFile(source, name, "jobs", choice));
}

/** JSON is in UTF-8; letters of another encoding would be lost without a word. */
async function unicodeText(source: Blob): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await source.arrayBuffer());
  } catch (error) {
    throw new Error(texts.admin.bulkJobs.notUnicode, { cause: error });
  }
}

function readJson(text: string): JobLine[] {
  const trimmed = text.trim();
  if (trimmed.startsWith("[")) return JSON.parse(trimmed) as JobLine[];
  return trimmed
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, at) => {
      try {
        return JSON.parse(line) as JobLine;
      } catch {
        throw new Error(fill(texts.admin.bulkJobs.notJson, { n: at + 1 }));
      }
    });
}

/** The jobs of a table that the service read; none when something of it is not sure. */
export function jobsOf(table: FileContent): JobFile {
  const fields = table.headers.map(fieldOf);
  const twice = fields.find((field, at) => fields.indexOf(field) < at);
  const [fault] = table.faults;
  const problem =
    fault !== undefined
      ? fill(texts.imports.faultAt, {
          row: fault.number,
          column: fault.header ?? "",
          message: fault.message,
        })
      : twice !== undefined
        ? fill(texts.imports.sameHeader, { header: twice })
        : null;
  if (problem !== null) return { jobs: [], table, problem };
  const jobs = table.rows.map(({ cells }) =>
    toJob(Object.fromEntries(table.headers.map((header, at) => [fields[at] ?? header, cells[header] ?? ""]))),
  );
  return { jobs, table, problem };
}

function fieldOf(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}

/** A CSV row as a job: address and coordinates become the location, `extra_field:x` an extra field. */
export function toJob(row: Record<string, string>): JobLine {
  const job: JobLine = {};
  const extra: Record<string, string> = {};
  for (const [header, raw] of Object.entries(row)) {
    const value = raw.trim();
    const extraName = /^extra_field[:_](.+)$/.exec(header)?.[1];
    if (value === "" || PLACE.has(header)) continue;
    if (extraName) extra[extraName] = value;
    else if (BOOLEANS.has(header)) job[header] = ["true", "1", "t"].includes(value.toLowerCase());
    else job[header] = NUMBERS.has(header) ? numberOr(value) : value;
  }
  const location = placeOf(row);
  if (location) job["location"] = location;
  if (Object.keys(extra).length > 0) job["extra_fields"] = extra;
  return job;
}

function placeOf(row: Record<string, string>): JobLine | undefined {
  const [address, lat, lon] = [row["address"], row["lat"], row["lon"]].map((text) => text?.trim() ?? "");
  if (!address && !lat) return undefined;
  return {
    ...(address && { address }),
    // Degrees have no thousands: a comma in them is decimal.
    ...(lat && lon && { lat: numberOr(lat.replace(",", ".")), lon: numberOr(lon.replace(",", ".")) }),
  };
}

/** What is no number is sent as it is, to be refused with its reason. */
function numberOr(text: string): number | string {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

/** One job per line, as the streamed upload takes it. */
export function toLines(jobs: JobLine[]): string {
  return jobs.map((job) => JSON.stringify(job)).join("\n");
}
