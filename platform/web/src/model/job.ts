import type { ExtraFields, Place, Stored } from "./common.ts";
import type { Proof } from "./proof.ts";
import type { Return } from "./return.ts";
import type { Tag } from "./tag.ts";
import type { Unit } from "./unit.ts";

/** A delivery, a pickup or a service visit. Times of day are `HH:mm` in the organisation's timezone. */
export interface Job extends Stored {
  uid: string;
  /** `null`: the job is in the pool. */
  scenario_id: number | null;
  organisation_id: number;
  /** `null`: unserved. */
  run_id: number | null;
  /** Position in the run, from 1. */
  seq: number | null;
  tracking_token: string;
  timezone: string;
  location: Place;
  client_id?: number | null;
  customer_name: string | null;
  /** Comma-separated addresses. */
  customer_email: string | null;
  phone_number: string | null;
  /** Minutes. */
  duration: number;
  arrive_after: string | null;
  leave_by: string | null;
  /** Size grammar, for example `pallets:2&weight:350|size:5`. */
  size: string | null;
  /** Comma-separated types. */
  spec_type: string | null;
  priority: boolean;
  colour: string;
  comments: string | null;
  consignee_info: string | null;
  consignor_info: string | null;
  external_comments: string | null;
  dock_location: string | null;
  invoice: string | null;
  reference: string | null;
  /** Comma-separated job uids. */
  pickup_from: string | null;
  /** Comma-separated job uids. */
  deliver_to: string | null;
  /** The customer may interact on the tracking page. */
  idm: boolean;
  extra_fields: ExtraFields;
  tags: Tag[];
  units?: Unit[];
  units_count?: number;
  returns?: Return[];
  eta: string | null;
  etd: string | null;
  updated_eta: string | null;
  visited?: boolean;
  successful?: boolean;
  proof_time?: string | null;
  territory_ids?: number[];
}

/** Answer of `GET /jobs/{id}/all`. */
export interface JobDetail extends Job {
  units: Unit[];
  returns: Return[];
  run: { id: number; uid: string; driver: { uid: string } } | null;
  scenario: { id: number; name: string; scheduled_date: string } | null;
  proofs?: Proof[];
}

/** Fields of `POST /jobs` and `PATCH /jobs/{id}`. */
export type JobInput = Partial<
  Omit<Job, "id" | "created" | "modified" | "tracking_token" | "tags" | "units" | "returns" | "eta" | "etd">
>;

/** Answer of `GET /jobs/stats`. */
export interface JobStats {
  total: number;
  served: number;
  unserved: number;
  visited: number;
  successful: number;
  unsuccessful: number;
  priority: number;
  units_count: number;
  returns_count: number;
  total_size: Record<string, number>;
  total_weight: number;
  total_volume: number;
}
