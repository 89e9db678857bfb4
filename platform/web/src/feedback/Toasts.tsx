import { useColorScheme } from "@mui/material/styles";
import type { CSSProperties, ReactNode } from "react";
import { Toaster } from "sonner";

/** The theme's own colours: those of the library are too pale to be read on its backgrounds. */
const STYLE = {
  fontFamily: "inherit",
  "--success-text": "var(--mui-palette-success-main)",
  "--info-text": "var(--mui-palette-info-main)",
  "--warning-text": "var(--mui-palette-warning-main)",
  "--error-text": "var(--mui-palette-error-main)",
} as CSSProperties;

/** The place where toasts appear; once per app. */
export function Toasts(): ReactNode {
  const { mode } = useColorScheme();
  return (
    <Toaster
      position="bottom-left"
      richColors
      closeButton
      theme={mode ?? "system"}
      gap={8}
      mobileOffset={{ bottom: 76 }}
      style={STYLE}
    />
  );
}
