import NextIcon from "@mui/icons-material/ChevronRight";
import PreviousIcon from "@mui/icons-material/ChevronLeft";
import { Box, IconButton, Tooltip } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { useScenarioContext } from "../plan/context.ts";
import { openOtherDay } from "./other-day.ts";

/** To the plans of the days around the open one. */
export function DayButtons(): ReactNode {
  const { scenario, activate } = useScenarioContext();
  if (scenario === null) return null;
  const sides = [
    { direction: -1, label: texts.commands.previousDay, icon: <PreviousIcon fontSize="small" /> },
    { direction: 1, label: texts.commands.nextDay, icon: <NextIcon fontSize="small" /> },
  ] as const;
  return (
    <Box sx={{ display: "flex", ml: -1 }}>
      {sides.map(({ direction, label, icon }) => (
        <Tooltip key={direction} title={label}>
          <IconButton
            aria-label={label}
            size="small"
            onClick={() => void openOtherDay(scenario, direction, activate)}
          >
            {icon}
          </IconButton>
        </Tooltip>
      ))}
    </Box>
  );
}
