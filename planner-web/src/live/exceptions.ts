import { type Job, type Run, texts } from "@routewright/web";
import { stopsByRun } from "../plan/plan.ts";
import type { Problem } from "../plan/problems.ts";
import { type Day, type Exception, EXCEPTION_KINDS, type ExceptionKind } from "./model.ts";
import { ofRun } from "./of-run.ts";

/** What a promise can still be kept in, what is over, and what is wrong with the plan itself. */
const TIER: Readonly<Record<ExceptionKind, number>> = {
  late: 0,
  no_start: 0,
  silent: 0,
  long_stop: 0,
  off_plan: 0,
  unconfirmed: 0,
  failed: 1,
  missing_proof: 1,
  problem: 2,
};

/**
 * What does not go as planned, the most urgent first: what can still be helped, by the moment when a promise breaks;
 * then visits that are over and went wrong, the newest first; then what else is wrong with the plan.
 *
 * `before` has the keys of what was told last: what is measured ends at another value than it begins, so that it does
 * not come and go around a bound. Unless the plan's day is today, only the plan and its proofs are told.
 */
export function exceptionsOf(day: Day, before: ReadonlySet<string>): Exception[] {
  const stops = stopsByRun(day.plan.jobs);
  const found = day.plan.runs.flatMap((run) => lookAt(day, run, stops.get(run.id) ?? NO_STOPS, before));
  const others = day.problems.all.filter(({ kind }) => kind !== "late").map(otherOf);
  return [...found.sort(byUrgency), ...others];
}

/** Runs of which nothing new is known are not looked at again: told once, the same is told by the same facts. */
const last = new WeakMap<Run, { facts: readonly unknown[]; found: readonly Exception[] }>();

function lookAt(
  day: Day,
  run: Run,
  stops: readonly Job[],
  before: ReadonlySet<string>,
): readonly Exception[] {
  const { road, contacts, problems, terms } = day;
  const theirs = [problems.ofRun(run.id), contacts.get(run.id), road.runs.get(run.id)];
  const facts = [stops, road.now, road.driven, terms, ...theirs];
  const known = last.get(run);
  if (known?.facts.every((fact, index) => fact === facts[index]) === true) return known.found;
  const found = ofRun(day, run, stops, before);
  last.set(run, { facts, found });
  return found;
}

const NO_STOPS: readonly Job[] = [];

function byUrgency(a: Exception, b: Exception): number {
  const tier = TIER[a.kind] - TIER[b.kind];
  if (tier !== 0) return tier;
  const [first, second] = [a.breaksAt ?? Infinity, b.breaksAt ?? Infinity];
  if (first !== second) return TIER[a.kind] === 0 ? first - second : second - first;
  return EXCEPTION_KINDS.indexOf(a.kind) - EXCEPTION_KINDS.indexOf(b.kind);
}

function otherOf({ kind, severity, jobId, runId, text }: Problem): Exception {
  const key = `problem ${kind} ${runId} ${jobId} ${text}`;
  const words = `${texts.problems.kinds[kind]}: ${text}`;
  return { key, kind: "problem", severity, jobId, runId, text: words, breaksAt: null };
}
