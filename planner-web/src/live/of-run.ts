import { clockText, fill, type Job, type Run, shortTime, texts } from "@routewright/web";
import { heardAt, SILENT, unconfirmedText } from "../contact/contact.ts";
import { lateMinutes, minutesText, windowEnd } from "../plan/lateness.ts";
import { LATE_BY, LATE_FROM, NO_START, ON_TIME_BY } from "../road/bounds.ts";
import { type Expected, plannedDeparture } from "../road/expected.ts";
import { longStop } from "./long-stop.ts";
import {
  type Day,
  type Driven,
  type Exception,
  type ExceptionKind,
  type Finding,
  firstPromise,
} from "./model.ts";
import { offWay, outOfOrder } from "./off-plan.ts";
import { leftWithout } from "./visits.ts";

/** What does not go as planned on one run. */
export function ofRun(day: Day, run: Run, stops: readonly Job[], before: ReadonlySet<string>): Exception[] {
  const { road, contacts, terms } = day;
  const told = (kind: ExceptionKind, finding: Finding | null): Exception[] =>
    finding === null ? [] : [exceptionOf(kind, run, stops, finding)];
  const was = (kind: ExceptionKind, job: Job | null, which = ""): boolean =>
    before.has(keyOf(kind, run, job, which));
  const failed = stops.flatMap((job) => told("failed", failedAt(job)));
  const { now } = road;
  if (now === null || !road.driven) {
    return [...stops.flatMap((job) => told("late", lateByPlan(day, job, run))), ...failed];
  }
  const on = road.runs.get(run.id) ?? { outlook: null, stand: null, track: [] };
  const open = stops.filter(({ visited }) => !visited);
  const driven: Driven = { run, stops, open, on, contact: contacts.get(run.id), now, terms };
  const late = (job: Job): Finding | null => {
    const expected = on.outlook?.stops.get(job.id);
    return expected === undefined ? lateByPlan(day, job, run) : lateAt(job, run, expected, was("late", job));
  };
  const missing = leftWithout(driven);
  return [
    ...open.flatMap((job) => told("late", late(job))),
    ...told("no_start", noStart(driven)),
    ...told("silent", silent(driven)),
    ...told("long_stop", longStop(driven)),
    ...told("off_plan", outOfOrder(driven, missing)),
    ...told("off_plan", offWay(driven, was("off_plan", null, "way"))),
    ...told("unconfirmed", unconfirmed(driven)),
    ...failed,
    ...missing.flatMap((finding) => told("missing_proof", finding)),
  ];
}

function exceptionOf(kind: ExceptionKind, run: Run, stops: readonly Job[], finding: Finding): Exception {
  const { severity, text, job, which = "" } = finding;
  const promised = finding.breaksAt === undefined ? firstPromise(run, stops) : finding.breaksAt;
  const key = keyOf(kind, run, job ?? null, which);
  return { key, kind, severity, jobId: job?.id ?? null, runId: run.id, text, breaksAt: promised };
}

function keyOf(kind: ExceptionKind, run: Run, job: Job | null, which: string): string {
  return `${kind} ${run.id} ${job?.id ?? "-"} ${which}`;
}

/** By the run's own pace; once told it is told until it is likely enough to be on time again. */
function lateAt(job: Job, run: Run, { at, from, to }: Expected, was: boolean): Finding | null {
  const end = windowEnd(job, run);
  const unsure = to - at;
  if (end === null || at <= (was ? end - ON_TIME_BY * unsure : end + LATE_FROM + LATE_BY * unsure))
    return null;
  const clock = (time: number): string => clockText(new Date(time).toISOString(), job.timezone);
  const words = {
    at: clock(at),
    from: clock(from),
    to: clock(to),
    late: minutesText(Math.floor((at - end) / 60_000)),
    limit: shortTime(job.leave_by),
  };
  const text = at - end < 60_000 ? texts.live.expectedLast : texts.live.expectedLate;
  return { severity: "error", job, breaksAt: end, text: fill(text, words) };
}

/** By the plan and the server's estimates alone; on the day itself also once the window has closed. */
function lateByPlan({ problems, road }: Day, job: Job, run: Run): Finding | null {
  const minutes = lateMinutes(job, run);
  const end = windowEnd(job, run);
  const open = road.now === null || end === null || job.visited ? 0 : Math.floor((road.now - end) / 60_000);
  if (open > minutes) {
    const words = { late: minutesText(open), limit: shortTime(job.leave_by) };
    return { severity: "error", job, breaksAt: end, text: fill(texts.live.stillOpen, words) };
  }
  const known = problems.ofJob(job.id).find(({ kind }) => kind === "late");
  return known === undefined ? null : { severity: "error", job, breaksAt: end, text: known.text };
}

function failedAt(job: Job): Finding | null {
  if (!job.visited || job.successful) return null;
  const breaksAt = job.proof_time === null ? null : Date.parse(job.proof_time);
  return { severity: "error", job, breaksAt, text: texts.live.notSuccessful };
}

/** The planned departure has passed, and neither a start nor a proof has come. */
function noStart({ run, stops, open, now, terms }: Driven): Finding | null {
  const begun = run.actual_start_time !== null || stops.some(({ visited }) => visited);
  if (begun || run.actual_end_time !== null || open.length === 0 || run.planned_start_time === null)
    return null;
  const departure = plannedDeparture(run, open[0]);
  if (now <= departure + NO_START) return null;
  const words = { at: clockText(new Date(departure).toISOString(), terms.zone) };
  const text = run.dispatched ? texts.live.notStarted : texts.live.notSent;
  return {
    severity: "error",
    text: fill(text, words),
    breaksAt: firstPromise(run, open) ?? departure,
  };
}

/** Neither the phone nor a position nor a proof was heard of. */
function silent({ run, stops, open, on, contact, now, terms }: Driven): Finding | null {
  const heard = heardAt(run, contact ?? null, on.track, stops);
  if (heard === null || open.length === 0 || now - heard <= SILENT) return null;
  const words = {
    time: minutesText(Math.floor((now - heard) / 60_000)),
    at: clockText(new Date(heard).toISOString(), terms.zone),
  };
  return { severity: "error", text: fill(texts.live.silentFor, words) };
}

/** The office changed a run on the road, and its driver has not confirmed it. */
function unconfirmed({ run, stops, contact, terms }: Driven): Finding | null {
  if (contact === undefined || contact.unconfirmed.length === 0 || run.actual_end_time !== null) return null;
  const changed = new Set(contact.unconfirmed.map(({ job_id: id }) => id));
  const theirs = firstPromise(
    run,
    stops.filter(({ id }) => changed.has(id)),
  );
  const what = unconfirmedText(contact);
  const text =
    contact.changed_at === null
      ? fill(texts.contact.unconfirmed, { what })
      : fill(texts.contact.unconfirmedSince, { what, at: clockText(contact.changed_at, terms.zone) });
  return { severity: "warning", text, breaksAt: theirs ?? firstPromise(run, stops) };
}
