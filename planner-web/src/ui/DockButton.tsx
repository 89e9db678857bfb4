import OverIcon from "@mui/icons-material/OpenInFull";
import BesideIcon from "@mui/icons-material/VerticalSplitOutlined";
import { IconButton, Tooltip } from "@mui/material";
import { texts, useWidth } from "@routewright/web";
import { type ReactNode, useContext } from "react";
import { dock, DockContext } from "./dock.ts";
import { useLeave } from "./unsaved.tsx";

/** Puts details beside the map, or over it again; where typing would be lost it asks. */
export function DockButton(): ReactNode {
  const place = useContext(DockContext);
  const roomy = useWidth() === "desktop";
  const leave = useLeave();
  if (place === null || !roomy) return null;
  const beside = place === "over";
  const label = beside ? texts.map.showBeside : texts.map.showOver;
  const Icon = beside ? BesideIcon : OverIcon;
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={() => leave(() => dock(beside))}>
        <Icon fontSize="small" />
      </IconButton>
    </Tooltip>
  );
}
