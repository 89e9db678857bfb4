import { LATE_FROM } from "../../../planner-web/src/road/bounds.ts";
import type { Happened, Look } from "./look.ts";

const MINUTE = 60_000;
/** Milliseconds before a promise breaks at which the office should know. */
export const AHEAD = 30 * MINUTE;

/** A day that was rehearsed. */
export interface Day {
  seed: number;
  looks: Look[];
  stops: Happened[];
}

/** A part of a whole. */
export interface Share {
  hits: number;
  of: number;
}

export interface Measured {
  /** Of the stops that were told to be late 30 minutes before their windows closed, those that were. */
  precision: Share;
  /** Of the stops that were late, those that were told 30 minutes before. */
  recall: Share;
  /** Ranges that held what they promised. */
  coverage: Share;
  /** The same by how far ahead they looked. */
  byLead: { name: string; share: Share; width: number }[];
  /** Stops with a window that were told to be late, and then not, and then late again. */
  flapping: Share;
  /** How often what is told of a stop with a window changes. */
  changes: number;
  /** Minutes by which expected times were off, median. */
  error: number;
  /** Simulated minutes since the newest position of a run, median: more than phones wait is the machine's doing. */
  age: number;
}

const LEADS: [string, number, number][] = [
  ["up to 15 min ahead", 0, 15],
  ["15 to 30 min", 15, 30],
  ["30 to 60 min", 30, 60],
  ["1 to 2 h", 60, 120],
  ["2 h and more", 120, Infinity],
];

export function share({ hits, of }: Share): number {
  return of === 0 ? Number.NaN : hits / of;
}

export function measure(days: readonly Day[]): Measured {
  const precision = none();
  const recall = none();
  const coverage = none();
  const flapping = none();
  const byLead = LEADS.map(([name]) => ({ name, share: none(), widths: [] as number[] }));
  const errors: number[] = [];
  let changes = 0;
  for (const { looks, stops } of days) {
    for (const { jobId, reached, closes } of stops) {
      const seen = looks.flatMap(({ now, stops: found }) => {
        const known = found.get(jobId);
        return known === undefined || now >= reached ? [] : [{ now, ...known }];
      });
      for (const { now, at, from, to } of seen) {
        // A look takes its second: what a clock shows is as exact.
        const held = reached >= from - MINUTE / 2 && reached <= to + MINUTE / 2;
        count(coverage, held);
        const lead = (reached - now) / MINUTE;
        const place = LEADS.findIndex(([, least, most]) => lead >= least && lead < most);
        const part = byLead[place];
        if (part === undefined) continue;
        count(part.share, held);
        part.widths.push((to - from) / MINUTE);
        errors.push(Math.abs(at - reached) / MINUTE);
      }
      if (closes === null) continue;
      const states = seen.map(({ late }) => late);
      const turns = states.filter((late, index) => index > 0 && late !== states[index - 1]).length;
      changes += turns;
      count(flapping, turns + (states[0] === true ? 1 : 0) >= 3);
      const then = seen.findLast(({ now }) => now <= closes - AHEAD);
      // Reached before, or not on the road yet.
      if (then === undefined || then.now < closes - AHEAD - 5 * MINUTE) continue;
      const late = reached > closes + LATE_FROM;
      if (then.late) count(precision, late);
      if (late) count(recall, then.late);
    }
  }
  return {
    precision,
    recall,
    coverage,
    byLead: byLead.map(({ name, share: part, widths }) => ({ name, share: part, width: median(widths) })),
    flapping,
    changes: changes / Math.max(1, flapping.of),
    error: median(errors),
    age: median(days.flatMap(({ looks }) => looks.flatMap(({ ages }) => ages))),
  };
}

function none(): Share {
  return { hits: 0, of: 0 };
}

function count(part: Share, hit: boolean): void {
  part.of += 1;
  if (hit) part.hits += 1;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
