import AccountIcon from "@mui/icons-material/AccountCircleOutlined";
import EventsIcon from "@mui/icons-material/BoltOutlined";
import ContainersIcon from "@mui/icons-material/Inventory2Outlined";
import PlatformIcon from "@mui/icons-material/MonitorHeartOutlined";
import ReturnsIcon from "@mui/icons-material/AssignmentReturnOutlined";
import ExpandLess from "@mui/icons-material/ExpandLess";
import ExpandMore from "@mui/icons-material/ExpandMore";
import UsersIcon from "@mui/icons-material/GroupOutlined";
import TransportIcon from "@mui/icons-material/LocalShippingOutlined";
import CostingIcon from "@mui/icons-material/PaymentsOutlined";
import DeliveryIcon from "@mui/icons-material/SearchOutlined";
import ExportsIcon from "@mui/icons-material/SimCardDownloadOutlined";
import DatabaseIcon from "@mui/icons-material/StorageOutlined";
import SettingsIcon from "@mui/icons-material/TuneOutlined";
import {
  Box,
  Collapse,
  List,
  ListItem,
  ListItemButton,
  ListItemIcon,
  ListItemText,
  Tooltip,
  type SvgIconProps,
} from "@mui/material";
import { texts, useSession } from "@routewright/web";
import { type ComponentType, useState } from "react";
import { NavLink, useLocation } from "react-router";
import { findInMenu, MENU, type MenuGroup, visibleMenu } from "./menu.ts";

export const MENU_WIDTH = 250;
export const RAIL_WIDTH = 56;

const { groups } = texts.admin.menu;
const ICONS: Record<string, ComponentType<SvgIconProps>> = {
  [groups.platform]: PlatformIcon,
  [groups.management]: UsersIcon,
  [groups.database]: DatabaseIcon,
  [groups.organisationSettings]: SettingsIcon,
  [groups.eventsAndActions]: EventsIcon,
  [groups.deliveryManagement]: DeliveryIcon,
  [groups.transportManagement]: TransportIcon,
  [groups.returns]: ReturnsIcon,
  [groups.costingManagement]: CostingIcon,
  [groups.containers]: ContainersIcon,
  [groups.exports]: ExportsIcon,
  [groups.account]: AccountIcon,
};

interface Props {
  /** Only the icons of the groups are shown. */
  collapsed: boolean;
  expand: () => void;
  /** Called when a page was chosen. */
  onChoose: () => void;
}

/** The pages that the user may open, in groups; the group of the open page is unfolded. */
export function SideMenu({ collapsed, expand, onChoose }: Props) {
  const user = useSession((state) => state.user);
  const { pathname } = useLocation();
  const current = findInMenu(MENU, pathname)?.group.label;
  const [unfolded, setUnfolded] = useState<Record<string, boolean>>({});
  return (
    <Box
      component="nav"
      aria-label={texts.admin.shell.pages}
      sx={{ flex: 1, overflowY: "auto", overflowX: "hidden", py: 1 }}
    >
      <List dense disablePadding>
        {visibleMenu(MENU, user).map((group) => (
          <Group
            key={group.label}
            group={group}
            collapsed={collapsed}
            open={!collapsed && (unfolded[group.label] ?? group.label === current)}
            current={group.label === current}
            toggle={() => {
              if (collapsed) expand();
              setUnfolded((old) => ({
                ...old,
                [group.label]: collapsed || !(old[group.label] ?? group.label === current),
              }));
            }}
            onChoose={onChoose}
          />
        ))}
      </List>
    </Box>
  );
}

interface GroupProps {
  group: MenuGroup;
  collapsed: boolean;
  open: boolean;
  current: boolean;
  toggle: () => void;
  onChoose: () => void;
}

function Group({ group, collapsed, open, current, toggle, onChoose }: GroupProps) {
  const Icon = ICONS[group.label] ?? DatabaseIcon;
  return (
    <ListItem disablePadding sx={{ display: "block" }}>
      <Tooltip title={collapsed ? group.label : ""} placement="right">
        <ListItemButton onClick={toggle} aria-expanded={open} aria-label={group.label} sx={{ minHeight: 42 }}>
          <ListItemIcon sx={{ minWidth: 36, color: current ? "#8fd3e4" : "inherit" }}>
            <Icon fontSize="small" />
          </ListItemIcon>
          {!collapsed && <ListItemText primary={group.label} slotProps={{ primary: { noWrap: true } }} />}
          {!collapsed && (open ? <ExpandLess fontSize="small" /> : <ExpandMore fontSize="small" />)}
        </ListItemButton>
      </Tooltip>
      <Collapse in={open} unmountOnExit>
        <List dense disablePadding>
          {group.items.map((item) => (
            <ListItem key={item.path} disablePadding>
              <ListItemButton
                component={NavLink}
                to={`/${item.path}`}
                onClick={onChoose}
                sx={{
                  pl: 6.5,
                  py: 0.5,
                  borderLeft: 3,
                  borderColor: "transparent",
                  "&.active": {
                    bgcolor: "rgba(143, 211, 228, 0.16)",
                    borderColor: "#8fd3e4",
                    color: "#ffffff",
                  },
                }}
              >
                <ListItemText primary={item.label} />
              </ListItemButton>
            </ListItem>
          ))}
        </List>
      </Collapse>
    </ListItem>
  );
}
