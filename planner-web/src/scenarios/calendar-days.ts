import { dayjs } from "@routewright/web";

export type CalendarView = "month" | "week" | "day";

/** Days of a view as wire dates; weeks begin on Monday, months show whole weeks. */
export function daysShown(anchor: string, view: CalendarView): string[] {
  const day = dayjs(anchor);
  if (view === "day") return [anchor];
  const monday = (date: typeof day): typeof day => date.subtract((date.day() + 6) % 7, "day");
  const start = view === "week" ? monday(day) : monday(day.startOf("month"));
  const end = view === "week" ? start.add(6, "day") : monday(day.endOf("month")).add(6, "day");
  const days: string[] = [];
  for (let current = start; !current.isAfter(end, "day"); current = current.add(1, "day")) {
    days.push(current.format("YYYY-MM-DD"));
  }
  return days;
}
