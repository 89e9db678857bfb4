import {
  distanceText,
  durationText,
  fill,
  type Job,
  messageOfError,
  type Move,
  type MoveAnswer,
  request,
  type Run,
  session,
  texts,
  toastError,
  toastInfo,
  toastSuccess,
  toastWarning,
} from "@routewright/web";
import { applyThrough } from "../plan/follow.ts";
import { keys } from "../plan/keys.ts";
import type { Plan } from "../plan/plan.ts";
import { problemsOf } from "../plan/problems.ts";
import { cachedPlan, cachePlan, planIsWhole } from "../plan/queries.ts";
import { problemTerms } from "../plan/use-problems.ts";
import { queryClient } from "../ui/query-client.ts";
import { MoveQueue } from "./move-queue.ts";
import { dispatchedRuns, withReason } from "./reasons.ts";

const queues = new Map<number, MoveQueue>();

applyThrough((scenarioId, change) => {
  const queue = queues.get(scenarioId);
  if (queue?.busy !== true) return false;
  queue.take(change);
  return true;
});

/** Moves jobs of a scenario to a run (`run_id` null: to unserved). Cycles of links are told and change nothing. */
export function moveJobs(scenarioId: number, move: Move): void {
  if (!planIsWhole(scenarioId)) {
    toastInfo(texts.runs.stillLoading);
    return;
  }
  const queue = queues.get(scenarioId) ?? queueOf(scenarioId);
  queues.set(scenarioId, queue);
  // A refetch that is on its way would overwrite what is shown from now on.
  void queryClient.cancelQueries({ queryKey: keys.plan(scenarioId) });
  try {
    queue.add(move);
  } catch (error) {
    toastError(messageOfError(error));
  }
}

/** The same, after the question why, where a run is changed that its driver knows already. */
export function moveJobsWithReason(scenarioId: number, move: Move): void {
  void withReason(dispatchedRuns(cachedPlan(scenarioId), move.job_ids, move.run_id), (reasonId) =>
    moveJobs(scenarioId, { ...move, scenario_reason_id: reasonId }),
  );
}

/** What a move would lead to; nothing is changed. */
export async function effectOf({ run_id: runId, ...move }: Move): Promise<{ runs: Run[]; unserved: Job[] }> {
  const answer = await request<MoveAnswer>(`/runs/move_job_to_new/${runId ?? "unserved"}`, {
    method: "PUT",
    body: { ...move, dry_run: true },
    quiet: true,
  });
  return { runs: answer.updated_runs, unserved: answer.jobs_to_unserved };
}

function queueOf(scenarioId: number): MoveQueue {
  return new MoveQueue({
    read: () => cachedPlan(scenarioId),
    write: (plan) => cachePlan(scenarioId, plan),
    send,
    onDone: (moves, answer, was, now) => {
      tellDone(moves, answer);
      // The server's figures: what still waits is shown on the screen and is a guess.
      tellImpact(was, now);
      void queryClient.invalidateQueries({ queryKey: keys.check(scenarioId) });
    },
    onFailed: (moves, error) => {
      const text = jobCount(moves) > 1 ? texts.runs.moveManyFailed : texts.runs.moveFailed;
      toastError(`${text}: ${messageOfError(error)}`);
      // What the server holds now is the truth, also when its answer was lost on the way.
      void queryClient.invalidateQueries({ queryKey: keys.plan(scenarioId) });
    },
  });
}

function send(moves: readonly Move[]): Promise<MoveAnswer> {
  const [first] = moves;
  if (moves.length === 1 && first !== undefined) {
    const { run_id: runId, ...body } = first;
    return request<MoveAnswer>(`/runs/move_job_to_new/${runId ?? "unserved"}`, {
      method: "PUT",
      body,
      quiet: true,
    });
  }
  const body = {
    moves: moves.map(({ run_id, job_ids, seq, pool }) => ({ run_id, job_ids, seq, pool })),
    scenario_reason_id: first?.scenario_reason_id ?? null,
  };
  return request<MoveAnswer>("/runs/bulk_move_jobs", { method: "PUT", body, quiet: true });
}

function jobCount(moves: readonly Move[]): number {
  return moves.reduce((sum, move) => sum + move.job_ids.length, 0);
}

function tellDone(moves: readonly Move[], { jobs_to_unserved: unserved }: MoveAnswer): void {
  const n = jobCount(moves);
  toastSuccess(n > 1 ? fill(texts.runs.movedMany, { n }) : texts.runs.moved);
  // Those that were sent there, and those that followed a linked job.
  const sent = moves.flatMap(({ run_id: runId, job_ids: ids }) => (runId === null ? ids : []));
  const left = new Set([...sent, ...unserved.map(({ id }) => id)]);
  if (left.size > 0) toastWarning(fill(texts.runs.toUnserved, { n: left.size }));
}

interface Totals {
  drivingTime: number;
  distance: number;
  served: number;
  late: number;
  overloaded: number;
}

function totalsOf(plan: Plan): Totals {
  const { runs, jobs } = plan;
  const sum = (value: (run: Run) => number): number => runs.reduce((total, run) => total + value(run), 0);
  const { all } = problemsOf(plan, problemTerms());
  const runsWith = new Set(all.flatMap(({ kind, runId }) => (kind === "capacity" ? (runId ?? []) : [])));
  return {
    drivingTime: sum((run) => run.total_driving_time),
    distance: sum((run) => run.distance),
    served: jobs.filter((job) => job.run_id !== null).length,
    late: all.filter(({ kind }) => kind === "late").length,
    overloaded: runsWith.size,
  };
}

/** 6 s toast with what changed in the plan. */
export function tellImpact(from: Plan | undefined, to: Plan): void {
  if (from === undefined) return;
  toastInfo(texts.optimise.impact, { id: "impact", duration: 6_000, description: impactText(from, to) });
}

/** What one plan has more or less of than another, in figures. */
export function impactText(from: Plan, to: Plan): string {
  const unit = session().user?.organisation.settings.distance_unit ?? "km";
  const old = totalsOf(from);
  const now = totalsOf(to);
  const arrow = (a: string | number, b: string | number): string => (a === b ? String(b) : `${a} → ${b}`);
  return fill(texts.runs.impact, {
    time: arrow(durationText(old.drivingTime), durationText(now.drivingTime)),
    distance: arrow(distanceText(old.distance, unit), distanceText(now.distance, unit)),
    served: arrow(old.served, now.served),
    late: arrow(old.late, now.late),
    overloaded: arrow(old.overloaded, now.overloaded),
  });
}
