import { Box, Typography } from "@mui/material";
import { fill, type Job, texts } from "@routewright/web";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { labelOf, statusColour } from "./labels.ts";
import { LABEL, ROW } from "./look.ts";
import { useTimeline } from "./state.ts";
import { Stop } from "./Stop.tsx";

/** Pixels of a job and the gap beside it. */
const CHIP = 72;

/** Jobs without a run, all of them, as a place to drag from and to; it stays in sight below the runs. */
export function UnservedRow({ jobs, editable }: { jobs: readonly Job[]; editable: boolean }): ReactNode {
  const over = useTimeline((state) => state.over !== null && state.over.runId === null);
  const scroller = useRef<HTMLDivElement>(null);
  const active = useTimeline((state) => jobs.findIndex(({ id }) => id === state.activeId));
  const chips = useVirtualizer({
    horizontal: true,
    count: jobs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CHIP,
    overscan: 4,
    useFlushSync: false,
  });
  const { scrollToIndex } = chips;
  useEffect(() => {
    if (active >= 0) scrollToIndex(active);
  }, [active, scrollToIndex]);
  return (
    <Box
      role="group"
      aria-label={texts.runs.unserved}
      data-unserved
      className={over ? "over" : ""}
      sx={{
        flex: "none",
        display: "flex",
        height: ROW + 12,
        borderTop: 1,
        borderColor: "divider",
        bgcolor: "background.default",
        "&.over": { bgcolor: "action.selected" },
      }}
    >
      <Box sx={{ width: LABEL, flex: "none", px: 1.5, pt: 0.5, borderRight: 1, borderColor: "divider" }}>
        <Typography variant="subtitle2">{texts.runs.unserved}</Typography>
        <Typography variant="caption" color="textSecondary" component="div" sx={{ mt: -0.5 }}>
          {fill(texts.runs.jobsCount, { n: jobs.length })}
        </Typography>
      </Box>
      <Box
        ref={scroller}
        className="chips"
        sx={{ flex: 1, minWidth: 0, overflowX: "auto", overflowY: "hidden" }}
      >
        <Box sx={{ position: "relative", height: ROW, width: chips.getTotalSize() }}>
          {chips.getVirtualItems().map(({ index, start }) => {
            const job = jobs[index];
            return job === undefined ? null : (
              <Stop
                key={job.id}
                id={job.id}
                label={labelOf(job, [], true)}
                text={job.uid}
                colour={statusColour(job, job.colour)}
                mark={null}
                draggable={editable}
                left={`${start + 6}px`}
                width={`${CHIP - 6}px`}
              />
            );
          })}
        </Box>
      </Box>
    </Box>
  );
}
