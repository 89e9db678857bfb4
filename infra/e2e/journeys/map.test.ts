import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn, type Watched } from "./product.ts";

interface List {
  data: { id: number }[];
}

describe("the planner's map", () => {
  let browser: Browser;
  let firm: Firm;
  let planner: Watched;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Mapped");
    planner = await open(browser);
    await signIn(planner.page, firm.email, firm.secret);
  });
  afterAll(() => browser.close());

  it("W-095: jobs of one place are one dot however near one looks, and are spread when it is clicked", async () => {
    const { page } = planner;
    const house = await firm.admin.call<{ id: number }>("POST", "/scenarios", {
      name: "One house",
      scheduled_date: "2026-11-26",
    });
    for (const uid of ["H-1", "H-2", "H-3"]) {
      await firm.admin.call("POST", "/jobs", {
        uid,
        scenario_id: house.id,
        location: { address: "Rua 1, Porto", lat: 41.15, lon: -8.61 },
      });
    }
    await page.goto(`/?active_scenario=${house.id}`);
    await page.getByRole("list", { name: "Jobs" }).getByRole("listitem").nth(2).waitFor();
    // The map of the page before was still being loaded when it was left.
    planner.faults.splice(0);
    // The one place is in the middle of the map, and nothing before it.
    await page.waitForFunction(() => {
      const key = Object.keys(localStorage).find((name) => name.startsWith("mapView"));
      return (localStorage.getItem(key ?? "") ?? "").startsWith("-8.61");
    });
    await selectsInTheMiddle(page, 3);
    const markers = page.locator("[draggable=true]").filter({ visible: true });
    const places = await markers.evaluateAll((found) =>
      found.map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return { x, y, round: width === height };
      }),
    );
    const dots = places.filter(({ round }) => round);
    expect(dots.length).toBe(3);
    expect(new Set(dots.map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`)).size).toBe(3);
  });

  it("keeps its jobs when it is shown by night, and by day again", async () => {
    const { page } = planner;
    await page.reload();
    await page.getByRole("list", { name: "Jobs" }).getByRole("listitem").nth(2).waitFor();
    for (const colorScheme of ["dark", "light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      // A style is there a frame later.
      await page.waitForTimeout(500);
    }
    await selectsInTheMiddle(page, 3);
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("W-116: the map shows what the filter of jobs shows", async () => {
    const { page } = planner;
    const house = new URL(page.url()).searchParams.get("active_scenario");
    const [driver] = (await firm.admin.get<List>("/drivers")).data;
    const [served] = (await firm.admin.get<List>(`/jobs?scenario_ids=${house}&search=H-1`)).data;
    const run = await firm.admin.call<{ id: number }>("POST", "/runs", {
      scenario_id: Number(house),
      driver_id: driver?.id,
    });
    await firm.admin.call("PUT", `/runs/move_job_to_new/${run.id}`, { job_ids: [served?.id] });
    const legend = page.getByRole("group", { name: "Unserved" });
    const unserved = legend.getByRole("button", { name: /Unserved/ });
    // Pressed, only the two that are on no run are there to be clicked; released, all three are.
    for (const count of [2, 3]) {
      await unserved.click();
      await selectsInTheMiddle(page, count, () => page.keyboard.press("Escape"));
    }
    expect(planner.faults).toEqual([]);
  });
});

/** A click in the middle of the map, once it is drawn, selects so many jobs. */
async function selectsInTheMiddle(
  page: Page,
  count: number,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await expect
    .poll(
      async () => {
        await before();
        await clickMiddle(page);
        return page.getByText(`${count} selected`).count();
      },
      { timeout: 15_000, interval: 1000 },
    )
    .toBeGreaterThan(0);
}

async function clickMiddle(page: Page): Promise<void> {
  const box = await page.getByRole("region", { name: "Map of jobs and runs" }).boundingBox();
  if (box !== null) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}
