import { ApiError, type ProgressTexts, withToast } from "@routewright/web";
import { useState } from "react";
import { failureText } from "../ui/failure.ts";
import { usePlanContext } from "./context.ts";
import { reloadPlan } from "./queries.ts";

interface Work<T> extends ProgressTexts<T> {
  failure: string;
  /** After the plan is there anew; usually closes the dialog. */
  done: (answer: T) => void;
  /** What the server refuses, field by field. */
  refused?: (fields: Readonly<Record<string, string>>) => void;
}

interface PlanWork {
  /** Whether an answer is awaited. */
  working: boolean;
  run: <T>(call: Promise<T>, work: Work<T>) => Promise<void>;
}

/** A dialog's change of the plan: told by a toast, then the plan is read anew. What fails leaves the dialog as it is. */
export function usePlanWork(): PlanWork {
  const { scenarioId } = usePlanContext();
  const [working, setWorking] = useState(false);
  const run = async <T>(call: Promise<T>, work: Work<T>): Promise<void> => {
    setWorking(true);
    try {
      const answer = await withToast(call, { ...work, failure: failureText(work.failure) });
      if (scenarioId !== null) await reloadPlan(scenarioId);
      work.done(answer);
    } catch (error) {
      setWorking(false);
      if (error instanceof ApiError) work.refused?.(error.fields);
    }
  };
  return { working, run };
}
