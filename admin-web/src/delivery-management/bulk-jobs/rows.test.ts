import { contentOf } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { jobsOf, readJobs, toLines } from "./rows.ts";

const HEADERS = [
  ...[
    "UID",
    "Customer Name",
    "Address",
    "lat",
    "lon",
    "Duration",
    "priority",
    "extra_field:gate",
    "comments",
  ],
];

/** A table as the service read it. */
function table(cells: string[][], headers = HEADERS, faults: { row: number; message: string }[] = []) {
  const opened = {
    encoding: "UTF-8",
    delimiter: ",",
    sheet: null,
    sheets: [],
    heading_row: 1,
    columns: headers.map((header) => ({ header, target: null, known: false })),
    remembered: false,
    rows: cells.map((row, at) => ({ row: at + 2, cells: row })),
    faults: faults.map((fault) => ({ header: null, ...fault })),
  };
  return contentOf(opened, new Blob([]), "jobs.csv");
}

describe("bulk create jobs (A-071): reading files", () => {
  it("takes headers in any case, places, numbers, booleans and extra fields", () => {
    const read = jobsOf(
      table([
        ["A1", "Ana", "Rua 1, Porto", "41.15", "-8,61", "12", "T", "B2", ""],
        ["A2", "Bo", "", "41.2", "-8.6", "1,200", "0", "", "ring twice"],
      ]),
    );
    expect(read.problem).toBeNull();
    expect(read.jobs).toEqual([
      {
        uid: "A1",
        customer_name: "Ana",
        duration: 12,
        priority: true,
        location: { address: "Rua 1, Porto", lat: 41.15, lon: -8.61 },
        extra_fields: { gate: "B2" },
      },
      {
        uid: "A2",
        customer_name: "Bo",
        duration: "1,200",
        priority: false,
        comments: "ring twice",
        location: { lat: 41.2, lon: -8.6 },
      },
    ]);
  });

  it("V-11, V-13 makes no jobs of what is not sure, and of columns that mean the same", () => {
    const ragged = table([["A", "B"]], ["uid", "a"], [{ row: 2, message: "The row has 3 cells" }]);
    expect(jobsOf(ragged)).toMatchObject({ jobs: [], problem: "Row 2 : The row has 3 cells" });
    const twice = table([["A", "B"]], ["uid", "UID"]);
    expect(jobsOf(twice).problem).toBe("Several columns are named uid: rename all but one");
  });

  it("reads JSON and JSON lines, and says which line is broken", async () => {
    const jobs = async (name: string, ...parts: BlobPart[]) => (await readJobs(new Blob(parts), name)).jobs;
    expect(await jobs("a.json", '[{"uid":"A"}]')).toEqual([{ uid: "A" }]);
    expect(await jobs("a.ndjson", '{"uid":"A"}\n\n{"uid":"B"}\n')).toEqual([{ uid: "A" }, { uid: "B" }]);
    await expect(jobs("a.ndjson", '{"uid":"A"}\nnope')).rejects.toThrow("Line 2 is not JSON");
  });

  it("V-06 refuses JSON of another encoding than UTF-8", async () => {
    const latin = new Blob(['{"uid":"Jos', new Uint8Array([0xe9]), '"}']);
    await expect(readJobs(latin, "a.ndjson")).rejects.toThrow("UTF-8");
  });

  it("writes one job per line", () => {
    expect(toLines([{ uid: "A", comments: "two\nlines" }, { uid: "B" }])).toBe(
      '{"uid":"A","comments":"two\\nlines"}\n{"uid":"B"}',
    );
  });
});
