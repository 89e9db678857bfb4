import WarningIcon from "@mui/icons-material/ReportProblemOutlined";
import { Badge, IconButton, Tooltip } from "@mui/material";
import { fill, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { markOf } from "../plan/problem-mark.ts";
import { useProblems } from "../plan/use-problems.ts";

/** How much is wrong with the plan; opens the list. */
export function ProblemsButton(): ReactNode {
  const { scenario } = usePlanContext();
  const { all } = useProblems();
  if (scenario === null) return null;
  const label = all.length === 1 ? texts.problems.one : fill(texts.problems.open, { n: all.length });
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={() => openDialog({ kind: "problems" })}>
        <Badge badgeContent={all.length} max={999} color={markOf(all) ?? "default"}>
          <WarningIcon fontSize="small" />
        </Badge>
      </IconButton>
    </Tooltip>
  );
}
