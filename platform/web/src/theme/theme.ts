import "@fontsource-variable/inter/index.css";
import { createTheme } from "@mui/material/styles";

const FONT = '"Inter Variable", "Inter", "Segoe UI", "Helvetica Neue", Arial, sans-serif';

/** One theme for both apps: quiet surfaces, one accent, dense but legible controls. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: "data-mui-color-scheme" },
  colorSchemes: {
    light: {
      palette: {
        primary: { main: "#0f5f74", contrastText: "#ffffff" },
        secondary: { main: "#3d5568" },
        success: { main: "#2a7d46" },
        warning: { main: "#a85b00" },
        error: { main: "#b3261e" },
        info: { main: "#1f6fb2" },
        background: { default: "#f3f5f6", paper: "#ffffff" },
        text: { primary: "#16222a", secondary: "#50616d" },
        divider: "#dbe1e5",
      },
    },
    dark: {
      palette: {
        primary: { main: "#6fc3d8", contrastText: "#06222b" },
        secondary: { main: "#a9bccb" },
        success: { main: "#72c48d" },
        warning: { main: "#e6a54e" },
        error: { main: "#f2857d" },
        info: { main: "#7db8ea" },
        background: { default: "#10171c", paper: "#182127" },
        text: { primary: "#e7edf1", secondary: "#a3b3be" },
        divider: "#2c3941",
      },
    },
  },
  shape: { borderRadius: 6 },
  typography: {
    fontFamily: FONT,
    fontSize: 13,
    htmlFontSize: 16,
    h5: { fontSize: "1.25rem", fontWeight: 650, letterSpacing: "-0.01em" },
    h6: { fontSize: "1.05rem", fontWeight: 650, letterSpacing: "-0.005em" },
    subtitle1: { fontSize: "0.95rem", fontWeight: 600 },
    subtitle2: { fontSize: "0.8125rem", fontWeight: 600 },
    body1: { fontSize: "0.875rem" },
    body2: { fontSize: "0.8125rem" },
    caption: { fontSize: "0.75rem" },
    button: { textTransform: "none", fontWeight: 600 },
  },
  components: {
    MuiButton: { defaultProps: { size: "small", disableElevation: true } },
    MuiIconButton: { defaultProps: { size: "small" } },
    MuiTextField: { defaultProps: { size: "small", fullWidth: true } },
    MuiFormControl: { defaultProps: { size: "small" } },
    MuiAutocomplete: { defaultProps: { size: "small" } },
    MuiCheckbox: {
      defaultProps: {
        size: "small",
        // A name given to the checkbox belongs to its input: the span around it has no role.
        slotProps: {
          root: { "aria-label": undefined },
          input: (checkbox) => ({ "aria-label": (checkbox as { "aria-label"?: string })["aria-label"] }),
        },
      },
    },
    MuiSwitch: { defaultProps: { size: "small" } },
    MuiTable: { defaultProps: { size: "small" } },
    MuiChip: { defaultProps: { size: "small" } },
    MuiList: { defaultProps: { dense: true } },
    MuiPaper: { styleOverrides: { root: { backgroundImage: "none" } } },
    MuiDialogTitle: {
      styleOverrides: { root: { fontSize: "1.05rem", fontWeight: 650, padding: "14px 20px" } },
    },
    MuiDialogContent: { styleOverrides: { root: { padding: "16px 20px" } } },
    MuiDialogActions: { styleOverrides: { root: { padding: "12px 20px" } } },
    MuiTab: { styleOverrides: { root: { minHeight: 40, textTransform: "none", fontWeight: 600 } } },
    MuiTabs: { styleOverrides: { root: { minHeight: 40 } } },
    MuiTableCell: { styleOverrides: { head: { fontWeight: 600, whiteSpace: "nowrap" } } },
    MuiTooltip: { defaultProps: { arrow: true, enterDelay: 400 } },
  },
});

/** Colours given to runs in turn. */
export const ROUTE_PALETTE = [
  "#e6194b",
  "#3cb44b",
  "#4363d8",
  "#f58231",
  "#911eb4",
  "#008080",
  "#9a6324",
  "#800000",
  "#808000",
  "#000075",
  "#f032e6",
] as const;

/** Colour of a job that has none of its own. */
export const JOB_COLOUR = "#34495e";
