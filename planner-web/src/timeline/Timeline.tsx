import { Box } from "@mui/material";
import { organisationNow, texts, useLevel } from "@routewright/web";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { JobContextMenu } from "../jobs/JobContextMenu.tsx";
import { usePlanContext } from "../plan/context.ts";
import { type Plan, runsById, stopsByRun, unservedOf } from "../plan/plan.ts";
import { useSelection } from "../plan/selection.ts";
import { useToday } from "../plan/today.ts";
import { useProblems } from "../plan/use-problems.ts";
import { useUiSettings } from "../settings/ui-settings.ts";
import { useMayEdit, useView } from "../ui/view.ts";
import { Axis } from "./Axis.tsx";
import { AXIS, glowOf, LABEL, look, MARGIN, ROW } from "./look.ts";
import { RunRow } from "./RunRow.tsx";
import { hoursOf, percentOf, type Span, spanOf } from "./scale.ts";
import { useTimeline } from "./state.ts";
import { StopTip } from "./StopTip.tsx";
import { UnservedRow } from "./UnservedRow.tsx";
import { useDrops } from "./use-drops.ts";
import { useNow } from "./use-now.ts";
import { useStopEvents } from "./use-stop-events.ts";
import { stepFrom } from "./steps.ts";
import { useZoom } from "./use-zoom.ts";

/**
 * Runs over a time axis; only what is seen is in the page. Jobs are dragged to another run or place; the keyboard goes
 * from stop to stop with the arrow keys, and moves one with `M`. Customers see the order of the stops, and no times.
 */
export function Timeline(): ReactNode {
  const { plan, scenario, scenarioId } = usePlanContext();
  const hidden = useSelection((state) => state.hiddenRunIds);
  const ui = useUiSettings();
  const view = useView();
  const customer = view === "customer";
  const live = view === "live";
  const edits = useMayEdit();
  const editable = useLevel("runs_write") && edits;
  const runs = useMemo(() => plan.runs.filter((run) => !hidden.has(run.id)), [plan.runs, hidden]);
  const stops = stopsByRun(plan.jobs);
  const unserved = unservedOf(plan.jobs);
  const problems = useProblems();
  const today = useToday(live ? scenario : null);
  const span = useSpan(plan, customer, today);
  const scroller = useRef<HTMLDivElement>(null);
  const { width, measured, from, to, zoom, fit, show } = useZoom(scroller, span, { fixed: customer, live });
  const hours = useMemo(
    () => (customer ? [] : hoursOf(span, Math.max(1, Math.floor(width / 52)))),
    [customer, span, width],
  );
  const now = useNow(customer ? null : span);
  const tools = useMemo(
    () => (customer ? {} : { zoom, fit, now: () => show(now === null ? 0 : percentOf(now, span), "middle") }),
    [customer, zoom, fit, show, now, span],
  );
  useOpenAtNow(scenarioId, live && measured && runs.length > 0 && now !== null, () =>
    show(now === null ? 0 : percentOf(now, span), "middle"),
  );

  const activeRow = useTimeline(({ activeId }) =>
    activeId === null
      ? -1
      : runs.findIndex((run) => stops.get(run.id)?.some(({ id }) => id === activeId) === true),
  );
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 3,
    scrollPaddingStart: AXIS,
    scrollMargin: AXIS,
    // The row where the keyboard is stays in the page, else the focus would be lost while one scrolls.
    rangeExtractor: (range: Range) => withRow(defaultRangeExtractor(range), activeRow),
    useFlushSync: false,
  });

  const lists = useMemo(
    () => [...runs.map((run) => stops.get(run.id) ?? []), unserved],
    [runs, stops, unserved],
  );
  useActiveStop(lists);
  const { handlers, menu, closeMenu } = useStopEvents(editable, (jobId, step) => {
    const next = stepFrom(lists, jobId, step);
    if (next === null) return;
    useTimeline.setState({ activeId: next.job.id });
    if (next.row < runs.length) {
      rows.scrollToIndex(next.row);
      if (next.job.eta !== null && !customer) show(percentOf(Date.parse(next.job.eta), span));
    }
    focusStop(scroller.current?.parentElement ?? null, next.job.id);
  });
  const drops = useDrops({ scenarioId, editable, runs: runsById(plan.runs), stops, span });
  const onZoomKey = (event: KeyboardEvent): void => {
    if (customer || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") zoom(1.5);
    else if (event.key === "-") zoom(1 / 1.5);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  };

  const lines = useMemo(() => hourLines(hours, span), [hours, span]);
  return (
    <Box
      role="region"
      aria-label={texts.runs.timeline}
      aria-description={texts.timeline.keys}
      {...handlers}
      {...drops}
      sx={{ height: "100%", display: "flex", flexDirection: "column", ...look }}
      style={{ "--glow": glowOf(ui) } as Record<string, string>}
      onKeyDown={(event) => {
        handlers.onKeyDown(event);
        if (!event.defaultPrevented) onZoomKey(event);
      }}
    >
      <Box ref={scroller} sx={{ flex: 1, minHeight: 0, overflow: "auto" }}>
        <Box sx={{ position: "relative" }} style={{ width: LABEL + 2 * MARGIN + width }}>
          <Axis span={span} hours={hours} width={width} now={now} tools={tools} />
          <Box sx={{ position: "relative" }} style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map(({ index, start }) => {
              const run = runs[index];
              return run === undefined ? null : (
                <Box
                  key={run.id}
                  sx={{ position: "absolute", insetInline: 0, top: 0 }}
                  style={{ transform: `translateY(${start - AXIS}px)` }}
                >
                  <RunRow
                    run={run}
                    stops={stops.get(run.id) ?? []}
                    problems={problems.ofRun(run.id)}
                    span={customer ? null : span}
                    width={width}
                    from={from}
                    to={to}
                    hours={customer ? "none" : lines}
                    editable={editable && run.validated_at === null}
                  />
                </Box>
              );
            })}
            {now !== null && <NowLine at={percentOf(now, span)} width={width} />}
          </Box>
        </Box>
      </Box>
      <UnservedRow jobs={unserved} editable={editable} />
      <StopTip />
      <JobContextMenu job={{ id: menu?.id ?? 0 }} place={menu} onClose={closeMenu} />
    </Box>
  );
}

