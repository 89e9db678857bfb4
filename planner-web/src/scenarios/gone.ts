import { fill, organisationNow, type Scenario, texts, toastInfo } from "@routewright/web";
import { useEffect, useState } from "react";
import { isGone, onGone } from "../plan/follow.ts";
import { keys } from "../plan/keys.ts";
import { queryClient } from "../ui/query-client.ts";
import { nearestDay, scenariosBeside } from "./nearest-day.ts";

/**
 * A scenario that is there no longer gives way to the one of the nearest day: told to who had it open, in silence to
 * who only had it as the last one. Answers whether it does; where nothing can take its place, its error stays.
 */
export function useGone(
  scenarioId: number | null,
  error: Error | null,
  activate: (id: number) => void,
): boolean {
  const missing = isGone(error);
  const [alone, setAlone] = useState<number | null>(null);
  useEffect(() => {
    if (scenarioId === null) return;
    let done = false;
    const leave = async (): Promise<void> => {
      if (done) return;
      done = true;
      const was = queryClient.getQueryData<Scenario>(keys.scenario(scenarioId));
      const day = was?.scheduled_date ?? new Date(organisationNow()).toISOString().slice(0, 10);
      const others = await scenariosBeside(day).catch(() => []);
      const next = nearestDay(
        { scheduled_date: day },
        others.filter(({ id }) => id !== scenarioId),
      );
      if (next === undefined) {
        done = false;
        setAlone(scenarioId);
        if (was !== undefined) await queryClient.invalidateQueries({ queryKey: keys.scenario(scenarioId) });
        return;
      }
      if (was !== undefined) toastInfo(fill(texts.scenarios.goneTold, { name: was.name, next: next.name }));
      activate(next.id);
      queryClient.removeQueries({ queryKey: keys.plan(scenarioId) });
      queryClient.removeQueries({ queryKey: keys.scenario(scenarioId) });
      void queryClient.invalidateQueries({ queryKey: keys.scenarios });
    };
    onGone((id) => {
      if (id === scenarioId) void leave();
    });
    if (missing) void leave();
    return () => {
      done = true;
      onGone(() => undefined);
    };
  }, [scenarioId, missing, activate]);
  return missing && alone !== scenarioId;
}
