import { clockText, type Job } from "@routewright/web";
import type { Problem } from "../plan/problems.ts";

/** What a stop is called: `3 · J-7 · Bakery · 09:40 · 09:40, 10 min after 09:30`; without times for customers. */
export function labelOf(job: Job, problems: readonly Problem[], customer: boolean): string {
  return [
    job.seq,
    job.uid,
    job.customer_name,
    job.eta === null || customer ? null : clockText(job.eta, job.timezone),
    ...(customer ? [] : problems.map(({ text }) => text)),
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

/** Green and red once it was visited, else the run's colour. */
export function statusColour(job: Job, colour: string): string {
  if (!job.visited) return colour;
  return job.successful ? "#2a7d46" : "#b3261e";
}
