import { type AuthUser, type Job, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { answering, type Asked, pageOf } from "@routewright/web/testing/answers";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PlanProvider } from "../plan/context.ts";
import { useDialogs } from "../plan/dialogs.ts";
import { selectJobs } from "../plan/selection.ts";
import { queryClient } from "../ui/query-client.ts";
import { AttachmentsDialog } from "./AttachmentsDialog.tsx";
import { JobContextMenu } from "./JobContextMenu.tsx";
import { JobDialog } from "./JobDialog.tsx";
import { JobPanelDialog } from "./JobPanelDialog.tsx";

const levels = ["jobs", "runs", "scenarios", "units", "returns", "containers", "tags"].flatMap((noun) => [
  `${noun}_read`,
  `${noun}_write`,
]);
const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: [...levels, "jobs_delete"] },
  organisation: { id: 1, name: "Porto", modules: ["units", "returns"], settings: {} },
} as unknown as AuthUser;
const job = (part: Partial<Job>): Job =>
  ({
    id: 4,
    uid: "J4",
    scenario_id: 1,
    run_id: null,
    organisation_id: 1,
    client_id: 8,
    customer_name: "Padaria Flor",
    customer_email: "flor@example.org",
    phone_number: "+351220000001",
    duration: 5,
    arrive_after: "09:00",
    leave_by: "11:00",
    size: "boxes:3",
    spec_type: "cold",
    priority: true,
    idm: false,
    colour: "#112233",
    comments: "Ring twice",
    consignee_info: null,
    consignor_info: null,
    external_comments: null,
    dock_location: null,
    invoice: "F-9",
    reference: null,
    pickup_from: null,
    deliver_to: null,
    location: { address: "Rua do Almada 3, Porto", lat: 41.15, lon: -8.61 },
    tags: [],
    eta: null,
    seq: null,
    timezone: "Europe/Lisbon",
    extra_fields: { gate: "B" },
    ...part,
  }) as Job;
const listed = [job({}), job({ id: 5, uid: "J5" })];

