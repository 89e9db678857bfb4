import { clockText, fill, type Job, type Run, shortTime, texts } from "@routewright/web";
import { expectedArrival, expectedEnd, lateMinutes, minutesText, overtimeMinutes } from "./lateness.ts";
import { Links } from "./links.ts";
import { loadsOf, type LoadTerms } from "./load.ts";
import { linkedUids, type Plan, stopsByRun } from "./plan.ts";

export type ProblemKind = keyof typeof texts.problems.kinds;

/** One thing that is wrong with a plan. */
export interface Problem {
  kind: ProblemKind;
  /** `warning`: can be driven, yet somebody should look at it. */
  severity: "error" | "warning";
  /** The job; `null` when it is the run as a whole. */
  jobId: number | null;
  /** The run; `null` for a job on no run. */
  runId: number | null;
  /** What is wrong, with figures: `14:37, 22 min after 14:15`. */
  text: string;
}

/** How the organisation counts and where its clocks are. */
export interface ProblemTerms extends LoadTerms {
  zone: string;
}

/** The problems of a plan, in the order of its runs and stops, the unserved jobs last. */
export class Problems {
  readonly all: readonly Problem[];
  readonly #ofJob = new Map<number, readonly Problem[]>();
  readonly #ofRun = new Map<number, readonly Problem[]>();

  /** Lists each of one run, or of jobs without one. */
  constructor(lists: Iterable<Found>) {
    const all: Problem[] = [];
    for (const { runId, problems, ofJob } of lists) {
      for (const problem of problems) all.push(problem);
      if (runId !== null && problems.length > 0) this.#ofRun.set(runId, problems);
      for (const [id, list] of ofJob) this.#ofJob.set(id, list);
    }
    this.all = all;
  }

  ofJob(id: number): readonly Problem[] {
    return this.#ofJob.get(id) ?? NONE;
  }

  /** Those of the run and of its jobs. */
  ofRun(id: number): readonly Problem[] {
    return this.#ofRun.get(id) ?? NONE;
  }

  has(id: number, kind: ProblemKind): boolean {
    return this.ofJob(id).some((problem) => problem.kind === kind);
  }
}

const NONE: readonly Problem[] = [];

/** What was found of one run, or of one job without a run. */
interface Found {
  runId: number | null;
  problems: readonly Problem[];
  ofJob: ReadonlyMap<number, readonly Problem[]>;
}

function foundOf(runId: number | null, problems: readonly Problem[]): Found {
  const ofJob = new Map<number, Problem[]>();
  for (const problem of problems) {
    if (problem.jobId === null) continue;
    const list = ofJob.get(problem.jobId);
    if (list === undefined) ofJob.set(problem.jobId, [problem]);
    else list.push(problem);
  }
  return { runId, problems, ofJob };
}

/** What was found last, and in what: most runs stay as they were when a plan changes. */
const lastOfRun = new WeakMap<Run, { stops: readonly Job[]; terms: ProblemTerms; found: Found }>();
const lastOfJob = new WeakMap<Job, Found>();

/** Everything that is wrong with a plan. */
export function problemsOf(plan: Plan, terms: ProblemTerms): Problems {
  const links = new Links(plan.jobs);
  const stops = stopsByRun(plan.jobs);
  const runs = new Map(plan.runs.map((run) => [run.id, run]));
  const found: Found[] = [];
  for (const run of plan.runs) {
    const jobs = stops.get(run.id) ?? NO_STOPS;
    // What a link leads to may change while the run itself does not.
    const linked = jobs.some((job) => isLinked(job) || links.isLinked(job.id));
    const last = linked ? undefined : lastOfRun.get(run);
    if (last?.stops === jobs && sameTerms(last.terms, terms)) {
      found.push(last.found);
      continue;
    }
    const ofStops = jobs.flatMap((job) => [
      ...ofStop(job, run),
      ...ofLinks(job, links, runs),
      ...ofPlace(job),
    ]);
    const now = foundOf(run.id, [...ofRun(run, jobs, terms, links), ...ofStops]);
    if (!linked) lastOfRun.set(run, { stops: jobs, terms, found: now });
    found.push(now);
  }
  for (const job of plan.jobs) {
    if (job.run_id !== null) continue;
    const linked = isLinked(job);
    const last = linked ? undefined : lastOfJob.get(job);
    const now = last ?? foundOf(null, [unserved(job), ...ofLinks(job, links, runs), ...ofPlace(job)]);
    if (last === undefined && !linked) lastOfJob.set(job, now);
    found.push(now);
  }
  return new Problems(found);
}

const NO_STOPS: readonly Job[] = [];

function isLinked(job: Job): boolean {
  return (job.pickup_from ?? "") !== "" || (job.deliver_to ?? "") !== "";
}

