import type { Runsheet, RunsheetJob } from "@routewright/web";
import { expect, test } from "vitest";
import { demandsOf, lacking } from "./demands.ts";

const POD = { photo_required: false, signature_required: true, unit_scan_required: false };
const pod = POD as Runsheet["settings"]["pod_settings"];
const job = (demands?: object): RunsheetJob => ({ demands }) as unknown as RunsheetJob;
const nothing = { photo: false, signature: false, scan: false, pin: false, note: false, age_check: false };

test("where nothing is set the older settings hold", () => {
  const before = { photo: "optional", signature: "required", scan: "optional", pin: null, note: "optional" };
  for (const unset of [job(), job({}), job({ photo: null, pin: null })]) {
    expect(demandsOf(unset, pod)).toEqual({ ...before, age_check: null });
  }
});

test("what is set comes first", () => {
  const demands = demandsOf(job({ signature: "warn", pin: "required", age_check: "required" }), pod);
  expect(lacking(demands, "required", nothing, true)).toEqual(["pin", "age_check"]);
  expect(lacking(demands, "warn", nothing, true)).toEqual(["signature"]);
  expect(lacking(demands, "required", { ...nothing, pin: true }, true)).toEqual(["age_check"]);
});

test("an attempt that failed lacks nobody's signature, PIN or age", () => {
  const demands = demandsOf(job({ photo: "required", pin: "required", age_check: "required" }), pod);
  expect(lacking(demands, "required", nothing, false)).toEqual(["photo"]);
});
