import { fill, texts } from "@routewright/web";
import Papa from "papaparse";

/** A job as one line of the upload, in the API's field names. */
export type JobLine = Record<string, unknown>;

const NUMBERS = new Set(["duration"]);
const BOOLEANS = new Set(["priority", "idm"]);
const PLACE = new Set(["address", "lat", "lon"]);

/** Reads a CSV, JSON or JSON lines file into jobs; throws with a text for the user when it cannot. */
export function readJobs(name: string, text: string): JobLine[] {
  if (/\.(json|ndjson|jsonl)$/i.test(name)) return readJson(text);
  return readCsv(text);
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

function readCsv(text: string): JobLine[] {
  const parsed = Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ""), {
    header: true,
    skipEmptyLines: "greedy",
    transformHeader: (header) =>
      header
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/g, "_"),
  });
  const problem = parsed.errors.find((error) => error.type !== "Delimiter");
  if (problem)
    throw new Error(
      fill(texts.admin.bulkJobs.badRow, { n: (problem.row ?? 0) + 2, problem: problem.message }),
    );
  return parsed.data.map(toJob);
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
    else
      job[header] =
        NUMBERS.has(header) && value !== "" && !Number.isNaN(Number(value)) ? Number(value) : value;
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
    ...(lat && lon && { lat: Number(lat), lon: Number(lon) }),
  };
}

/** One job per line, as the streamed upload takes it. */
export function toLines(jobs: JobLine[]): string {
  return jobs.map((job) => JSON.stringify(job)).join("\n");
}
