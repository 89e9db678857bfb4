import { describe, expect, it } from "vitest";
import { readJobs, toLines } from "./rows.ts";

describe("bulk create jobs (A-071): reading files", () => {
  it("reads CSV with headers in any case, places, numbers, booleans and extra fields", () => {
    const csv =
      "\uFEFFUID,Customer Name,Address,lat,lon,Duration,priority,extra_field:gate,comments\r\n" +
      'A1,Ana,"Rua 1, Porto",41.15,-8.61,12,T,B2,\r\n' +
      "A2,Bo,,41.2,-8.6,,0,,ring twice\r\n";
    expect(readJobs("jobs.csv", csv)).toEqual([
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
        priority: false,
        comments: "ring twice",
        location: { lat: 41.2, lon: -8.6 },
      },
    ]);
  });

  it("reads JSON and JSON lines, and says which line is broken", () => {
    expect(readJobs("a.json", '[{"uid":"A"}]')).toEqual([{ uid: "A" }]);
    expect(readJobs("a.ndjson", '{"uid":"A"}\n\n{"uid":"B"}\n')).toEqual([{ uid: "A" }, { uid: "B" }]);
    expect(() => readJobs("a.ndjson", '{"uid":"A"}\nnope')).toThrow("Line 2 is not JSON");
  });

  it("writes one job per line", () => {
    expect(toLines([{ uid: "A", comments: "two\nlines" }, { uid: "B" }])).toBe(
      '{"uid":"A","comments":"two\\nlines"}\n{"uid":"B"}',
    );
  });
});
