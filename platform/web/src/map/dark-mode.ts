import { useColorScheme } from "@mui/material/styles";

/** Whether the page is dark, by the person's choice or the system's. */
export function useDarkMode(): boolean {
  const { mode, systemMode } = useColorScheme();
  return (mode === "system" ? systemMode : mode) === "dark";
}
