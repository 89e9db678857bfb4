import { Alert, Box, Button, Skeleton, ToggleButton, ToggleButtonGroup, Typography } from "@mui/material";
import { answer, dateText, dayjs, fill, quietApi, texts, useSession } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useDistanceUnit, useTimezone } from "../data/organisation.ts";
import { DayTable } from "./DayTable.tsx";
import { Figure } from "./Figure.tsx";
import {
  type Behind,
  costMeasures,
  type DayFigures,
  datesBetween,
  lastDay,
  MEASURES,
  nameOf,
} from "./figures.ts";

const WEEKS = [2, 4, 12];

/** Lists behind the figures, the usual one first. */
const LISTS: Record<Behind, string[]> = {
  jobs: ["delivery_management/search_jobs", "database/jobs"],
  unserved: ["delivery_management/search_jobs", "database/jobs"],
  runs: ["delivery_management/search_runs", "database/runs"],
  costs: ["costing_management/run_cost_calculator"],
};

/** The day in figures, and their course over the last weeks. `pages` are the routes that the user may open. */
export function Figures({ pages }: { pages: string[] }): ReactNode {
  const today = dayjs().tz(useTimezone()).format("YYYY-MM-DD");
  const [weeks, setWeeks] = useState(4);
  const [table, setTable] = useState(false);
  const distance = useDistanceUnit();
  const query = {
    start_date: dayjs(today)
      .subtract(weeks * 7 - 1, "day")
      .format("YYYY-MM-DD"),
    end_date: today,
  };
  const organisation = useSession((state) => state.user?.organisation.id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["kpi days", organisation, query.start_date, query.end_date],
    queryFn: () => answer(quietApi.GET("/kpi/days", { params: { query } })),
    staleTime: 60_000,
  });
  const units = { distance };
  const days = data ?? [];
  const measures = [...MEASURES, ...costMeasures(days)];
  const dates = datesBetween(query.start_date, query.end_date);
  const day = lastDay(days, today);

  function listBehind(behind: Behind, { date, scenario_ids }: DayFigures): string | undefined {
    const page = LISTS[behind].find((path) => pages.includes(path));
    if (page === undefined) return undefined;
    const filter = {
      scheduled_date_start: date,
      scheduled_date_end: date,
      // What is counted, and no trial or copy of the day.
      scenario_ids,
      ...(behind === "unserved" && { served: "false" }),
    };
    const shown = Object.fromEntries(Object.keys(filter).map((name) => [name, true]));
    const search = new URLSearchParams({
      filter: JSON.stringify(filter),
      displayedFilters: JSON.stringify(shown),
    });
    return `/${page}?${search}`;
  }

  if (error) {
    return (
      <Alert
        severity="error"
        action={<Button onClick={() => void refetch()}>{texts.admin.shared.tryAgain}</Button>}
      >
        {error.message}
      </Alert>
    );
  }
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Box sx={{ display: "flex", gap: 1, alignItems: "center", flexWrap: "wrap" }}>
        <Typography sx={{ flex: 1, minWidth: 180 }}>
          {day &&
            fill(texts.admin.home.figuresOf, { day: dateText(day.date), runs: day.runs, jobs: day.jobs })}
        </Typography>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={weeks}
          aria-label={texts.admin.home.period}
          onChange={(_, next: number | null) => next !== null && setWeeks(next)}
        >
          {WEEKS.map((n) => (
            <ToggleButton key={n} value={n} sx={{ color: "text.secondary" }}>
              {fill(texts.admin.home.weeks, { n })}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        {day && (
          <Button onClick={() => setTable(!table)} aria-pressed={table}>
            {texts.admin.home.asTable}
          </Button>
        )}
      </Box>
      {isPending && <Skeleton variant="rounded" height={240} />}
      {!isPending && !day && (
        <Alert
          severity="info"
          action={
            <Button color="inherit" href="/">
              {texts.admin.home.openMap}
            </Button>
          }
        >
          {texts.admin.home.nothingYet}
        </Alert>
      )}
      {day && table && <DayTable days={days} measures={measures} units={units} />}
      {day && !table && (
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 300px), 1fr))",
          }}
        >
          {measures.map((measure) => (
            <Figure
              key={`${measure.key} ${measure.currency ?? ""}`}
              measure={measure}
              name={nameOf(measure, measures)}
              days={days}
              dates={dates}
              day={day}
              units={units}
              to={listBehind(measure.behind, day)}
            />
          ))}
        </Box>
      )}
    </Box>
  );
}
