import { mayCall, request, requestAll, type Schemas, session } from "@routewright/web";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { keys } from "../plan/keys.ts";
import { reloadPlan } from "../plan/queries.ts";
import { queryClient } from "../ui/query-client.ts";

export type RescheduleRequest = Schemas["RescheduleRequest"];
export type RescheduleFit = Schemas["RescheduleFit"];

/** Milliseconds between two looks: customers ask whenever they like. */
const AGAIN = 60_000;

/** What customers asked for and nobody has dealt with, the newest first. */
export function useRequests(enabled: boolean): readonly RescheduleRequest[] {
  const { data } = useQuery({
    queryKey: keys.requests,
    queryFn: () => requestAll<RescheduleRequest>("/reschedule_requests", { handled: false }, { quiet: true }),
    enabled: enabled && mayCall("GET", "/reschedule_requests", session().user),
    refetchInterval: AGAIN,
  });
  return data ?? [];
}

/** Whether a request fits a plan as things are. */
export function useFit(id: number): UseQueryResult<RescheduleFit> {
  const path = `/reschedule_requests/${id}/fit`;
  return useQuery({
    queryKey: [...keys.requests, id, "fit"],
    queryFn: () => request<RescheduleFit>(path, { quiet: true }),
    enabled: mayCall("GET", path, session().user),
    staleTime: 30_000,
    retry: false,
  });
}

/** Moves the job to the day that was asked for. */
export async function accept(asked: RescheduleRequest): Promise<RescheduleRequest> {
  try {
    const done = await request<RescheduleRequest>(`/reschedule_requests/${asked.id}/accept`, {
      method: "POST",
    });
    await reload(asked.scenario_id, done.scenario_id);
    return done;
  } finally {
    await queryClient.invalidateQueries({ queryKey: keys.requests });
  }
}

/** Notes that it was dealt with otherwise. */
export async function settle(asked: RescheduleRequest): Promise<void> {
  await request(`/reschedule_requests/${asked.id}`, { method: "PATCH", body: { handled: true } });
  await queryClient.invalidateQueries({ queryKey: keys.requests });
  await reload(asked.scenario_id);
}

async function reload(...scenarios: (number | null)[]): Promise<void> {
  const known = [...new Set(scenarios)].filter((id) => id !== null);
  await Promise.all(known.map(reloadPlan));
  await queryClient.invalidateQueries({ queryKey: keys.scenarios });
}
