import { widthOf } from "@routewright/web";
import type { AuthUser } from "@routewright/web/model";
import { describe, expect, it } from "vitest";
import { NOUNS } from "./nouns.ts";
import { PAGES } from "./pages.tsx";
import { know } from "../resource/registry.ts";
import { crumbsOf } from "./Breadcrumb.tsx";
import { findInMenu, MENU, visibleMenu } from "./menu.ts";
import { switchLink } from "./switchLink.ts";

know(NOUNS);

function user(levels: string[], modules: string[] = []): AuthUser {
  return {
    id: 1,
    email: "a@example.com",
    first_name: "A",
    last_name: "B",
    phone_number: null,
    role: { id: 1, name: "some", access_levels: levels },
    organisation: { id: 1, name: "One", modules, timezone: "UTC", settings: {} },
    active_scenario: null,
    personal_data_consent: true,
  } as unknown as AuthUser;
}

function paths(of: AuthUser): string[] {
  return visibleMenu(MENU, of).flatMap((group) => group.items.map((item) => item.path));
}

describe("side menu (A-035, A-086 to A-100)", () => {
  it("has the groups of the specification, in their order", () => {
    const own = MENU.filter((group) => !group.byMaster);
    expect(own.map((group) => group.label)).toEqual([
      "User Management",
      "Database",
      "Organisation Settings",
      "Events & Actions",
      "Delivery Management",
      "Transport Management",
      "Returns",
      "Costing Management",
      "Containers",
      "Exports",
      "Account",
    ]);
  });

  it("A-100: asks no level of four items but that of their group", () => {
    expect(paths(user([], ["returns"]))).toEqual(["exports/exports", "account"]);
    const groups = ["return_management_view", "costing_management_view"];
    expect(paths(user(groups, ["returns"]))).toEqual([
      "returns/search_returns",
      "costing_management/run_cost_calculator",
      "exports/exports",
      "account",
    ]);
  });

  it("W-088: offers a planner no costs, which would be refused", () => {
    const planner = ["jobs_read", "runs_read", "delivery_management_view", "job_search_view"];
    expect(paths(user(planner))).not.toContain("costing_management/run_cost_calculator");
  });

  it("W-087: shows operators of the platform how it stands, and nobody else", () => {
    const levels = ["organisations_read"];
    const master = user(levels);
    master.organisation.name = "Master";
    const pages = ["platform/standing", "platform/dead_letters", "platform/record"];
    expect(paths(master).filter((path) => path.startsWith("platform/"))).toEqual(pages);
    expect(paths(user(levels)).filter((path) => path.startsWith("platform/"))).toEqual([]);
  });

  it("needs the group's level and one of the item's", () => {
    expect(paths(user(["jobs_read"]))).not.toContain("database/jobs");
    expect(paths(user(["database_read"]))).not.toContain("database/jobs");
    expect(paths(user(["database_read", "jobs_read"]))).toContain("database/jobs");
  });

  it("A-099: requires the modules besides the permissions", () => {
    const levels = ["database_read", "units_read", "containers_read"];
    expect(paths(user(levels))).not.toContain("database/units");
    expect(paths(user(levels, ["units"]))).toContain("database/units");
    expect(paths(user(levels, ["containers"]))).toContain("containers/search_containers");
  });

  it("A-089, A-097: shows Events & Actions with udf and the KPI export with gefco_nld", () => {
    const levels = ["organisation_settings_read", "kpi_read"];
    expect(paths(user(levels)).filter((path) => /events|kpi/.test(path))).toEqual([]);
    expect(paths(user(levels, ["udf", "gefco_nld"])).filter((path) => /events|kpi/.test(path))).toEqual([
      "events_and_actions/events_and_actions_builder",
      "events_and_actions/events_and_actions_config",
      "exports/kpi_data_export",
    ]);
  });

  it("leads only to pages that exist", () => {
    const known = new Set([...NOUNS.map((noun) => noun.name), ...PAGES.map((page) => page.path)]);
    const missing = MENU.flatMap((group) => group.items).filter((item) => !known.has(item.path));
    expect(missing.map((item) => item.path)).toEqual([]);
  });

  it("finds the page that a record belongs to", () => {
    expect(findInMenu(MENU, "/management/roles/7")?.item.label).toBe("Roles");
    expect(findInMenu(MENU, "/nowhere")).toBeUndefined();
  });
});

describe("header", () => {
  it("A-036: leads from Admin over group and page to the record", () => {
    expect(crumbsOf("/database/jobs/12").map((crumb) => crumb.text)).toEqual(["Database", "Jobs", "#12"]);
    expect(crumbsOf("/database/jobs/12", "J-12").map((crumb) => crumb.text)).toEqual([
      "Database",
      "Jobs",
      "J-12",
    ]);
    expect(crumbsOf("/account").map((crumb) => crumb.text)).toEqual(["Account"]);
  });

  it("A-120: switches to Map, else Live Overview, else Customer View", () => {
    expect(switchLink(user(["live_overview_read"]))?.text).toBe("Map");
    expect(switchLink(user(["live_overview_login", "live_overview_read"]))?.text).toBe("Live Overview");
    expect(switchLink(user(["customer_view_login", "customer_view_read"]))?.text).toBe("Customer View");
    expect(switchLink(user(["customer_view_login"]))).toBeUndefined();
  });

  it("A-101 to A-103: tells desktop, tablet and mobile by width", () => {
    expect([1221, 1220, 768, 767].map(widthOf)).toEqual(["desktop", "tablet", "tablet", "mobile"]);
  });
});
