import { Box, ButtonBase, Typography } from "@mui/material";
import { durationText, fill, type Job, texts } from "@routewright/web";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef, useState } from "react";
import { Swatch } from "../fields/ColourField.tsx";
import { EtaText } from "../jobs/EtaText.tsx";
import { JobContextMenu, type MenuPlace } from "../jobs/JobContextMenu.tsx";
import { openDialog } from "../plan/dialogs.ts";
import { ProblemIcon } from "../plan/ProblemIcon.tsx";
import { hoverJob, selectJob, useSelection } from "../plan/selection.ts";
import { useProblems } from "../plan/use-problems.ts";
import { useUiSettings } from "../settings/ui-settings.ts";

/** Pixels. */
const ROW = 30;
const MOST_HIGH = 10 * ROW;

interface StopListProps {
  stops: readonly Job[];
  colour: string;
}

/** The stops of an opened run; where the user wants it, in a box of its own that draws only what is seen. */
export function StopList(props: StopListProps): ReactNode {
  const virtual = useUiSettings((ui) => ui["panels.runs.useJobVirtualList"]);
  return virtual ? <VirtualStops {...props} /> : <AllStops {...props} />;
}

function AllStops({ stops, colour }: StopListProps): ReactNode {
  return (
    <Box component="ol" sx={{ m: 0, p: 0, pb: 0.5, listStyle: "none" }}>
      {stops.map((job) => (
        <li key={job.id}>
          <Stop job={job} colour={colour} />
        </li>
      ))}
    </Box>
  );
}

function VirtualStops({ stops, colour }: StopListProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: stops.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    useFlushSync: false,
  });
  return (
    <Box ref={scroller} sx={{ maxHeight: MOST_HIGH, overflow: "auto" }}>
      <Box
        component="ol"
        sx={{ m: 0, p: 0, listStyle: "none", position: "relative", height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const job = stops[index];
          return job === undefined ? null : (
            <Box
              component="li"
              key={job.id}
              aria-setsize={stops.length}
              aria-posinset={index + 1}
              sx={{ position: "absolute", insetInline: 0, top: start, height: ROW }}
            >
              <Stop job={job} colour={colour} />
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

function Stop({ job, colour }: { job: Job; colour: string }): ReactNode {
  const selected = useSelection((state) => state.jobIds.has(job.id));
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const problems = useProblems().ofJob(job.id);
  return (
    <>
      <ButtonBase
        onClick={(event) => selectJob(job.id, event.ctrlKey || event.metaKey)}
        onDoubleClick={() => openDialog({ kind: "job-details", jobId: job.id })}
        onContextMenu={(event) => {
          event.preventDefault();
          setMenu({ x: event.clientX, y: event.clientY });
        }}
        onMouseEnter={() => hoverJob(job.id)}
        onMouseLeave={() => hoverJob(null)}
        sx={{
          width: "100%",
          display: "flex",
          justifyContent: "flex-start",
          gap: 1,
          px: 1.25,
          py: 0.5,
          textAlign: "left",
          bgcolor: selected ? "action.selected" : "transparent",
        }}
      >
        <Swatch colour={colour} size={8} />
        <Typography variant="caption" sx={{ width: 22, fontVariantNumeric: "tabular-nums" }}>
          {job.seq}
        </Typography>
        <Typography variant="body2" noWrap sx={{ flex: 1 }}>
          {job.uid} · {job.customer_name}
        </Typography>
        {job.wait_seconds >= 60 && (
          <Typography variant="caption" color="textSecondary" noWrap>
            {fill(texts.runs.waits, { time: durationText(job.wait_seconds) })}
          </Typography>
        )}
        <ProblemIcon problems={problems} />
        <EtaText job={job} problems={problems} />
      </ButtonBase>
      <JobContextMenu job={job} place={menu} onClose={() => setMenu(null)} />
    </>
  );
}
