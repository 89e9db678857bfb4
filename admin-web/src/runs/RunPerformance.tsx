import { Table, TableBody, TableCell, TableHead, TableRow } from "@mui/material";
import { cubicMetres, distanceText, durationText, useSession, weightText } from "@routewright/web";
import type { Run } from "@routewright/web/model";
import { useRecordContext } from "react-admin";
import { Fact, Facts } from "../resource/Facts.tsx";

/** Planned against recorded, load and emissions of a run. */
export function RunPerformance() {
  const run = useRecordContext<Run>();
  const settings = useSession((state) => state.user?.organisation.settings);
  if (!run) return null;
  const unit = settings?.distance_unit ?? "km";
  const stats = run.stats;
  const proofs = run.jobs.filter((job) => job.visited).length;
  const rows: [string, string, string, string][] = stats
    ? [
        [
          "Distance",
          distanceText(stats.planned_distance, unit),
          distanceText(stats.recorded_distance, unit),
          distanceText(delta(stats.planned_distance, stats.recorded_distance), unit),
        ],
        [
          "Duration",
          durationText(stats.planned_duration),
          durationText(stats.recorded_duration),
          durationText(delta(stats.planned_duration, stats.recorded_duration)),
        ],
        ["Driving time", durationText(stats.planned_driving_time), "–", "–"],
      ]
    : [];
  return (
    <>
      <Facts>
        <Fact name="Jobs visited" value={`${proofs} of ${run.jobs.length}`} />
        <Fact name="Units" value={stats?.units_count} />
        <Fact name="Capacity" value={stats?.capacity} />
        <Fact name="Size of all jobs" value={sizesText(stats?.total_size)} />
        <Fact name="Weight" value={weightText(stats?.total_weight, settings?.weight_unit ?? "kg")} />
        <Fact name="Volume" value={stats ? `${cubicMetres(stats.total_volume).toFixed(2)} m³` : null} />
        <Fact name="Fuel, planned" value={litres(run.fuel_consumption)} />
        <Fact name="Fuel, actual" value={litres(run.actual_fuel_consumption)} />
        <Fact name="CO2, planned" value={kilograms(run.co2_emissions)} />
        <Fact name="CO2, actual" value={kilograms(run.actual_co2_emissions)} />
      </Facts>
      <Table size="small">
        <TableHead>
          <TableRow>
            {["", "Planned", "Recorded", "Difference"].map((head) => (
              <TableCell key={head}>{head}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row[0]}>
              {row.map((cell, index) => (
                <TableCell key={index}>{cell}</TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </>
  );
}

function delta(planned: number, recorded: number | null): number | null {
  return recorded === null ? null : recorded - planned;
}

function sizesText(sizes: Record<string, number> | undefined): string | null {
  if (!sizes) return null;
  return Object.entries(sizes)
    .map(([key, amount]) => `${key} ${amount}`)
    .join(", ");
}

function litres(value: number | null): string | null {
  return value === null ? null : `${value.toFixed(2)} l`;
}

function kilograms(grams: number | null): string | null {
  return grams === null ? null : `${(grams / 1000).toFixed(2)} kg`;
}
