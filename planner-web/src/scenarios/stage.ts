import type { Stage } from "@routewright/web";
import { useCallback } from "react";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { scenarios } from "../plan/queries.ts";
import { queryClient } from "../ui/query-client.ts";

/** Stores another stage of the active scenario; a refusal is toasted and thrown. */
export function useChangeStage(): (stage: Stage) => Promise<void> {
  const { scenarioId } = usePlanContext();
  return useCallback(
    async (stage) => {
      if (scenarioId === null) return;
      const changed = await scenarios.change(scenarioId, { stage });
      queryClient.setQueryData(keys.scenario(scenarioId), changed);
      await queryClient.invalidateQueries({ queryKey: keys.plan(scenarioId) });
    },
    [scenarioId],
  );
}
