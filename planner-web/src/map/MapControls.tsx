import AddIcon from "@mui/icons-material/Add";
import FitIcon from "@mui/icons-material/FitScreenOutlined";
import RemoveIcon from "@mui/icons-material/Remove";
import LassoIcon from "@mui/icons-material/HighlightAltOutlined";
import LayersIcon from "@mui/icons-material/LayersOutlined";
import { ButtonGroup, IconButton, Paper, Popover, Tooltip } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { zoomBy } from "./fit.ts";
import { MapSettingsForm } from "./MapSettingsForm.tsx";

interface MapControlsProps {
  onFit: () => void;
  /** A line is being drawn around jobs. */
  lassoing?: boolean;
  /** Begins or ends it; absent where there is nothing to mark. */
  onLasso?: (() => void) | undefined;
}

/** Buttons on the map. */
export function MapControls({ onFit, lassoing = false, onLasso }: MapControlsProps): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const buttons = [
    { label: texts.map.zoomIn, Icon: AddIcon, act: () => zoomBy(1) },
    { label: texts.map.zoomOut, Icon: RemoveIcon, act: () => zoomBy(-1) },
    { label: texts.map.zoomToFit, Icon: FitIcon, act: onFit },
  ];
  return (
    <Paper variant="outlined" sx={{ position: "absolute", top: 12, right: 12, zIndex: 400 }}>
      <ButtonGroup orientation="vertical" aria-label={texts.map.label}>
        {buttons.map(({ label, Icon, act }) => (
          <Tooltip key={label} title={label} placement="left">
            <IconButton aria-label={label} onClick={act}>
              <Icon fontSize="small" />
            </IconButton>
          </Tooltip>
        ))}
        {onLasso !== undefined && (
          <Tooltip title={texts.map.lasso} placement="left">
            <IconButton
              aria-label={texts.map.lasso}
              aria-pressed={lassoing}
              color={lassoing ? "primary" : "default"}
              onClick={onLasso}
            >
              <LassoIcon fontSize="small" />
            </IconButton>
          </Tooltip>
        )}
        <Tooltip title={texts.map.settings} placement="left">
          <IconButton aria-label={texts.map.settings} onClick={(event) => setAnchor(event.currentTarget)}>
            <LayersIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      </ButtonGroup>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: "top", horizontal: "left" }}
        transformOrigin={{ vertical: "top", horizontal: "right" }}
      >
        <MapSettingsForm />
      </Popover>
    </Paper>
  );
}
