import { Box } from "@mui/material";
import { fill, type Job, texts, toastInfo } from "@routewright/web";
import { type PointerEvent, type ReactNode, useEffect, useState } from "react";
import { selectJobs, useSelection } from "../plan/selection.ts";
import { screenPlace } from "./fit.ts";
import { inside, type Point } from "./outline.ts";

interface LassoProps {
  jobs: readonly Job[];
  onDone: () => void;
}

/** Pixels below which a line counts as a slip of the hand. */
const SLIP = 12;

/**
 * Marks the jobs inside of a line that is drawn around them; with Ctrl or Shift they join what is marked. Escape ends it.
 * By keyboard jobs are marked in the list.
 */
export function Lasso({ jobs, onDone }: LassoProps): ReactNode {
  const [line, setLine] = useState<readonly Point[]>([]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") onDone();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onDone]);

  const take = (event: PointerEvent): void => {
    const drawn = line;
    setLine([]);
    const wide = Math.max(...drawn.map(({ x }) => x)) - Math.min(...drawn.map(({ x }) => x));
    if (drawn.length < 3 || wide < SLIP) return;
    const found = jobs.filter((job) => {
      const place = screenPlace(job.location);
      return place !== null && inside(place, drawn);
    });
    const kept = event.ctrlKey || event.metaKey || event.shiftKey ? [...useSelection.getState().jobIds] : [];
    const ids = new Set([...kept, ...found.map(({ id }) => id)]);
    selectJobs(ids);
    toastInfo(fill(texts.jobs.selected, { n: ids.size }), { id: "lasso" });
    onDone();
  };

  return (
    <Box
      data-lasso
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setLine([{ x: event.clientX, y: event.clientY }]);
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        setLine((drawn) => [...drawn, { x: event.clientX, y: event.clientY }]);
      }}
      onPointerUp={take}
      onPointerCancel={() => setLine([])}
      sx={{ position: "absolute", inset: 0, zIndex: 300, cursor: "crosshair", touchAction: "none" }}
    >
      <svg style={{ position: "fixed", inset: 0, width: "100vw", height: "100vh", pointerEvents: "none" }}>
        <polygon
          points={line.map(({ x, y }) => `${x},${y}`).join(" ")}
          style={{
            fill: "var(--mui-palette-primary-main)",
            fillOpacity: 0.15,
            stroke: "var(--mui-palette-primary-main)",
            strokeWidth: 2,
            strokeDasharray: "6 4",
          }}
        />
      </svg>
    </Box>
  );
}
