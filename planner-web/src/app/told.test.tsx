import { type AuthUser, type Job, texts, Toasts, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bunzlExport, download, sendPartnerFile } from "../dispatch/send.ts";
import {
  type AttachmentInput,
  attachmentsToPool,
  deleteAttachment,
  printLabels,
  saveAttachment,
} from "../jobs/attachments.ts";
import { moveFromPool, moveManyFromPool, moveToPool } from "../jobs/pool.ts";
import { TagsDialog } from "../jobs/TagsDialog.tsx";
import { PlanProvider } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { createDrivers, createJobs } from "../tutorial/create.ts";
import { queryClient } from "../ui/query-client.ts";

const levels = ["jobs", "runs", "scenarios", "units", "returns", "drivers", "tags"].flatMap((noun) => [
  `${noun}_read`,
  `${noun}_write`,
]);
const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: [...levels, "jobs_delete", "excel_export"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const job = { id: 4, uid: "J4", organisation_id: 1, client_id: null } as Job;
const unit: AttachmentInput = {
  uid: "U1",
  name: null,
  invoice: null,
  reference: null,
  comments: null,
  extra_fields: {},
};
const depot = { address: "Rua do Almada 3, Porto", lat: 41.15, lon: -8.61 };
const page = { data: [], page: 1, per_page: 300, total_pages: 1, total_count: 0 };

interface Told {
  ids: string;
  act: () => Promise<unknown>;
  /** The answer of the server when all goes well. */
  answer?: unknown;
  loading?: string;
  success?: string;
  failure?: string;
}

const partnerFile = "/scenarios/1/all_purpose_transport_download";
const rows: Told[] = [
  {
    ids: "X-585 to X-587",
    act: () => download(partnerFile, "day.csv", texts.dispatch.downloadingCsv),
    loading: "Downloading CSV...",
    success: "File downloaded.",
    failure: "Failed to download file.",
  },
  {
    ids: "X-591 to X-593",
    act: () => download("/scenarios/1/runsheets_pdf", "day.pdf", texts.dispatch.downloadingPdf),
    loading: "Downloading runsheets pdf...",
    success: "File downloaded.",
    failure: "Failed to download file.",
  },
  {
    ids: "X-588 to X-590",
    act: () => sendPartnerFile(1),
    loading: "Sending file...",
    success: "File sent.",
    failure: "Failed to send file.",
  },
  {
    ids: "X-594, X-595",
    act: () => bunzlExport([]),
    success: "Bunzl exports generated",
    failure: "Export failed: No such day",
  },
  {
    ids: "P-490, P-491",
    act: () => moveToPool([4], 1),
    answer: { job_ids: [4], updated_runs: [] },
    loading: "Sending to pool...",
    success: "Sent to pool successfully",
  },
  {
    ids: "P-494 to P-496",
    act: () => moveFromPool(job, 1),
    loading: "Moving J4 to scenario",
    success: "Job moved successfully",
    failure: "Failed to move",
  },
  {
    ids: "P-497, P-498",
    act: () => moveManyFromPool([4, 5], 1),
    answer: [job, job],
    success: "Successfully moved 2 jobs",
    failure: "Error occurred while moving.",
  },
  {
    ids: "P-478, P-479",
    act: () => saveAttachment("units", job, null, unit),
    loading: "Saving...",
    success: "Saved",
  },
  {
    ids: "P-480, P-481",
    act: () => deleteAttachment("units", job, 7),
    loading: "Deleting...",
    success: "Deleted successfully",
  },
  {
    ids: "P-477",
    act: () => deleteAttachment("returns", job, 7),
    failure: "Failed to delete the return. Please try again.",
  },
  {
    ids: "P-492, P-493",
    act: () => attachmentsToPool("units", job, [7], "copy"),
    loading: "Copying to pool...",
    success: "Copy to pool successfully",
  },
  {
    ids: "P-482, P-483",
    act: () => printLabels("units", job, [7]),
    loading: "Generating labels...",
    success: "Labels generated successfully",
  },
  {
    ids: "A-480 to A-482",
    act: () => createDrivers(depot),
    answer: page,
    loading: "Creating drivers...",
    success: "Drivers created",
    failure: "Failed to create drivers",
  },
  {
    ids: "A-483 to A-485",
    act: () => createJobs(depot, 1),
    answer: { jobs: [] },
    loading: "Creating Jobs...",
    success: "Jobs Created",
    failure: "Failed to create jobs",
  },
];

/** For a busy machine. */
const WAIT = { timeout: 10_000 };

describe("what is told while something is done, and after it", () => {
  let root: Root;
  /** Lets the server answer. */
  let answer: (response: () => Response) => void;

  beforeEach(() => {
    useSession.setState({ status: "signed_in", user, token: "token" });
    const answered = new Promise<() => Response>((resolve) => (answer = resolve));
    vi.stubGlobal("fetch", async () => (await answered)());
    root = freshRoot();
    act(() => root.render(<Toasts />));
  });
  afterEach(() => {
    act(() => root.unmount());
    queryClient.clear();
    vi.unstubAllGlobals();
  });

  /** The newest toast: those of the tests before are still there. */
  const shown = (): string => document.querySelector("[data-sonner-toast]")?.textContent ?? "";
  /** Answers and toasts arrive some tasks later. */
  const said = (text: string): Promise<void> =>
    vi.waitFor(async () => {
      await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
      expect(shown()).toContain(text);
    }, WAIT);
  const done = (body: unknown) => () => new Response(JSON.stringify(body), { status: 200 });
  const refused = (): Response =>
    new Response(JSON.stringify({ status: 400, title: "400 Bad Request", description: "No such day" }), {
      status: 400,
    });

  it.each(rows)("$ids: what is told", async ({ act: start, answer: body, loading, success, failure }) => {
    const work = start().catch(() => undefined);
    if (loading !== undefined) await said(loading);
    answer(success === undefined ? refused : done(body ?? {}));
    await act(() => work);
    await said(success ?? failure ?? "");
  });

  const failing = rows.filter(({ success, failure }) => success !== undefined && failure !== undefined);
  it.each(failing)("$ids: what is told when it fails", async ({ act: start, loading, failure = "" }) => {
    const work = start().catch(() => undefined);
    if (loading !== undefined) await said(loading);
    answer(refused);
    await act(() => work);
    await said(failure);
  });

  it.each([
    ["P-484, P-485", "Tags assigned successfully", done([])],
    ["P-484, P-486", "Couldn't assign tags to jobs", refused],
  ])("%s: tags of several jobs", async (_, outcome, response) => {
    queryClient.setQueryData(keys.tags, []);
    const context = {
      scenario: null,
      scenarioId: 1,
      plan: { jobs: [], runs: [] },
      loading: false,
      error: null,
      activate: () => undefined,
    };
    act(() =>
      root.render(
        <QueryClientProvider client={queryClient}>
          <Toasts />
          <PlanProvider value={context}>
            <TagsDialog jobIds={[4, 5]} onClose={() => undefined} />
          </PlanProvider>
        </QueryClientProvider>,
      ),
    );
    const save = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Save");
    act(() => save?.click());
    await said("Assigning tags...");
    answer(response);
    await said(outcome);
  });
});
