import { act, type ReactNode } from "react";
import type { Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ErrorBoundary } from "./ErrorFallback.tsx";
import { freshRoot } from "../testing/fresh-root.ts";

function Broken({ message }: { message: string }): ReactNode {
  throw new Error(message);
}

describe("what a screen throws", () => {
  let root: Root;
  const logged: unknown[] = [];
  const reload = vi.fn();

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(console, "error").mockImplementation((...told: unknown[]) => void logged.push(...told));
    vi.spyOn(window.location, "reload").mockImplementation(reload);
    root = freshRoot();
  });
  afterEach(() => {
    act(() => root.unmount());
    vi.restoreAllMocks();
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

  it("A-267 A-268 reloads by itself after 100 ms where a part of the app is gone", () => {
    expect(show("Failed to fetch dynamically imported module: /assets/x.js")).toContain(
      "Reloading page due to an update...",
    );
    vi.advanceTimersByTime(99);
    expect(reload).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(reload).toHaveBeenCalledOnce();
  });
});
