import { type GpsPoint, mayCall, request, session } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";

/** Newest position per run of a tracked scenario, and the whole trail when it is asked for. */
export function useGpsPoints(withTrail: boolean): { latest: GpsPoint[]; trail: GpsPoint[] } {
  const { scenario } = usePlanContext();
  const id = scenario?.id ?? 0;
  const path = `/scenario/${id}/gps_points`;
  const enabled = scenario?.stage === "tracking" && mayCall("GET", path, session().user);
  const latest = useQuery({
    queryKey: [...keys.gps(id), "latest"],
    queryFn: () => request<GpsPoint[]>(path, { query: { latest_only: true }, quiet: true }),
    enabled,
  });
  const trail = useQuery({
    queryKey: [...keys.gps(id), "trail"],
    queryFn: () => request<GpsPoint[]>(path, { query: { latest_only: false }, quiet: true }),
    enabled: enabled && withTrail,
  });
  return { latest: latest.data ?? NONE, trail: trail.data ?? NONE };
}

const NONE: GpsPoint[] = [];
