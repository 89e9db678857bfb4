import type { Run } from "@routewright/web";
import { useEffect, useState } from "react";
import { useSelection } from "../plan/selection.ts";
import type { PlanLayers } from "./plan-layers.ts";

/** Milliseconds for which the pointer rests on a run before the map lights it: passing over many redraws nothing. */
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
    let wanted: number | null | undefined;
    const light = (id: number | null): void => {
      if (id === wanted) return;
      wanted = id;
      clearTimeout(timer);
      timer = setTimeout(() => layers.current?.setLitRun(id !== null && runs.has(id) ? id : null), REST);
    };
    light(useSelection.getState().hoveredRunId);
    const stop = useSelection.subscribe((state) => light(state.hoveredRunId));
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
