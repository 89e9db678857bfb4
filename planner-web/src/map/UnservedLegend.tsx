import { Box, ButtonBase, Paper, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useMemo } from "react";
import { usePlanContext } from "../plan/context.ts";
import { unservedGroups } from "../plan/filter.ts";
import { unservedOf } from "../plan/plan.ts";
import { filterJobs, type JobFilter, useSelection } from "../plan/selection.ts";
import { useView } from "../ui/view.ts";

/** Unserved jobs by their reason; a reason shows its jobs alone, on the map and in the list. Customers are told none. */
export function UnservedLegend(): ReactNode {
  const { plan } = usePlanContext();
  const customer = useView() === "customer";
  const shown = useSelection((state) => state.jobFilter);
  const unserved = unservedOf(plan.jobs);
  const groups = useMemo(() => unservedGroups(unserved), [unserved]);
  // Before anything is planned, all are unserved and nobody asks why.
  if (customer || unserved.length === 0 || plan.runs.length === 0) return null;
  const lines = [{ filter: "unserved" as JobFilter, text: texts.map.unservedLegend, count: unserved.length }];
  return (
    <Paper
      elevation={2}
      role="group"
      aria-label={texts.map.unservedLegend}
      sx={{ maxWidth: 260, maxHeight: 190, overflow: "auto", py: 0.5, pointerEvents: "auto" }}
    >
      {[...lines, ...groups].map(({ filter, text, count }, index) => (
        <ButtonBase
          key={filter}
          aria-pressed={shown === filter}
          onClick={() => filterJobs(shown === filter ? "all" : filter)}
          sx={{
            display: "flex",
            width: "100%",
            justifyContent: "flex-start",
            gap: 1,
            px: 1.25,
            py: 0.375,
            bgcolor: shown === filter ? "action.selected" : "transparent",
            "&:hover": { bgcolor: "action.hover" },
            "&:focus-visible": { outline: "2px solid", outlineColor: "primary.main", outlineOffset: -2 },
          }}
        >
          <Box component="span" sx={{ minWidth: 28, textAlign: "right", fontVariantNumeric: "tabular-nums" }}>
            <Typography variant={index === 0 ? "subtitle2" : "caption"} component="span">
              {count}
            </Typography>
          </Box>
          <Typography variant={index === 0 ? "subtitle2" : "caption"} component="span" noWrap>
            {text}
          </Typography>
        </ButtonBase>
      ))}
    </Paper>
  );
}
