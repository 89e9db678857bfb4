import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api, launch, open, signIn, type Watched } from "./product.ts";

/** Every page of the side menu: its route below `/dashboard` and its heading. */
const PAGES: [path: string, heading: string][] = [
  ["management/roles", "Roles"],
  ["management/organisations", "Organisations"],
  ["management/users", "Users"],
  ["database/scenarios", "Scenarios"],
  ["database/jobs", "Jobs"],
  ["database/drivers", "Drivers"],
  ["database/runs", "Runs"],
  ["database/units", "Units"],
  ["database/locations", "Locations"],
  ["database/clients", "Clients"],
  ["database/filename_regex", "Filename regex"],
  ["database/run_code_maps", "Run code maps"],
  ["database/bin", "Bin"],
  ["organisation_settings/optimisation_settings", "Optimisation settings"],
  ["organisation_settings/password_policy", "Password policy"],
  ["organisation_settings/app_settings", "App settings"],
  ["organisation_settings/proof_reasons", "Proof reasons"],
  ["organisation_settings/proof_settings", "Proof settings"],
  ["organisation_settings/job_tag_definition", "Job tags"],
  ["organisation_settings/vehicle_definition", "Vehicle definition"],
  ["organisation_settings/eta_alert_configuration", "ETA alert configuration"],
  ["organisation_settings/territory_settings", "Territory groups"],
  ["organisation_settings/delivery_and_tracking", "Delivery and tracking"],
  ["organisation_settings/units_and_measurement", "Units and measurement"],
  ["organisation_settings/scenario_templates", "Scenario templates"],
  ["organisation_settings/delivery_checklist", "Delivery checklists"],
  ["organisation_settings/sms_configuration", "SMS configuration"],
  ["events_and_actions/events_and_actions_builder", "Events & actions"],
  ["events_and_actions/events_and_actions_config", "Events & actions configuration"],
  ["delivery_management/search_jobs", "Search jobs"],
  ["delivery_management/search_units", "Search units"],
  ["delivery_management/search_runs", "Search runs"],
  ["delivery_management/bulk_create_jobs", "Bulk create jobs"],
  ["transport_management/vehicles", "Vehicles"],
  ["transport_management/tracking_devices", "Tracking devices"],
  ["transport_management/hauliers", "Hauliers"],
  ["transport_management/driver_users", "Driver users"],
  ["create_returns", "Create returns"],
  ["search_returns", "Returns"],
  ["costing_management/billing_rates", "Billing rates"],
  ["costing_management/run_cost_calculator", "Run cost calculator"],
  ["containers/search_containers", "Containers"],
  ["exports/exports", "Exports"],
  ["exports/kpi_data_export", "KPI data export"],
  ["account", "Account"],
];

