import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { launch, open, signIn, type Watched } from "./product.ts";

/** W-002, W-100, W-101, W-106, W-116: nothing is left out in silence, and what is wrong can be put right from where it is told. */
describe("the doctor", () => {
  let browser: Browser;
  let firm: Firm;
  let planner: Watched;
  let early = 0;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Doctor");
    await firm.admin.call("PATCH", "/organisations/settings", { optimisation: { max_seconds: 1 } });
    // Nobody can be there a minute after the shifts begin.
    const job = await firm.admin.call<{ id: number }>("POST", "/jobs", {
      uid: "EARLY",
      scenario_id: firm.scenario.id,
      customer_name: "Early bird",
      duration: 5,
      leave_by: "08:01",
      location: { address: "Rua do Farol, Porto", lat: 41.17, lon: -8.65 },
    });
    early = job.id;
    planner = await open(browser);
    await signIn(planner.page, firm.email, firm.secret);
    await planner.page.goto(`/?active_scenario=${firm.scenario.id}`);
    await planner.page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first().waitFor();
  });
  afterAll(() => browser.close());

  it("ends an optimisation with a summary, tells why a job is left out, and serves it by one click", async () => {
    const { page } = planner;
    await page.getByRole("button", { name: "Optimise", exact: true }).first().click();
    const dialog = page.getByRole("dialog", { name: "Optimise" });
    if (await dialog.getByText("You must select at least one driver.").isVisible()) {
      await dialog.getByRole("button", { name: "Choose drivers" }).click();
      await page.getByRole("checkbox", { name: "Select all" }).first().check();
      await page.getByRole("button", { name: "Optimise", exact: true }).first().click();
    }
    await dialog.getByRole("button", { name: "Optimise", exact: true }).click();
    const summary = page.getByRole("dialog", { name: "Optimisation summary" });
    await summary.getByText("Its time window cannot be met (1)").waitFor();
    await summary.getByText("Times and distances: streets", { exact: true }).waitFor();
    await summary.getByRole("button", { name: "EARLY" }).click();
    const why = page.getByRole("dialog", { name: "Why is EARLY unserved?" });
    await why
      .getByText(/arrives 08:\d\d, window ends 08:01/)
      .first()
      .waitFor();
    await why.getByRole("button", { name: /^Apply: Widen the window to 08:\d\d/ }).click();
    await why.waitFor({ state: "detached" });
    await expect
      .poll(async () => (await firm.admin.get<{ run_id: number | null }>(`/jobs/${early}`)).run_id)
      .not.toBeNull();
    await summary.getByRole("button", { name: "Close" }).last().click();
  });

  it("W-101: a late job is counted, marked in words, and found by the filter", async () => {
    const { page } = planner;
    await firm.admin.call("PATCH", `/jobs/${early}`, { leave_by: "08:01" });
    await page.reload();
    await page.getByRole("button", { name: "1 problem", exact: true }).waitFor();
    await page.getByRole("button", { name: "Late 1" }).click();
    await expect.poll(() => page.getByRole("list", { name: "Jobs" }).getByRole("listitem").count()).toBe(1);
    await page
      .getByText(/08:\d\d, \d+ min after 08:01/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "1 problem", exact: true }).click();
    const list = page.getByRole("dialog", { name: "Problems of the plan" });
    await list.getByRole("button", { name: "Why? EARLY" }).waitFor();
    await list.getByRole("button", { name: "Close" }).click();
    expect(planner.faults).toEqual([]);
  });
});
