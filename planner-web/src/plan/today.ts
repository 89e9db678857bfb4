import { type Scenario, useOrganisationNow, useSession, wallClock } from "@routewright/web";
import { useMemo } from "react";

const EACH = 30_000;

/**
 * What time it is in the organisation, in milliseconds, renewed twice a minute; `null` unless the scenario's day is today. Without a scenario
 * nobody looks at the clock.
 */
export function useToday(scenario: Pick<Scenario, "scheduled_date"> | null): number | null {
  const zone = useSession((state) => state.user?.organisation.timezone ?? "UTC");
  const day = scenario?.scheduled_date ?? null;
  const now = useOrganisationNow(day === null ? Infinity : EACH);
  return useMemo(() => {
    if (day === null) return null;
    return wallClock(new Date(now).toISOString(), zone).slice(0, 10) === day ? now : null;
  }, [day, now, zone]);
}
