import { Paper } from "@mui/material";
import type { ReactNode } from "react";

/** Inputs of all kinds stand on the same lines, with room for their texts below. */
const FORM_STYLE = { "& form .MuiFormControl-root": { mt: 0, mb: 1.25 } };

/** What tables and forms lie on. */
export function Sheet({ children, className }: { children?: ReactNode; className?: string }) {
  return (
    <Paper variant="outlined" className={className} sx={FORM_STYLE}>
      {children}
    </Paper>
  );
}
