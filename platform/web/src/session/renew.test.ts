import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

type Answer = () => Promise<Response>;

const body = (description: string): string => JSON.stringify({ title: "x", description });
const fresh = { token: "access-2", refresh_token: "refresh-2", expires_at: "2026-11-23T12:00:00Z" };
const renewed: Answer = () => Promise.resolve(Response.json(fresh));
const refused = (status: number, headers: HeadersInit = {}): Answer => {
  return () => Promise.resolve(new Response(body("No"), { status, headers }));
};

/** The network of a test: each call takes the next answer, the last one stays. */
function network(...answers: Answer[]): { calls: number } {
  const asked = { calls: 0 };
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
    const answer = answers[Math.min(asked.calls, answers.length - 1)] ?? renewed;
    asked.calls += 1;
    const given = new Promise<never>((_resolve, reject) =>
      signal?.addEventListener("abort", () => reject(new DOMException("gone", "AbortError"))),
    );
    return Promise.race([answer(), given]);
  });
  return asked;
}

/** W-081: a hiccup never signs anybody out. */
describe("renewing the session", () => {
  /** Whether another tab holds the lock. */
  let held = false;
  const locks = {
    request: (_: string, { signal }: LockOptions, work: () => Promise<boolean>): Promise<boolean> =>
      held
        ? new Promise((_resolve, reject) =>
            signal?.addEventListener("abort", () => reject(new DOMException("late", "AbortError"))),
          )
        : work(),
  };

  beforeEach(() => {
    vi.resetModules();
    vi.useFakeTimers();
    held = false;
    vi.stubGlobal(
      "navigator",
      Object.create(navigator, { locks: { value: locks }, onLine: { value: true } }) as Navigator,
    );
    localStorage.clear();
    localStorage.setItem("rememberMe", "true");
    localStorage.setItem("authToken", "refresh-1");
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const load = async () => ({
    ...(await import("./renew.ts")),
    ...(await import("./store.ts")),
    ...(await import("../feedback/connection.ts")),
  });
  const away = (all: Awaited<ReturnType<typeof load>>): boolean =>
    all.useConnection.getState().troubles.has("session");

  it.each<[string, Answer]>([
    ["503", refused(503)],
    ["502 of a gateway that speaks no JSON", () => Promise.resolve(new Response("<html>", { status: 502 }))],
    ["403 of something before the service", () => Promise.resolve(new Response("<html>", { status: 403 }))],
    ["429", refused(429)],
    ["no answer", () => Promise.reject(new TypeError("network"))],
    ["an answer that hangs", () => new Promise(() => undefined)],
  ])("%s: the token is kept, the wait is shown and the renewal tried again", async (_, fault) => {
    network(fault, fault, fault, fault, renewed);
    const all = await load();
    const done = vi.fn();
    void all.renewToken().then(done, () => undefined);
    await vi.advanceTimersByTimeAsync(8_500);
    expect(away(all)).toBe(true);
    expect(localStorage.getItem("authToken")).toBe("refresh-1");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(away(all)).toBe(false);
    expect(localStorage.getItem("authToken")).toBe("refresh-2");
    expect(all.session().token).toBe("access-2");
  });

  it("waits as long as the server asks for", async () => {
    const asked = network(refused(429, { "Retry-After": "7" }), renewed);
    const all = await load();
    const renewal = all.renewToken();
    await vi.advanceTimersByTimeAsync(6_900);
    expect(asked.calls).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await renewal).toBe(true);
  });

  it("tells who waits for it after 15 seconds, and goes on", async () => {
    network(...Array.from({ length: 6 }, () => refused(503)), renewed);
    const all = await load();
    const told = vi.fn();
    all.renewToken().catch(told);
    await vi.advanceTimersByTimeAsync(14_900);
    expect(told).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(told).toHaveBeenCalledOnce();
    expect(localStorage.getItem("authToken")).toBe("refresh-1");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(localStorage.getItem("authToken")).toBe("refresh-2");
  });

  it("A-256: a lock that another tab holds is waited for again", async () => {
    network(renewed);
    held = true;
    const all = await load();
    const renewal = all.renewToken();
    await vi.advanceTimersByTimeAsync(10_100);
    expect(away(all)).toBe(true);
    expect(localStorage.getItem("authToken")).toBe("refresh-1");
    held = false;
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await renewal).toBe(true);
  });

  it.each([401, 403])("a refusal of the service with %i ends it at once", async (status) => {
    const asked = network(refused(status));
    const all = await load();
    expect(await all.renewToken()).toBe(false);
    expect(asked.calls).toBe(1);
    expect(away(all)).toBe(false);
  });
});
