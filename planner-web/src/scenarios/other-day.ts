import { type Page, request, type Scenario, texts, toastInfo } from "@routewright/web";
import { keys } from "../plan/keys.ts";
import { queryClient } from "../ui/query-client.ts";

/** -1: the day before; 1: the day after. */
export type Direction = -1 | 1;

type Dated = Pick<Scenario, "id" | "scheduled_date">;

/** The plan of the nearest other day on one side, the fullest of that day; days without a plan are passed over. */
export async function openOtherDay(
  { scheduled_date: day }: Dated,
  direction: Direction,
  activate: (id: number) => void,
): Promise<void> {
  const query =
    direction < 0
      ? { scheduled_date_end: shifted(day, -1), sort_by: "scheduled_date", sort_order: "desc" }
      : { scheduled_date_start: shifted(day, 1), sort_by: "scheduled_date", sort_order: "asc" };
  const { data } = await queryClient.query({
    queryKey: [...keys.scenarios, "beside", day, direction],
    queryFn: () => request<Page<Scenario>>("/scenarios", { query: { ...query, per_page: 50 } }),
    staleTime: 0,
  });
  const [nearest] = data;
  if (nearest === undefined) {
    toastInfo(texts.commands.noOtherDay);
    return;
  }
  const [fullest] = data
    .filter((one) => one.scheduled_date === nearest.scheduled_date)
    .sort((a, b) => b.jobs_count - a.jobs_count);
  activate((fullest ?? nearest).id);
}

/** A date so many days later. */
export function shifted(day: string, days: number): string {
  const moment = new Date(`${day}T12:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}
