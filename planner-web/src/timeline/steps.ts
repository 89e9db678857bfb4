import type { Job } from "@routewright/web";
import type { Step } from "./use-stop-events.ts";

/** Rows of a page. */
const PAGE = 10;

interface Place {
  row: number;
  job: Job;
}

/**
 * Where an arrow key leads from a stop: along its row, or to the stop of a neighbouring row that is nearest in time;
 * rows without stops are passed. `null` at the border. The rows are the runs' stops and, last, the unserved jobs.
 */
export function stepFrom(rows: readonly (readonly Job[])[], jobId: number, step: Step): Place | null {
  const row = rows.findIndex((list) => list.some(({ id }) => id === jobId));
  const list = rows[row];
  if (list === undefined) return null;
  const index = list.findIndex(({ id }) => id === jobId);
  const along = { left: index - 1, right: index + 1, home: 0, end: list.length - 1 };
  if (step in along) {
    const job = list[along[step as keyof typeof along]];
    return job === undefined ? null : { row, job };
  }
  const way = step === "up" || step === "page-up" ? -1 : 1;
  const far = step === "page-up" || step === "page-down" ? PAGE : 1;
  const from = list[index];
  let next = Math.min(rows.length - 1, Math.max(0, row + way * far));
  while (rows[next]?.length === 0) next += way;
  const target = rows[next];
  if (from === undefined || target === undefined || next === row) return null;
  const job = nearest(target, from, index);
  return job === undefined ? null : { row: next, job };
}

/** By time where both have one, else the same place in the row. */
function nearest(list: readonly Job[], from: Job, index: number): Job | undefined {
  const moment = from.eta === null ? NaN : Date.parse(from.eta);
  if (Number.isNaN(moment) || list[0]?.eta == null) return list[Math.min(index, list.length - 1)];
  const distance = (job: Job): number =>
    job.eta === null ? Infinity : Math.abs(Date.parse(job.eta) - moment);
  return list.reduce((best, job) => (distance(job) < distance(best) ? job : best));
}
