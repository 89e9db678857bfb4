import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { baseUrl, launch, open, signIn } from "./product.ts";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
const sizes = { desktop: { width: 1366, height: 768 }, phone: { width: 390, height: 844 } };
const modes = ["light", "dark"] as const;
type Size = keyof typeof sizes;

interface Screen {
  name: string;
  /** Brings the page there; what is open is closed by the next screen. */
  show: (page: Page, firm: Firm) => Promise<void>;
}

/** Driver of the first run. */
const driver = (firm: Firm): string => firm.runs[0]?.uid ?? "";
const dialog = (page: Page) => page.getByRole("dialog").last();
/** The map with nothing open; loaded anew only where closing does not lead there. */
const home = async (page: Page, firm: Firm): Promise<void> => {
  const jobs = page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first();
  if (new URL(page.url()).searchParams.get("active_scenario") === String(firm.scenario.id)) {
    const open = page.locator('[role="dialog"], [role="menu"], .MuiPopover-root');
    for (let tries = 0; tries < 4 && (await open.count()) > 0; tries += 1) {
      await page.keyboard.press("Escape");
      await rest(page);
    }
    if ((await open.count()) === 0 && (await jobs.isVisible())) return;
  }
  await page.goto(`/?active_scenario=${firm.scenario.id}`);
  await jobs.waitFor();
};
/** Waits until nothing fades or slides any more: colours are judged at rest. */
async function rest(page: Page): Promise<void> {
  // What was just changed begins to move with the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== "running" || effect?.getComputedTiming().iterations === Infinity,
      ),
  );
}
/** A note of the first run's driver, which waits for the planner. */
async function tellOffice(firm: Firm, note: string): Promise<void> {
  const body = { token_uid: firm.runs[0]?.token };
  const answer = await firm.admin.call<{ runsheet_token: string }>("POST", "/auth/runsheet_token", body);
  const record = {
    id: "6a1c8a52-53b0-4f0e-9d0a-2f3c1b7e9d11",
    kind: "note",
    captured_at: new Date().toISOString(),
    note,
  };
  const response = await fetch(`${baseUrl}/api/v2/runsheet/records`, {
    method: "POST",
    headers: { Authorization: `Token ${answer.runsheet_token}`, "Content-Type": "application/json" },
    body: JSON.stringify(record),
  });
  expect(response.status).toBe(201);
}
/** Opens a dialog of the map page by a button. */
const byButton = (name: string, button: string): Screen => ({
  name,
  show: async (page, firm) => {
    await home(page, firm);
    await page.getByRole("button", { name: button, exact: true }).first().click();
    await dialog(page).waitFor();
  },
});
const byMenu = (name: string, menu: string, item: string): Screen => ({
  name,
  show: async (page, firm) => {
    await home(page, firm);
    await page.getByRole("button", { name: menu, exact: true }).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
    await dialog(page).waitFor();
  },
});
const panel = (name: "Runs" | "Drivers"): Screen => ({
  name: `panel ${name}`,
  show: async (page, firm) => {
    await home(page, firm);
    await page.getByRole("navigation").getByRole("button", { name }).click();
    await page.getByText(driver(firm)).first().waitFor();
  },
});

const planner: Screen[] = [
  { name: "map and jobs", show: home },
  panel("Runs"),
  panel("Drivers"),
  {
    name: "job details",
    show: async (page, firm) => {
      await home(page, firm);
      await page.getByRole("button", { name: "Details S-1" }).click();
      await dialog(page).getByRole("tab", { name: "Delivery" }).click();
      await dialog(page).getByText("ETA range").waitFor();
    },
  },
  {
    name: "attachments and unit",
    show: async (page, firm) => {
      await home(page, firm);
      await page.getByRole("button", { name: "Details S-1" }).click();
      await dialog(page).getByRole("button", { name: "Attachments" }).click();
      await dialog(page).getByRole("button", { name: "U-1", exact: true }).click();
      await dialog(page).getByText("Unit Details - U-1").waitFor();
    },
  },
  {
    // W-114
    name: "problems of the plan",
    show: async (page, firm) => {
      await home(page, firm);
      await page.getByRole("button", { name: /^\d+ problems?$/ }).click();
      await dialog(page).getByRole("listitem").first().waitFor();
    },
  },
  {
    // W-114
    name: "driver",
    show: async (page, firm) => {
      await home(page, firm);
      await page.getByRole("navigation").getByRole("button", { name: "Drivers" }).click();
      await page.getByRole("button", { name: `Edit driver ${driver(firm)}` }).click();
      await dialog(page).getByRole("group", { name: "Capacity" }).waitFor();
    },
  },
  byButton("new job", "New job"),
  byMenu("bulk create jobs", "More", "Bulk Create Jobs"),
  byMenu("import", "More", "Import jobs"),
  byMenu("addresses to confirm", "More", "Addresses to confirm"),
  {
    name: "run details",
    show: async (page, firm) => {
      await home(page, firm);
      await page.getByRole("navigation").getByRole("button", { name: "Runs" }).click();
      await page
        .getByRole("button", { name: `More ${driver(firm)}` })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Run Details" }).click();
      await dialog(page).getByRole("tab", { name: "Performance" }).click();
      await dialog(page).getByText("Driving time").waitFor();
    },
  },
  byButton("evidence to decide on", "Evidence (1)"),
  byButton("optimise", "Optimise"),
  byButton("dispatch", "Dispatch"),
  byButton("delivery tracking", "Delivery Tracking"),
  byMenu("ui settings", "User menu", "UI Settings"),
  byMenu("account settings", "User menu", "Account Setup"),
  byMenu("tutorial", "User menu", "Tutorial"),
  {
    // W-114
    name: "user menu",
    show: async (page, firm) => {
      await home(page, firm);
      await page.getByRole("button", { name: "User menu" }).click();
      await page.getByRole("menuitem", { name: "Log out" }).waitFor();
    },
  },
  {
    // W-114
    name: "list of scenarios",
    show: async (page, firm) => {
      await home(page, firm);
      await page.getByRole("button", { name: /Screens day/ }).click();
      await page.getByRole("button", { name: "Calendar" }).waitFor();
    },
  },
  {
    name: "scenarios",
    show: async (page, firm) => {
      await home(page, firm);
      await page.getByRole("button", { name: /Screens day/ }).click();
      await page.getByRole("button", { name: "Calendar" }).click();
      await dialog(page).getByText("Today").waitFor();
    },
  },
  {
    name: "territory builder",
    show: async (page) => {
      await page.goto("/territory-builder");
      await page.getByText("No territories yet. Draw one on the map.").waitFor();
    },
  },
  {
    name: "live overview",
    show: async (page, firm) => {
      await page.goto(`/liveview?active_scenario=${firm.scenario.id}`);
      await page.getByRole("heading", { name: "Exceptions" }).waitFor();
      await page.getByRole("list", { name: "Exceptions" }).getByRole("listitem").first().waitFor();
    },
  },
];

