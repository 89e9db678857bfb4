import { type AuthUser, type Job, texts, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { pageOf } from "@routewright/web/testing/answers";
import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeAllDialogs, closeDialog, useDialogs } from "../plan/dialogs.ts";
import { LinkedJobsDialog } from "./LinkedJobsDialog.tsx";
import { moveFromPool, moveManyFromPool, moveToPool } from "./pool.ts";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["jobs_read", "jobs_write", "scenarios_read"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const job = { id: 4, uid: "P" } as Job;
const partner = { id: 5, uid: "D" };

const refusal = {
  title: "409 Conflict",
  error: "LINKED_JOBS",
  description: "Linked jobs would stay behind: D.",
  linked_jobs: [partner],
};

/** A service that asks what becomes of the linked job until it is said, and the bodies that it was sent. */
function service(answer: unknown): unknown[] {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", (_: unknown, { method, body }: RequestInit = {}) => {
    if (method !== "PUT") return Promise.resolve(Response.json(pageOf([])));
    const sent = JSON.parse(body as string) as object;
    bodies.push(sent);
    const said = "linked" in (Array.isArray(sent) ? (sent[0] as object) : sent);
    return Promise.resolve(said ? Response.json(answer) : Response.json(refusal, { status: 409 }));
  });
  return bodies;
}

describe("W-012: linked jobs and the pool", () => {
  beforeEach(() => useSession.setState({ status: "signed_in", user }));
  afterEach(() => {
    closeAllDialogs();
    vi.unstubAllGlobals();
  });

  async function answerWith(label: string): Promise<void> {
    await vi.waitFor(() => expect(useDialogs.getState().open[0]?.kind).toBe("linked-jobs"));
    const [dialog] = useDialogs.getState().open;
    if (dialog?.kind !== "linked-jobs") throw new Error("no question");
    const root = freshRoot();
    act(() => root.render(<LinkedJobsDialog {...dialog} onClose={closeDialog} />));
    expect(document.body.textContent).toContain("would stay behind: D.");
    const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === label);
    act(() => button?.click());
    act(() => root.unmount());
  }

  it("takes the other half along when the planner wants it", async () => {
    const bodies = service({ job_ids: [4, 5], updated_runs: [] });
    void moveToPool([4], 1);
    await answerWith(texts.jobs.takeLinked);
    // Tags are offered for all that went.
    await vi.waitFor(() =>
      expect(useDialogs.getState().open).toEqual([{ kind: "tags", jobIds: [4, 5], fromPool: true }]),
    );
    expect(bodies).toEqual([
      { job_ids: [4], scenario_reason_id: null },
      { job_ids: [4], scenario_reason_id: null, linked: "take" },
    ]);
  });

  it("ends the links when the planner wants it, on the way back too", async () => {
    const bodies = service(job);
    void moveFromPool(job, 1);
    await answerWith(texts.jobs.unlink);
    await vi.waitFor(() => expect(bodies).toHaveLength(2));
    expect(bodies[1]).toEqual({ job_id: 4, scenario_id: 1, linked: "unlink" });
  });

  it("does nothing when the planner turns back", async () => {
    const bodies = service([job]);
    const moved = moveManyFromPool([4], 1);
    await answerWith(texts.common.cancel);
    expect(await moved).toBe(false);
    expect(bodies).toEqual([[{ id: 4, scenario_id: 1 }]]);
  });
});
