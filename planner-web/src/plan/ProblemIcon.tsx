import ErrorIcon from "@mui/icons-material/ErrorOutlined";
import WarningIcon from "@mui/icons-material/WarningAmber";
import { Tooltip } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { markOf } from "./problem-mark.ts";
import type { Problem } from "./problems.ts";

/** A sign with the words behind it: a circle for what breaks a rule, a triangle for what wants a look. */
export function ProblemIcon({ problems }: { problems: readonly Problem[] }): ReactNode {
  const mark = markOf(problems);
  if (mark === null) return null;
  const words = problems.map(({ kind, text }) => `${texts.problems.kinds[kind]}: ${text}`);
  const Icon = mark === "error" ? ErrorIcon : WarningIcon;
  return (
    <Tooltip title={words.slice(0, 8).join("\n")} slotProps={{ tooltip: { sx: { whiteSpace: "pre-line" } } }}>
      <Icon
        role="img"
        aria-label={words.slice(0, 8).join("; ")}
        color={mark}
        sx={{ fontSize: 16, flex: "none" }}
      />
    </Tooltip>
  );
}