const guests: Screen[] = [
  {
    name: "sign in",
    show: async (page) => {
      await page.goto("/?login_error=The+provider+knows+nobody+by+that+name");
      await page.getByText("The provider knows nobody by that name").waitFor();
      expect(page.url()).not.toContain("login_error");
    },
  },
  {
    name: "page not found",
    show: async (page) => {
      await page.goto("/no-such-page");
      await page.getByText("Page not found").waitFor();
    },
  },
  {
    name: "run sheet",
    show: async (page, firm) => {
      await page.goto(`/runsheet?runsheet=true&token=${firm.runs[0]?.token}`);
      await page.getByRole("button", { name: "Start route" }).waitFor();
    },
  },
  {
    name: "start of the route",
    show: async (page, firm) => {
      await page.goto(`/runsheet?runsheet=true&token=${firm.runs[0]?.token}`);
      await page.getByRole("button", { name: "Start route" }).click();
      await page.getByLabel(/Start odometer/).waitFor();
    },
  },
  {
    name: "customer tracking",
    show: async (page, firm) => {
      const carrying = firm.jobs.find(({ uid }) => uid === "S-1");
      await page.goto(`/tracking?tokens=${carrying?.tracking_token},AAAAAAAAAAAA`);
      await page.getByText("Customer 1").waitFor();
      await page.getByText("Job not found.").waitFor();
    },
  },
  {
    name: "qr codes",
    show: async (page, firm) => {
      await page.goto(`/qr-codes/${firm.scenario.ws_token}`);
      await page.getByRole("heading", { name: "Screens day" }).waitFor();
    },
  },
];

/**
 * every screen opens without an error in the console,
 * and axe finds nothing against WCAG 2.1 AA, on desktop and phone, light and dark.
 */
describe("screens", () => {
  let browser: Browser;
  let firm: Firm;
  beforeAll(async () => {
    browser = await launch();
    firm = await found("Screens");
    // One job is on no run: an exception, and a reason on the map.
    const [last] = firm.jobs.slice(-1);
    await firm.admin.call("PUT", "/runs/move_job_to_new/unserved", {
      job_ids: [last?.id],
      seq: null,
      pool: false,
    });
    await tellOffice(firm, "I am 30 minutes late");
  });
  afterAll(() => browser.close());

  it.each(["desktop", "phone"] as const)(
    "A-001 the planner's on %s, light and dark",
    { timeout: 400_000 },
    async (size) => {
      const { page, context, faults } = await open(browser, sizes[size]);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await signIn(page, firm.email, firm.secret);
      const found = await walk(page, planner, size);
      await context.close();
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it.each(["desktop", "phone"] as const)(
    "X-051 A-027 drivers', customers' and guests' on %s, light and dark",
    async (size) => {
      const { page, context, faults } = await open(browser, sizes[size]);
      await page.emulateMedia({ reducedMotion: "reduce" });
      const found = await walk(page, guests, size);
      await context.close();
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  /** Violations as `screen: rule at element`. */
  async function walk(page: Page, screens: readonly Screen[], size: Size): Promise<string[]> {
    const found: string[] = [];
    for (const { name, show } of screens) {
      try {
        await show(page, firm);
      } catch (error) {
        found.push(`${name} was not shown: ${String(error).split("\n")[0]}`);
        continue;
      }
      for (const mode of modes) {
        await page.emulateMedia({ colorScheme: mode });
        await rest(page);
        const { violations } = await new AxeBuilder({ page }).withTags(WCAG).setLegacyMode().analyze();
        for (const { id, nodes } of violations) {
          const elements = nodes.slice(0, 3).map(({ target }) => target.join(" "));
          found.push(`${name}, ${mode}: ${id} at ${elements.join(" | ")}`);
        }
        const folder = process.env["SCREENSHOTS"];
        if (folder !== undefined) {
          await page.screenshot({ path: `${folder}/${size}-${mode}-${name.replaceAll(" ", "-")}.png` });
        }
      }
    }
    return found;
  }
});
