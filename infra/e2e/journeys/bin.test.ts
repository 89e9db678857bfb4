import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { Api, launch, open, signIn, type Watched } from "./product.ts";

/** What is deleted is named first, goes as one, and comes back. */
describe("deleting W-084", () => {
  let browser: Browser;
  let firm: Firm;
  let admin: Watched;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Bin");
    admin = await open(browser);
    await signIn(admin.page, firm.email, firm.secret);
  });
  afterAll(() => browser.close());

  it("jobs that can go are named and go, the billed or proven ones stay with their reason", async () => {
    const { page } = admin;
    const [first] = firm.jobs;
    await firm.admin.call("POST", "/job_proofs", {
      job_id: first?.id,
      record_time: new Date().toISOString(),
    });
    await page.goto("/dashboard/database/jobs");
    await page.getByRole("checkbox", { name: "Select all" }).check();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 8 jobs?" });
    await dialog.getByRole("list", { name: "To be deleted" }).getByText("S-8").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    const rest = page.getByRole("dialog", { name: "Delete 7 jobs?" });
    await rest.getByText(`${first?.uid} – Cannot delete job with proofs`).waitFor();
    const { total_count: still } = await firm.admin.get<{ total_count: number }>("/jobs");
    expect(still).toBe(8);
    await rest.getByRole("button", { name: "Delete the others" }).click();
    await rest.waitFor({ state: "hidden" });
    await page.getByText("Deleted: 7").waitFor();
  });

  it("they lie in the bin, by name and by whom, and come back", async () => {
    const { page } = admin;
    await page.goto("/dashboard/database/bin");
    const row = page.getByRole("row").filter({ hasText: "S-5" });
    await row.getByText("Jobs").waitFor();
    await row.getByText("Ana Reis").or(row.getByText(firm.email)).first().waitFor();
    await row.getByRole("button", { name: "Restore" }).click();
    await page.getByText("S-5 is back").waitFor();
    await row.waitFor({ state: "hidden" });
    const job = firm.jobs.find(({ uid }) => uid === "S-5");
    const back = await firm.admin.get<{ tracking_token: string; scenario_id: number }>(`/jobs/${job?.id}`);
    expect([back.tracking_token, back.scenario_id]).toEqual([job?.tracking_token, firm.scenario.id]);
    expect(admin.faults).toEqual([]);
  });

  it("a deleted user is listed when asked for, opens nothing, and comes back", async () => {
    const { page } = admin;
    const email = `gone-${Date.now()}@example.org`;
    const { data: roles } = await firm.admin.get<{ data: { id: number; name: string }[] }>(
      "/roles?name=user",
    );
    const user = await firm.admin.call<{ id: number }>("POST", "/users", {
      email,
      first_name: "Rita",
      last_name: "Gone",
      password: "Corn-Flower 7",
      role_id: roles.find(({ name }) => name === "user")?.id,
    });
    await firm.admin.call("DELETE", `/users/${user.id}`);
    const filter = encodeURIComponent(JSON.stringify({ email, include_deleted: true }));
    await page.goto(`/dashboard/management/users?filter=${filter}`);
    const row = page.getByRole("row").filter({ hasText: email });
    await row.waitFor();
    await expect.poll(() => row.getByRole("link").count()).toBe(0);
    await row.getByRole("button", { name: "Restore" }).click();
    await page.getByText(`${email} is back`).waitFor();
    await row.getByRole("link", { name: email }).click();
    await page.getByRole("textbox", { name: /^First name/ }).waitFor();
    expect(admin.faults).toEqual([]);
  });

  it("W-087: an organisation goes when its name is typed, and the operator brings it back", async () => {
    const platform = await Api.as("operator");
    const name = `Gone ${Date.now()}`;
    const made = await platform.call<{ id: number }>("POST", "/organisations", { name, timezone: "UTC" });
    const operator = await open(browser);
    await signIn(operator.page, "operator");
    const { page } = operator;
    await page.goto(`/dashboard/management/organisations/${made.id}`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
    const go = dialog.getByRole("button", { name: "Delete" });
    await expect.poll(() => go.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(name);
    await go.click();
    await page.getByText("Organisation deleted").waitFor();
    await page.goto(
      `/dashboard/platform/standing?filter=${encodeURIComponent(JSON.stringify({ state: "deleting" }))}`,
    );
    const row = page.getByRole("row").filter({ hasText: name });
    await row.getByRole("button", { name: "Bring back" }).click();
    await page.getByText("The organisation is back in service").waitFor();
    const back = await platform.get<{ state: string }>(`/organisations/${made.id}`);
    expect(back.state).toBe("ready");
    expect(operator.faults).toEqual([]);
  });
});
