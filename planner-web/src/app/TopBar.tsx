import { AppBar, Box, Toolbar, Tooltip, Typography, useMediaQuery } from "@mui/material";
import { useTheme } from "@mui/material/styles";
import { Mark } from "@routewright/web";
import type { ReactNode } from "react";
import { ScenarioPicker } from "../scenarios/ScenarioPicker.tsx";
import { StageTabs } from "../scenarios/StageTabs.tsx";
import { ProblemsButton } from "../doctor/ProblemsButton.tsx";
import { Actions } from "./Actions.tsx";
import { Presence } from "./Presence.tsx";
import { UserMenu } from "./UserMenu.tsx";
import { useView, VIEW_TITLES } from "../ui/view.ts";

export function TopBar(): ReactNode {
  const view = useView();
  const title = VIEW_TITLES[view];
  const narrow = useMediaQuery(useTheme().breakpoints.down("md"));
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
        <Tooltip title="Routewright">
          <Box sx={{ display: "flex" }}>
            <Mark size={28} />
          </Box>
        </Tooltip>
        {title !== undefined && (
          <Typography component="h1" variant="subtitle1" noWrap>
            {title}
          </Typography>
        )}
        <ScenarioPicker />
        {!narrow && <StageTabs />}
        <Box sx={{ flex: 1 }} />
        <Presence />
        {view !== "customer" && <ProblemsButton />}
        {!narrow && <Actions />}
        <UserMenu />
        {narrow && (
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
