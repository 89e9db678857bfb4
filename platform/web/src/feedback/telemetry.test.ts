import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadScript, reportError, startTelemetry } from "./telemetry.ts";

const url = "https://errors.example.org/loader.js";
const scripts = (): NodeListOf<HTMLScriptElement> => document.querySelectorAll("script");
const service = globalThis as { Sentry?: unknown; sentryOnLoad?: () => void };

describe("error telemetry", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // Scripts are put into the page and not fetched.
    const settings = (window as unknown as { happyDOM: { settings: Record<string, unknown> } }).happyDOM
      .settings;
    settings["disableJavaScriptFileLoading"] = true;
    settings["handleDisabledFileLoadingAsSuccess"] = true;
  });
  afterEach(() => {
    vi.useRealTimers();
    document.head.replaceChildren();
    delete service.Sentry;
    delete service.sentryOnLoad;
  });

  it("nothing is loaded where none is configured", async () => {
    await startTelemetry(undefined);
    await startTelemetry("");
    expect(scripts()).toHaveLength(0);
    expect(() => reportError(new Error("unheard"))).not.toThrow();
  });

  it("A-520 A-521 A-522: a tenth of all sessions, every one with an error, and all traces", async () => {
    const told: unknown[] = [];
    const started = startTelemetry(url);
    expect(scripts()[0]?.src).toBe(url);
    scripts()[0]?.dispatchEvent(new Event("load"));
    await started;
    service.Sentry = { init: (options: unknown) => told.push(options), captureException: () => undefined };
    service.sentryOnLoad?.();
    expect(told).toEqual([
      { replaysSessionSampleRate: 0.1, replaysOnErrorSampleRate: 1, tracesSampleRate: 1 },
    ]);
  });

  it("A-519: a script has 120 seconds", async () => {
    // Never in the page, it never comes.
    const put = vi.spyOn(document.head, "append").mockImplementation(() => undefined);
    let failure = "";
    loadScript(url).catch((error: unknown) => (failure = String(error)));
    await vi.advanceTimersByTimeAsync(119_999);
    expect(put).toHaveBeenCalledOnce();
    expect(failure).toBe("");
    await vi.advanceTimersByTimeAsync(1);
    expect(failure).toContain(url);
    put.mockRestore();
  });
});
