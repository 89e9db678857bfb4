import type { Refined, Schemas } from "./schemas.ts";
import type { Place } from "./common.ts";
import type { ChecklistDefinition } from "./checklist.ts";
import type { Container } from "./container.ts";
import type { DistanceUnit } from "./organisation.ts";
import type { MapConfig } from "./map.ts";
import type { Proof, Reason, RunProof } from "./proof.ts";
import type { Return } from "./return.ts";
import type { Route, RouteEnd, RunStatus } from "./run.ts";
import type { AppSettings, PodSettings } from "./settings.ts";
import type { Unit } from "./unit.ts";

export type RunsheetJob = Refined<
  Schemas["SheetJob"],
  {
    units: Unit[];
    returns: Return[];
    containers: Container[];
    proofs: Proof[];
  }
>;

/** Answer of `GET /v2/runsheet/`. */
export type Runsheet = Refined<
  Schemas["Sheet"],
  {
    organisation: {
      name: string;
      logo: string | null;
      timezone: string;
      distance_unit: DistanceUnit;
      /** Missing from a sheet that an older version of the page kept. */
      rehearsal?: boolean;
    };
    settings: { app_settings: AppSettings; pod_settings: PodSettings };
    run: {
      id: number;
      uid: string;
      status: RunStatus;
      driver: { id?: number; uid: string };
      vehicle: { id?: number; uid: string } | null;
      start_location: Place | null;
      end_location: Place | null;
      route_end: RouteEnd;
      planned_start_time: string | null;
      planned_end_time: string | null;
      actual_start_time: string | null;
      actual_end_time: string | null;
      /** Kilometres. */
      start_odometer: number | null;
      end_odometer: number | null;
      /** Metres. */
      distance: number;
      route: Route | null;
    };
    jobs: RunsheetJob[];
    reasons: Reason[];
    checklists: { start_route: ChecklistDefinition | null; end_route: ChecklistDefinition | null };
    run_proofs: RunProof[];
    /** Missing from a sheet that an older version of the page kept. */
    map?: MapConfig;
  }
>;
