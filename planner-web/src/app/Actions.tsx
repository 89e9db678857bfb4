import TimelineIcon from "@mui/icons-material/ViewTimelineOutlined";
import { Button, IconButton, Tooltip } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { useActions } from "../commands/use-actions.tsx";
import { toggleTimeline, useSelection } from "../plan/selection.ts";

/** What a planner does with the active scenario. */
export function Actions({ compact = false }: { compact?: boolean }): ReactNode {
  const timelineOpen = useSelection((state) => state.timelineOpen);
  const shown = useActions();
  return (
    <>
      {shown.map(({ name, label, icon, act, disabled = false, primary = false }) =>
        compact ? (
          <Tooltip key={label} title={label}>
            <span>
              <IconButton
                aria-label={label}
                data-tutorial={name}
                onClick={act}
                disabled={disabled}
                color={primary ? "primary" : "default"}
              >
                {icon}
              </IconButton>
            </span>
          </Tooltip>
        ) : (
          <Button
            key={label}
            data-tutorial={name}
            startIcon={icon}
            variant={primary ? "contained" : "text"}
            color={primary ? "primary" : "inherit"}
            onClick={act}
            disabled={disabled}
            sx={{ whiteSpace: "nowrap" }}
          >
            {label}
          </Button>
        ),
      )}
      {!compact && (
        <Tooltip title={texts.runs.timeline}>
          <IconButton
            aria-label={texts.runs.timeline}
            aria-pressed={timelineOpen}
            color={timelineOpen ? "primary" : "default"}
            onClick={toggleTimeline}
          >
            <TimelineIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
    </>
  );
}
