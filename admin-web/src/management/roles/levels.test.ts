import { LEVELLED_RESOURCES, VIEW_LEVELS } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { groupLevels, mayGrant } from "./levels.ts";

describe("access levels as a checklist", () => {
  const levels = [
    ...LEVELLED_RESOURCES.flatMap((resource) => [`${resource}_read`, `${resource}_write`]),
    "jobs_delete",
    ...VIEW_LEVELS,
  ];

  it("has each of the 67 levels exactly once", () => {
    const { resources, views } = groupLevels(levels);
    const shown = [...resources.flatMap((row) => [row.read, row.write, row.remove]), ...views].filter(
      Boolean,
    );
    expect(shown).toHaveLength(67);
    expect(new Set(shown)).toEqual(new Set(levels));
  });

  it("A-360, A-362, W-086: lets the restriction to a view be given by whoever may open the view", () => {
    const held = ["customer_view_read", "jobs_read"];
    expect(mayGrant(held, "customer_view_login")).toBe(true);
    expect(mayGrant(held, "live_overview_login")).toBe(false);
    expect(mayGrant(held, "jobs_read")).toBe(true);
    expect(mayGrant(held, "jobs_write")).toBe(false);
  });

  it("has a delete level for jobs only", () => {
    const withDelete = groupLevels(levels).resources.filter((row) => row.remove);
    expect(withDelete.map((row) => row.title)).toEqual(["Jobs"]);
  });

  it("keeps a level that this version does not know", () => {
    expect(groupLevels(["jobs_read", "moon_view"]).views).toEqual(["moon_view"]);
  });
});
