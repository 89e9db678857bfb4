import type { FileLink, Stored } from "./common.ts";

export type ProofMode = "load" | "deliver" | "pickup" | "at_depot" | "return";

/** What a driver recorded about a job, a unit, a return or a container. */
export interface Proof extends Stored {
  job_id: number | null;
  unit_id: number | null;
  container_id: number | null;
  run_id: number | null;
  return_id: number | null;
  /** `null` on job proofs. */
  mode: ProofMode | null;
  success: boolean;
  reason_id: number | null;
  /** `YYYY-MM-DD HH:mm:ss`, UTC. */
  record_time: string;
  lat: number | null;
  lon: number | null;
  signature: FileLink | null;
  signature_name: string | null;
  photos: { id: number; link: string }[];
  comments: string | null;
}

/** The start or the end of a run. */
export interface RunProof extends Stored {
  run_id: number;
  mode: "start" | "end";
  record_time: string;
  /** Kilometres. */
  odometer: number | null;
  photo_ids: number[];
  signature_id: number | null;
  photos?: { id: number; link: string }[];
  signature?: FileLink | null;
  lat: number | null;
  lon: number | null;
}

/** Answer of `GET /jobs/{id}/proofs`. */
export interface ProofCollections {
  job_proofs: Proof[];
  unit_proofs: Proof[];
  return_proofs: Proof[];
  container_proofs: Proof[];
  run_proofs: RunProof[];
}

export type ReasonUse = "job" | "load" | "deliver" | "pickup" | "at_depot";

export interface Reason {
  id: number;
  name: string;
  ok: boolean;
  applies_to: ReasonUse[];
}

/** Why a plan was changed after dispatch. */
export interface ScenarioReason {
  id: number;
  name: string;
  organisation_id?: number;
}
