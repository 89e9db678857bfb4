import { useMemo } from "react";
import { usePlanContext } from "../plan/context.ts";
import { useToday } from "../plan/today.ts";
import { useProblems } from "../plan/use-problems.ts";
import { type Exception, exceptionsOf } from "./exceptions.ts";

const NONE: readonly Exception[] = [];

/** What does not go as planned in the plan on the screen, as it stands this minute. */
export function useExceptions(asked = true): readonly Exception[] {
  const { plan, scenario } = usePlanContext();
  const problems = useProblems();
  const now = useToday(asked ? scenario : null);
  return useMemo(() => (asked ? exceptionsOf(plan, problems, now) : NONE), [asked, plan, problems, now]);
}
