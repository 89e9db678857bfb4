import type { SxProps, Theme } from "@mui/material/styles";
import { MARK_STRIPES } from "../plan/problem-mark.ts";
import type { UiSettings } from "../settings/ui-settings.ts";

/** Pixels. */
export const LABEL = 190;
export const ROW = 34;
export const AXIS = 30;
/** Room before the first and after the last hour. */
export const MARGIN = 20;
/** A stop is never narrower. */
export const LEAST = 10;

export function glowOf(ui: UiSettings): string {
  return `0 0 ${ui["timeline.selectedJobGlowBlurRadius"]}px ${ui["timeline.selectedJobGlowSpreadRadius"]}px ${ui["timeline.selectedJobGlowColor"]}`;
}

/** How rows and stops look: one sheet for the whole timeline, since there are hundreds of them. */
export const look = {
  "& .row": { display: "flex", height: ROW, borderBottom: 1, borderColor: "divider" },
  "& .row:hover, & .row.lit": { bgcolor: "action.hover" },
  "& .row.over": { bgcolor: "action.selected" },
  "& .label": {
    width: LABEL,
    flex: "none",
    position: "sticky",
    left: 0,
    zIndex: 3,
    display: "flex",
    alignItems: "center",
    pl: 1,
    bgcolor: "background.paper",
    borderRight: 1,
    borderRightColor: "divider",
  },
  "& .label button.name": {
    all: "unset",
    cursor: "pointer",
    flex: 1,
    minWidth: 0,
    display: "flex",
    alignItems: "baseline",
    gap: 0.75,
    "&:focus-visible": { outline: "2px solid" },
  },
  "& .track": { position: "relative", flex: "none" },
  "& .stop": (theme: Theme) => ({
    p: 0,
    height: 24,
    border: "1px solid",
    borderColor: "var(--mui-palette-background-paper)",
    borderRadius: 1,
    fontSize: 10.5,
    fontWeight: 650,
    fontFamily: "inherit",
    lineHeight: 1,
    overflow: "hidden",
    cursor: "pointer",
    opacity: 0.94,
    // Dark runs on a dark ground are told from it by their rim.
    ...theme.applyStyles("dark", { borderColor: "var(--mui-palette-text-secondary)" }),
  }),
  "& .stop[draggable=true]": { cursor: "grab" },
  "& .track .stop": { position: "absolute", top: "4px", minWidth: LEAST },
  "& .stop.hovered": { opacity: 1, outline: "2px solid", outlineColor: "text.primary", zIndex: 1 },
  "& .stop.selected": { boxShadow: "var(--glow)", zIndex: 1 },
  "& .stop:focus-visible": { outline: "2px solid", outlineOffset: 1, zIndex: 2 },
  // Not by colour alone: stripes below the number, and a sign where the number has no room.
  "& .stop.error::before, & .stop.warning::before": {
    content: '""',
    position: "absolute",
    insetInline: 0,
    bottom: 0,
    height: 6,
    backgroundImage: MARK_STRIPES,
  },
  "& .stop .holder": {
    position: "absolute",
    top: -3,
    left: "50%",
    transform: "translateX(-50%)",
    px: "3px",
    borderRadius: "7px",
    color: "#fff",
    fontSize: 9,
    lineHeight: "13px",
  },
  "& .stop.error": { borderColor: "error.main", borderWidth: 2 },
  "& .stop.warning": { borderColor: "warning.main", borderWidth: 2 },
  "& .chips .stop": { position: "absolute", top: "5px", px: 0.5, whiteSpace: "nowrap" },
  "& svg.pieces": { position: "absolute", inset: 0, width: "100%", height: "100%", overflow: "visible" },
  "& svg.pieces path": { fill: "none", vectorEffect: "non-scaling-stroke" },
  "& .drop": {
    position: "absolute",
    insetBlock: 1,
    width: 3,
    ml: "-1.5px",
    borderRadius: 1,
    bgcolor: "primary.main",
    zIndex: 2,
    pointerEvents: "none",
  },
} satisfies SxProps<Theme>;
