import { Paper, Portal, Typography } from "@mui/material";
import { clockText, fill, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { MARK_SIGNS } from "../plan/problem-mark.ts";
import { jobsById } from "../plan/plan.ts";
import { useProblems } from "../plan/use-problems.ts";
import { expectedOf, useRoad } from "../road/road.ts";
import { expectedText } from "../road/words.ts";
import { useView } from "../ui/view.ts";
import { useTip } from "./state.ts";

/** Where it stands is no part of it: the sheet stays the same wherever the pointer goes. */
const LOOK = {
  position: "fixed",
  zIndex: "tooltip",
  transform: "translate(-50%, -100%)",
  px: 1,
  py: 0.5,
  maxWidth: 260,
  pointerEvents: "none",
  contain: "layout style",
  "& .strong": { fontWeight: 650 },
  "& .quiet": { color: "text.secondary" },
  typography: "caption",
} as const;

/** The tooltip of the stop under the pointer or with the focus: one for the whole timeline. */
export function StopTip(): ReactNode {
  const tip = useTip((state) => state.tip);
  return tip === null ? null : <Told {...tip} />;
}

function Told(tip: { jobId: number; element: Element }): ReactNode {
  const { plan } = usePlanContext();
  const problems = useProblems();
  const customer = useView() === "customer";
  const road = useRoad();
  const job = jobsById(plan.jobs).get(tip.jobId);
  if (job === undefined || !tip.element.isConnected) return null;
  const expected = customer || !road.driven ? null : expectedOf(road, job);
  const { left, top, width } = tip.element.getBoundingClientRect();
  const middle = Math.min(window.innerWidth - 130, Math.max(130, left + width / 2));
  return (
    <Portal>
      <Paper role="tooltip" elevation={4} sx={LOOK} style={{ left: middle, top: top - 6 }}>
        <div className="strong">
          {[job.seq, job.uid, job.customer_name].filter((part) => part !== null).join(" · ")}
        </div>
        {!customer && job.eta !== null && (
          <div className="quiet">
            {clockText(job.eta, job.timezone)}–{clockText(job.etd, job.timezone)}
          </div>
        )}
        {expected !== null && (
          <div>{fill(texts.live.expected, { range: expectedText(expected, job.timezone) })}</div>
        )}
        {!customer &&
          problems.ofJob(job.id).map(({ kind, severity, text }) => (
            <Typography key={`${kind} ${text}`} variant="caption" component="div" color={severity}>
              {MARK_SIGNS[severity]} {texts.problems.kinds[kind]}: {text}
            </Typography>
          ))}
      </Paper>
    </Portal>
  );
}
