import { type ReactNode, useMemo } from "react";
import { usePlanContext } from "../plan/context.ts";
import { useToday } from "../plan/today.ts";
import { useView } from "../ui/view.ts";
import { useTracks } from "./positions.ts";
import { NO_ROAD, RoadContext, roadOf } from "./road.ts";

/** Tells its children what is known of the runs on the road; customers are told nothing. */
export function RoadProvider({ children }: { children: ReactNode }): ReactNode {
  const { plan, scenario } = usePlanContext();
  const view = useView();
  const now = useToday(view === "customer" ? null : scenario);
  const tracks = useTracks(now !== null);
  const tracked = scenario?.stage === "tracking";
  const road = useMemo(
    () => (now === null ? NO_ROAD : roadOf(plan, tracks, now, tracked)),
    [plan, tracks, now, tracked],
  );
  return <RoadContext.Provider value={road}>{children}</RoadContext.Provider>;
}
