import CloseIcon from "@mui/icons-material/Close";
import {
  Box,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  IconButton,
  useMediaQuery,
} from "@mui/material";
import { useTheme } from "@mui/material/styles";
import { texts } from "@routewright/web";
import { type ReactNode, useContext, useId } from "react";
import { DockContext } from "./dock.ts";

/** On narrow screens buttons take a second row rather than a second line. */
const ACTIONS = { flexWrap: "wrap", rowGap: 0.5, "& .MuiButton-root": { whiteSpace: "nowrap" } };

export interface DialogFrameProps {
  title: ReactNode;
  /** Pixels or per cent of the window. */
  width?: number | string;
  /** Stays open on a click outside. */
  sticky?: boolean;
  onClose: () => void;
  actions?: ReactNode;
  /** Beside the title. */
  head?: ReactNode;
  height?: string;
  children: ReactNode;
}

/** What every dialog of the planner looks like; on phones it fills the screen, beside the map it fills its place. */
export function DialogFrame(props: DialogFrameProps): ReactNode {
  const place = useContext(DockContext);
  return place === "beside" ? <Beside {...props} /> : <Over {...props} />;
}

function Over(props: DialogFrameProps): ReactNode {
  const { width = 560, sticky = false, onClose, height } = props;
  const phone = useMediaQuery(useTheme().breakpoints.down("sm"));
  const titleId = useId();
  return (
    <Dialog
      open
      fullScreen={phone}
      maxWidth={false}
      aria-labelledby={titleId}
      onClose={(_, reason) => {
        if (!sticky || reason === "escapeKeyDown") onClose();
      }}
      slotProps={{
        paper: {
          sx: {
            width: phone ? "100%" : width,
            height: phone ? undefined : height,
            maxWidth: phone ? "100%" : "96vw",
          },
        },
      }}
    >
      <Parts {...props} titleId={titleId} />
    </Dialog>
  );
}

function Beside(props: DialogFrameProps): ReactNode {
  const titleId = useId();
  return (
    <Box
      role="group"
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) props.onClose();
      }}
      sx={{ height: "100%", display: "flex", flexDirection: "column" }}
    >
      <Parts {...props} titleId={titleId} />
    </Box>
  );
}

function Parts({
  title,
  head,
  onClose,
  actions,
  children,
  titleId,
}: DialogFrameProps & { titleId: string }): ReactNode {
  return (
    <>
      <DialogTitle id={titleId} component="h2" sx={{ display: "flex", alignItems: "center", gap: 1 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>{title}</Box>
        {head}
        <IconButton aria-label={texts.common.close} edge="end" onClick={onClose}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </DialogTitle>
      {/* What opens from within is a dialog of its own. */}
      <DockContext value={null}>
        <DialogContent dividers>{children}</DialogContent>
        {actions !== undefined && <DialogActions sx={ACTIONS}>{actions}</DialogActions>}
      </DockContext>
    </>
  );
}
