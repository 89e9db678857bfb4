import RedoIcon from "@mui/icons-material/RedoOutlined";
import UndoIcon from "@mui/icons-material/UndoOutlined";
import { Box, IconButton, Tooltip } from "@mui/material";
import { fill, texts, useLevel } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { useScenarioContext } from "../plan/context.ts";
import { takeStep, useSteps, type Way, whatOf } from "../steps/steps.ts";
import { useMayEdit } from "../ui/view.ts";

/** Takes the user's last step in the plan back, or does it again. */
export function StepButtons(): ReactNode {
  const { scenarioId } = useScenarioContext();
  const edits = useMayEdit();
  const writes = useLevel("runs_write");
  const shown = edits && writes && scenarioId !== null;
  const steps = useSteps(shown);
  const [going, setGoing] = useState(false);
  if (!shown) return null;
  const go = async (way: Way): Promise<void> => {
    setGoing(true);
    await takeStep(scenarioId, way);
    setGoing(false);
  };
  const ways = [
    { way: "undo", icon: <UndoIcon fontSize="small" />, label: texts.steps.undo, of: texts.steps.undoStep },
    { way: "redo", icon: <RedoIcon fontSize="small" />, label: texts.steps.redo, of: texts.steps.redoStep },
  ] as const;
  // Two buttons are one thing to the bar.
  return (
    <Box sx={{ display: "flex" }}>
      {ways.map(({ way, icon, label, of }) => {
        const step = steps?.[way] ?? null;
        return (
          <Tooltip key={way} title={step === null ? label : fill(of, { what: whatOf(step) })}>
            <span>
              <IconButton
                aria-label={label}
                size="small"
                disabled={step === null || going}
                onClick={() => void go(way)}
              >
                {icon}
              </IconButton>
            </span>
          </Tooltip>
        );
      })}
    </Box>
  );
}
