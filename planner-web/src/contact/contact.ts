import {
  fill,
  type GpsPoint,
  type Job,
  mayCall,
  request,
  type Run,
  type Schemas,
  session,
  texts,
} from "@routewright/web";
import { SILENT } from "../road/bounds.ts";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../plan/keys.ts";

export type RunContact = Schemas["RunContact"];

/** Milliseconds between two looks: phones report themselves once a minute. */
const AGAIN = 30_000;
export { SILENT };

/** The contacts with the phones of a scenario's runs that were heard of; none unless they are asked for. */
export function useContacts(scenarioId: number | null, asked = true): readonly RunContact[] {
  const path = `/scenarios/${scenarioId ?? 0}/contacts`;
  const { data } = useQuery({
    queryKey: keys.contacts(scenarioId ?? 0),
    queryFn: () => request<RunContact[]>(path, { quiet: true }),
    enabled: asked && scenarioId !== null && mayCall("GET", path, session().user),
    refetchInterval: AGAIN,
  });
  return data ?? NONE;
}

const NONE: readonly RunContact[] = [];

/** The contact with the phone of a run; `null` before it was heard of. */
export function useRunContact(run: Pick<Run, "id" | "scenario_id">): RunContact | null {
  return useContacts(run.scenario_id).find(({ run_id: id }) => id === run.id) ?? null;
}

type Driven = Pick<Run, "actual_start_time" | "actual_end_time">;

/**
 * When a run on the road was heard of last, by its phone, a position, a proof or its start (milliseconds); `null` for one
 * that is not driven.
 */
export function heardAt(
  run: Driven,
  contact: Pick<RunContact, "last_at"> | null,
  track: readonly Pick<GpsPoint, "recorded_at">[],
  stops: readonly Pick<Job, "proof_time">[],
): number | null {
  if (run.actual_start_time === null || run.actual_end_time !== null) return null;
  const moments = [
    run.actual_start_time,
    contact?.last_at,
    track.at(-1)?.recorded_at,
    ...stops.map(({ proof_time: time }) => time),
  ];
  return Math.max(...moments.flatMap((moment) => (moment == null ? [] : [Date.parse(moment)])));
}

/** "2 added, 1 moved"; empty when the driver knows everything. */
export function unconfirmedText({ unconfirmed }: Pick<RunContact, "unconfirmed">): string {
  const parts = (Object.keys(texts.contact.kinds) as (keyof typeof texts.contact.kinds)[]).map((kind) => {
    const n = unconfirmed.filter((stop) => stop.kind === kind).length;
    return n === 0 ? "" : fill(texts.contact.kinds[kind], { n });
  });
  return parts.filter((part) => part !== "").join(", ");
}
