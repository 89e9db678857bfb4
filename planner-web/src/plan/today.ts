import { type Scenario, useSession, wallClock } from "@routewright/web";
import { useEffect, useMemo, useState } from "react";

const EACH = 30_000;

/**
 * What time it is, in milliseconds, renewed twice a minute; `null` unless the scenario's day is today. Without a scenario
 * nobody looks at the clock.
 */
export function useToday(scenario: Pick<Scenario, "scheduled_date"> | null): number | null {
  const zone = useSession((state) => state.user?.organisation.timezone ?? "UTC");
  const day = scenario?.scheduled_date ?? null;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (day === null) return;
    const timer = setInterval(() => setNow(Date.now()), EACH);
    return () => clearInterval(timer);
  }, [day]);
  return useMemo(() => {
    if (day === null) return null;
    return wallClock(new Date(now).toISOString(), zone).slice(0, 10) === day ? now : null;
  }, [day, now, zone]);
}
