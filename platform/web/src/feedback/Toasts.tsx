import { useMediaQuery } from "@mui/material";
import { useColorScheme, useTheme } from "@mui/material/styles";
import { type CSSProperties, type ReactNode, useState, useSyncExternalStore } from "react";
import { Toaster, useSonner } from "sonner";

/** The theme's own colours: those of the library are too pale to be read on its backgrounds. */
const STYLE = {
  fontFamily: "inherit",
  "--success-text": "var(--mui-palette-success-main)",
  "--info-text": "var(--mui-palette-info-main)",
  "--warning-text": "var(--mui-palette-warning-main)",
  "--error-text": "var(--mui-palette-error-main)",
} as CSSProperties;

/** Pixels from the lower edge on a phone: above the navigation, and above three rows of a dialog's buttons. */
const ABOVE_NAVIGATION = 76;
const ABOVE_BUTTONS = 140;

/**
 * The place where toasts appear, once per app: below on the left; beside a dialog below in the middle, where wide ones
 * have neither head nor buttons and others end above.
 */
export function Toasts(): ReactNode {
  const { mode } = useColorScheme();
  const phone = useMediaQuery(useTheme().breakpoints.down("sm"));
  const aside = useAside();
  return (
    <Toaster
      position={aside && !phone ? "bottom-center" : "bottom-left"}
      richColors
      closeButton
      theme={mode ?? "system"}
      gap={8}
      offset={aside ? { bottom: 4 } : {}}
      mobileOffset={{ bottom: aside ? ABOVE_BUTTONS : ABOVE_NAVIGATION }}
      style={STYLE}
    />
  );
}

/** While a dialog is open, and until what was said over it is gone: toasts do not jump when it closes. */
function useAside(): boolean {
  const open = useSyncExternalStore(watchDialogs, dialogOpen);
  const { toasts } = useSonner();
  const [aside, setAside] = useState(open);
  const next = open || (aside && toasts.length > 0);
  if (next !== aside) setAside(next);
  return next;
}

function dialogOpen(): boolean {
  return document.querySelector(".MuiDialog-root") !== null;
}

/** Dialogs are children of the body, whichever part of the app opens them. */
function watchDialogs(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { childList: true });
  return () => observer.disconnect();
}
