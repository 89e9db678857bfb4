import { useTheme } from "@mui/material";
import { LineChart } from "@mui/x-charts/LineChart";
import { dateText } from "@routewright/web";
import type { ReactNode } from "react";

interface Props {
  /** What the line is of. */
  label: string;
  /** Wire dates, one after the other. */
  dates: string[];
  values: (number | null)[];
  text: (value: number | null) => string;
  /** The top of the axis, where it does not depend on the values. */
  most?: number;
}

/** So few values are marked: a line between them may not be seen. */
const FEW = 15;

/** A figure's course over days. In a file of its own: only who looks at it fetches the library. */
export function DayChart({ label, dates, values, text, most }: Props): ReactNode {
  const theme = useTheme();
  return (
    <LineChart
      height={150}
      hideLegend
      skipAnimation
      colors={[theme.vars?.palette.primary.main ?? theme.palette.primary.main]}
      margin={{ top: 10, right: 12, bottom: 0, left: 0 }}
      xAxis={[
        {
          scaleType: "point",
          data: dates,
          valueFormatter: (date: string, { location }) =>
            location === "tick" ? dateText(date).slice(5) : dateText(date),
          tickInterval: (_: unknown, at: number) => at % Math.ceil(dates.length / 5) === 0,
          height: 24,
        },
      ]}
      yAxis={[{ min: 0, max: most, width: 36, tickNumber: 3 }]}
      grid={{ horizontal: true }}
      series={[
        {
          data: values,
          label,
          valueFormatter: text,
          showMark: values.filter((value) => value !== null).length <= FEW,
          connectNulls: true,
          curve: "linear",
        },
      ]}
    />
  );
}
