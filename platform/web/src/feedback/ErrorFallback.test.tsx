import { act, type ReactNode, Suspense } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ErrorBoundary } from "./ErrorFallback.tsx";
import { answering } from "../testing/answers.ts";
import { freshRoot } from "../testing/fresh-root.ts";
import { lazyPart } from "./lazy-part.tsx";

function Broken({ message }: { message: string }): ReactNode {
  throw new Error(message);
}

describe("what a screen throws", () => {
  let root: Root;
  const logged: unknown[] = [];
  const reload = vi.fn();

  beforeEach(() => {
    sessionStorage.clear();
    answering({ "GET /auth/providers": [] });
    vi.useFakeTimers();
    vi.spyOn(console, "error").mockImplementation((...told: unknown[]) => void logged.push(...told));
    vi.spyOn(window.location, "reload").mockImplementation(reload);
    root = freshRoot();
  });
  afterEach(() => {
    act(() => root.unmount());
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    reload.mockReset();
  });

  function show(message: string): string {
    act(() =>
      root.render(
        <ErrorBoundary>
          <Broken message={message} />
        </ErrorBoundary>,
      ),
    );
    return document.body.textContent;
  }

  it("A-489 is shown and logged, with a way to reload", () => {
    const text = show("No such colour");
    expect(text).toContain("Something went wrong:");
    expect(text).toContain("No such colour");
    expect(logged.map(String).join(" ")).toContain("No such colour");
    vi.advanceTimersByTime(1_000);
    expect(reload).not.toHaveBeenCalled();
    act(() => document.querySelector("button")?.click());
    expect(document.querySelector("button")?.textContent).toBe("Reload");
    expect(reload).toHaveBeenCalledOnce();
  });

  const GONE = "Failed to fetch dynamically imported module: /assets/x.js";

  it("A-267 A-268 reloads by itself after 100 ms where a part of the app is gone", async () => {
    expect(show(GONE)).toContain("Reloading page due to an update...");
    await vi.advanceTimersByTimeAsync(99);
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("W-080 does not reload for ever: what is still gone after it is told", async () => {
    show(GONE);
    await vi.advanceTimersByTimeAsync(100);
    act(() => root.unmount());
    root = freshRoot();
    show(GONE);
    expect(document.body.textContent).toContain(GONE);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("W-080 keeps the open page while the server has no other to give", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no connection")));
    show(GONE);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reload).not.toHaveBeenCalled();
    answering({ "GET /auth/providers": [] });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("W-080 waits while something is typed around a part that is gone, and keeps it", async () => {
    const stay = (event: Event): void => event.preventDefault();
    window.addEventListener("beforeunload", stay);
    const Part = lazyPart(() => Promise.reject(new Error(GONE)));
    await act(async () => {
      root.render(
        <ErrorBoundary>
          <input aria-label="Comments" defaultValue="typed" />
          <Suspense fallback={null}>
            <Part />
          </Suspense>
        </ErrorBoundary>,
      );
      await vi.advanceTimersByTimeAsync(5_000);
    });
    expect(document.querySelector("input")?.value).toBe("typed");
    expect(reload).not.toHaveBeenCalled();
    window.removeEventListener("beforeunload", stay);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reload).toHaveBeenCalledOnce();
  });
});
