import type { ExtraFields, Place } from "./common.ts";
import type { ChecklistDefinition } from "./checklist.ts";
import type { Container } from "./container.ts";
import type { DistanceUnit } from "./organisation.ts";
import type { Proof, Reason, RunProof } from "./proof.ts";
import type { Return } from "./return.ts";
import type { Route, RouteEnd, RunStatus } from "./run.ts";
import type { AppSettings, PodSettings } from "./settings.ts";
import type { Tag } from "./tag.ts";
import type { Unit } from "./unit.ts";

export interface RunsheetJob {
  id: number;
  uid: string;
  seq: number;
  customer_name: string | null;
  location: Place;
  phone_number: string | null;
  comments: string | null;
  consignee_info: string | null;
  external_comments: string | null;
  dock_location: string | null;
  arrive_after: string | null;
  leave_by: string | null;
  /** Minutes. */
  duration: number;
  eta: string | null;
  updated_eta: string | null;
  size: string | null;
  spec_type: string | null;
  priority: boolean;
  tags: Tag[];
  extra_fields: ExtraFields;
  pickup_from: string | null;
  deliver_to: string | null;
  units: Unit[];
  returns: Return[];
  containers: Container[];
  proofs: Proof[];
}

/** Answer of `GET /v2/runsheet/`. */
export interface Runsheet {
  server_time: string;
  organisation: { name: string; logo: string | null; timezone: string; distance_unit: DistanceUnit };
  settings: { app_settings: AppSettings; pod_settings: PodSettings };
  scenario: { id: number; name: string; scheduled_date: string };
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
}
