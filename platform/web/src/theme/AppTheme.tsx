import CssBaseline from "@mui/material/CssBaseline";
import { ThemeProvider } from "@mui/material/styles";
import type { ReactNode } from "react";
import { theme } from "./theme.ts";

/** Theme of the whole app; light or dark as the system says unless the user chose. */
export function AppTheme({ children }: { children: ReactNode }): ReactNode {
  return (
    <ThemeProvider theme={theme} defaultMode="system" noSsr>
      <CssBaseline enableColorScheme />
      {children}
    </ThemeProvider>
  );
}
