import { Paper, Portal, Typography } from "@mui/material";
import { clockText, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { usePlanContext } from "../plan/context.ts";
import { MARK_SIGNS } from "../plan/problem-mark.ts";
import { jobsById } from "../plan/plan.ts";
import { useProblems } from "../plan/use-problems.ts";
import { useView } from "../ui/view.ts";
import { useTimeline } from "./state.ts";

/** The tooltip of the stop under the pointer or with the focus: one for the whole timeline. */
export function StopTip(): ReactNode {
  const tip = useTimeline((state) => state.tip);
  const { plan } = usePlanContext();
  const problems = useProblems();
  const customer = useView() === "customer";
  const job = tip === null ? undefined : jobsById(plan.jobs).get(tip.jobId);
  if (tip === null || job === undefined || !tip.element.isConnected) return null;
  const { left, top, width } = tip.element.getBoundingClientRect();
  const middle = Math.min(window.innerWidth - 130, Math.max(130, left + width / 2));
  return (
    <Portal>
      <Paper
        role="tooltip"
        elevation={4}
        sx={{
          position: "fixed",
          zIndex: "tooltip",
          left: middle,
          top: top - 6,
          transform: "translate(-50%, -100%)",
          px: 1,
          py: 0.5,
          maxWidth: 260,
          pointerEvents: "none",
        }}
      >
        <Typography variant="caption" component="div" sx={{ fontWeight: 650 }}>
          {[job.seq, job.uid, job.customer_name].filter((part) => part !== null).join(" · ")}
        </Typography>
        {!customer && job.eta !== null && (
          <Typography variant="caption" component="div" color="textSecondary">
            {clockText(job.eta, job.timezone)}–{clockText(job.etd, job.timezone)}
          </Typography>
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