export function sameTerms(a: ProblemTerms, b: ProblemTerms): boolean {
  return a === b || (a.mode === b.mode && a.zeroIsUnlimited === b.zeroIsUnlimited && a.zone === b.zone);
}

function ofRun(run: Run, stops: readonly Job[], terms: ProblemTerms, links: Links): Problem[] {
  if (stops.length === 0) return [];
  const found: Problem[] = loadsOf(run, stops, terms, links)
    .filter(({ value, limit }) => value > limit)
    .map((load) => ({
      kind: "capacity",
      severity: "error",
      jobId: null,
      runId: run.id,
      text: fill(texts.problems.capacity, { ...load }),
    }));
  const overtime = overtimeMinutes(run, stops, terms.zone);
  if (overtime > 0) {
    const text = fill(texts.problems.outsideShift, {
      at: clockText(expectedEnd(run, stops), terms.zone),
      late: minutesText(overtime),
      limit: shortTime(run.shift_end),
    });
    found.push({ kind: "outside_shift", severity: "error", jobId: null, runId: run.id, text });
  }
  const contact = run.dispatched || run.status === "closed" ? null : missingContact(run);
  if (contact !== null) {
    found.push({ kind: "no_contact", severity: "warning", jobId: null, runId: run.id, text: contact });
  }
  return found;
}

/** What keeps the run sheet from reaching the driver by the run's method. */
export function missingContact(run: Run): string | null {
  const blank = (own: string | null, drivers: string | null): boolean => (own ?? drivers ?? "").trim() === "";
  if (run.preferred_method === "email") {
    return blank(run.email, run.driver.email) ? texts.problems.noEmail : null;
  }
  if (run.preferred_method === "sms") {
    return blank(run.phone_number, run.driver.phone_number) ? texts.problems.noPhone : null;
  }
  return null;
}

function ofStop(job: Job, run: Run): Problem[] {
  const found: Problem[] = [];
  const late = lateMinutes(job, run);
  if (late > 0) {
    const text = fill(texts.problems.late, {
      at: clockText(expectedArrival(job), job.timezone),
      late: minutesText(late),
      limit: shortTime(job.leave_by),
    });
    found.push({ kind: "late", severity: "error", jobId: job.id, runId: run.id, text });
  }
  const needed = typesOf(job.spec_type);
  const served = typesOf(run.spec_type);
  if (needed.length > 0 && !needed.some((type) => served.includes(type))) {
    const text = fill(texts.problems.type, {
      needed: needed.join(", "),
      run: run.uid,
      served: served.join(", ") || texts.problems.noType,
    });
    found.push({ kind: "type_mismatch", severity: "error", jobId: job.id, runId: run.id, text });
  }
  return found;
}

function typesOf(text: string | null): string[] {
  return linkedUids(text).map((type) => type.toLowerCase());
}

function ofLinks(job: Job, links: Links, runs: ReadonlyMap<number, Run>): Problem[] {
  const pickups = linkedUids(job.pickup_from);
  const texts = [...new Set([...pickups, ...linkedUids(job.deliver_to)])].flatMap(
    (uid) => brokenLink(job, uid, pickups.includes(uid), links, runs) ?? [],
  );
  return texts.map((text) => ({
    kind: "link",
    severity: "error",
    jobId: job.id,
    runId: job.run_id,
    text,
  }));
}

function brokenLink(
  job: Job,
  uid: string,
  isPickup: boolean,
  links: Links,
  runs: ReadonlyMap<number, Run>,
): string | null {
  const other = links.named(uid);
  if (other?.id === job.id) return null;
  if (other === undefined) return fill(texts.problems.linkMissing, { uid });
  if (other.run_id !== job.run_id) {
    if (other.run_id === null) return fill(texts.problems.linkUnserved, { uid });
    return fill(texts.problems.linkOther, { uid, run: runs.get(other.run_id)?.uid ?? "…" });
  }
  const wrongWay = job.run_id !== null && isPickup && (other.seq ?? 0) > (job.seq ?? 0);
  return wrongWay ? fill(texts.problems.linkOrder, { uid }) : null;
}

function ofPlace(job: Job): Problem[] {
  const nowhere = job.location.lat === 0 && job.location.lon === 0;
  if (!nowhere && job.location.address.trim() !== "") return [];
  return [
    {
      kind: "no_address",
      severity: "warning",
      jobId: job.id,
      runId: job.run_id,
      text: texts.problems.noAddress,
    },
  ];
}

function unserved(job: Job): Problem {
  const reasons: Readonly<Record<string, string>> = texts.optimise.reasons;
  const reason = job.unserved_reason === null ? undefined : reasons[job.unserved_reason];
  return {
    kind: "unserved",
    severity: "error",
    jobId: job.id,
    runId: null,
    text: reason ?? texts.problems.unserved,
  };
}
