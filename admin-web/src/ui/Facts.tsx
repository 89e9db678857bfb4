import { Box, Typography } from "@mui/material";
import type { ReactNode } from "react";

/** Read-only values side by side. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Box
      component="dl"
      sx={{
        display: "grid",
        gridTemplateColumns: "repeat(auto-fill, minmax(170px, 1fr))",
        gap: 2,
        m: 0,
        mb: 3,
        width: "100%",
      }}
    >
      {children}
    </Box>
  );
}

/** One read-only value under its name. */
export function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <Typography component="dt" variant="caption" color="text.secondary">
        {name}
      </Typography>
      <Typography component="dd" sx={{ m: 0, fontVariantNumeric: "tabular-nums" }}>
        {value ?? "–"}
      </Typography>
    </div>
  );
}
