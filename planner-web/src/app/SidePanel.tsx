import { Box } from "@mui/material";
import type { ReactNode } from "react";
import { DriversPanel } from "../drivers/DriversPanel.tsx";
import { JobsPanel } from "../jobs/JobsPanel.tsx";
import { ExceptionsPanel } from "../live/ExceptionsPanel.tsx";
import { useSelection } from "../plan/selection.ts";
import { RunsPanel } from "../runs/RunsPanel.tsx";
import { EmptyDay } from "./EmptyDay.tsx";

const PANELS = { jobs: JobsPanel, runs: RunsPanel, drivers: DriversPanel, exceptions: ExceptionsPanel };

export function SidePanel({ phone }: { phone: boolean }): ReactNode {
  const panel = useSelection((state) => state.panel);
  if (panel === null) return null;
  const Panel = PANELS[panel];
  return (
    <Box
      component="aside"
      sx={{
        position: "relative",
        flex: phone ? 1 : "none",
        minHeight: 0,
        width: phone ? "auto" : 400,
        display: "flex",
        flexDirection: "column",
        bgcolor: "background.paper",
        borderRight: phone ? 0 : 1,
        borderColor: "divider",
      }}
    >
      <Panel />
      {phone && panel === "jobs" && <EmptyDay />}
    </Box>
  );
}
