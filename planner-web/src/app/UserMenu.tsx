import AccountIcon from "@mui/icons-material/AccountCircleOutlined";
import { Box, Divider, IconButton, MenuItem, MenuList, Popover, Tooltip, Typography } from "@mui/material";
import {
  ColourModeSwitch,
  hasPlainAccess,
  holds,
  signOut,
  texts,
  useMayRehearse,
  useSession,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import { resetMapView } from "../map/fit.ts";
import { closeAllDialogs, openDialog } from "../plan/dialogs.ts";
import { clearSelection } from "../plan/selection.ts";
import { startTutorial } from "../tutorial/state.ts";

/** Menu of the signed-in user. */
export function UserMenu(): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const user = useSession((state) => state.user);
  const { enter: rehearses } = useMayRehearse();
  const navigate = useNavigate();
  const plain = hasPlainAccess(user);
  const close = (): void => setAnchor(null);
  // The next person does not begin in this person's scenario.
  const leaveProduct = (): void => {
    closeAllDialogs();
    clearSelection();
    void navigate("/", { replace: true });
    signOut();
  };
  const learn = (): void => {
    void navigate("/");
    startTutorial();
  };
  const go = (path: string) => () => void navigate(path);
  // The dashboard is another app: leave this one.
  const leave = (path: string) => () => window.location.assign(path);
  const views = [
    { label: texts.map.menu.map, act: go("/"), shown: plain },
    { label: texts.map.menu.liveOverview, act: go("/liveview"), shown: holds(user, "live_overview_read") },
    {
      label: texts.map.menu.customerView,
      act: go("/customerview"),
      shown: holds(user, "customer_view_read"),
    },
  ];
  const account = [
    { label: texts.map.menu.admin, act: leave("/dashboard/account"), shown: plain },
    { label: texts.map.menu.account, act: leave("/dashboard/account"), shown: plain },
    { label: texts.map.menu.uiSettings, act: () => openDialog({ kind: "ui-settings" }), shown: plain },
    { label: texts.map.menu.accountSetup, act: () => openDialog({ kind: "account-settings" }), shown: plain },
  ];
  const tools = [
    { label: texts.commands.open, act: () => openDialog({ kind: "commands" }), shown: plain },
    { label: texts.map.resetView, act: resetMapView, shown: true },
    {
      label: texts.map.menu.territoryBuilder,
      act: go("/territory-builder"),
      shown: holds(user, "territories_read"),
    },
    { label: texts.map.menu.tutorial, act: learn, shown: plain },
    { label: texts.rehearsal.offer, act: () => openDialog({ kind: "rehearsal" }), shown: rehearses },
  ];
  const groups = [views, account, tools, [{ label: texts.session.logOut, act: leaveProduct, shown: true }]]
    .map((group) => group.filter(({ shown }) => shown))
    .filter((group) => group.length > 0);
  return (
    <>
      <Tooltip title={user?.email ?? ""}>
        <IconButton aria-label={texts.map.menu.open} onClick={(event) => setAnchor(event.currentTarget)}>
          <AccountIcon />
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
        transformOrigin={{ vertical: "top", horizontal: "right" }}
      >
        <Box sx={{ px: 2, py: 1 }}>
          <Typography variant="subtitle2" component="p">
            {user?.email}
          </Typography>
          <Typography variant="caption" color="textSecondary">
            {user?.organisation.name} · {user?.role.name}
          </Typography>
        </Box>
        <Box sx={{ px: 2, pb: 1 }}>
          <ColourModeSwitch />
        </Box>
        <Divider />
        <MenuList autoFocusItem aria-label={texts.map.menu.open}>
          {groups.flatMap((group, index) => [
            ...(index === 0 ? [] : [<Divider key={`before-${index}`} component="li" />]),
            ...group.map(({ label, act }) => (
              <MenuItem
                key={label}
                onClick={() => {
                  close();
                  act();
                }}
              >
                {label}
              </MenuItem>
            )),
          ])}
        </MenuList>
      </Popover>
    </>
  );
}
