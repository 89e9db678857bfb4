import { useColorScheme } from "@mui/material/styles";
import type { ReactNode } from "react";
import { Toaster } from "sonner";

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
      style={{ fontFamily: "inherit" }}
    />
  );
}
