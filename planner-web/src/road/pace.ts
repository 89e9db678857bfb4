import type { Job, Run } from "@routewright/web";
import { windowStart } from "../plan/lateness.ts";

const MINUTE = 60_000;

/**
 * Minutes of planned work as planned that a run is believed to have behind it before it has made a stop. This and the two
 * below are such that the ranges hold on rehearsed days (`infra/bench/rehearsal`).
 */
const PRIOR_WORK = 90;
/** So many parts of the way are believed to have been driven with the spread below. */
const PRIOR_PARTS = 8;
/** Minutes squared by which a minute of work varies: an hour's work then ends within 20 minutes in 8 of 10 cases. */
const PRIOR_VARIANCE = 2.5;
/** Minutes: what is planned to be shorter is as unsure as this. */
const SHORTEST = 2;
/** A pace beyond these is a mistake in what was recorded, such as all proofs at the end. */
const SLOWEST = 2.5;
const FASTEST = 0.6;
/** Of the normal distribution: 80 % lie within so many standard deviations. */
const EIGHTY = 1.2816;

/** How fast a run is, and how sure that is. */
export interface Pace {
  /** Time taken per planned time: 1.2 is a fifth slower than planned. */
  ratio: number;
  /** Minutes squared by which a minute of work varies. */
  variance: number;
  /** Minutes of planned work that this was seen in, with what was believed before. */
  seen: number;
}

/** Planned milliseconds of service at a stop. */
export function plannedService({ eta, etd, duration }: Job): number {
  return eta === null || etd === null ? duration * MINUTE : Math.max(0, Date.parse(etd) - Date.parse(eta));
}

/** Planned milliseconds on the way to a stop from the one before it in the plan, the break with it, without waiting. */
export function plannedTravel(run: Run, stops: readonly Job[], job: Job): number {
  const before = stops[stops.indexOf(job) - 1];
  const left = before === undefined ? run.planned_start_time : (before.etd ?? before.eta);
  if (left === null || job.eta === null) return 0;
  return Math.max(0, Date.parse(job.eta) - Date.parse(left) - job.wait_seconds * 1000);
}

/**
 * The pace of a run so far: the time that it took for its parts (from one proof to the next in planned order, waiting
 * for a window left out) by the time planned for them. It is the ratio estimator (Cochran, Sampling Techniques, chapter
 * 6), which is the least-squares line through the origin where the variance of a part grows with its length; an hour as
 * planned is mixed in, so that one slow stop does not condemn the day. The variance is that of the run's own deviations
 * per minute of work, mixed with a usual one in the same way.
 */
export function paceOf(run: Run, stops: readonly Job[]): Pace {
  const parts = partsOf(run, stops);
  const planned = parts.reduce((sum, part) => sum + part.planned, PRIOR_WORK);
  const taken = parts.reduce((sum, part) => sum + part.taken, PRIOR_WORK);
  const ratio = Math.min(SLOWEST, Math.max(FASTEST, taken / planned));
  const squares = parts.reduce(
    (sum, part) => sum + (part.taken - ratio * part.planned) ** 2 / part.planned,
    0,
  );
  const variance = (PRIOR_PARTS * PRIOR_VARIANCE + squares) / (PRIOR_PARTS + parts.length);
  return { ratio, variance, seen: planned };
}

/**
 * Minutes to either side within which work of so many planned minutes ends in 8 of 10 cases: the prediction interval of
 * that line, `z·√(s²·T·(1 + T/W))`. The first part is what the road does, which grows with the root of the time; the
 * second is what is not known of the pace, which grows with the time and shrinks with what was seen of it.
 */
export function spreadOf({ variance, seen }: Pace, work: number): number {
  const minutes = Math.max(0, work);
  return EIGHTY * Math.sqrt(variance * minutes * (1 + minutes / seen));
}

/** What is known of work that goes on. */
export interface Rest {
  /** Minutes after its begin at which it is expected to end. */
  ends: number;
  /** Planned minutes of other work that would be as unsure. */
  work: number;
}

/**
 * When work of so many planned minutes ends that has gone on for so long. Before it begins it takes as long as the run's pace
 * says; the longer it goes on, the longer it takes: the mean of a normal distribution of which what is over is cut off, and its
 * variance (Greene, Econometric Analysis, theorem 19.2).
 */
export function restOf(planned: number, gone: number, { ratio, variance }: Pace): Rest {
  const mean = planned * ratio;
  const deviation = Math.sqrt(variance * Math.max(planned, SHORTEST));
  const over = (gone - mean) / deviation;
  // Of what has hardly begun nothing is cut off.
  if (over < -4) return { ends: mean, work: planned };
  const ratioOfMills = millsOf(over);
  const left = Math.max(0, 1 - ratioOfMills * (ratioOfMills - over));
  return { ends: mean + deviation * ratioOfMills, work: left * Math.max(planned, SHORTEST) };
}

/** From so many deviations on the normal distribution is reckoned by its continued fraction, and how deep. */
const TAIL = 2;
const DEPTH = 40;

/** The normal density by what lies beyond it. */
function millsOf(over: number): number {
  if (over > TAIL) {
    // Laplace's continued fraction: x + 1/(x + 2/(x + 3/(x + ...))).
    let found = over;
    for (let term = DEPTH; term >= 1; term -= 1) found = over + term / found;
    return found;
  }
  return Math.exp((-over * over) / 2) / Math.sqrt(2 * Math.PI) / beyond(over);
}

/** Share of the normal distribution beyond so many deviations (Abramowitz and Stegun 26.2.17). */
function beyond(over: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(over));
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = terms.reduceRight((found, term) => (found + term) * t, 0);
  const tail = (sum * Math.exp((-over * over) / 2)) / Math.sqrt(2 * Math.PI);
  return over < 0 ? 1 - tail : tail;
}

/** Minutes planned and taken for each part of the way that was driven as planned. */
function partsOf(run: Run, stops: readonly Job[]): { planned: number; taken: number }[] {
  const made = stops
    .flatMap((job, index) =>
      job.proof_time === null ? [] : [{ job, index, at: Date.parse(job.proof_time) }],
    )
    .sort((a, b) => a.at - b.at);
  const parts: { planned: number; taken: number }[] = [];
  let before = { index: -1, at: run.actual_start_time === null ? NaN : Date.parse(run.actual_start_time) };
  for (const { job, index, at } of made) {
    const travel = plannedTravel(run, stops, job);
    const planned = (travel + plannedService(job)) / MINUTE;
    if (index === before.index + 1 && planned >= 1 && at >= before.at) {
      const waited = Math.max(0, (windowStart(job, run) ?? -Infinity) - before.at - travel);
      parts.push({ planned, taken: Math.max(0, at - before.at - waited) / MINUTE });
    }
    before = { index, at };
  }
  return parts;
}