describe("the administrators' dashboard", () => {
  let browser: Browser;
  let admin: Watched;

  beforeAll(async () => {
    browser = await launch();
    admin = await open(browser);
    await signIn(admin.page, "admin");
  });
  afterAll(() => browser.close());

  it("A-033 to A-080, A-086 to A-096: every page opens, without a fault and without a barrier", async () => {
    const { page, faults } = admin;
    const barriers: string[] = [];
    await page.goto("/dashboard");
    for (const [path, heading] of PAGES) {
      await goTo(page, path);
      await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
      await page.getByRole("progressbar").first().waitFor({ state: "detached" });
      // The frame is the same everywhere and looked at once. Toasts are left out: while they fade in, their colours
      // are not yet theirs.
      const looked = new AxeBuilder({ page })
        .withTags(["wcag2a", "wcag2aa"])
        .exclude("[data-sonner-toaster]");
      const { violations } = await (path === PAGES[0]?.[0] ? looked : looked.include("main")).analyze();
      barriers.push(...violations.map(({ id, nodes }) => `${path}: ${id} ${String(nodes[0]?.target)}`));
    }
    expect(barriers).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("X-161, X-444, X-446, A-308, A-309: the KPI report asks for its days, yesterday to today at first", async () => {
    const { page } = admin;
    await page.goto("/dashboard/exports/kpi_data_export");
    await page.getByRole("button", { name: "Internal report" }).click();
    const dialog = page.getByRole("dialog", { name: "Select date range" });
    const days = await Promise.all(
      ["Start date", "End date"].map((label) => dialog.getByLabel(label).inputValue()),
    );
    expect(Date.parse(days[1] ?? "") - Date.parse(days[0] ?? "")).toBe(86_400_000);
    await dialog.getByLabel("Start date").fill("2031-01-02");
    await dialog.getByText("Start date must be before end date").waitFor();
    await dialog.getByLabel("End date").fill("2031-01-03");
    await dialog.getByText("Start date must be before end date").waitFor({ state: "detached" });
    await dialog.getByLabel("Start date").fill("2031/01/04");
    await dialog.getByText("Start date must be before end date").waitFor();
    await dialog.getByText("End date must be after start date").waitFor();
    await expect.poll(() => dialog.getByRole("button", { name: "Export" }).isDisabled()).toBe(true);
    // W-069: one day is a range too.
    await dialog.getByLabel("Start date").fill("2031-01-03");
    await expect.poll(() => dialog.getByRole("button", { name: "Export" }).isDisabled()).toBe(false);
    await dialog.getByLabel("Start date").fill("1999-01-01");
    await dialog.getByLabel("End date").fill("1999-01-02");
    await dialog.getByRole("button", { name: "Export" }).click();
    await page.getByText("No relevant scenarios found during these dates").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("P-057: Bulk Create Jobs leads to the planner's job panel", async () => {
    const { page } = admin;
    await page.goto("/dashboard/delivery_management/bulk_create_jobs");
    await page.getByRole("link", { name: "Create jobs one by one" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create job to pool" }).waitFor();
    await page.goto("/dashboard");
  });

  it("P-471 to P-476: returns are saved and deleted under their texts", async () => {
    const { page } = admin;
    await page.goto("/dashboard/create_returns");
    await page.getByLabel("UID").fill("R-journey");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Return has been created successfully.").waitFor();
    await page.getByRole("link", { name: "R-journey" }).first().click();
    await page.getByRole("textbox", { name: "Comments" }).fill("Back door");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Return has been updated successfully.").waitFor();
    await page.getByRole("link", { name: "R-journey" }).first().click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Return has been deleted.").waitFor();
  });

  it("P-311 to P-315: a job with a uid of the pool is edited, made again or left alone", async () => {
    const { page } = admin;
    const api = await Api.as("admin");
    const uid = `Twice ${Date.now()}`;
    const known = async () =>
      (await api.get<{ total_count: number }>(`/jobs/pool?uid_exact=${uid}`)).total_count;
    const place = { address: "Rua 1, Porto", lat: 41.15, lon: -8.61 };
    await api.call("POST", "/jobs", { uid, location: place, customer_name: "First" });
    await page.goto("/dashboard/database/jobs/create");
    await page.getByLabel("UID").fill(uid);
    await page.getByLabel("Customer name").fill("Second");
    // W-031: an address without a place is told, a latitude and longitude are a place at once.
    await page.getByLabel("Address").fill("Rua que ninguém conhece 99");
    await page.getByLabel("Address").press("Tab");
    await page.getByText("Choose one of the places found").first().waitFor();
    await expect.poll(() => page.getByLabel("Address").inputValue()).toBe("Rua que ninguém conhece 99");
    await page.getByLabel("Address").fill("41.151, -8.612");
    await page.getByLabel("Customer email").fill("a@example.org,");
    await page.getByLabel("Phone number").fill("+351220000001");
    await page
      .getByRole("group", { name: "Size", exact: true })
      .last()
      .getByRole("textbox")
      .first()
      .fill("1");
    await page.getByLabel("Types").fill("ambient,");
    const save = page.getByRole("button", { name: "Save" });
    await save.click();
    const question = page.getByRole("dialog", { name: `Job UID ${uid} already exists` });
    await question.getByText("do you want to edit existing Job?").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await expect.poll(() => known()).toBe(1);
    await save.click();
    await question.getByRole("button", { name: "Edit Existing" }).click();
    await expect
      .poll(async () => (await api.get<{ data: unknown[] }>(`/jobs/pool?uid_exact=${uid}`)).data)
      .toMatchObject([{ customer_name: "Second" }]);
  });

  it("X-163: the list of jobs counts those visited", async () => {
    await admin.page.goto("/dashboard/database/jobs");
    await admin.page.getByText(/^Visited \d+ · Successful \d+ · Unsuccessful \d+$/).waitFor();
  });

  it("A-171, A-297 to A-303: a refused user keeps what was typed, is saved at the next try and goes again", async () => {
    const { page } = admin;
    const email = `new-${Date.now()}@demo.routewright.test`;
    await goTo(page, "management/users/create");
    // W-093: an invitation is usual; a password is typed only by choice.
    await page.getByLabel("Choose a password for the person").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    for (const field of ["Email", "Password", "First name", "Last name", "Role"]) {
      await page.getByText(`${field} is required`, { exact: true }).waitFor();
    }
    await page.getByLabel("First name").fill("Nora");
    await page.getByLabel("Last name").fill("Neves");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill("short");
    await page.getByLabel("Role").click();
    await page.getByRole("option", { name: "user", exact: true }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Password must have at least 8 characters").first().waitFor();
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe(email);
    await page.getByRole("textbox", { name: "Password" }).fill("a long enough password");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Successfully added").waitFor();
    await page.getByPlaceholder("Search", { exact: true }).fill(email);
    const row = page.getByRole("row").filter({ hasText: email });
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await row.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Delete user?" });
    await question.getByText(email).waitFor();
    await question.getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
  });

  it("A-257, A-410 to A-412, A-478: the SMS gateway is refused, kept, never shown again and deleted", async () => {
    const { page } = admin;
    await goTo(page, "organisation_settings/sms_configuration");
    await page.getByText("SMS is not enabled").waitFor();
    await page.getByLabel("Provider").click();
    await page.getByRole("option", { name: "HTTP gateway" }).click();
    await page.getByLabel("Sender").fill("Routewright");
    await page.getByLabel("API key").fill("a-key-of-the-gateway");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Failed to update SMS configuration").waitFor();
    await expect.poll(() => page.getByLabel("API key").inputValue()).toBe("a-key-of-the-gateway");
    await page.getByLabel("Address of the gateway").fill("https://sms.example.org/send");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Successfully saved").waitFor();
    await expect.poll(() => page.getByLabel("API key").inputValue()).not.toContain("gateway");
    await expect.poll(() => page.getByLabel("Enabled").isChecked()).toBe(true);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("SMS is not enabled").waitFor();
  });

  it("A-085: any other path is said not to exist", async () => {
    await admin.page.goto("/dashboard/nowhere/at/all");
    await admin.page.getByText("There is nothing at this address.").waitFor();
  });
});

/** Goes to another page of the dashboard without loading it anew. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState({}, "", `/dashboard/${to}`);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }, path);
}
