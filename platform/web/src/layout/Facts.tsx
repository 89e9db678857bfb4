import { Box, Typography } from "@mui/material";
import { Fragment, type ReactNode } from "react";

export type Fact = readonly [label: string, value: ReactNode];

/** Labels and values in two columns; absent values show a dash. */
export function Facts({ facts }: { facts: readonly Fact[] }): ReactNode {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: "grid",
        gridTemplateColumns: "minmax(120px, auto) 1fr",
        columnGap: 2,
        rowGap: 0.75,
      }}
    >
      {facts.map(([label, value], index) => (
        <Fragment key={`${index}-${label}`}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {label}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ m: 0, overflowWrap: "anywhere" }}>
            {value === null || value === undefined || value === "" ? "–" : value}
          </Typography>
        </Fragment>
      ))}
    </Box>
  );
}
