import { Box } from "@mui/material";
import { texts } from "@routewright/web";
import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { LARGEST, resizeTimeline, SMALLEST, useTimelineView } from "./state.ts";

/** Per cent of one press of an arrow key. */
const STEP = 4;

/** The edge of the timeline: dragged, or moved with the arrow keys. Its parent's parent is the room that is shared. */
export function ResizeHandle({ vertical }: { vertical: boolean }): ReactNode {
  const size = useTimelineView((view) => view.size);
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const room = event.currentTarget.parentElement?.parentElement?.getBoundingClientRect();
    if (room === undefined) return;
    const part = vertical
      ? (room.right - event.clientX) / room.width
      : (room.bottom - event.clientY) / room.height;
    resizeTimeline(part * 100);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const larger = vertical ? "ArrowLeft" : "ArrowUp";
    const smaller = vertical ? "ArrowRight" : "ArrowDown";
    if (event.key === larger) resizeTimeline(size + STEP);
    else if (event.key === smaller) resizeTimeline(size - STEP);
    else return;
    event.preventDefault();
  };
  return (
    <Box
      role="separator"
      aria-label={texts.timeline.resize}
      aria-orientation={vertical ? "vertical" : "horizontal"}
      aria-valuenow={Math.round(size)}
      aria-valuemin={SMALLEST}
      aria-valuemax={LARGEST}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
      onDoubleClick={() => resizeTimeline(38)}
      sx={{
        position: "absolute",
        zIndex: 5,
        touchAction: "none",
        ...(vertical
          ? { insetBlock: 0, left: -4, width: 8, cursor: "col-resize" }
          : { insetInline: 0, top: -4, height: 8, cursor: "row-resize" }),
        "&:hover, &:focus-visible": { bgcolor: "primary.main", opacity: 0.5, outline: "none" },
      }}
    />
  );
}
