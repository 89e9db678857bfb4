import { ToggleButton, ToggleButtonGroup } from "@mui/material";
import { type Stage, STAGES, texts, useLevel } from "@routewright/web";
import type { ReactNode } from "react";
import { useScenarioContext } from "../plan/context.ts";
import { useView } from "../ui/view.ts";
import { useChangeStage } from "./stage.ts";

/** Stage of the active scenario; choosing another stores it. */
export function StageTabs(): ReactNode {
  const { scenario } = useScenarioContext();
  const writes = useLevel("scenarios_write");
  const map = useView() === "map";
  const change = useChangeStage();
  if (scenario === null) return null;
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
        <ToggleButton
          key={stage}
          value={stage}
          data-tutorial={`stage-${stage}`}
          sx={{ textTransform: "none", px: 1.5, py: 0.5 }}
        >
          {texts.scenarios.stages[stage]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
