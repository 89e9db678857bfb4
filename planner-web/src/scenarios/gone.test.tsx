import { type AuthUser, type Scenario, useSession } from "@routewright/web";
import { freshRoot } from "@routewright/web/testing";
import { act, type ReactNode } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { catchUp, loaded, setOpen } from "../plan/follow.ts";
import { keys } from "../plan/keys.ts";
import { queryClient } from "../ui/query-client.ts";
import { useGone } from "./gone.ts";

const user = {
  id: 1,
  role: { id: 1, name: "planner", access_levels: ["jobs_read", "scenarios_read", "runs_read"] },
  organisation: { id: 1, name: "Porto", modules: [], settings: {} },
} as unknown as AuthUser;
const day = (id: number, date: string): Scenario =>
  ({ id, name: `Day ${id}`, scheduled_date: date }) as Scenario;

/** What `/changes` is answered: status and body. */
let refusal: [number, string] = [404, ""];
let others: Scenario[] = [];
let asked = 0;
let scenario = 500;
let activated: number[] = [];
let hidden = false;

function Page({ error }: { error: Error | null }): ReactNode {
  hidden = useGone(scenario, error, activate);
  return null;
}
const activate = (id: number): void => void activated.push(id);
const settle = (): Promise<void> => act(() => new Promise<void>((resolve) => setTimeout(resolve, 30)));
const error = (status: number, description: string): [number, string] => [
  status,
  JSON.stringify({ title: `${status} Refused`, description }),
];

describe("a scenario that is there no longer (W-018)", () => {
  let root: Root;

  beforeEach(() => {
    scenario += 1;
    [asked, activated, others] = [0, [], [day(7, "2026-11-20"), day(8, "2026-11-24")]];
    useSession.setState({ status: "signed_in", user, token: "t" });
    vi.stubGlobal("fetch", (request: RequestInfo | URL) => {
      const url = request instanceof Request ? request.url : String(request);
      if (url.includes("/changes")) asked += 1;
      const [status, body] = url.includes("/changes")
        ? refusal
        : [200, JSON.stringify({ data: others, total_count: others.length, page: 1, per_page: 50 })];
      const headers = { "Content-Type": body.startsWith("{") ? "application/json" : "text/html" };
      return Promise.resolve(new Response(body, { status, headers }));
    });
    setOpen(scenario);
    queryClient.setQueryData(keys.scenario(scenario), day(scenario, "2026-11-23"));
    loaded(scenario, "jobs", 1);
    loaded(scenario, "runs", 1);
    root = freshRoot();
    act(() => root.render(<Page error={null} />));
  });
  afterEach(() => {
    act(() => root.unmount());
    setOpen(null);
    vi.unstubAllGlobals();
    queryClient.clear();
  });

  it("gives way to the nearest day when the server says that it is gone", async () => {
    refusal = error(404, "Scenario not found");
    await act(() => catchUp(scenario));
    await settle();
    expect(activated).toEqual([8]);
  });

  it.each([
    ["lost rights", error(403, "User is not authorized to perform this action")],
    ["another thing that is not there", error(404, "Route not found")],
    ["a gateway that knows no such page", [404, "<html>404 Not Found</html>"] as [number, string]],
    ["a server that has stumbled", error(500, "Internal server error")],
    ["an organisation that is shut", error(503, "Organisation is being moved")],
  ])("stays open for %s", async (_, answer) => {
    refusal = answer;
    await act(() => catchUp(scenario));
    await settle();
    expect(asked).toBeGreaterThan(0);
    expect(activated).toEqual([]);
    expect(queryClient.getQueryData(keys.scenario(scenario))).toBeDefined();
  });

  it("asks again after a fault, once at a time, and not for lost rights", async () => {
    vi.useFakeTimers();
    refusal = error(500, "Internal server error");
    await act(() => catchUp(scenario));
    await act(() => catchUp(scenario));
    const before = asked;
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    expect(asked).toBe(before + 1);
    refusal = error(403, "User is not authorized to perform this action");
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    const refused = asked;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(asked).toBe(refused);
    vi.useRealTimers();
  });

  it("keeps its error where no other day can take its place", async () => {
    others = [];
    refusal = error(404, "Scenario not found");
    await act(() => catchUp(scenario));
    await settle();
    expect(activated).toEqual([]);
    expect(hidden).toBe(false);
  });
});
