import { fill, texts } from "@routewright/web";
import type { Run } from "@routewright/web/model";

/** A validation may exceed the plan by this part without a question. */
export const TOLERANCE = 0.15;

type Actuals = Pick<
  Run,
  | "billing_start_time"
  | "actual_start_time"
  | "actual_end_time"
  | "start_odometer"
  | "end_odometer"
  | "additional_billing_kms"
  | "total_driving_time"
  | "total_job_duration"
  | "distance"
>;

/** What validation needs and the run lacks. */
export function missingForValidation(run: Actuals): string[] {
  const needed = [
    "billing_start_time",
    "actual_start_time",
    "actual_end_time",
    "start_odometer",
    "end_odometer",
  ] as const;
  return needed.filter((field) => run[field] === null);
}

/** How far a run is over its plan: seconds and kilometres; `null` when it cannot be told. */
export interface Excess {
  seconds: number | null;
  km: number | null;
  timeOk: boolean;
  distanceOk: boolean;
}

/**
 * Compares actual with planned: hours against driving plus service time, odometers plus additional billing
 * kilometres against the planned distance. A missing odometer or time fails its check.
 */
export function excessOf(run: Actuals): Excess {
  const planned = run.total_driving_time + run.total_job_duration;
  const seconds =
    run.actual_start_time && run.actual_end_time
      ? (Date.parse(run.actual_end_time) - Date.parse(run.actual_start_time)) / 1000 - planned
      : null;
  const plannedKm = run.distance / 1000;
  const km =
    run.start_odometer !== null && run.end_odometer !== null
      ? run.end_odometer - run.start_odometer + run.additional_billing_kms - plannedKm
      : null;
  return {
    seconds,
    km,
    timeOk: seconds !== null && seconds <= planned * TOLERANCE,
    distanceOk: km !== null && km <= plannedKm * TOLERANCE,
  };
}

/** The sentences of the question that is asked when a run is over the tolerance. */
export function excessTexts(excess: Excess): string[] {
  const sentences: string[] = [];
  if (!excess.timeOk && excess.seconds !== null) {
    const minutes = Math.round(excess.seconds / 60);
    sentences.push(fill(texts.runs.validation.hours, { h: Math.floor(minutes / 60), m: minutes % 60 }));
  }
  if (!excess.distanceOk && excess.km !== null) {
    sentences.push(fill(texts.runs.validation.distance, { km: excess.km.toFixed(2) }));
  }
  return sentences;
}
