import { ToggleButton, ToggleButtonGroup } from "@mui/material";
import { type Stage, STAGES, texts, useLevel } from "@routewright/web";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";
import { scenarios } from "../plan/queries.ts";
import { queryClient } from "../shell/query-client.ts";
import { useView } from "../shell/view.ts";

/** Stage of the active scenario; choosing another stores it. */
export function StageTabs(): ReactNode {
  const { scenario } = usePlanContext();
  const writes = useLevel("scenarios_write");
  const map = useView() === "map";
  if (scenario === null) return null;
  const change = async (stage: Stage): Promise<void> => {
    const changed = await scenarios.change(scenario.id, { stage });
    queryClient.setQueryData(keys.scenario(scenario.id), changed);
    await queryClient.invalidateQueries({ queryKey: keys.plan(scenario.id) });
  };
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={scenario.stage}
      disabled={!writes || !map}
      aria-label={texts.scenarios.stage}
      onChange={(_, stage: Stage | null) => {
        if (stage !== null) void change(stage).catch(() => undefined);
      }}
    >
      {STAGES.map((stage) => (
        <ToggleButton key={stage} value={stage} sx={{ textTransform: "none", px: 1.5, py: 0.5 }}>
          {texts.scenarios.stages[stage]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
