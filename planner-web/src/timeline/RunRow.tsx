import { Typography } from "@mui/material";
import { fill, type Job, type Run, texts, useSession } from "@routewright/web";
import { memo, type ReactNode, useMemo } from "react";
import { DriverName } from "../plan/DriverName.tsx";
import { openDialog } from "../plan/dialogs.ts";
import { markOf } from "../plan/problem-mark.ts";
import type { Problem } from "../plan/problems.ts";
import { StraightLinesMark } from "../plan/StraightLines.tsx";
import { useSelection } from "../plan/selection.ts";
import { RunMenu } from "../runs/RunMenu.tsx";
import { labelOf, statusColour } from "./labels.ts";
import { LEAST, MARGIN } from "./look.ts";
import { type Piece, type PieceKind, piecesOf } from "../plan/pieces.ts";
import { percentOf, type Span } from "./scale.ts";
import { useTimeline } from "./state.ts";
import { Stop } from "./Stop.tsx";

export interface RunRowProps {
  run: Run;
  stops: readonly Job[];
  /** Those of the run and its stops. */
  problems: readonly Problem[];
  /** `null`: places tell the order alone, no times. */
  span: Span | null;
  /** Pixels of the whole span. */
  width: number;
  /** What can be seen of the span, per cent. */
  from: number;
  to: number;
  hours: string;
  editable: boolean;
}

/** One run over the time axis. */
export const RunRow = memo(function RunRow(props: RunRowProps): ReactNode {
  const { run, stops, span, width, hours } = props;
  const lit = useSelection((state) => state.hoveredRunId === run.id);
  const over = useTimeline((state) => state.over?.runId === run.id);
  return (
    <div
      className={`row${lit ? " lit" : ""}${over ? " over" : ""}`}
      role="group"
      aria-label={run.uid}
      data-run={run.id}
    >
      <Label run={run} stops={stops} />
      <div
        className="track"
        style={{ width, marginInline: MARGIN, backgroundImage: hours, backgroundSize: "100% 100%" }}
      >
        {span !== null && <Pieces run={run} stops={stops} span={span} />}
        <Stops {...props} />
        {over && <Drop />}
      </div>
    </div>
  );
});

/** The name of a run with its menu, at the left edge wherever one has scrolled to. */
const Label = memo(function Label({ run, stops }: Pick<RunRowProps, "run" | "stops">): ReactNode {
  return (
    <div className="label" style={{ borderLeft: `4px solid ${run.route_colour}` }}>
      <button type="button" className="name" onClick={() => openDialog({ kind: "run", runId: run.id })}>
        <Typography variant="subtitle2" component="span" noWrap>
          {run.uid}
        </Typography>
        <DriverName of={run} />
        <StraightLinesMark run={run} />
        <Typography variant="caption" component="span" color="textSecondary" noWrap sx={{ flex: "none" }}>
          {fill(texts.runs.jobsCount, { n: stops.length })}
        </Typography>
      </button>
      <RunMenu run={run} stops={stops} />
    </div>
  );
});

/** The stops of a row: their labels cost too much to be made anew while the pointer passes. */
const Stops = memo(function Stops(props: RunRowProps): ReactNode {
  const { run, stops, problems, span, width, from, to, editable } = props;
  // Where the keyboard is stays in the page, wherever one looks.
  const activeId = useTimeline((state) => stops.find(({ id }) => id === state.activeId)?.id ?? null);
  return stops.map((job, index) => {
    const place = placeOf(job, span, index, stops.length, width);
    if ((place.left > to || place.left + place.width < from) && job.id !== activeId) return null;
    const found = problems.filter(({ jobId }) => jobId === job.id);
    const wide = (place.width / 100) * width >= 15;
    return (
      <Stop
        key={job.id}
        id={job.id}
        label={labelOf(job, found, span === null)}
        text={wide ? String(job.seq ?? "") : ""}
        colour={statusColour(job, run.route_colour)}
        mark={span === null ? null : markOf(found)}
        draggable={editable}
        left={`${place.left}%`}
        width={`${place.width}%`}
      />
    );
  });
});

/** Where a stop lies in the track, in per cent; without times in the order of the run. */
function placeOf(
  job: Job,
  span: Span | null,
  index: number,
  of: number,
  track: number,
): { left: number; width: number } {
  const least = (LEAST / track) * 100;
  if (span === null) {
    const step = 100 / Math.max(1, of);
    return { left: index * step, width: Math.min(step * 0.8, least * 3) };
  }
  if (job.eta === null) return { left: ((index + 0.5) / Math.max(1, of)) * 100, width: least * 2 };
  const width = (job.duration * 60_000 * 100) / (span.end - span.start);
  return { left: percentOf(Date.parse(job.eta), span), width: Math.max(least, width) };
}

const KINDS: readonly PieceKind[] = ["driving", "waiting", "break"];

/** Driving, waiting and the break as lines of different kinds; service is told by the stops. */
function Pieces({ run, stops, span }: { run: Run; stops: readonly Job[]; span: Span }): ReactNode {
  const zone = useSession((state) => state.user?.organisation.timezone ?? "UTC");
  const pieces = useMemo(() => piecesOf(run, stops, zone), [run, stops, zone]);
  return (
    <svg className="pieces" viewBox="0 0 1000 2" preserveAspectRatio="none" aria-hidden>
      {KINDS.map((kind) => {
        const path = pathOf(pieces, kind, span);
        return path === "" ? null : <path key={kind} d={path} style={styleOf(kind, run.route_colour)} />;
      })}
    </svg>
  );
}

function pathOf(pieces: readonly Piece[], kind: PieceKind, span: Span): string {
  return pieces
    .filter((piece) => piece.kind === kind)
    .map(({ from, to }) => `M${percentOf(from, span) * 10} 1H${percentOf(to, span) * 10}`)
    .join("");
}

function styleOf(kind: PieceKind, colour: string): Record<string, string | number> {
  if (kind === "driving") return { stroke: colour, strokeWidth: 4, strokeOpacity: 0.6 };
  if (kind === "waiting") {
    return { stroke: "var(--mui-palette-text-secondary)", strokeWidth: 2, strokeDasharray: "2 4" };
  }
  return { stroke: "var(--mui-palette-text-secondary)", strokeWidth: 14, strokeDasharray: "2 2" };
}

/** Where the jobs on the pointer would be put. */
function Drop(): ReactNode {
  const at = useTimeline((state) => state.over?.at ?? 0);
  return <div className="drop" style={{ left: `${at}%` }} />;
}
