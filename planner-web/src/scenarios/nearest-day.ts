import { dayjs, type Page, request, type Scenario } from "@routewright/web";

/** How many on each side of a day are looked at: those of the day itself, and the next one. */
const SIDE = 50;

/** Scenarios on both sides of a date (`YYYY-MM-DD`), the nearest first on each. */
export async function scenariosBeside(date: string): Promise<Scenario[]> {
  const side = (query: Record<string, string>): Promise<Page<Scenario>> =>
    request<Page<Scenario>>("/scenarios", { query: { ...query, sort_by: "scheduled_date", per_page: SIDE } });
  const [later, earlier] = await Promise.all([
    side({ scheduled_date_start: date, sort_order: "asc" }),
    side({ scheduled_date_end: date, sort_order: "desc" }),
  ]);
  const known = new Map([...later.data, ...earlier.data].map((scenario) => [scenario.id, scenario]));
  return [...known.values()];
}

/** The one whose day is nearest; of two that are as near the later day, of one day the newest made. */
export function nearestDay(
  from: Pick<Scenario, "scheduled_date">,
  others: readonly Scenario[] = [],
): Scenario | undefined {
  const days = (scenario: Scenario): number =>
    dayjs(scenario.scheduled_date).diff(from.scheduled_date, "day");
  return [...others].sort(
    (a, b) => Math.abs(days(a)) - Math.abs(days(b)) || days(b) - days(a) || b.id - a.id,
  )[0];
}
