import { type Scenario, useSession, wallClock } from "@routewright/web";
import { useEffect, useState } from "react";

const EACH = 30_000;

/** What time it is, in milliseconds, renewed twice a minute; `null` unless the scenario's day is today. */
export function useToday(scenario: Pick<Scenario, "scheduled_date"> | null): number | null {
  const zone = useSession((state) => state.user?.organisation.timezone ?? "UTC");
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EACH);
    return () => clearInterval(timer);
  }, []);
  const day = wallClock(new Date(now).toISOString(), zone).slice(0, 10);
  return scenario?.scheduled_date === day ? now : null;
}
