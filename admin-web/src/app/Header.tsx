import MapIcon from "@mui/icons-material/MapOutlined";
import MenuIcon from "@mui/icons-material/Menu";
import { AppBar, Box, Button, IconButton, Toolbar } from "@mui/material";
import { useSession, texts } from "@routewright/web";
import { LoadingIndicator } from "react-admin";
import { ErrorState } from "./ErrorState.tsx";
import { Breadcrumb } from "./Breadcrumb.tsx";
import { switchLink } from "./switchLink.ts";
import { UserPopover } from "./UserPopover.tsx";

/** Menu button, where one is, the way to the other views, and the user. */
export function Header({ toggleMenu, menuOpen }: { toggleMenu: () => void; menuOpen: boolean }) {
  const user = useSession((state) => state.user);
  const other = switchLink(user);
  return (
    <AppBar
      position="sticky"
      color="default"
      elevation={0}
      sx={{ borderBottom: 1, borderColor: "divider", bgcolor: "background.paper", backgroundImage: "none" }}
    >
      <Toolbar variant="dense" sx={{ gap: 1, minWidth: 0 }}>
        <IconButton
          edge="start"
          aria-label={menuOpen ? texts.admin.shell.closeMenu : texts.admin.shell.openMenu}
          onClick={toggleMenu}
        >
          <MenuIcon />
        </IconButton>
        <Box sx={{ flex: 1, minWidth: 0, overflow: "hidden" }}>
          <Breadcrumb />
        </Box>
        <ErrorState />
        <LoadingIndicator />
        {other && (
          <Button href={other.href} startIcon={<MapIcon />} color="inherit" sx={{ whiteSpace: "nowrap" }}>
            {other.text}
          </Button>
        )}
        <UserPopover />
      </Toolbar>
    </AppBar>
  );
}
