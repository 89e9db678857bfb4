import { describe, expect, it } from "vitest";
import { driverOfRow, driverSchema, driverFieldsOf } from "./driver-fields.ts";

describe("drivers of a file", () => {
  it("reads a row with its depot, break and types", () => {
    const driver = driverOfRow({
      uid: "Driver 1",
      email: "driver1@example.org",
      start_lat: "41.1290",
      start_lon: "-8.6130",
      shift_start: "6:30 am",
      shift_end: "14:30",
      lunch_time: "11:00",
      lunch_duration: "30",
      capacity: "boxes:70&weight:650",
      type: "ambient, frozen",
      route_end: "anywhere",
    });
    expect(driver).toMatchObject({
      uid: "Driver 1",
      shift_start: "06:30",
      lunch_time: "11:00",
      lunch_latest_start: null,
      lunch_duration: 30,
      spec_type: "ambient,frozen",
      route_end: "anywhere",
      location: { lat: 41.129, lon: -8.613 },
    });
  });

  it("wants a uid, a shift and a start location in the form", () => {
    const result = driverSchema.safeParse({ ...driverFieldsOf(null), shift_end: "" });
    const fields = result.error?.issues.map((issue) => issue.path[0]);
    expect(fields).toEqual(expect.arrayContaining(["uid", "shift_end", "location"]));
  });
});
