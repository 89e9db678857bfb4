import { Box, Tooltip } from "@mui/material";
import { clockText, type Job } from "@routewright/web";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { JobContextMenu, type MenuPlace } from "../jobs/JobContextMenu.tsx";
import { openDialog } from "../plan/dialogs.ts";
import { hoverJob, selectJob, useSelection } from "../plan/selection.ts";
import { useUiSettings } from "../settings/ui-settings.ts";
import { useView } from "../shell/view.ts";
import { startJobDrag } from "./drag.ts";
import { percentOf, type Span } from "./scale.ts";

/** Pixels below which a stop has no room for its number. */
const ROOM = 14;

interface TimelineStopProps {
  job: Job;
  colour: string;
  /** `null`: the job has no place on the axis. */
  span: Span | null;
  /** Place from 0 to 1 for a job without times. */
  fallback: number;
  draggable: boolean;
}

/** One job in the timeline. Enter opens it, `M` or the context menu moves it. */
export function TimelineStop({ job, colour, span, fallback, draggable }: TimelineStopProps): ReactNode {
  const selected = useSelection((state) => state.jobIds.has(job.id));
  const hovered = useSelection((state) => state.hoveredJobId === job.id);
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const glow = useUiSettings();
  const customer = useView() === "customer";
  const jobs = (): number[] => {
    const { jobIds } = useSelection.getState();
    return jobIds.has(job.id) ? [...jobIds] : [job.id];
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") openDialog({ kind: "job-details", jobId: job.id });
    if (event.key.toLowerCase() === "m" && draggable) openDialog({ kind: "move", jobIds: jobs() });
  };
  const status = job.visited ? (job.successful ? "#2a7d46" : "#b3261e") : colour;
  const glowShadow = `0 0 ${glow["timeline.selectedJobGlowBlurRadius"]}px ${glow["timeline.selectedJobGlowSpreadRadius"]}px ${glow["timeline.selectedJobGlowColor"]}`;
  const label = [
    job.seq,
    job.uid,
    job.customer_name,
    job.eta === null || customer ? null : clockText(job.eta, job.timezone),
  ]
    .filter((part) => part !== null)
    .join(" · ");
  return (
    <>
      <Tooltip title={label}>
        <Box
          component="button"
          type="button"
          aria-label={label}
          aria-pressed={selected}
          draggable={draggable}
          onDragStart={(event) => startJobDrag(event, jobs())}
          onClick={(event) => selectJob(job.id, event.ctrlKey || event.metaKey)}
          onDoubleClick={() => openDialog({ kind: "job-details", jobId: job.id })}
          onContextMenu={(event) => {
            event.preventDefault();
            setMenu({ x: event.clientX, y: event.clientY });
          }}
          onKeyDown={onKeyDown}
          onMouseEnter={() => hoverJob(job.id)}
          onMouseLeave={() => hoverJob(null)}
          sx={{
            ...placement(job, span, fallback),
            height: 24,
            border: "1px solid",
            borderColor: "background.paper",
            borderRadius: 1,
            bgcolor: status,
            color: "#fff",
            fontSize: 10.5,
            fontWeight: 650,
            fontFamily: "inherit",
            cursor: draggable ? "grab" : "pointer",
            zIndex: selected || hovered ? 1 : 0,
            opacity: hovered ? 1 : 0.92,
            outline: hovered ? "2px solid" : "none",
            outlineColor: "text.primary",
            boxShadow: selected ? glowShadow : "none",
            "&:focus-visible": { outline: "2px solid", outlineOffset: 1 },
          }}
        >
          <Box
            component="span"
            sx={span === null ? {} : { [`@container (max-width: ${ROOM}px)`]: { display: "none" } }}
          >
            {job.seq ?? job.uid}
          </Box>
        </Box>
      </Tooltip>
      <JobContextMenu job={job} place={menu} onClose={() => setMenu(null)} />
    </>
  );
}

function placement(job: Job, span: Span | null, fallback: number): Record<string, string | number> {
  if (span === null) return { position: "relative", px: 0.5 };
  const base = {
    position: "absolute",
    top: 8,
    p: 0,
    minWidth: 10,
    overflow: "hidden",
    containerType: "inline-size",
  };
  if (job.eta === null) return { ...base, left: `${fallback * 100}%`, width: 20 };
  const start = percentOf(Date.parse(job.eta), span);
  const width = (job.duration * 60_000) / (span.end - span.start);
  return { ...base, left: `${start}%`, width: `${width * 100}%` };
}