describe("forms of jobs", { timeout: 30_000 }, () => {
  let root: Root;
  let calls: Asked[];

  beforeEach(() => {
    useSession.setState({ status: "signed_in", user, token: "token" });
    selectJobs([]);
    useDialogs.setState({ open: [] });
    root = freshRoot();
  });
  afterEach(() => {
    act(() => root.unmount());
    queryClient.clear();
    vi.unstubAllGlobals();
  });

  function show(part: ReactNode, answers: Record<string, unknown>, scenarioId: number | null = 1): void {
    calls = answering({
      "GET /clients": pageOf([]),
      "GET /territories": pageOf([]),
      "GET /jobs/stats": { visited: 0, successful: 0, unsuccessful: 0 },
      ...answers,
    });
    const context = {
      scenario: null,
      scenarioId,
      plan: { jobs: listed, runs: [] },
      loading: false,
      error: null,
      activate: () => undefined,
    };
    act(() =>
      root.render(
        <QueryClientProvider client={queryClient}>
          <PlanProvider value={context}>{part}</PlanProvider>
        </QueryClientProvider>,
      ),
    );
  }

  const all = <T extends Element>(css: string): T[] => [...document.querySelectorAll<T>(css)];
  const button = (name: string): HTMLButtonElement | undefined =>
    all<HTMLButtonElement>("button").find(
      (item) => item.getAttribute("aria-label") === name || item.textContent.trim() === name,
    );
  const field = (label: string): HTMLInputElement => {
    const found = all<HTMLLabelElement>("label").find(
      ({ textContent }) => textContent.replace("*", "").trim() === label,
    );
    const input = document.getElementById(found?.htmlFor ?? "");
    if (!(input instanceof HTMLInputElement)) throw new Error(`There is no field ${label}`);
    return input;
  };
  const type = (label: string, text: string): void => {
    const input = field(label);
    act(() => {
      // React listens for the setter of the element's own prototype.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  };
  const click = async (name: string): Promise<void> => {
    await until(() => button(name) !== undefined);
    await act(async () => {
      button(name)?.click();
      await Promise.resolve();
    });
  };
  const until = (check: () => boolean): Promise<void> =>
    vi.waitFor(
      async () => {
        await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
        expect(check()).toBe(true);
      },
      { timeout: 10_000 },
    );
  const said = (text: string): boolean => document.body.textContent.includes(text);
  const escape = (): void => {
    const dialogs = all<HTMLElement>('[role="dialog"]');
    act(
      () =>
        void dialogs.at(-1)?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })),
    );
  };
  const sent = (method: string): Asked | undefined => calls.find((call) => call.method === method);

  it("W-021: Escape asks before typing is lost, and closes at once where nothing was typed", async () => {
    const closed = vi.fn();
    show(<JobDialog jobId={null} onClose={closed} />, {});
    type("UID", "NEW-1");
    escape();
    await until(() => said("Discard what you typed?"));
    expect(closed).not.toHaveBeenCalled();
    await click("Keep editing");
    await until(() => !said("Discard what you typed?"));
    expect(field("UID").value).toBe("NEW-1");
    type("UID", "");
    escape();
    expect(closed).toHaveBeenCalledOnce();
  });

  it("W-021: Edit on another row of the job panel asks before typing is dropped", async () => {
    show(<JobPanelDialog jobId={null} onClose={() => undefined} />, { "GET /jobs": pageOf(listed) });
    await click("Edit J4");
    await until(() => said("Edit Job J4"));
    type("Customer name", "Somebody else");
    await click("Edit J5");
    await until(() => said("Discard what you typed?"));
    expect(said("Edit Job J4")).toBe(true);
    await click("Discard");
    await until(() => said("Edit Job J5"));
    expect(field("Customer name").value).toBe("Padaria Flor");
  });

  it("W-009, P-313: Edit Existing writes only what was typed, after showing old and new", async () => {
    show(<JobDialog jobId={null} onClose={() => undefined} />, {
      "GET /jobs": pageOf([listed[0]]),
      "PATCH /jobs/4": listed[0],
    });
    type("UID", "J4");
    type("Customer name", "Café Central");
    type("Address", "41.2, -8.5");
    type("Customer email", "flor@example.org");
    type("Phone number", "+351220000001");
    type("Size (boxes)", "3");
    type("Type", "cold");
    await click("Create job");
    await until(() => said("Job UID J4 already exists"));
    const rows = all("[aria-label='What changes'] tbody tr").map((row) =>
      [...row.querySelectorAll("td")].map((cell) => cell.textContent),
    );
    expect(rows).toEqual([
      ["Location", "Rua do Almada 3, Porto", "41.2, -8.5"],
      ["Customer name", "Padaria Flor", "Café Central"],
    ]);
    await click("Edit Existing");
    await until(() => sent("PATCH") !== undefined);
    expect(sent("PATCH")?.body).toEqual({
      customer_name: "Café Central",
      location: { address: "41.2, -8.5", lat: 41.2, lon: -8.5 },
    });
  });

  const back = { id: 7, uid: "R-1", comments: "Crates", client_id: 3, job_id: 4, extra_fields: {} };

  it("W-020, P-109 P-112 P-179 P-426: a return edited from a job stays its client's and offers no Delete", async () => {
    show(<AttachmentsDialog jobId={4} onClose={() => undefined} />, {
      "GET /jobs/4": listed[0],
      "GET /units": pageOf([]),
      "GET /returns": pageOf([back]),
      "PATCH /returns/7": back,
    });
    await click("Returns");
    await click("Edit");
    await until(() => said("Edit return"));
    expect(button("Delete")).toBeUndefined();
    type("Comments", "Empty crates");
    await click("Save");
    await until(() => sent("PATCH") !== undefined);
    expect(sent("PATCH")?.body).toEqual({
      uid: "R-1",
      comments: "Empty crates",
      extra_fields: {},
      job_id: 4,
      client_id: 3,
      organisation_id: 1,
    });
  });

  it("W-029: returns have no columns that they lack", async () => {
    show(<AttachmentsDialog jobId={4} onClose={() => undefined} />, {
      "GET /jobs/4": listed[0],
      "GET /units": pageOf([
        { id: 6, uid: "U-1", name: "Box", invoice: "F-1", reference: "X", extra_fields: {} },
      ]),
      "GET /returns": pageOf([back]),
    });
    const heads = (): string[] => all("th").map((cell) => cell.textContent);
    await until(() => heads().length > 0);
    expect(heads()).toEqual(["", "UID", "Unit name", "Invoice", "Reference", "Actions"]);
    await click("Returns");
    await until(() => heads().includes("Comments"));
    expect(heads()).toEqual(["", "UID", "Comments", "Actions"]);
  });

  it("W-028: units go to the pool, their marks with them, and come back", async () => {
    const unit = {
      id: 6,
      uid: "U-1",
      name: "Box",
      invoice: null,
      reference: null,
      extra_fields: {},
      job_id: 4,
    };
    show(<AttachmentsDialog jobId={4} onClose={() => undefined} />, {
      "GET /jobs/4": listed[0],
      "GET /units": pageOf([unit]),
      "GET /returns": pageOf([]),
      "GET /units/pool": pageOf([{ ...unit, id: 9, uid: "U-9", job_id: null }]),
      "PATCH /units/move_to_pool": [unit],
      "PATCH /units/bulk": [unit],
    });
    const box = (uid: string): HTMLInputElement | undefined =>
      all<HTMLInputElement>("input[type=checkbox]").find((item) => item.getAttribute("aria-label") === uid);
    await until(() => box("U-1") !== undefined);
    act(() => box("U-1")?.click());
    expect(box("U-1")?.checked).toBe(true);
    await click("Move to Pool");
    await until(() => box("U-1")?.checked === false);
    await click("From pool…");
    await until(() => box("U-9") !== undefined);
    act(() => box("U-9")?.click());
    await click("Add 1 to J4");
    await until(() => calls.some(({ path }) => path === "/units/bulk"));
    expect(calls.find(({ path }) => path === "/units/bulk")?.body).toEqual([{ id: 9, job_id: 4 }]);
  });

  it("W-011, P-411: jobs of the pool are marked and moved into a scenario together; P-062: one is added", async () => {
    const day = { id: 2, name: "Tuesday", scheduled_date: "2026-11-24" };
    show(
      <JobPanelDialog jobId={null} pool onClose={() => undefined} />,
      {
        "GET /jobs/pool": pageOf(listed),
        "GET /scenarios": pageOf([day]),
        "PUT /jobs/move_jobs_from_pool": listed,
      },
      null,
    );
    const boxes = (): HTMLInputElement[] => all("tbody input[type=checkbox]");
    await until(() => boxes().length === 2);
    act(() => boxes().forEach((box) => box.click()));
    await click("Move 2 to scenario…");
    await until(() => said("Move 2 jobs to a scenario"));
    const choice = field("Scenario");
    act(() => {
      choice.focus();
      choice.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    });
    await until(() => all("[role=option]").length === 1);
    act(() => all<HTMLElement>("[role=option]")[0]?.click());
    await click("Move to scenario");
    await until(() => sent("PUT") !== undefined);
    expect(sent("PUT")?.body).toEqual([
      { id: 4, scenario_id: 2 },
      { id: 5, scenario_id: 2 },
    ]);
    await click("Add job to pool");
    expect(useDialogs.getState().open).toEqual([{ kind: "job", jobId: null, pool: true }]);
  });

  it("W-013: the context menu of a marked job acts on all marked ones, that of another job on it alone", async () => {
    const menu = (id: number): ReactNode => (
      <JobContextMenu job={{ id }} place={{ x: 1, y: 1 }} onClose={() => undefined} />
    );
    const pick = async (label: string): Promise<void> => {
      const item = all<HTMLElement>("[role=menuitem]").find(({ textContent }) => textContent === label);
      act(() => item?.click());
      await Promise.resolve();
    };
    selectJobs([4, 5]);
    show(menu(4), {});
    expect(said("2 selected")).toBe(true);
    await pick("Tags");
    show(menu(6), {});
    await pick("Tags");
    expect(useDialogs.getState().open).toEqual([
      { kind: "tags", jobIds: [4, 5] },
      { kind: "tags", jobIds: [6] },
    ]);
  });
});
