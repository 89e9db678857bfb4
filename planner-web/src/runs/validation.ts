import { fill, type Run, texts } from "@routewright/web";

/** How far reality may exceed the plan. */
export const TOLERANCE = 0.15;

/** What a run exceeds. Times in seconds, distances in km. */
export interface Excess {
  timeOk: boolean;
  distanceOk: boolean;
  /** Seconds above the plan. */
  extraTime: number;
  /** Kilometres above the plan; `null` without both odometers. */
  extraKm: number | null;
}

/** Whether everything is there that a validation needs. */
export function canValidate(run: Run): boolean {
  return (
    run.billing_start_time !== null &&
    run.actual_start_time !== null &&
    run.actual_end_time !== null &&
    run.start_odometer !== null &&
    run.end_odometer !== null
  );
}

/** Compares the actual hours and distance of a run with its plan. */
export function excessOf(run: Run): Excess {
  const actualTime =
    run.actual_start_time === null || run.actual_end_time === null
      ? 0
      : (Date.parse(run.actual_end_time) - Date.parse(run.actual_start_time)) / 1000;
  const plannedTime = run.total_driving_time + run.total_job_duration;
  const plannedKm = run.distance / 1000;
  const actualKm =
    run.start_odometer === null || run.end_odometer === null
      ? null
      : run.end_odometer - run.start_odometer + run.additional_billing_kms;
  return {
    timeOk: within(actualTime, plannedTime),
    distanceOk: actualKm !== null && within(actualKm, plannedKm),
    extraTime: Math.max(0, actualTime - plannedTime),
    extraKm: actualKm === null ? null : Math.max(0, actualKm - plannedKm),
  };
}

function within(actual: number, planned: number): boolean {
  // Multiplication leaves tiny remainders, such as 1.15 * 100.
  return actual <= planned * (1 + TOLERANCE) + 1e-9;
}

/** What the warning says. */
export function warningsOf(excess: Excess): string[] {
  const warnings: string[] = [];
  if (!excess.timeOk) {
    const minutes = Math.round(excess.extraTime / 60);
    warnings.push(fill(texts.runs.validation.hours, { h: Math.floor(minutes / 60), m: minutes % 60 }));
  }
  if (!excess.distanceOk) {
    warnings.push(
      excess.extraKm === null
        ? texts.runs.validation.missingOdometer
        : fill(texts.runs.validation.distance, { km: excess.extraKm.toFixed(2) }),
    );
  }
  return warnings;
}
