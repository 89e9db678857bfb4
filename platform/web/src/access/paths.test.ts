import { describe, expect, it } from "vitest";
import type { AuthUser } from "../model/user.ts";
import { levelsOf, mayCall } from "./paths.ts";
import { showsInMenu } from "./access.ts";

function userWith(...levels: string[]): AuthUser {
  return {
    id: 1,
    email: "a@example.org",
    pending_email: null,
    first_name: null,
    last_name: null,
    phone_number: null,
    haulier: null,
    role: { id: 1, name: "user", access_levels: levels },
    organisation: {
      id: 1,
      name: "Porto",
      modules: ["units"],
      timezone: "UTC",
      settings: {
        dispatch_method: "email",
        distance_unit: "km",
        weight_unit: "kg",
        fuel_consumption_unit: "l_per_100_km",
        job_duration: 5,
        currency: "EUR",
        audit_retention_days: 1095,
      },
    },
    active_scenario: null,
    personal_data_consent: true,
  };
}

describe("access of paths", () => {
  it.each([
    ["GET", "/jobs", ["jobs_read"]],
    ["PATCH", "/jobs/12", ["jobs_write"]],
    ["DELETE", "/jobs/12", ["jobs_delete"]],
    ["DELETE", "/jobs/12/assign_tags", ["jobs_write"]],
    ["DELETE", "/runs/3", ["runs_write"]],
    ["GET", "/runs/3", ["runs_read", "run_detail_read"]],
    ["POST", "/optimise/background/scenarios/2", ["runs_write"]],
    ["GET", "/optimise/background/scenarios/2", ["runs_read"]],
    ["GET", "/scenarios/2/runsheets_pdf", ["runs_read"]],
    ["PUT", "/scenarios/2/territory_groups", ["scenarios_write"]],
    ["PATCH", "/runs/validate", ["runs_write", "billing_rates_read"]],
    ["PATCH", "/users/me", []],
    ["GET", "search/runs/export/", ["run_search_view"]],
  ])("%s %s needs %j", (method, path, levels) => expect(levelsOf(method, path)).toEqual(levels));

  it("lets a call through only with every level", () => {
    expect(mayCall("GET", "/runs/3", userWith("runs_read"))).toBe(false);
    expect(mayCall("GET", "/runs/3", userWith("runs_read", "run_detail_read"))).toBe(true);
    expect(mayCall("GET", "/jobs", null)).toBe(false);
    expect(mayCall("GET", "/timezones", null)).toBe(true);
  });

  it("shows a menu item with any permission and all modules", () => {
    const user = userWith("runs_read");
    expect(showsInMenu(user, { permissions: ["jobs_read", "runs_read"] })).toBe(true);
    expect(showsInMenu(user, { permissions: ["runs_read"], modules: ["units", "udf"] })).toBe(false);
    expect(showsInMenu(user, {})).toBe(true);
  });
});
