import JobsIcon from "@mui/icons-material/Inventory2Outlined";
import DriversIcon from "@mui/icons-material/PersonOutlined";
import ExceptionsIcon from "@mui/icons-material/NotificationImportantOutlined";
import RunsIcon from "@mui/icons-material/RouteOutlined";
import MapIcon from "@mui/icons-material/MapOutlined";
import { Badge, Box, ButtonBase, Typography } from "@mui/material";
import { mayCall, texts, useSession, type ViewName } from "@routewright/web";
import type { ReactNode } from "react";
import { useExceptions } from "../live/use-exceptions.ts";
import { usePlanContext } from "../plan/context.ts";
import { openPanel, type PanelName, useSelection } from "../plan/selection.ts";
import { unservedOf } from "../plan/plan.ts";
import { useView } from "../ui/view.ts";

const PANELS: readonly { name: PanelName; label: string; Icon: typeof JobsIcon; path: string }[] = [
  { name: "exceptions", label: texts.live.exceptions, Icon: ExceptionsIcon, path: "/jobs" },
  { name: "jobs", label: texts.map.panels.jobs, Icon: JobsIcon, path: "/jobs" },
  { name: "runs", label: texts.map.panels.runs, Icon: RunsIcon, path: "/runs" },
  { name: "drivers", label: texts.map.panels.drivers, Icon: DriversIcon, path: "/drivers" },
];

const ONLY_IN: Partial<Record<PanelName, ViewName>> = { drivers: "map", exceptions: "live" };

/** Chooses the panel beside the map; on phones also the map itself. */
export function PanelTabs({ orientation }: { orientation: "vertical" | "horizontal" }): ReactNode {
  const panel = useSelection((state) => state.panel);
  const user = useSession((state) => state.user);
  const { plan } = usePlanContext();
  const view = useView();
  const vertical = orientation === "vertical";
  const shown = PANELS.filter(
    ({ name, path }) => mayCall("GET", path, user) && (ONLY_IN[name] ?? view) === view,
  );
  const exceptions = useExceptions(view === "live").length;
  const badges: Partial<Record<PanelName, number>> = { jobs: unservedOf(plan.jobs).length, exceptions };
  return (
    <Box
      component="nav"
      aria-label={texts.map.label}
      sx={{
        flex: "none",
        display: "flex",
        flexDirection: vertical ? "column" : "row",
        bgcolor: "background.paper",
        borderRight: vertical ? 1 : 0,
        borderTop: vertical ? 0 : 1,
        borderColor: "divider",
        width: vertical ? 72 : "auto",
        justifyContent: vertical ? "flex-start" : "space-around",
        pt: vertical ? 0.5 : 0,
      }}
    >
      {!vertical && (
        <Tab label={texts.common.toMap} active={panel === null} onClick={() => openPanel(null)}>
          <MapIcon fontSize="small" />
        </Tab>
      )}
      {shown.map(({ name, label, Icon }) => (
        <Tab
          key={name}
          name={name}
          label={label}
          active={panel === name}
          onClick={() => openPanel(panel === name ? null : name)}
        >
          <Badge
            badgeContent={badges[name] ?? 0}
            max={999}
            color="warning"
            sx={{
              "& .MuiBadge-badge": { height: 16, minWidth: 16, px: 0.5, fontSize: 10, right: -8, top: -1 },
            }}
          >
            <Icon fontSize="small" />
          </Badge>
        </Tab>
      ))}
    </Box>
  );
}

interface TabProps {
  name?: PanelName;
  label: string;
  active: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tab({ name, label, active, onClick, children }: TabProps): ReactNode {
  return (
    <ButtonBase
      onClick={onClick}
      aria-pressed={active}
      data-tutorial={name === undefined ? undefined : `panel-${name}`}
      sx={{
        flexDirection: "column",
        gap: 0.25,
        py: 1,
        px: 0.5,
        minWidth: 56,
        color: active ? "primary.main" : "text.secondary",
        bgcolor: active ? "action.selected" : "transparent",
        "&:hover": { bgcolor: "action.hover" },
        "&:focus-visible": { outline: "2px solid", outlineColor: "primary.main", outlineOffset: -2 },
      }}
    >
      {children}
      <Typography variant="caption" sx={{ fontWeight: active ? 650 : 450 }}>
        {label}
      </Typography>
    </ButtonBase>
  );
}
