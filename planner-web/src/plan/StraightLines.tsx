import StraightIcon from "@mui/icons-material/ShowChart";
import { Tooltip } from "@mui/material";
import { type Run, texts } from "@routewright/web";
import type { ReactNode } from "react";

/** Whether times and distances of a run are guessed along straight lines. */
export function isStraight({ roads_source: source }: Pick<Run, "roads_source">): boolean {
  return source?.includes("great_circle") === true;
}

/** A sign beside a run whose times and distances are no roads'; nothing beside others. */
export function StraightLinesMark({ run }: { run: Pick<Run, "roads_source"> }): ReactNode {
  if (!isStraight(run)) return null;
  return (
    <Tooltip title={texts.problems.straightLinesHelp}>
      <StraightIcon
        role="img"
        aria-label={texts.problems.straightLines}
        color="warning"
        sx={{ fontSize: 16, flex: "none" }}
      />
    </Tooltip>
  );
}
