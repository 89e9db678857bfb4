import { Alert, Button } from "@mui/material";
import { fill, messageOfError, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { useScenarioContext } from "../plan/context.ts";
import { reloadPlan } from "../plan/queries.ts";

/** Says why the plan is not there, and tries again. */
export function PlanProblem(): ReactNode {
  const { scenarioId, error } = useScenarioContext();
  const [trying, setTrying] = useState(false);
  if (error === null || scenarioId === null) return null;
  const retry = async (): Promise<void> => {
    setTrying(true);
    await reloadPlan(scenarioId);
    setTrying(false);
  };
  return (
    <Alert
      severity="error"
      square
      action={
        <Button color="inherit" loading={trying} onClick={() => void retry()}>
          {texts.common.retry}
        </Button>
      }
    >
      {fill(texts.scenarios.loadFailed, { reason: messageOfError(error) })}
    </Alert>
  );
}
