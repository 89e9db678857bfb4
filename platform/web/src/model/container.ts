import type { ExtraFields, Stored } from "./common.ts";
import type { Proof } from "./proof.ts";

/** A group of units. */
export interface Container extends Stored {
  uid: string;
  job_ids: number[];
  units: { id: number; uid: string; job_id: number | null }[];
  container_proofs?: Proof[];
  extra_fields: ExtraFields;
}