const HOUR = 3_600_000;

/** Hours that hold all runs and stops, and on the day itself the hour that it is. */
function useSpan({ runs, jobs }: Plan, customer: boolean, today: number | null): Span {
  const hour = today === null ? null : Math.floor(today / HOUR) * HOUR;
  return useMemo(
    () =>
      customer ? spanOf([], [], 0) : spanOf(runs, jobs, organisationNow(), hour === null ? null : hour + 1),
    [runs, jobs, customer, hour],
  );
}

/** The live view begins at the present, once for each scenario; from then on it stays where one looks. */
function useOpenAtNow(scenarioId: number | null, ready: boolean, show: () => void): void {
  const opened = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (!ready || opened.current === scenarioId) return;
    opened.current = scenarioId;
    show();
  });
}

function withRow(indexes: number[], row: number): number[] {
  return row < 0 || indexes.includes(row) ? indexes : [...indexes, row].sort((a, b) => a - b);
}

/** Before the keyboard was anywhere, and when its stop is gone, it enters at the first stop. */
function useActiveStop(lists: readonly (readonly { id: number }[])[]): void {
  useEffect(() => {
    const { activeId } = useTimeline.getState();
    if (activeId !== null && lists.some((list) => list.some(({ id }) => id === activeId))) return;
    useTimeline.setState({ activeId: lists.find((list) => list.length > 0)?.[0]?.id ?? null });
  }, [lists]);
}

/** Gives a stop the focus as soon as it is in the page. */
function focusStop(timeline: HTMLElement | null, jobId: number, tries = 10): void {
  const stop = timeline?.querySelector<HTMLElement>(`[data-job="${jobId}"]`);
  if (stop != null) stop.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusStop(timeline, jobId, tries - 1));
}

/** Lines at the hours as a background, so that they cost no elements. */
function hourLines(hours: readonly number[], span: Span): string {
  const stops = hours.flatMap((hour) => {
    const at = percentOf(hour, span).toFixed(3);
    return [
      `transparent ${at}%`,
      `var(--mui-palette-divider) ${at}%`,
      `var(--mui-palette-divider) calc(${at}% + 1px)`,
      `transparent calc(${at}% + 1px)`,
    ];
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

function NowLine({ at, width }: { at: number; width: number }): ReactNode {
  return (
    <Box
      aria-hidden
      sx={{
        position: "absolute",
        insetBlock: 0,
        width: 2,
        bgcolor: "error.main",
        pointerEvents: "none",
        zIndex: 2,
      }}
      style={{ left: LABEL + MARGIN + (at / 100) * width - 1 }}
    />
  );
}
