import { Box, Card, CardContent, Skeleton, Typography } from "@mui/material";
import { dateText, fill, texts } from "@routewright/web";
import { lazy, type ReactNode, Suspense } from "react";
import { Link } from "react-router";
import { type DayFigures, type Measure, type Units, valueText } from "./figures.ts";

const DayChart = lazy(async () => ({ default: (await import("./DayChart.tsx")).DayChart }));

interface Props {
  measure: Measure;
  name: string;
  days: DayFigures[];
  /** Wire dates that the course goes over. */
  dates: string[];
  /** The day whose value stands large. */
  day: DayFigures;
  units: Units;
  /** Route of the list behind the day's value, if the user may open it. */
  to: string | undefined;
}

/** One figure: the day's value, which leads to the list behind it, and its course. */
export function Figure({ measure, name, days, dates, day, units, to }: Props): ReactNode {
  const known = new Map(days.map((one) => [one.date, measure.of(one, units.distance)]));
  const values = dates.map((date) => known.get(date) ?? null);
  const text = (value: number | null) => valueText(measure, value, units);
  const there = values.filter((value) => value !== null);
  const value = measure.of(day, units.distance);
  const now = text(value);
  const course = fill(texts.admin.home.course, {
    name,
    least: text(there.length > 0 ? Math.min(...there) : null),
    most: text(there.length > 0 ? Math.max(...there) : null),
    from: dateText(dates[0]),
    until: dateText(dates.at(-1)),
  });
  return (
    <Card variant="outlined" component="section" aria-label={name}>
      <CardContent sx={{ "&:last-child": { pb: 1 } }}>
        <Typography variant="subtitle2" component="h2" color="text.secondary">
          {name}
        </Typography>
        <Typography variant="h5" component="p" sx={{ my: 0.5 }}>
          {to === undefined || value === null ? (
            now
          ) : (
            <Box
              component={Link}
              to={to}
              aria-label={fill(texts.admin.home.listBehind, { name, value: now })}
              sx={{ color: "primary.main" }}
            >
              {now}
            </Box>
          )}
        </Typography>
        {there.length === 0 ? (
          <Typography variant="body2" color="text.secondary">
            {texts.admin.home.nothingMeasured[measure.key]}
          </Typography>
        ) : (
          <Box role="img" aria-label={course} sx={{ height: 150 }}>
            <Suspense fallback={<Skeleton variant="rounded" height={150} />}>
              <DayChart
                label={name}
                dates={dates}
                values={values}
                text={text}
                most={measure.kind === "percent" ? 100 : undefined}
              />
            </Suspense>
          </Box>
        )}
      </CardContent>
    </Card>
  );
}
