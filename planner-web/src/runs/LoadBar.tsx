import { Box, LinearProgress, Typography } from "@mui/material";
import { fill, type Job, type Run, texts } from "@routewright/web";
import { type ReactNode, useMemo } from "react";
import { usePlanContext } from "../plan/context.ts";
import { Links } from "../plan/links.ts";
import { loadsOf } from "../plan/load.ts";
import { useProblemTerms } from "../plan/use-problems.ts";

/** What a run carries of what it can; nothing where it is not limited. */
export function LoadBar({ run, stops }: { run: Run; stops: readonly Job[] }): ReactNode {
  const { plan } = usePlanContext();
  const terms = useProblemTerms();
  const loads = useMemo(() => {
    const links = new Links(terms.mode === "on_board" ? plan.jobs : []);
    return loadsOf(run, stops, terms, links);
  }, [run, stops, terms, plan.jobs]);
  return loads.map((load) => {
    const text = fill(texts.runs.load, { ...load, key: load.key === "size" ? "" : load.key }).trim();
    const over = load.value > load.limit;
    return (
      <Box key={load.key} sx={{ display: "flex", alignItems: "center", gap: 1 }}>
        <LinearProgress
          role="meter"
          variant="determinate"
          aria-label={text}
          color={over ? "error" : "primary"}
          value={load.limit === 0 ? 100 : Math.min(100, (100 * load.value) / load.limit)}
          sx={{ width: 64, flex: "none", height: 5, borderRadius: 1 }}
        />
        <Typography variant="caption" color={over ? "error" : "textSecondary"} noWrap>
          {over ? `! ${text}` : text}
        </Typography>
      </Box>
    );
  });
}
