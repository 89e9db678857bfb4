import { Alert, Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from "@mui/material";
import {
  cubicMetres,
  distanceText,
  durationText,
  fixed,
  fuelText,
  Facts,
  type Run,
  sizeClauseText,
  sizeWords,
  texts,
  useSession,
  weightText,
} from "@routewright/web";
import type { ReactNode } from "react";
import { spentOf } from "../plan/pieces.ts";
import { isStraight } from "../plan/StraightLines.tsx";
import { ProofSummary } from "../proofs/ProofSummary.tsx";

/** Summary of the run's proofs, and plan against reality. */
export function PerformanceTab({ run }: { run: Run }): ReactNode {
  return (
    <Box sx={{ display: "grid", gap: 3 }}>
      <ProofSummary run={run.id} jobs={run.jobs.length} />
      <Stats run={run} />
    </Box>
  );
}

function Stats({ run }: { run: Run }): ReactNode {
  const settings = useSession((state) => state.user?.organisation.settings);
  const zone = useSession((state) => state.user?.organisation.timezone ?? "UTC");
  const { stats } = run;
  const spent = spentOf(
    run,
    [...run.jobs].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0)),
    zone,
  );
  const labels = texts.runs.stats;
  if (stats === undefined) return <Typography color="textSecondary">{texts.common.nothingHere}</Typography>;
  const distanceUnit = settings?.distance_unit ?? "km";
  const weightUnit = settings?.weight_unit ?? "kg";
  const rows = [
    compare(labels.distance, stats.planned_distance, stats.recorded_distance, (value) =>
      distanceText(value, distanceUnit),
    ),
    compare(labels.duration, stats.planned_duration, stats.recorded_duration, durationText),
    compare(labels.fuel, run.fuel_consumption, run.actual_fuel_consumption, (value) =>
      fuelText(value, settings?.fuel_consumption_unit ?? "l_per_100_km"),
    ),
    compare(
      labels.co2,
      run.co2_emissions,
      run.actual_co2_emissions,
      (value) => `${fixed(value / 1000, 1)} kg`,
    ),
  ];
  return (
    <>
      <Table>
        <TableHead>
          <TableRow>
            <TableCell />
            <TableCell align="right">{labels.planned}</TableCell>
            <TableCell align="right">{labels.recorded}</TableCell>
            <TableCell align="right">{labels.delta}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ label, values }) => (
            <TableRow key={label}>
              <TableCell>{label}</TableCell>
              {values.map((value, index) => (
                <TableCell key={index} align="right" sx={{ fontVariantNumeric: "tabular-nums" }}>
                  {value}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {isStraight(run) && <Alert severity="warning">{texts.problems.straightLinesHelp}</Alert>}
      <Facts
        facts={[
          [labels.drivingTime, durationText(spent?.driving ?? stats.planned_driving_time)],
          ...(spent === null
            ? []
            : ([
                [labels.serviceTime, durationText(spent.service)],
                [labels.waitingTime, durationText(spent.waiting)],
                [labels.breakTime, durationText(spent.break)],
              ] as const)),
          [labels.units, String(stats.units_count)],
          [labels.capacity, sizeWords(stats.capacity === "0" ? null : stats.capacity)],
          [labels.sizes, sizeClauseText(stats.total_size)],
          [labels.weight, weightText(stats.total_weight, weightUnit)],
          [labels.volume, `${cubicMetres(stats.total_volume).toFixed(3)} m³`],
        ]}
      />
    </>
  );
}

function compare(
  label: string,
  planned: number | null,
  recorded: number | null,
  text: (value: number) => string,
): { label: string; values: string[] } {
  const show = (value: number | null): string => (value === null ? "–" : text(value));
  const delta = planned === null || recorded === null ? null : recorded - planned;
  return { label, values: [show(planned), show(recorded), show(delta)] };
}
