import type { Run } from "@routewright/web";
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { hoverRun } from "../plan/selection.ts";
import type { PlanLayers } from "./plan-layers.ts";
import { useLitRun } from "./rest.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  hoverRun(null);
  vi.useRealTimers();
});

/** Runs of these ids. */
const runs = (...ids: number[]): ReadonlyMap<number, Run> => new Map(ids.map((id) => [id, { id } as Run]));

it("W-116: after an optimisation that put other runs in place of the one under the pointer, no run is dimmed", () => {
  const lit: (number | null)[] = [];
  const layers = { current: { setLitRun: (run: number | null) => lit.push(run) } as unknown as PlanLayers };
  const { rerender } = renderHook(({ plan }) => useLitRun(layers, true, plan), {
    initialProps: { plan: runs(1, 2) },
  });
  hoverRun(2);
  vi.runAllTimers();
  expect(lit.at(-1)).toBe(2);
  // The optimiser's runs are new ones; the pointer has not moved.
  rerender({ plan: runs(3, 4) });
  vi.runAllTimers();
  expect(lit.at(-1)).toBeNull();
  hoverRun(4);
  vi.runAllTimers();
  expect(lit.at(-1)).toBe(4);
});

it("W-116: a run that the optimisation kept stands out as long as the pointer is on it", () => {
  const lit: (number | null)[] = [];
  const layers = { current: { setLitRun: (run: number | null) => lit.push(run) } as unknown as PlanLayers };
  const { rerender } = renderHook(({ plan }) => useLitRun(layers, true, plan), {
    initialProps: { plan: runs(1, 2) },
  });
  hoverRun(2);
  rerender({ plan: runs(2, 3) });
  vi.runAllTimers();
  expect(lit.at(-1)).toBe(2);
  hoverRun(null);
  vi.runAllTimers();
  expect(lit.at(-1)).toBeNull();
});
