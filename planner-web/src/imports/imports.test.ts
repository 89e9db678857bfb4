import { describe, expect, it } from "vitest";
import {
  examplesOf,
  firstMapping,
  headerOf,
  incompleteHeaders,
  isKnownHeader,
  missingTargets,
  rowsToSend,
} from "./mapping.ts";
import { contentOf, delimiterOf, readCsv } from "./read-file.ts";
import { suggestTarget } from "./targets.ts";

const FOREIGN =
  "\uFEFFOrder No.;Customer;Street Address;Latitude;Longitude;Earliest;Latest;Service (min);Qty;Goods;Mobile;E-mail;Driver notes;Temp °C;Sales rep;upload";

describe("reading a file", () => {
  it("reads semicolons, a byte order mark and commas inside fields", async () => {
    const table = await readCsv(
      `${FOREIGN}\nPOR-1;oValho;Rua A 736, 4050-272 Porto;41.1;-8.6;9:30 am;;5;1;ambient\n`,
    );
    const { headers, rows } = contentOf(table);
    expect(headers[0]).toBe("Order No.");
    expect(headers).toHaveLength(16);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ "Street Address": "Rua A 736, 4050-272 Porto", upload: "" });
  });

  it("keeps quoted separators and line breaks", async () => {
    const { rows } = contentOf(await readCsv('uid,comments\nA,"one, two\nthree"\n\n'));
    expect(rows).toEqual([{ uid: "A", comments: "one, two\nthree" }]);
    expect(delimiterOf('"a;b;c",d')).toBe(",");
  });

  it("numbers repeated headers and drops columns without one", () => {
    expect(
      contentOf([
        ["uid", "", "note", "note"],
        ["1", "x", "a", "b"],
      ]).rows,
    ).toEqual([{ uid: "1", note: "a", "note (2)": "b" }]);
  });
});

describe("mapping", () => {
  it("finds the fields behind the headers of another system", () => {
    const headers = FOREIGN.slice(1).split(";");
    const mapping = firstMapping(headers);
    expect(mapping).toMatchObject({
      "Order No.": "uid",
      Customer: "customer_name",
      "Street Address": "address",
      Earliest: "arrive_after",
      "Service (min)": "duration",
      "E-mail": "customer_email",
      "Driver notes": "comments",
      "Temp °C": "ignore",
      upload: "upload",
    });
    expect(isKnownHeader("Sales rep")).toBe(false);
    expect(missingTargets(mapping)).toEqual([]);
  });

  it("P-360 compares headers without case, blanks and dashes", () => {
    expect(suggestTarget(" Arrive-After ")).toBe("arrive_after");
    expect(suggestTarget("job.uid")).toBe("uid");
    expect(suggestTarget("extra_field:Temp")).toBe("extra_field:Temp");
    expect(suggestTarget("extra_field_Temp")).toBe("extra_field:Temp");
  });

  it("lets only one column fill a field, and says what is missing", () => {
    expect(firstMapping(["uid", "Order No."])).toEqual({ uid: "uid", "Order No.": "ignore" });
    expect(missingTargets({ a: "lat", b: "lon" })).toEqual(["uid"]);
    expect(missingTargets({ a: "uid" })).toEqual(["address"]);
    expect(incompleteHeaders({ a: "extra_field:", b: "uid" })).toEqual(["a"]);
  });

  it("sends a name of blanks as it is, so that it is refused; other blanks are no values", () => {
    const mapping = { name: "customer_name", ref: "reference" };
    expect(rowsToSend([{ name: "   ", ref: "  " }], mapping)).toEqual([{ name: "   ", ref: "" }]);
  });

  it("shows the first value of each column as its example", () => {
    const rows = [
      { uid: "A", from: "" },
      { uid: "B", from: "09:00" },
    ];
    expect(examplesOf(["uid", "from", "none"], rows)).toEqual({ uid: "A", from: "09:00", none: "" });
  });

  it("sends only mapped columns, with times as HH:mm", () => {
    const rows = [
      { id: " A ", from: "9:30 pm", junk: "x" },
      { id: "B", from: "noon", junk: "" },
    ];
    expect(rowsToSend(rows, { id: "uid", from: "arrive_after", junk: "ignore" })).toEqual([
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
