import { contentOf, type FileRow, LARGEST_FILE, readFile, texts } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { keptFile } from "./kept-file.ts";
import {
  examplesOf,
  faultsToSend,
  firstMapping,
  headerOf,
  incompleteHeaders,
  missingTargets,
  rowsToSend,
  unknownHeaders,
} from "./mapping.ts";
import {
  afterEdit,
  afterRemoval,
  faultsOfRow,
  faultyRows,
  repairOfAnswer,
  repairOfReading,
} from "./repair.ts";
import { ALL_TARGETS, extraFieldName, targetLabel } from "./targets.ts";
import { accountOf } from "./upload.ts";

const OPENED = {
  encoding: "windows-1252",
  delimiter: ";",
  sheet: null,
  sheets: [],
  heading_row: 1,
  columns: [
    { header: "Order No.", target: "uid", known: true },
    { header: "Customer", target: "customer_name", known: true },
    { header: "Sales rep", target: null, known: false },
    { header: "uid", target: "uid", known: true },
  ],
  remembered: false,
  rows: [
    { row: 2, cells: ["A", "Café", "x", ""] },
    { row: 5, cells: ["B", "", "", ""] },
  ],
  faults: [{ row: 5, header: "Customer", message: "The cell has unreadable characters" }],
};

function rows(...cells: Record<string, string>[]): FileRow[] {
  return cells.map((row, index) => ({ number: index + 2, cells: row }));
}

describe("a file as the service read it", () => {
  const file = contentOf(OPENED, new Blob([]), "jobs.csv");

  it("W-026 keeps the row numbers of the spreadsheet, blank lines counted", () => {
    expect(file.rows.map(({ number }) => number)).toEqual([2, 5]);
    expect(file.rows[0]?.cells).toEqual({ "Order No.": "A", Customer: "Café", "Sales rep": "x", uid: "" });
  });

  it("W-110 maps what is recognised, each field once, and tells columns that nobody said anything of", () => {
    const mapping = firstMapping(file);
    expect(mapping).toEqual({
      "Order No.": "uid",
      Customer: "customer_name",
      "Sales rep": "ignore",
      uid: "ignore",
    });
    expect(unknownHeaders(file, mapping)).toEqual(["Sales rep", "uid"]);
    expect(unknownHeaders({ ...file, remembered: true }, mapping)).toEqual([]);
  });

  it("W-023 asks for the correction of what could not be read for sure", () => {
    expect(repairOfReading(file.faults).kept).toEqual([5]);
  });

  it("W-110 refuses a file that is too large before it is sent", async () => {
    const large = new Blob([new Uint8Array(LARGEST_FILE + 1)]);
    await expect(readFile(large, "jobs.csv", "jobs")).rejects.toThrow("25 MB");
  });
});

describe("mapping", () => {
  it("says what is missing", () => {
    expect(missingTargets({ a: "lat", b: "lon" })).toEqual(["uid"]);
    expect(missingTargets({ a: "uid" })).toEqual(["address"]);
    expect(incompleteHeaders({ a: "extra_field:", b: "uid" })).toEqual(["a"]);
  });

  it("W-025 P-226 knows job.email and job.extra_field:{name}", () => {
    expect(ALL_TARGETS).toContain("email");
    expect(extraFieldName("job.extra_field:Zone")).toBe("Zone");
  });

  it("W-109 every field has a name that people read", () => {
    expect(ALL_TARGETS.filter((target) => targetLabel(target) === target)).toEqual([]);
    expect(targetLabel("arrive_after")).toBe("Arrive after (HH:mm)");
  });

  it("sends a name of blanks as it is, so that it is refused; other blanks are no values", () => {
    const mapping = { name: "customer_name", ref: "reference" };
    expect(rowsToSend(rows({ name: "   ", ref: "  " }), mapping)).toEqual([{ name: "   ", ref: "" }]);
  });

  it("shows the first value of each column as its example", () => {
    const two = rows({ uid: "A", from: "" }, { uid: "B", from: "09:00" });
    expect(examplesOf(["uid", "from", "none"], two)).toEqual({ uid: "A", from: "09:00", none: "" });
  });

  it("sends only mapped columns, with times as HH:mm", () => {
    const two = rows({ id: " A ", from: "9:30 pm", junk: "x" }, { id: "B", from: "noon", junk: "" });
    expect(rowsToSend(two, { id: "uid", from: "arrive_after", junk: "ignore" })).toEqual([
      { id: "A", from: "21:30" },
      { id: "B", from: "noon" },
    ]);
  });

  it("finds the column that an error speaks of", () => {
    const mapping = { Goods: "type", Temp: "extra_field:temp", Mail: "customer_email" };
    expect(headerOf(mapping, "spec_type")).toBe("Goods");
    expect(headerOf(mapping, "job.customer_email")).toBe("Mail");
    expect(headerOf(mapping, "extra_fields.temp")).toBe("Temp");
    expect(headerOf(mapping, "Goods")).toBe("Goods");
    expect(headerOf(mapping, "lat")).toBeNull();
  });
});

