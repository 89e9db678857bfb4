import { Box, Typography } from "@mui/material";
import { clockText, inkOn, type Job } from "@routewright/web";
import { type DragEvent, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { startJobDrag } from "../plan/drag.ts";
import { markedWith, selectJob } from "../plan/selection.ts";
import { useView } from "../ui/view.ts";
import type { Shift } from "./clusters.ts";

interface Placed {
  lat: number;
  lng: number;
}

export interface JobMarkerProps extends Placed {
  job: Job;
  /** Off its place, because others are marked there too. */
  shift: Shift | undefined;
  colour: string;
  selected: boolean;
  labelled: boolean;
  /** Can be dragged to the way or the row of a run, with all others that are marked. */
  draggable: boolean;
}

/** A job that is hovered or selected; all others are drawn by WebGL. */
export function JobMarker({ job, shift, colour, selected, labelled, draggable }: JobMarkerProps): ReactNode {
  const customer = useView() === "customer";
  const dot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = dot.current;
    if (!draggable || element === null) return;
    // The map below would be dragged instead.
    const keep = (event: Event): void => event.stopPropagation();
    element.addEventListener("mousedown", keep);
    return () => element.removeEventListener("mousedown", keep);
  }, [draggable]);
  return (
    <Box
      sx={{
        position: "absolute",
        transform: `translate(calc(-50% + ${shift?.x ?? 0}px), calc(-50% + ${shift?.y ?? 0}px))`,
        pointerEvents: "none",
      }}
    >
      <Box
        ref={dot}
        draggable={draggable}
        {...(draggable && {
          onDragStart: (event: DragEvent) => startJobDrag(event, markedWith(job.id)),
          onClick: (event: MouseEvent) => selectJob(job.id, event.ctrlKey || event.metaKey),
        })}
        sx={{
          pointerEvents: draggable ? "auto" : "none",
          cursor: "pointer",
          minWidth: 26,
          height: 26,
          px: 0.5,
          borderRadius: 13,
          bgcolor: colour,
          color: inkOn(colour),
          display: "grid",
          placeItems: "center",
          fontSize: 12,
          fontWeight: 700,
          border: "2px solid #fff",
          boxShadow: selected
            ? "0 0 0 3px #258cdb, 0 2px 8px rgb(0 0 0 / 40%)"
            : "0 2px 6px rgb(0 0 0 / 35%)",
        }}
      >
        {job.seq ?? ""}
      </Box>
      {labelled && (
        <Box
          sx={{
            position: "absolute",
            left: "50%",
            bottom: "calc(100% + 8px)",
            transform: "translateX(-50%)",
            bgcolor: "background.paper",
            color: "text.primary",
            border: 1,
            borderColor: "divider",
            borderRadius: 1,
            px: 1.25,
            py: 0.75,
            width: "max-content",
            maxWidth: 260,
            boxShadow: 3,
          }}
        >
          <Typography variant="subtitle2">{job.uid}</Typography>
          <Typography variant="body2">{job.customer_name}</Typography>
          <Typography variant="caption" color="textSecondary" component="div">
            {job.location.address}
          </Typography>
          {job.eta !== null && !customer && (
            <Typography variant="caption" color="textSecondary">
              {clockText(job.eta, job.timezone)}
            </Typography>
          )}
        </Box>
      )}
    </Box>
  );
}

export interface PlaceMarkerProps extends Placed {
  colour: string;
  label: string;
  /** Stands below the marker, which then steps back: what is shown is no longer sure. */
  note?: string;
  children: ReactNode;
}

/** A depot, a flag or a vehicle. */
export function PlaceMarker({ colour, label, note = "", children }: PlaceMarkerProps): ReactNode {
  return (
    <Box
      role="img"
      aria-label={label}
      title={label}
      sx={{
        position: "absolute",
        transform: "translate(-50%, -50%)",
        pointerEvents: "auto",
        bgcolor: "background.paper",
        color: colour,
        border: `2px ${note === "" ? "solid" : "dashed"} ${colour}`,
        borderRadius: "50%",
        width: 26,
        height: 26,
        display: "grid",
        placeItems: "center",
        boxShadow: 2,
        "& svg": { fontSize: 16 },
      }}
    >
      {children}
      {note !== "" && (
        <Typography
          variant="caption"
          component="span"
          aria-hidden
          sx={{
            position: "absolute",
            top: "100%",
            mt: "3px",
            px: 0.5,
            borderRadius: 0.5,
            whiteSpace: "nowrap",
            lineHeight: 1.4,
            bgcolor: "background.paper",
            color: "text.secondary",
            boxShadow: 1,
          }}
        >
          {note}
        </Typography>
      )}
    </Box>
  );
}
