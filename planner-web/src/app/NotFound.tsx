import { Box, Button, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";
import { Link } from "react-router";

export function NotFound(): ReactNode {
  return (
    <Box component="main" sx={{ minHeight: "100dvh", display: "grid", placeContent: "center", gap: 2, p: 3 }}>
      <Typography component="h1" variant="h5">
        {texts.common.notFoundTitle}
      </Typography>
      <Typography color="textSecondary">{texts.common.notFound}</Typography>
      <Button variant="contained" component={Link} to="/">
        {texts.common.toMap}
      </Button>
    </Box>
  );
}
