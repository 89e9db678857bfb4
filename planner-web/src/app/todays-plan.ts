import { organisationNow, type Page, request, type Scenario, useSession, wallClock } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { keys } from "../plan/keys.ts";

/**
 * The plan of today, for a page that was opened without one: `undefined` while it is looked for, `null` where the address
 * names a plan, or there is none of today.
 */
export function useTodaysPlan(): number | null | undefined {
  const [parameters] = useSearchParams();
  const named = parameters.has("active_scenario");
  const zone = useSession((state) => state.user?.organisation.timezone ?? "UTC");
  const remembered = useSession((state) => state.user?.active_scenario ?? null);
  const today = wallClock(new Date(organisationNow()).toISOString(), zone).slice(0, 10);
  const { data, isPending } = useQuery({
    queryKey: [...keys.scenarios, "of-day", today],
    queryFn: () =>
      request<Page<Scenario>>("/scenarios", {
        query: { scheduled_date_start: today, scheduled_date_end: today, per_page: 50 },
        quiet: true,
      }),
    enabled: !named,
    retry: false,
  });
  if (named) return null;
  return isPending ? undefined : (bestOfDay(data?.data ?? [], remembered)?.id ?? null);
}

type Choice = Pick<Scenario, "id" | "stage" | "jobs_count">;

/** The one that the user had open if there is anything in it, else one that is driven, else the fullest, else the newest. */
export function bestOfDay<T extends Choice>(plans: readonly T[], remembered: number | null): T | undefined {
  const rank = ({ id, stage, jobs_count: jobs }: Choice): number[] => [
    jobs > 0 ? 1 : 0,
    id === remembered ? 1 : 0,
    stage === "tracking" ? 1 : 0,
    jobs,
    id,
  ];
  return [...plans].sort((a, b) => {
    const [first, second] = [rank(a), rank(b)];
    const at = first.findIndex((value, index) => value !== second[index]);
    return at < 0 ? 0 : (second[at] ?? 0) - (first[at] ?? 0);
  })[0];
}
