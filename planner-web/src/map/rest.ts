import type { Run } from "@routewright/web";
import { useEffect, useState } from "react";
import { useSelection } from "../plan/selection.ts";
import type { PlanLayers } from "./plan-layers.ts";

/** Milliseconds for which the pointer rests before the map lights what it is on: passing over many redraws nothing. */
const REST = 120;

/** The run under the pointer stands out; one that is gone from the plan does not. */
export function useLitRun(
  layers: { current: PlanLayers | null },
  ready: boolean,
  runs: ReadonlyMap<number, Run>,
): void {
  useEffect(() => {
    if (!ready) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const light = (id: number | null): void => {
      clearTimeout(timer);
      timer = setTimeout(() => layers.current?.setLitRun(id !== null && runs.has(id) ? id : null), REST);
    };
    light(useSelection.getState().hoveredRunId);
    // From stop to stop of one run the pointer does not rest either.
    const stop = useSelection.subscribe((state, before) => {
      if (state.hoveredRunId !== before.hoveredRunId || state.hoveredJobId !== before.hoveredJobId)
        light(state.hoveredRunId);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [layers, ready, runs]);
}

/** The job under the pointer once that rests on it; `null` at once when it leaves. */
export function useRestedJob(): number | null {
  const [rested, setRested] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = useSelection.subscribe(({ hoveredJobId: id }, before) => {
      if (id === before.hoveredJobId) return;
      clearTimeout(timer);
      setRested(null);
      if (id !== null) timer = setTimeout(() => setRested(id), REST);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return rested;
}
