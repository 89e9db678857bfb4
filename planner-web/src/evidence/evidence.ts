import { request, requestAll, type Schemas } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../plan/keys.ts";
import { queryClient } from "../ui/query-client.ts";

export type Evidence = Schemas["Evidence"];

/** Milliseconds between two looks: phones report whenever they have a connection. */
const AGAIN = 60_000;

/** What waits for a decision, the newest first. */
export function useEvidence(enabled: boolean): readonly Evidence[] {
  const { data } = useQuery({
    queryKey: keys.evidence,
    queryFn: () => requestAll<Evidence>("/evidence", { state: "open,moved" }, { quiet: true }),
    enabled,
    refetchInterval: AGAIN,
  });
  return data ?? [];
}

/** Stores it with a job. */
export async function assign(id: number, jobId: number): Promise<void> {
  await request(`/evidence/${id}/assign`, { method: "POST", body: { job_id: jobId } });
  await queryClient.invalidateQueries({ queryKey: keys.evidence });
}

/** Puts it aside; it stays readable. */
export async function dismiss(id: number, reason: string): Promise<void> {
  await request(`/evidence/${id}/dismiss`, { method: "POST", body: { reason } });
  await queryClient.invalidateQueries({ queryKey: keys.evidence });
}
