import FitIcon from "@mui/icons-material/FitScreenOutlined";
import NowIcon from "@mui/icons-material/ScheduleOutlined";
import ZoomInIcon from "@mui/icons-material/ZoomIn";
import ZoomOutIcon from "@mui/icons-material/ZoomOut";
import { Box, IconButton, Tooltip, Typography } from "@mui/material";
import { clockText, texts, useSession } from "@routewright/web";
import { memo, type ReactNode } from "react";
import { AXIS, LABEL, MARGIN } from "./look.ts";
import { percentOf, type Span } from "./scale.ts";

interface AxisProps {
  span: Span;
  hours: readonly number[];
  /** Pixels of the whole span. */
  width: number;
  /** `null`: it is not now. */
  now: number | null;
  tools: ToolsProps;
}

/** Hours above the runs, and what changes how much of them is seen. */
export const Axis = memo(function Axis({ span, hours, width, now, tools }: AxisProps): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone);
  return (
    <Box
      sx={{
        position: "sticky",
        top: 0,
        zIndex: 4,
        height: AXIS,
        display: "flex",
        bgcolor: "background.paper",
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <Tools {...tools} now={now === null ? undefined : tools.now} />
      <Box sx={{ position: "relative", flex: "none", mx: `${MARGIN}px`, width }}>
        {hours.map((hour) => (
          <Typography
            key={hour}
            variant="caption"
            color="textSecondary"
            sx={{
              position: "absolute",
              left: `${percentOf(hour, span)}%`,
              transform: "translateX(-50%)",
              top: 6,
              fontVariantNumeric: "tabular-nums",
            }}
          >
            {clockText(new Date(hour).toISOString(), zone)}
          </Typography>
        ))}
        {now !== null && (
          <Typography
            variant="caption"
            sx={{
              position: "absolute",
              left: `${percentOf(now, span)}%`,
              transform: "translateX(-50%)",
              top: 6,
              px: 0.5,
              borderRadius: 0.5,
              bgcolor: "error.main",
              color: "error.contrastText",
              fontVariantNumeric: "tabular-nums",
            }}
          >
            {clockText(new Date(now).toISOString(), zone)}
          </Typography>
        )}
      </Box>
    </Box>
  );
});

interface ToolsProps {
  zoom?: (factor: number) => void;
  fit?: () => void;
  now?: () => void;
}

/** The corner above the labels. */
export function Tools({ zoom, fit, now }: ToolsProps): ReactNode {
  const buttons = [
    { label: texts.timeline.zoomOut, Icon: ZoomOutIcon, act: zoom && (() => zoom(1 / 1.5)) },
    { label: texts.timeline.zoomIn, Icon: ZoomInIcon, act: zoom && (() => zoom(1.5)) },
    { label: texts.timeline.fit, Icon: FitIcon, act: fit },
    { label: texts.timeline.now, Icon: NowIcon, act: now },
  ];
  return (
    <Box
      sx={{
        width: LABEL,
        flex: "none",
        pl: 1.5,
        display: "flex",
        alignItems: "center",
        position: "sticky",
        left: 0,
        zIndex: 1,
        bgcolor: "background.paper",
        borderRight: 1,
        borderColor: "divider",
      }}
    >
      <Typography variant="caption" color="textSecondary" sx={{ flex: 1 }}>
        {texts.runs.timeline}
      </Typography>
      {buttons.map(({ label, Icon, act }) =>
        act === undefined ? null : (
          <Tooltip key={label} title={label}>
            <IconButton aria-label={label} onClick={act} sx={{ p: 0.375 }}>
              <Icon sx={{ fontSize: 18 }} />
            </IconButton>
          </Tooltip>
        ),
      )}
    </Box>
  );
}
