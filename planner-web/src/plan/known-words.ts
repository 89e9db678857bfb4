import { measuresOf } from "@routewright/web";
import { useMemo } from "react";
import { usePlanContext } from "./context.ts";
import { useDrivers, useVehicles } from "./queries.ts";

/** Types that jobs of the plan ask for and drivers offer, in order. */
export function useKnownTypes(): readonly string[] {
  const { jobs } = usePlanContext().plan;
  const { data: drivers } = useDrivers();
  return useMemo(() => {
    const texts = [...jobs, ...(drivers ?? [])].map((item) => item.spec_type ?? "");
    const types = texts.flatMap((text) => text.split(",")).map((type) => type.trim());
    return [...new Set(types.filter((type) => type !== ""))].sort();
  }, [jobs, drivers]);
}

/** Uids of the plan's jobs that a job can be linked to: all but its own. */
export function useOtherUids(own: string): readonly string[] {
  const { jobs } = usePlanContext().plan;
  const all = useMemo(() => [...new Set(jobs.map(({ uid }) => uid))], [jobs]);
  return useMemo(() => all.filter((uid) => uid !== own.trim()), [all, own]);
}

/** Measures that the plan's jobs and the organisation's drivers and vehicles count in. */
export function useMeasures(): readonly string[] {
  const { jobs } = usePlanContext().plan;
  const { data: drivers } = useDrivers();
  const { data: vehicles } = useVehicles();
  return useMemo(
    () =>
      measuresOf([
        ...jobs.map(({ size }) => size),
        ...[...(drivers ?? []), ...(vehicles ?? [])].map(({ capacity }) => capacity),
      ]),
    [jobs, drivers, vehicles],
  );
}
