import ChevronLeft from "@mui/icons-material/ChevronLeft";
import ChevronRight from "@mui/icons-material/ChevronRight";
import { Box, Drawer, IconButton, Typography } from "@mui/material";
import { ErrorBoundary, LicencesLink, Mark, OrganisationBanner, texts, useWidth } from "@routewright/web";
import { type ReactNode, Suspense, useState } from "react";
import { Loading, SkipNavigationButton, TitlePortal, useStore } from "react-admin";
import { useLocation } from "react-router";
import { Header } from "./Header.tsx";
import { Question } from "../ui/Question.tsx";
import { MENU_WIDTH, RAIL_WIDTH, SideMenu } from "./SideMenu.tsx";

const DARK = "#14222b";

/** The frame of every page: dark side menu, header, banner of a foreign organisation, page, footer. */
export function Shell({ children }: { children: ReactNode }) {
  const width = useWidth();
  const [wanted, setWanted] = useStore("menu.open", true);
  const [overlay, setOverlay] = useState(false);
  const { pathname } = useLocation();
  // Tablet and mobile start collapsed: there the menu lies over the page while it is needed.
  const open = width === "desktop" ? wanted : overlay;
  const setOpen = width === "desktop" ? setWanted : setOverlay;
  const rail = !open && width !== "mobile";

  return (
    <Box sx={{ display: "flex", minHeight: "100vh", bgcolor: "background.default", color: "text.primary" }}>
      <SkipNavigationButton />
      {width === "desktop" && <Side collapsed={rail} setOpen={setOpen} onChoose={() => undefined} fixed />}
      {width === "tablet" && <Side collapsed setOpen={setOpen} onChoose={() => setOverlay(false)} fixed />}
      {width !== "desktop" && (
        <Drawer open={overlay} onClose={() => setOverlay(false)} slotProps={{ paper: { sx: { border: 0 } } }}>
          <Side collapsed={false} setOpen={setOpen} onChoose={() => setOverlay(false)} />
        </Drawer>
      )}
      <Box sx={{ flex: 1, minWidth: 0, display: "flex", flexDirection: "column" }}>
        <OrganisationBanner />
        <Header menuOpen={open} toggleMenu={() => setOpen(!open)} />
        <Box component="main" id="main-content" sx={{ flex: 1, minWidth: 0, px: { xs: 1.5, md: 3 }, py: 2 }}>
          <Typography variant="h5" component="h1">
            <TitlePortal variant="inherit" component="span" />
          </Typography>
          <ErrorBoundary key={pathname}>
            <Suspense fallback={<Loading />}>{children}</Suspense>
          </ErrorBoundary>
          <Question />
        </Box>
        <Box
          component="footer"
          sx={{
            px: 3,
            py: 1.5,
            display: "flex",
            gap: 2,
            alignItems: "baseline",
            color: "text.secondary",
            borderTop: 1,
            borderColor: "divider",
          }}
        >
          <Typography variant="caption">{`Routewright · ${new Date().getFullYear()}`}</Typography>
          <LicencesLink />
        </Box>
      </Box>
    </Box>
  );
}

interface SideProps {
  collapsed: boolean;
  setOpen: (open: boolean) => void;
  onChoose: () => void;
  fixed?: boolean;
}

function Side({ collapsed, setOpen, onChoose, fixed = false }: SideProps) {
  const width = collapsed ? RAIL_WIDTH : MENU_WIDTH;
  return (
    <Box
      sx={{
        width,
        flexShrink: 0,
        height: "100vh",
        position: fixed ? "sticky" : "static",
        top: 0,
        display: "flex",
        flexDirection: "column",
        bgcolor: DARK,
        color: "#cfdbe2",
        transition: "width 150ms",
        "& .MuiListItemIcon-root": { color: "inherit" },
      }}
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.25, px: 1.75, height: 48, flexShrink: 0 }}>
        <Mark size={28} />
        {!collapsed && (
          <Typography sx={{ fontWeight: 650, color: "#ffffff" }}>{texts.admin.shell.product}</Typography>
        )}
      </Box>
      <SideMenu collapsed={collapsed} expand={() => setOpen(true)} onChoose={onChoose} />
      <IconButton
        aria-label={collapsed ? texts.admin.shell.expandMenu : texts.admin.shell.collapseMenu}
        onClick={() => setOpen(collapsed)}
        sx={{ alignSelf: collapsed ? "center" : "flex-end", m: 1, color: "inherit" }}
      >
        {collapsed ? <ChevronRight /> : <ChevronLeft />}
      </IconButton>
    </Box>
  );
}
