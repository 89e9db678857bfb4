import { type DistanceUnit, distanceText, fill, type Runsheet, texts } from "@routewright/web";

/** A way is asked about from so many times its plan on, and so many kilometres beyond it. */
const FACTOR = 2;
const BEYOND_KM = 50;
/** A run that was planned longer than this has to move. */
const STILL_KM = 2;

/** Why the odometer at the end of a run looks like a slip; `null` where it does not, or where nothing is known to compare it with. */
export function odometerDoubt(
  run: Pick<Runsheet["run"], "start_odometer" | "distance">,
  km: number | null,
  unit: DistanceUnit,
): string | null {
  if (km === null || run.start_odometer === null) return null;
  const way = km - run.start_odometer;
  const planned = run.distance / 1000;
  const words = { way: distanceText(way * 1000, unit), planned: distanceText(run.distance, unit) };
  if (way > planned * FACTOR + BEYOND_KM) return fill(texts.runsheet.odometerFar, words);
  if (way === 0 && planned > STILL_KM) return fill(texts.runsheet.odometerStill, words);
  return null;
}
