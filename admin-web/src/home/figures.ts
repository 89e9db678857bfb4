import { dayjs, fromMetres, type Schemas, texts } from "@routewright/web";
import type { DistanceUnit } from "@routewright/web/model";

/** What a day's runs did; sums over the plans by which it went. */
export type DayFigures = Schemas["DayFigures"];

/** Lists that a figure can lead to. */
export type Behind = "jobs" | "unserved" | "runs" | "costs";

/** One of the figures that the home page shows. */
export interface Measure {
  key: keyof typeof texts.admin.home.measures;
  /** Of money, where it is not the organisation's. */
  currency?: string;
  /** `null` where the day has nothing to measure. */
  of: (day: DayFigures, unit: DistanceUnit) => number | null;
  kind: "percent" | "length" | "money";
  behind: Behind;
}

/** The figures, in their order. */
export const MEASURES: Measure[] = [
  { key: "onTime", kind: "percent", behind: "jobs", of: (day) => share(day.on_time, day.visited) },
  {
    key: "served",
    kind: "percent",
    behind: "unserved",
    of: (day) => (day.unserved === null ? null : share(day.jobs, day.jobs + day.unserved)),
  },
  { key: "proofs", kind: "percent", behind: "jobs", of: (day) => share(day.visited, day.jobs) },
  { key: "load", kind: "percent", behind: "runs", of: (day) => day.load_factor },
  {
    key: "lengthPerStop",
    kind: "length",
    behind: "runs",
    of: (day, unit) => (day.jobs > 0 ? fromMetres(day.distance, unit) / day.jobs : null),
  },
];

/** The cost of a stop, once for each currency of the days: sums of two currencies say nothing. */
export function costMeasures(days: readonly DayFigures[]): Measure[] {
  const currencies = new Set(days.flatMap(({ costs }) => (costs ?? []).map(({ currency }) => currency)));
  return [...currencies].sort().map((currency) => ({
    key: "costPerDrop",
    currency,
    kind: "money",
    behind: "costs",
    of: ({ costs }) => {
      const one = costs?.find((cost) => cost.currency === currency);
      return one !== undefined && one.jobs > 0 ? one.cost / one.jobs : null;
    },
  }));
}

/** What a figure is called; costs by their currency where there are several. */
export function nameOf({ key, currency }: Measure, measures: readonly Measure[]): string {
  const name = texts.admin.home.measures[key];
  const several = measures.filter((other) => other.key === key).length > 1;
  return several && currency !== undefined ? `${name} (${currency})` : name;
}

function share(part: number, whole: number): number | null {
  return whole > 0 ? (part * 100) / whole : null;
}

/** In which units figures are shown. */
export interface Units {
  distance: DistanceUnit;
}

/** A value of a measure with its unit; a dash for none. */
export function valueText(measure: Measure, value: number | null, units: Units): string {
  if (value === null) return "–";
  if (measure.kind === "percent") return `${value.toFixed(0)} %`;
  return `${value.toFixed(2)} ${measure.kind === "length" ? units.distance : (measure.currency ?? "")}`;
}

/** Every wire date from one to the other. */
export function datesBetween(from: string, until: string): string[] {
  const dates: string[] = [];
  for (let day = dayjs.utc(from); day.format("YYYY-MM-DD") <= until; day = day.add(1, "day"))
    dates.push(day.format("YYYY-MM-DD"));
  return dates;
}

/** The day whose figures stand large: the last one up to `today` that had runs. */
export function lastDay(days: DayFigures[], today: string): DayFigures | undefined {
  return days.filter((day) => day.date <= today && day.runs > 0).at(-1);
}
