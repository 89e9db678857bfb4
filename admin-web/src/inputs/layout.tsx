import { Box, Typography } from "@mui/material";
import type { ReactNode } from "react";

/** Inputs side by side where there is room, one below the other where there is not. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        display: "grid",
        width: "100%",
        columnGap: 2,
        gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(auto-fit, minmax(0, 1fr))" },
        gridAutoFlow: { xs: "row", md: "column" },
        gridAutoColumns: { md: "minmax(0, 1fr)" },
      }}
    >
      {children}
    </Box>
  );
}

/** Inputs that belong together, under a heading. */
export function Group({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <Box component="section" sx={{ width: "100%", mb: 2 }}>
      <Typography variant="subtitle1" component="h3" sx={{ fontWeight: 600, mb: note ? 0 : 1 }}>
        {title}
      </Typography>
      {note && (
        <Typography variant="body2" color="text.secondary" sx={{ mb: 1 }}>
          {note}
        </Typography>
      )}
      {children}
    </Box>
  );
}
