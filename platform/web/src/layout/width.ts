import { useMediaQuery } from "@mui/material";

/** Widest tablet and widest mobile window, in pixels. */
const TABLET_MOST = 1220;
const MOBILE_MOST = 767;

export type Width = "desktop" | "tablet" | "mobile";

/** Kind of window: over 1220 is desktop, over 767 tablet, otherwise mobile. */
export function widthOf(pixels: number): Width {
  if (pixels > TABLET_MOST) return "desktop";
  return pixels > MOBILE_MOST ? "tablet" : "mobile";
}

/** Kind of this window; changes with it. */
export function useWidth(): Width {
  const desktop = useMediaQuery(`(min-width: ${TABLET_MOST + 1}px)`, { noSsr: true });
  const tablet = useMediaQuery(`(min-width: ${MOBILE_MOST + 1}px)`, { noSsr: true });
  return desktop ? "desktop" : tablet ? "tablet" : "mobile";
}
