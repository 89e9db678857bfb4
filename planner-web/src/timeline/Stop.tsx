import { fill, inkOn, texts } from "@routewright/web";
import { memo, type ReactNode } from "react";
import { useSelection } from "../plan/selection.ts";
import type { Mark } from "../plan/problem-mark.ts";
import { MARK_SIGNS } from "../plan/problem-mark.ts";
import { useHolder } from "../plan/use-holder.ts";
import { useTimeline } from "./state.ts";

export interface StopProps {
  id: number;
  label: string;
  text: string;
  colour: string;
  mark: Mark | null;
  draggable: boolean;
  /** CSS lengths. */
  left: string;
  width: string;
}

/** One job of the timeline: a plain button; the timeline listens for all of them. */
export const Stop = memo(function Stop(props: StopProps): ReactNode {
  const { id, label, text, colour, mark, draggable, left, width } = props;
  const selected = useSelection((state) => state.jobIds.has(id));
  const hovered = useSelection((state) => state.hoveredJobId === id);
  const active = useTimeline((state) => state.activeId === id);
  const holder = useHolder("job", id);
  const kinds = ["stop", selected && "selected", hovered && "hovered", mark].filter(Boolean);
  return (
    <button
      type="button"
      className={kinds.join(" ")}
      data-job={id}
      aria-label={
        holder === null ? label : `${label} · ${fill(texts.presence.inHand, { name: holder.name })}`
      }
      aria-pressed={selected}
      tabIndex={active ? 0 : -1}
      draggable={draggable}
      style={{
        left,
        width,
        backgroundColor: colour,
        color: inkOn(colour),
        ...(holder !== null && { outline: `3px solid ${holder.colour}`, overflow: "visible", zIndex: 2 }),
      }}
    >
      {holder !== null && (
        <span className="holder" style={{ backgroundColor: holder.colour }}>
          {holder.initials}
        </span>
      )}
      {text === "" && mark !== null ? MARK_SIGNS[mark] : text}
    </button>
  );
});