describe("W-026 repairs", () => {
  const mapping = { Nr: "uid", Min: "duration" };
  const sent = rows({ Nr: "A" }, { Nr: "A" }, { Nr: "C", Min: "x" }, { Nr: "D" });
  const repair = repairOfAnswer(
    [
      { row: 1, field: "uid", message: "Job UID A is repeated in a later row", with: [2] },
      { row: 2, field: "uid", message: "Job UID A already exists in an earlier row", with: [1] },
      { row: 3, field: "duration", message: "Value is not a number", with: [] },
      { row: 3, field: "address", message: "This item is required", with: [] },
    ],
    [1, 2, 3, 4],
    sent,
    mapping,
  );

  it("a duplicate uid marks all rows that share it, and correcting one of them corrects both", () => {
    expect(repair.faults.map(({ number, header }) => [number, header])).toEqual([
      [2, "Nr"],
      [3, "Nr"],
      [4, "Min"],
      [4, null],
    ]);
    const after = afterEdit(repair, 3, ["Nr"]);
    expect(after.faults.map(({ number }) => number)).toEqual([4, 4]);
    expect(after.kept).toEqual([4, 5]);
  });

  it("counter and text follow the correction, and rows kept because of others go with the last fault", () => {
    expect(faultyRows(repair)).toBe(3);
    expect(faultsOfRow(repair, 4, (field) => field)).toBe(
      "duration: Value is not a number · address: This item is required",
    );
    const after = afterEdit(afterEdit(repair, 4, ["Min"]), 2, ["Nr"]);
    expect([after.faults, after.kept]).toEqual([[], []]);
    // Another cell does not correct the faulty one.
    expect(faultyRows(afterEdit(repair, 2, ["Min"]))).toBe(3);
  });

  it("leaving a row out takes its faults along and leaves all numbers as they are", () => {
    const after = afterRemoval(repair, 2);
    expect(after.faults.map(({ number }) => number)).toEqual([4, 4]);
    expect(after.kept).toEqual([4, 5]);
  });
});

describe("V-11 what was not sure when the file was read", () => {
  const faults = [
    { number: 3, header: null, message: "The row has 3 cells, but there are 2 columns" },
    { number: 4, header: "Min", message: "The number has more digits than a spreadsheet keeps" },
  ];
  const sent = rows({ Nr: "A" }, { Nr: "B" }, { Nr: "C", Min: "1" });
  const repair = repairOfReading(faults);

  it("is sent with the rows, until they are corrected or left out", () => {
    expect(faultsToSend(sent, repair.unsure)).toEqual([
      { row: 2, header: null, message: faults[0]?.message },
      { row: 3, header: "Min", message: faults[1]?.message },
    ]);
    expect(afterEdit(repair, 4, ["Nr"]).unsure).toHaveLength(2);
    expect(afterEdit(repair, 4, ["Min"]).unsure).toHaveLength(1);
    expect(afterEdit(repair, 3, ["Nr"]).unsure).toHaveLength(1);
    expect(afterRemoval(repair, 3).unsure).toHaveLength(1);
  });

  it("stays unsure when the service tells it again beside other faults", () => {
    const told = [{ row: 2, field: "", message: "The row has 3 cells, but there are 2 columns", with: [] }];
    const again = repairOfAnswer(told, [2], sent, { Nr: "uid", Min: "duration" }, repair.unsure);
    expect(again.faults).toMatchObject([{ number: 3, header: null, field: null }]);
    expect(faultsToSend(sent.slice(1), again.unsure).map(({ row }) => row)).toEqual([1, 2]);
  });
});

describe("W-110 what became of every row", () => {
  const answer = {
    success: true as const,
    rows: 10,
    created: 4,
    updated: 0,
    unchanged: 3,
    joined: 0,
    skipped: 2,
    refused: 1,
    job_ids: [],
    ignored_headers: [],
    ignored_sheets: [],
    skipped_rows: [
      { row: 1, reason: "Job UID A already exists" },
      { row: 2, reason: "Job UID A already exists" },
    ],
    kept_rows: [3],
    row_errors: [],
    missing_clients: [],
    to_confirm: 0,
  };

  it("is told with the reasons of rows that were left out", () => {
    expect(accountOf(answer)).toBe(
      "10 rows: 4 created, 3 unchanged, 2 skipped, 1 kept for repair. 2 × Job UID A already exists",
    );
    expect(Object.keys(texts.imports.account)).toHaveLength(7);
  });

  it("kept rows can be saved as a file that is read again", async () => {
    const file = await keptFile(["uid", "note"], rows({ uid: "A", note: 'say "hi", twice' }));
    expect(await file.text()).toBe('\uFEFFuid,note\r\nA,"say ""hi"", twice"\r\n');
  });
});
