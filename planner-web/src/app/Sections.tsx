import LiveIcon from "@mui/icons-material/SensorsOutlined";
import PlanIcon from "@mui/icons-material/EditCalendarOutlined";
import { Badge, Box, Button, IconButton, Tooltip } from "@mui/material";
import { hasPlainAccess, holds, texts, useSession, useWidth } from "@routewright/web";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useExceptions } from "../live/use-exceptions.ts";
import { useRoad } from "../road/road.ts";
import { useView } from "../ui/view.ts";

/** Whether the user goes between the plan and the day as it runs. */
export function useSections(): boolean {
  const user = useSession((state) => state.user);
  return useView() !== "customer" && hasPlainAccess(user) && holds(user, "live_overview_read");
}

/** The two sides of a day: its plan, and how it runs, with what needs a look counted. On narrow windows the other one. */
export function Sections(): ReactNode {
  const view = useView();
  const narrow = useWidth() !== "desktop";
  const { driven } = useRoad();
  const trouble = useExceptions(driven).filter(({ kind }) => kind !== "problem").length;
  const sections = [
    { here: view === "map", to: "/", label: texts.map.sections.plan, Icon: PlanIcon, n: 0 },
    { here: view === "live", to: "/liveview", label: texts.map.sections.live, Icon: LiveIcon, n: trouble },
  ];
  return (
    <Box
      component="nav"
      aria-label={texts.map.sections.label}
      sx={{ display: "flex", gap: 0.5, flex: "none" }}
    >
      {sections.map(({ here, to, label, Icon, n }) => {
        if (narrow) {
          return here ? null : (
            <Tooltip key={to} title={label}>
              <IconButton component={Link} to={to} aria-label={label}>
                <Badge badgeContent={n} max={99} color="error" sx={{ "& .MuiBadge-badge": SMALL }}>
                  <Icon fontSize="small" />
                </Badge>
              </IconButton>
            </Tooltip>
          );
        }
        return (
          <Button
            key={to}
            component={Link}
            to={to}
            color={here ? "primary" : "inherit"}
            startIcon={<Icon fontSize="small" />}
            aria-current={here ? "page" : undefined}
            sx={{ bgcolor: here ? "action.selected" : "transparent", px: 1.5 }}
          >
            {label}
            {n > 0 && !here && <Count n={n} />}
          </Button>
        );
      })}
    </Box>
  );
}

const SMALL = { height: 16, minWidth: 16, px: 0.5, fontSize: 10, right: -6, top: -2 } as const;

function Count({ n }: { n: number }): ReactNode {
  return (
    <Box
      component="span"
      sx={{
        ml: 0.75,
        px: 0.75,
        borderRadius: "9px",
        fontSize: 11,
        lineHeight: "18px",
        bgcolor: "error.main",
        color: "error.contrastText",
      }}
    >
      {Math.min(n, 999)}
    </Box>
  );
}
