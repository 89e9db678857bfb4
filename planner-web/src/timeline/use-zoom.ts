import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { LABEL, MARGIN } from "./look.ts";
import type { Span } from "./scale.ts";
import { useTimelineView } from "./state.ts";

const HOUR = 3_600_000;
/** Pixels of an hour. */
const LEAST = 24;
const MOST = 1600;
/** Hours that the live view opens with. */
const LIVE_HOURS = 6;

interface Zoom {
  /** Pixels of the whole span. */
  width: number;
  /** Whether the room for it was measured. */
  measured: boolean;
  /** What is in the page of it, per cent: what is seen and half as much on both sides. */
  from: number;
  to: number;
  /** Nearer by a factor, around a place on the screen (pixels from the left of the window), else around the middle. */
  zoom: (factor: number, around?: number) => void;
  /** All hours in sight. */
  fit: () => void;
  /** Scrolls a place of the span (per cent) into sight. */
  show: (at: number, where?: "near" | "middle") => void;
}

/**
 * How much of the span is seen. The wheel with Ctrl goes nearer around the pointer. Customers see all of it (`fixed`),
 * the live view opens with the hours around now, and each view keeps what was chosen in it.
 */
export function useZoom(
  scroller: RefObject<HTMLDivElement | null>,
  span: Span,
  { fixed, live }: { fixed: boolean; live: boolean },
): Zoom {
  const chosen = useTimelineView((view) => (live ? view.liveHour : view.hour));
  const measure = useRoom(scroller);
  const room = measure ?? 800;
  const hours = (span.end - span.start) / HOUR;
  const fitting = Math.max(LEAST, room / hours);
  const kept = chosen < 0 ? room / LIVE_HOURS : chosen;
  const hour = kept === 0 || fixed ? fitting : Math.max(fitting, kept);
  const width = hours * hour;
  const seen = useSeen(scroller, room, width);
  /** The place that stays where it is while the width changes. */
  const anchor = useRef<{ at: number; x: number } | null>(null);

  const zoom = useCallback(
    (factor: number, around?: number) => {
      const element = scroller.current;
      if (element === null) return;
      const left = element.getBoundingClientRect().left + LABEL + MARGIN;
      const x = around === undefined ? room / 2 : around - left;
      anchor.current = { at: (element.scrollLeft + x) / width, x };
      const next = Math.min(MOST, hour * factor);
      keepHour(live, next <= fitting ? 0 : Math.round(next));
    },
    [scroller, room, width, hour, fitting, live],
  );
  useLayoutEffect(() => {
    const element = scroller.current;
    if (anchor.current === null || element === null) return;
    element.scrollLeft = anchor.current.at * width - anchor.current.x;
    anchor.current = null;
  }, [scroller, width]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || fixed) return;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300), event.clientX);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [scroller, zoom, fixed]);

  const show = useCallback(
    (at: number, where: "near" | "middle" = "near") => {
      const element = scroller.current;
      if (element === null) return;
      const x = (at / 100) * width;
      const inSight = x > element.scrollLeft + 40 && x < element.scrollLeft + room - 40;
      if (where === "middle" || !inSight) element.scrollLeft = x - room / 2;
    },
    [scroller, room, width],
  );
  const fit = useCallback(() => keepHour(live, 0), [live]);
  return { width, measured: measure !== null, ...seen, zoom, fit, show };
}

function keepHour(live: boolean, hour: number): void {
  useTimelineView.setState(live ? { liveHour: hour } : { hour });
}

/** Pixels beside the labels; `null` until they were measured. */
function useRoom(scroller: RefObject<HTMLDivElement | null>): number | null {
  const [room, setRoom] = useState<number | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => setRoom(Math.max(200, element.clientWidth - LABEL - 2 * MARGIN));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return room;
}

/** Half the room: what is drawn changes only when one has scrolled so far. */
function useSeen(
  scroller: RefObject<HTMLDivElement | null>,
  room: number,
  width: number,
): { from: number; to: number } {
  const step = room / 2;
  const [steps, setSteps] = useState(0);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = (): void => setSteps(Math.floor(element.scrollLeft / step));
    onScroll();
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [scroller, step, width]);
  return { from: (((steps - 1) * step) / width) * 100, to: (((steps + 4) * step) / width) * 100 };
}
