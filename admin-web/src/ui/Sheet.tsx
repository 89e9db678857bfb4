import { Paper } from "@mui/material";
import type { ReactNode } from "react";

/**
 * Inputs of all kinds stand on the same lines, with room for their texts below. What is wider than a phone scrolls within
 * the sheet.
 */
const FORM_STYLE = { minWidth: 0, "& form .MuiFormControl-root": { mt: 0, mb: 1.25 } };

/** What tables and forms lie on. */
export function Sheet({ children, className }: { children?: ReactNode; className?: string }) {
  return (
    <Paper variant="outlined" className={className} sx={FORM_STYLE}>
      {children}
    </Paper>
  );
}
