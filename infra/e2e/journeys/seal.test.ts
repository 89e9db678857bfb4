import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Firm, found } from "./firm.ts";
import { baseUrl, launch, open, signIn } from "./product.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What a stop needs is set in the office, asked for at the door, and sealed for whoever wants to check it. */
describe("a proof that stands up", () => {
  let browser: Browser;
  let firm: Firm;

  beforeAll(async () => {
    browser = await launch();
    firm = await found("Seal");
  });
  afterAll(() => browser.close());

  it("is demanded by the office's settings", async () => {
    const { page, context, faults } = await open(browser);
    await signIn(page, firm.email, firm.secret);
    await page.goto("/dashboard/organisation_settings/proof_settings");
    const choose = async (label: string, value: string): Promise<void> => {
      await page.getByRole("combobox", { name: label, exact: true }).first().click();
      await page.getByRole("option", { name: value, exact: true }).click();
    };
    await choose("Photo", "Required");
    await choose("Signature", "Optional");
    await choose("Comment", "Warn");
    await choose("Age check", "Required");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").first().waitFor();
    await context.close();
    expect(faults).toEqual([]);
  });

  it("is asked for at the door, and can be checked by anybody", async () => {
    const phone = await open(browser, { width: 390, height: 844 });
    const run = firm.runs[0];
    await phone.page.goto(`/runsheet?runsheet=true&token=${run?.token ?? ""}`);
    await phone.page.getByRole("button", { name: "Start route" }).click();
    await phone.page.getByLabel(/Start odometer/).fill("100");
    await phone.page.getByRole("button", { name: "Start route" }).last().click();
    await phone.page.getByText(/Started \d\d:\d\d/).waitFor();
    await phone.page.getByRole("button", { name: "Record proof" }).first().click();
    const save = phone.page.getByRole("button", { name: "Save proof" });
    await save.click();
    await phone.page.getByText("A photo is required").first().waitFor();
    await phone.page
      .locator("input[type=file]")
      .first()
      .setInputFiles({ name: "door.png", mimeType: "image/png", buffer: PNG });
    await phone.page.getByText("Say whether the recipient is old enough").first().waitFor();
    await phone.page.getByLabel(/Recipient is old enough/).selectOption("yes");
    await save.click();
    await phone.page.getByText("Not there: comment. Add it, or save without.").waitFor();
    await phone.page.getByRole("button", { name: "Save without" }).click();
    await phone.page.getByText(/1 of \d+ stops/).waitFor();
    type Proofs = { data: { job_id: number; age_check: boolean | null; device: string | null }[] };
    const proofs = (): Promise<Proofs> => firm.admin.get(`/job_proofs?run_id=${run?.id ?? 0}`);
    await expect.poll(async () => (await proofs()).data.length, { timeout: 15_000 }).toBe(1);
    // Not before: what is not sent yet is kept in the phone that is thrown away here.
    await phone.context.close();
    expect(phone.faults).toEqual([]);
    const proof = (await proofs()).data[0];
    expect([proof?.age_check, proof?.device?.startsWith("Chrome")]).toEqual([true, true]);
    const of = await firm.admin.get<{ check_link: string }>(`/jobs/${proof?.job_id ?? 0}/proofs`);
    const check = new URL(of.check_link);
    const context = await browser.newContext({ baseURL: baseUrl, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${check.pathname}${check.search}`);
    await page.getByRole("heading", { name: "Check of a proof of delivery" }).waitFor();
    const states = await page.locator("article strong.state").allInnerTexts();
    expect(states.length).toBeGreaterThan(2);
    expect(new Set(states)).toEqual(new Set(["Unchanged"]));
    await page.goto("/check?proof=NOBODYHASTHIS");
    await page.getByText("This code opens nothing.").waitFor();
    await context.close();
  });
});
