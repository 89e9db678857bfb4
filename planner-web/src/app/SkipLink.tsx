import { Box } from "@mui/material";
import { texts } from "@routewright/web";
import type { ReactNode } from "react";

/** Where the link leads. */
export const MAIN_ID = "main";

/** The first stop of the Tab key, seen only there: past bar and lists to the map. */
export function SkipLink(): ReactNode {
  return (
    <Box
      component="a"
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        // The address belongs to the router.
        event.preventDefault();
        document.getElementById(MAIN_ID)?.focus();
      }}
      sx={{
        position: "absolute",
        zIndex: "tooltip",
        left: 8,
        top: -80,
        px: 2,
        py: 1,
        borderRadius: 1,
        bgcolor: "background.paper",
        color: "text.primary",
        boxShadow: 3,
        "&:focus": { top: 8 },
      }}
    >
      {texts.commands.toMap}
    </Box>
  );
}
