import type { CSSProperties, ReactNode } from "react";
import { Toaster } from "sonner";

/** Legible on the backgrounds that the library gives them. */
const STYLE = {
  fontFamily: "inherit",
  "--success-text": "var(--mui-palette-success-main)",
  "--info-text": "var(--mui-palette-info-main)",
  "--warning-text": "var(--mui-palette-warning-main)",
  "--error-text": "var(--mui-palette-error-main)",
} as CSSProperties;

/** The place where toasts appear on pages without the apps' theme. */
export function PlainToasts({ dark }: { dark: boolean }): ReactNode {
  return (
    <Toaster
      position="bottom-center"
      richColors
      closeButton
      theme={dark ? "dark" : "light"}
      gap={8}
      style={STYLE}
    />
  );
}
