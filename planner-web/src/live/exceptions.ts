import { fill, type Job, type Run, shortTime, texts } from "@routewright/web";
import { lateMinutes, minutesText, windowEnd } from "../plan/lateness.ts";
import { type Plan, stopsByRun } from "../plan/plan.ts";
import type { Problem, Problems } from "../plan/problems.ts";

export type ExceptionKind = "late" | "unsuccessful" | "problem";
export const EXCEPTION_KINDS: readonly ExceptionKind[] = ["late", "unsuccessful", "problem"];

/** One thing on the road that somebody should look at. */
export interface Exception {
  kind: ExceptionKind;
  severity: Problem["severity"];
  /** The job; `null` when it is the run as a whole. */
  jobId: number | null;
  /** The run; `null` for a job on no run. */
  runId: number | null;
  /** What is wrong, with figures. */
  text: string;
}

/**
 * What does not go as planned, the most urgent first: late stops, the latest first, then visits without success, the
 * newest first, then what else is wrong with the plan.
 *
 * `now` (milliseconds) is `null` unless the plan's day is today: then a stop is also late when its window has closed and
 * nobody has been there, whatever its estimate says.
 */
export function exceptionsOf(plan: Plan, problems: Problems, now: number | null): Exception[] {
  const late: { minutes: number; exception: Exception }[] = [];
  const failed: { at: string; exception: Exception }[] = [];
  const stops = stopsByRun(plan.jobs);
  for (const run of plan.runs) {
    for (const job of stops.get(run.id) ?? []) {
      const about = { severity: "error", jobId: job.id, runId: run.id } as const;
      const found = lateOf(job, run, problems, now);
      if (found !== null) {
        late.push({ minutes: found.minutes, exception: { ...about, kind: "late", text: found.text } });
      }
      if (job.visited && !job.successful) {
        const exception: Exception = { ...about, kind: "unsuccessful", text: texts.live.notSuccessful };
        failed.push({ at: job.proof_time ?? "", exception });
      }
    }
  }
  return [
    ...late.sort((a, b) => b.minutes - a.minutes).map(({ exception }) => exception),
    ...failed.sort((a, b) => b.at.localeCompare(a.at)).map(({ exception }) => exception),
    ...problems.all.filter(({ kind }) => kind !== "late").map(otherOf),
  ];
}

function lateOf(
  job: Job,
  run: Run,
  problems: Problems,
  now: number | null,
): { minutes: number; text: string } | null {
  const minutes = lateMinutes(job, run);
  const end = windowEnd(job, run);
  const open = now === null || end === null || job.visited ? 0 : Math.floor((now - end) / 60_000);
  if (open > minutes) {
    const words = { late: minutesText(open), limit: shortTime(job.leave_by) };
    return { minutes: open, text: fill(texts.live.stillOpen, words) };
  }
  const known = problems.ofJob(job.id).find(({ kind }) => kind === "late");
  return known === undefined ? null : { minutes, text: known.text };
}

function otherOf({ kind, severity, jobId, runId, text }: Problem): Exception {
  return { kind: "problem", severity, jobId, runId, text: `${texts.problems.kinds[kind]}: ${text}` };
}
