import { type DragEvent, type FocusEvent, type KeyboardEvent, type MouseEvent, useState } from "react";
import type { MenuPlace } from "../jobs/JobContextMenu.tsx";
import { openDialog } from "../plan/dialogs.ts";
import { hoverJob, hoverRun, markedWith, selectJob } from "../plan/selection.ts";
import { startJobDrag } from "../plan/drag.ts";
import { setTip, useTimeline } from "./state.ts";

/** Way of an arrow key from a stop. */
export type Step = "left" | "right" | "up" | "down" | "home" | "end" | "page-up" | "page-down";

const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "home",
  End: "end",
  PageUp: "page-up",
  PageDown: "page-down",
};

interface StopEvents {
  handlers: {
    onMouseOver: (event: MouseEvent) => void;
    onMouseLeave: () => void;
    onClick: (event: MouseEvent) => void;
    onDoubleClick: (event: MouseEvent) => void;
    onContextMenu: (event: MouseEvent) => void;
    onFocus: (event: FocusEvent) => void;
    onBlur: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
    onDragStart: (event: DragEvent) => void;
    onDragEnd: () => void;
  };
  menu: (MenuPlace & { id: number }) | null;
  closeMenu: () => void;
}

/** Pointer and keyboard on the stops of an element, listened for in one place. Enter opens a stop, `M` moves it. */
export function useStopEvents(editable: boolean, onStep: (jobId: number, step: Step) => void): StopEvents {
  const [menu, setMenu] = useState<StopEvents["menu"]>(null);
  const handlers: StopEvents["handlers"] = {
    onMouseOver: ({ target }) => {
      const stop = stopAt(target);
      hoverJob(stop?.id ?? null);
      setTip(stop === null ? null : { jobId: stop.id, element: stop.element });
      hoverRun(runAt(target));
    },
    onMouseLeave: () => {
      hoverJob(null);
      hoverRun(null);
      setTip(null);
    },
    onClick: ({ target, ctrlKey, metaKey }) => {
      const stop = stopAt(target);
      if (stop === null) return;
      useTimeline.setState({ activeId: stop.id });
      selectJob(stop.id, ctrlKey || metaKey);
    },
    onDoubleClick: ({ target }) => {
      const stop = stopAt(target);
      if (stop !== null) openDialog({ kind: "job-details", jobId: stop.id });
    },
    onContextMenu: (event) => {
      const stop = stopAt(event.target);
      if (stop === null) return;
      event.preventDefault();
      setTip(null);
      setMenu({ x: event.clientX, y: event.clientY, id: stop.id });
    },
    onFocus: ({ target }) => {
      const stop = stopAt(target);
      if (stop === null) return;
      useTimeline.setState({ activeId: stop.id });
      if (target.matches(":focus-visible")) setTip({ jobId: stop.id, element: stop.element });
    },
    onBlur: () => setTip(null),
    onKeyDown: (event) => {
      const stop = stopAt(event.target);
      if (stop === null) return;
      const step = STEPS[event.key];
      if (step !== undefined) onStep(stop.id, step);
      else if (event.key === "Enter") openDialog({ kind: "job-details", jobId: stop.id });
      else if (event.key.toLowerCase() === "m" && editable && !event.ctrlKey && !event.metaKey) {
        openDialog({ kind: "move", jobIds: markedWith(stop.id) });
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onDragStart: (event) => {
      const stop = stopAt(event.target);
      if (stop === null) return;
      setTip(null);
      startJobDrag(event, markedWith(stop.id));
    },
    onDragEnd: () => useTimeline.setState({ over: null }),
  };
  return { handlers, menu, closeMenu: () => setMenu(null) };
}

function stopAt(target: EventTarget): { id: number; element: Element } | null {
  const element = target instanceof Element ? target.closest("[data-job]") : null;
  return element === null ? null : { id: Number(element.getAttribute("data-job")), element };
}

function runAt(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest("[data-run]") : null;
  return row === null ? null : Number(row.getAttribute("data-run"));
}
