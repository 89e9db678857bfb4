import { AppBar, Box, Toolbar, Tooltip, Typography } from "@mui/material";
import { Mark, useWidth } from "@routewright/web";
import type { ReactNode } from "react";
import { ScenarioPicker } from "../scenarios/ScenarioPicker.tsx";
import { DayButtons } from "../scenarios/DayButtons.tsx";
import { StageTabs } from "../scenarios/StageTabs.tsx";
import { UndeliveredButton } from "../dispatch/UndeliveredButton.tsx";
import { ProblemsButton } from "../doctor/ProblemsButton.tsx";
import { Actions } from "./Actions.tsx";
import { Presence } from "./Presence.tsx";
import { Sections, useSections } from "./Sections.tsx";
import { StepButtons } from "./StepButtons.tsx";
import { UserMenu } from "./UserMenu.tsx";
import { useView, VIEW_TITLES } from "../ui/view.ts";

/** Where there is no room the title is for those who listen to the page. */
const HEARD = {
  position: "absolute",
  width: "1px",
  height: "1px",
  overflow: "hidden",
  clipPath: "inset(50%)",
} as const;

/** The name of the day is as long as there is room for it. */
const FIRST_ROW = { display: "flex", alignItems: "center", gap: 1.5, width: "100%", minWidth: 0 } as const;

export function TopBar(): ReactNode {
  const view = useView();
  const title = VIEW_TITLES[view];
  const sections = useSections();
  const narrow = useWidth() !== "desktop";
  return (
    <AppBar
      position="static"
      color="default"
      elevation={0}
      sx={{ bgcolor: "background.paper", borderBottom: 1, borderColor: "divider" }}
    >
      <Toolbar
        variant="dense"
        disableGutters
        sx={{ px: 1.5, gap: 1.5, minHeight: 52, flexWrap: narrow ? "wrap" : "nowrap", py: narrow ? 0.5 : 0 }}
      >
        <Box sx={narrow ? FIRST_ROW : { display: "contents" }}>
          <Tooltip title="Routewright">
            <Box sx={{ display: "flex" }}>
              <Mark size={28} />
            </Box>
          </Tooltip>
          {title !== undefined && (
            <Typography component="h1" variant="subtitle1" noWrap sx={sections && narrow ? HEARD : {}}>
              {title}
            </Typography>
          )}
          {sections && !narrow && <Sections />}
          <ScenarioPicker />
          {!narrow && <DayButtons />}
          {!narrow && view !== "live" && <StageTabs />}
          <Box sx={{ flex: 1 }} />
          <Presence />
          {sections && narrow && <Sections />}
          {view !== "customer" && <UndeliveredButton />}
          {view !== "customer" && <ProblemsButton />}
          <StepButtons />
          {!narrow && <Actions />}
          <UserMenu />
        </Box>
        {narrow && view !== "live" && (
          <Box
            sx={{
              display: "flex",
              width: "100%",
              alignItems: "center",
              gap: 1,
              justifyContent: "space-between",
            }}
          >
            <StageTabs />
            <Actions compact />
          </Box>
        )}
      </Toolbar>
    </AppBar>
  );
}
