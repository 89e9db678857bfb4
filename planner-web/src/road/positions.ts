import { type GpsPoint, mayCall, request, session } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { queryClient } from "../ui/query-client.ts";

/** Positions of the last hours by run, each in the order of their times. */
export type Tracks = ReadonlyMap<number, readonly GpsPoint[]>;

/** Milliseconds: longer than anybody stands without being looked for. */
const KEPT = 3 * 3_600_000;
/**
 * So many runs on the road have their positions so far loaded: those of a hundred vans are 40 MB by the evening. With
 * more, what is known begins when the page was opened.
 */
const MOST_LOADED = 30;

/** Newest position per run of a tracked scenario, and the whole trail when it is asked for. */
export function useGpsPoints(withTrail: boolean): { latest: GpsPoint[]; trail: GpsPoint[] } {
  const { id, path, enabled } = usePoints();
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

/** The positions of each run in the last hours, while they are asked for. */
export function useTracks(asked: boolean): Tracks {
  const { id, path, enabled } = usePoints();
  const { plan, loading } = usePlanContext();
  const driven = plan.runs.filter((run) => run.actual_start_time !== null).length;
  const past = driven <= MOST_LOADED;
  const queryKey = [...keys.tracks(id), past];
  const { data } = useQuery({
    queryKey,
    queryFn: async () => {
      const known = queryClient.getQueryData<Tracks>(queryKey) ?? NO_TRACKS;
      // Who has some asks only for what has arrived since.
      const query = { latest_only: !past, since: newestId(known) };
      const points = await request<GpsPoint[]>(path, { query, quiet: true });
      const held = queryClient.getQueryData<Tracks>(queryKey) ?? NO_TRACKS;
      return query.since === null ? tracksOf(points) : points.reduce(withPosition, held);
    },
    enabled: asked && enabled && !loading,
  });
  return data ?? NO_TRACKS;
}

function usePoints(): { id: number; path: string; enabled: boolean } {
  const { scenario } = usePlanContext();
  const id = scenario?.id ?? 0;
  const path = `/scenario/${id}/gps_points`;
  return { id, path, enabled: scenario?.stage === "tracking" && mayCall("GET", path, session().user) };
}

/** Positions in any order, by run. */
export function tracksOf(points: readonly GpsPoint[]): Tracks {
  const tracks = new Map<number, GpsPoint[]>();
  for (const point of points) {
    const track = tracks.get(point.run_id);
    if (track === undefined) tracks.set(point.run_id, [point]);
    else track.push(point);
  }
  for (const [run, track] of tracks) {
    track.sort((a, b) => Date.parse(a.recorded_at) - Date.parse(b.recorded_at));
    tracks.set(run, recent(track));
  }
  return tracks;
}

/** Id of the newest position that was loaded; `null` before any was. */
export function newestId(tracks: Tracks): number | null {
  let newest: number | null = null;
  for (const track of tracks.values()) {
    for (const { id } of track) if (id !== undefined && id > (newest ?? 0)) newest = id;
  }
  return newest;
}

/** The tracks with one more position, wherever its time belongs; other runs keep their very lists. */
export function withPosition(tracks: Tracks, point: GpsPoint): Tracks {
  const before = tracks.get(point.run_id) ?? [];
  if (before.some(({ recorded_at: at }) => at === point.recorded_at)) return tracks;
  const time = Date.parse(point.recorded_at);
  const place = before.findLastIndex(({ recorded_at: at }) => Date.parse(at) < time) + 1;
  return new Map(tracks).set(point.run_id, recent(before.toSpliced(place, 0, point)));
}

/** The newest position of each run: one that comes late does not replace a newer one. */
export function withNewest(latest: readonly GpsPoint[], point: GpsPoint): GpsPoint[] {
  const known = latest.find((other) => other.run_id === point.run_id);
  if (known !== undefined && Date.parse(known.recorded_at) > Date.parse(point.recorded_at))
    return [...latest];
  return [...latest.filter((other) => other !== known), point];
}

/** Milliseconds: phones with a connection send a position every minute at least, and now and then one is lost. */
const GAP = 2 * 60_000;

/** Whether positions are missing before this one: of many that come at once only the newest is told. */
export function leavesGap(tracks: Tracks, point: GpsPoint): boolean {
  const before = tracks.get(point.run_id)?.at(-1);
  return before !== undefined && Date.parse(point.recorded_at) - Date.parse(before.recorded_at) > GAP;
}

function recent(track: GpsPoint[]): GpsPoint[] {
  const newest = Date.parse(track.at(-1)?.recorded_at ?? "");
  return track.filter(({ recorded_at: at }) => newest - Date.parse(at) <= KEPT);
}

const NONE: GpsPoint[] = [];
const NO_TRACKS: Tracks = new Map();
