import { Alert, LinearProgress } from "@mui/material";
import { type Job, messageOfError, type Run, texts } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { withAnswer } from "../plan/plan.ts";
import { useDebounced } from "../ui/use-debounced.ts";
import { impactText } from "./moves.ts";

/** Runs and unserved jobs as a change would leave them. */
export interface Said {
  runs: readonly Run[];
  unserved?: readonly Job[];
}

interface EffectProps {
  /** What would be done, as text that differs for each; `null` for nothing. */
  of: string | null;
  /** Asks the server what it would lead to. */
  ask: () => Promise<Said>;
}

/** Milliseconds of rest before the server is asked. */
const REST = 300;

/** What a change of the plan would lead to, by the server's reckoning, or why it is refused. */
export function Effect({ of, ask }: EffectProps): ReactNode {
  const { plan, scenarioId } = usePlanContext();
  const rested = useDebounced(of, REST);
  const { data, error } = useQuery({
    queryKey: [...keys.plan(scenarioId ?? 0), "effect", rested],
    queryFn: ask,
    enabled: rested !== null && rested === of,
    retry: false,
    gcTime: 0,
  });
  if (of === null) return null;
  if (error !== null) return <Alert severity="warning">{messageOfError(error)}</Alert>;
  if (data === undefined || rested !== of) return <LinearProgress aria-label={texts.common.loading} />;
  return (
    <Alert severity="info">
      <strong>{texts.optimise.impact}</strong>
      <div>{impactText(plan, withAnswer(plan, data.runs, data.unserved))}</div>
    </Alert>
  );
}
