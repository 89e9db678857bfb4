import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { found } from "./firm.ts";
import { Api, launch, open, signIn } from "./product.ts";

interface Entry {
  actor_kind: string;
  action: string | null;
  change: string;
  object_kind: string;
  object_name: string | null;
}

/** What the organisation's administrators find of operators in its trail, newest first. */
async function ofOperators(admin: Api): Promise<string[]> {
  const listed = await admin.get<{ data: Entry[] }>("/audit?actor_kind=operator&per_page=100");
  return listed.data.map((entry) =>
    entry.change === "done"
      ? (entry.action ?? "")
      : `${entry.object_kind} ${entry.object_name ?? ""} ${entry.change}`,
  );
}

describe("the audit trail", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  it("W-083: an operator's coming, every write and going are in the organisation's own trail, loading pages adds none", async () => {
    const admin = await Api.as("admin");
    const before = (await ofOperators(admin)).length;
    const { page, context } = await open(browser);
    await signIn(page, "operator");
    await page.goto("/dashboard/management/organisations");
    await page
      .getByRole("row")
      .filter({ hasText: /^.*Demo/ })
      .first()
      .getByRole("button", { name: "Work in organisation" })
      .click();
    await page.waitForURL("**/dashboard/");
    await page.getByText(/Everything you do is recorded/).waitFor();
    await page.reload();
    await page.getByText(/Everything you do is recorded/).waitFor();
    const name = `Trail ${Date.now()}`;
    await page.goto("/dashboard/organisation_settings/job_tag_definition/create");
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(name).first().waitFor();
    await page.reload();
    await page.getByText(/Everything you do is recorded/).waitFor();
    await page.getByRole("button", { name: "Leave organisation" }).click();
    await page.getByText(/Everything you do is recorded/).waitFor({ state: "hidden" });
    await context.close();
    const expected = ["organisation_left", `tag ${name} created`, "organisation_entered"];
    await expect
      .poll(async () => {
        const told = await ofOperators(admin);
        return told.slice(0, told.length - before).sort();
      })
      .toEqual([...expected].sort());
  });

  it("W-083: administrators filter the trail, and read what happened to one record on its page", async () => {
    const planner = await Api.as("planner");
    const name = `Client ${Date.now()}`;
    const client = await planner.call<{ id: number }>("POST", "/clients", { uid: name, name });
    await planner.call("PATCH", `/clients/${client.id}`, { phone_number: "+351 222 000 111" });
    const { page, context, faults } = await open(browser);
    await signIn(page, "admin");
    const filter = encodeURIComponent(JSON.stringify({ object_name: name }));
    await page.goto(`/dashboard/management/audit?filter=${filter}`);
    await page.getByRole("heading", { level: 1, name: "Audit trail" }).waitFor();
    await page.getByRole("row").filter({ hasText: name }).filter({ hasText: "Changed" }).first().waitFor();
    await page.goto(`/dashboard/database/clients/${client.id}`);
    await page.getByRole("button", { name: "History" }).click();
    const history = page.getByRole("dialog", { name: "History" });
    await history.getByText(/^Changed by /).waitFor();
    await history.getByText("– → +351 222 000 111").waitFor();
    await history.getByText(/^Created by /).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("W-083: every kind of record tells its own history on its page", async () => {
    const firm = await found("Trail");
    const { admin } = firm;
    const make = async (path: string, body: object): Promise<number> =>
      (await admin.call<{ id: number }>("POST", path, body)).id;
    const of = async (path: string): Promise<number> =>
      (await admin.get<{ data: { id: number }[] }>(path)).data[0]?.id ?? 0;
    const role = await make("/roles", { name: "Night shift", access_levels: ["jobs_read"] });
    const user = {
      email: `trail-${Date.now()}@example.org`,
      first_name: "Rui",
      last_name: "Lima",
      password: "Corn-Flower 7",
      role_id: role,
    };
    const place = { uid: "D-1", address: "Rua de Camões, Porto", lat: 41.1553, lon: -8.6103 };
    const records: [page: string, path: string, id: number, change: object][] = [
      ["database/jobs", "/jobs", firm.jobs[0]?.id ?? 0, { comments: "Back door" }],
      ["database/runs", "/runs", firm.runs[0]?.id ?? 0, { route_colour: "#112233" }],
      ["database/scenarios", "/scenarios", firm.scenario.id, { name: "Renamed" }],
      ["database/drivers", "/drivers", await of("/drivers"), { speed_multiplier: 1.2 }],
      ["database/units", "/units", await of("/units"), { name: "Crate" }],
      ["database/locations", "/locations", await make("/locations", place), { name: "Depot" }],
      [
        "transport_management/vehicles",
        "/vehicles",
        await make("/vehicles", { uid: "V-1" }),
        { registration: "47-XZ-12" },
      ],
      [
        "costing_management/billing_rates",
        "/billing_rates",
        await make("/billing_rates", { name: "Van" }),
        { cost_per_run: 7 },
      ],
      ["management/roles", "/roles", role, { access_levels: ["jobs_read", "runs_read"] }],
      ["management/users", "/users", await make("/users", user), { last_name: "Costa" }],
    ];
    const { page, context, faults } = await open(browser);
    await signIn(page, firm.email, firm.secret);
    for (const [at, path, id, change] of records) {
      await admin.call("PATCH", `${path}/${id}`, change);
      // What is done to users and roles is kept by the platform, and is in the organisation's trail a second later.
      const changed = `/audit?change=changed&object_kind=${path.slice(1, -1)}&object_id=${id}`;
      await expect.poll(async () => (await admin.get<{ data: object[] }>(changed)).data.length).not.toBe(0);
      await page.goto(`/dashboard/${at}/${id}`);
      const button = page.getByRole("button", { name: "History" });
      await button.click({ timeout: 10_000 }).catch((error: unknown) => {
        throw new Error(`${at} has no history`, { cause: error });
      });
      const history = page.getByRole("dialog", { name: "History" });
      const told = history.getByText(`Changed by ${firm.email}`).or(history.getByText("Changed by Ana Reis"));
      await told
        .first()
        .waitFor({ timeout: 10_000 })
        .catch((error: unknown) => {
          throw new Error(`${at} tells no change`, { cause: error });
        });
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
