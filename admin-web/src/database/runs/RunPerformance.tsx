import { Table, TableBody, TableCell, TableHead, TableRow } from "@mui/material";
import {
  cubicMetres,
  distanceText,
  durationText,
  fixed,
  fuelText,
  sizeClauseText,
  sizeWords,
  useSession,
  weightText,
  texts,
  fill,
} from "@routewright/web";
import { Fact, Facts } from "../../ui/Facts.tsx";
import { useWholeRun } from "./useWholeRun.ts";

/** Planned against recorded, load and emissions of a run. */
export function RunPerformance() {
  const run = useWholeRun();
  const settings = useSession((state) => state.user?.organisation.settings);
  if (!run) return null;
  const unit = settings?.distance_unit ?? "km";
  const fuel = settings?.fuel_consumption_unit ?? "l_per_100_km";
  const stats = run.stats;
  const proofs = run.jobs.filter((job) => job.visited).length;
  const rows: [string, string, string, string][] = stats
    ? [
        [
          texts.runs.fields.distance,
          distanceText(stats.planned_distance, unit),
          distanceText(stats.recorded_distance, unit),
          distanceText(delta(stats.planned_distance, stats.recorded_distance), unit),
        ],
        [
          texts.runs.stats.duration,
          durationText(stats.planned_duration),
          durationText(stats.recorded_duration),
          durationText(delta(stats.planned_duration, stats.recorded_duration)),
        ],
        [texts.runs.fields.driving_time, durationText(stats.planned_driving_time), "–", "–"],
      ]
    : [];
  return (
    <>
      <Facts>
        <Fact
          name={texts.admin.runs.jobsVisited}
          value={fill(texts.admin.runs.visitedOf, { n: proofs, all: run.jobs.length })}
        />
        <Fact name={texts.runs.stats.units} value={stats?.units_count} />
        <Fact name={texts.runs.fields.capacity} value={sizeWords(stats?.capacity ?? null) || null} />
        <Fact name={texts.admin.runs.sizeOfAllJobs} value={stats ? sizeClauseText(stats.total_size) : null} />
        <Fact
          name={texts.admin.runs.weight}
          value={weightText(stats?.total_weight, settings?.weight_unit ?? "kg")}
        />
        <Fact
          name={texts.admin.runs.volume}
          value={stats ? `${cubicMetres(stats.total_volume).toFixed(2)} m³` : null}
        />
        <Fact name={texts.admin.runs.fuelPlanned} value={fuelText(run.fuel_consumption, fuel)} />
        <Fact name={texts.admin.runs.fuelActual} value={fuelText(run.actual_fuel_consumption, fuel)} />
        <Fact name={texts.admin.runs.co2Planned} value={kilograms(run.co2_emissions)} />
        <Fact name={texts.admin.runs.co2Actual} value={kilograms(run.actual_co2_emissions)} />
      </Facts>
      <Table size="small">
        <TableHead>
          <TableRow>
            {["", texts.runs.stats.planned, texts.runs.stats.recorded, texts.runs.stats.delta].map((head) => (
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

function kilograms(grams: number | null): string | null {
  return grams === null ? null : `${fixed(grams / 1000, 2)} kg`;
}
