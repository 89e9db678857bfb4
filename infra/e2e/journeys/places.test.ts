import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { Api, launch, open, signIn, type Watched } from "./product.ts";

/** A street of more than a kilometre, without a number. */
const STREET = "Rua de Santa Catarina, Porto";

interface Place {
  address: string;
  lat: number;
  lon: number;
}

/** Addresses are found on the maps of the installation, without an address server and without a key. */
describe("places", () => {
  let browser: Browser;
  let firm: Firm;
  let planner: Watched;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Places");
    planner = await open(browser);
    await signIn(planner.page, firm.email, firm.secret);
    await planner.page.goto(`/?active_scenario=${firm.scenario.id}`);
    await planner.page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  });
  afterAll(() => browser.close());

  async function openMenu(page: Page, item: string | RegExp): Promise<void> {
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: item }).click();
  }

  async function importRows(page: Page, ...rows: string[]): Promise<void> {
    await openMenu(page, "Import jobs");
    const dialog = page.getByRole("dialog", { name: "Import jobs" });
    const file = { name: "rows.csv", mimeType: "text/csv" };
    await dialog
      .locator('input[type="file"]')
      .setInputFiles({ ...file, buffer: Buffer.from(["uid;address", ...rows].join("\n")) });
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  async function placeOf(uid: string): Promise<Place> {
    const { data } = await firm.admin.get<{ data: { uid: string; location: Place }[] }>(
      `/jobs?search=${uid}`,
    );
    const job = data.find((one) => one.uid === uid);
    if (job === undefined) throw new Error(`There is no job ${uid}`);
    return job.location;
  }

  /** The map of a dialog, once it can be clicked. */
  async function mapOf(dialog: Locator): Promise<Locator> {
    const map = dialog.getByRole("region", { name: "Map of jobs and runs" });
    await map.locator("canvas").waitFor();
    return map;
  }

  it("W-031: the search says what of an address it found, and how sure it is", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "New job" }).click();
    const dialog = page.getByRole("dialog").last();
    await dialog.getByLabel("Address").first().fill("R. Sta. Catarina 429");
    const option = page.getByRole("option", { name: "Rua de Santa Catarina 429, Porto" });
    await option.getByText(/^House number · \d+ % sure · map data$/).waitFor();
    await option.click();
    await expect
      .poll(() => dialog.getByLabel("Address").first().inputValue())
      .toBe("Rua de Santa Catarina 429, Porto");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
  });

  it("doubtful addresses of an import are confirmed on the map, once for all imports", async () => {
    const { page } = planner;
    await importRows(page, "SURE;Rua de Santa Catarina 429, Porto", `DOUBT;"${STREET}"`);
    const dialog = page.getByRole("dialog", { name: "Addresses to confirm" });
    const list = dialog.getByRole("list", { name: "Addresses to confirm" });
    await list.getByText(/Street without the number · \d+ % sure/).waitFor();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
    const before = await placeOf("DOUBT");

    const map = await mapOf(dialog);
    const pin = map.getByLabel("Pin; arrow keys move it");
    await pin.waitFor();
    const box = await map.boundingBox();
    if (box === null) throw new Error("the map has no place");
    await page.mouse.click(box.x + box.width * 0.7, box.y + box.height * 0.3);
    await pin.focus();
    await page.keyboard.press("ArrowUp");
    const shown = dialog.getByText(/^41\.\d+, -8\.\d+$/);
    await expect.poll(() => shown.innerText()).not.toBe(`${before.lat}, ${before.lon}`);
    const [lat, lon] = (await shown.innerText()).split(", ").map(Number);
    await dialog.getByRole("button", { name: "Confirm this place" }).click();
    await dialog.getByText("Every address is confirmed.").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => placeOf("DOUBT")).toMatchObject({ lat, lon });

    // Another file with that address: nobody is asked again, and the job stands where the pin was put.
    await importRows(page, `AGAIN;"${STREET.toUpperCase()}"`);
    await expect.poll(() => placeOf("AGAIN")).toMatchObject({ lat, lon });
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Addresses to confirm", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    expect(planner.faults).toEqual([]);
  });

  it("W-031 A-269: the tutorial's depot is found by its address, and by a click on the map", async () => {
    const operator = await Api.as("operator");
    const [stamp, secret] = [Date.now(), "a long enough password"];
    const email = `depot-${stamp}@depot.routewright.test`;
    const admin = { email, password: secret, first_name: "Ana", last_name: "Reis" };
    const organisation = { name: `Depot ${stamp}`, timezone: "Europe/Lisbon", admin };
    await operator.call("POST", "/organisations", organisation);
    const { page, faults } = await open(browser);
    await signIn(page, email, secret);
    await page.getByRole("button", { name: "Take the tour" }).click();
    const popup = page.getByRole("dialog", { name: "Tutorial" });
    const depot = popup.getByLabel("Depot location");

    await popup.getByRole("button", { name: "Choose on the map" }).click();
    const dialog = page.getByRole("dialog", { name: "Choose on the map" });
    const map = await mapOf(dialog);
    // Of Portugal, where the organisation is, and not of the other side of the world.
    await page.waitForTimeout(1_500);
    await map.click();
    await dialog.getByText(/^3[6-9]\.\d+, -9\.\d+$/).waitFor();
    await dialog.getByLabel("Address").fill("A depot near Lisbon");
    await dialog.getByRole("button", { name: "Use this place" }).click();
    await expect.poll(() => depot.inputValue()).toBe("A depot near Lisbon");

    await depot.fill("Rua de Santa Catarina 429");
    await page.getByRole("option", { name: "Rua de Santa Catarina 429, Porto" }).click();
    await expect.poll(() => depot.inputValue()).toBe("Rua de Santa Catarina 429, Porto");
    await popup.getByRole("button", { name: "Next", exact: true }).click();
    await popup.getByText("Step 2 of 11").waitFor();
    const drivers = await (await Api.as(email, secret)).get<{ data: { location: Place }[] }>("/drivers");
    expect(drivers.data.map(({ location }) => location.address)).toEqual(
      Array<string>(3).fill("Rua de Santa Catarina 429, Porto"),
    );
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("W-031 W-106: the dashboard takes a place from the search, from the map and as lat, lon", async () => {
    const { page, faults, context } = await open(browser);
    await signIn(page, firm.email, firm.secret);
    await page.goto("/dashboard/database/locations/create");
    await page.getByLabel("Name").fill("Store");
    const address = page.getByLabel("Address", { exact: false }).first();
    const latitude = page.getByLabel("Lat", { exact: false }).first();
    await address.fill("Rua de Santa Catarina 429");
    await page.getByRole("option", { name: "Rua de Santa Catarina 429, Porto" }).click();
    await expect.poll(() => latitude.inputValue()).toMatch(/^41\.1/);
    await address.fill("41.2, -8.5");
    await expect.poll(() => latitude.inputValue()).toBe("41.2");

    await page.getByRole("button", { name: "Choose on the map" }).click();
    const dialog = page.getByRole("dialog", { name: "Choose on the map" });
    const map = await mapOf(dialog);
    await dialog.getByLabel("Address").fill("Gate 4");
    await map.click({ position: { x: 40, y: 40 } });
    await dialog.getByRole("button", { name: "Use this place" }).click();
    await expect.poll(() => address.inputValue()).toBe("Gate 4");
    await expect.poll(() => latitude.inputValue()).not.toBe("41.2");
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () =>
        (await firm.admin.get<{ data: Place[] }>("/locations")).data.map((one) => one.address),
      )
      .toContain("Gate 4");
    expect(faults).toEqual([]);
    await context.close();
  });
});
