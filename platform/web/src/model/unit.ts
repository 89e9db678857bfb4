import type { ExtraFields, Stored } from "./common.ts";
import type { Proof } from "./proof.ts";

export interface Unit extends Stored {
  uid: string;
  name: string | null;
  invoice: string | null;
  reference: string | null;
  extra_fields: ExtraFields;
  /** `null`: in the unit pool. */
  job_id: number | null;
  container_id: number | null;
  is_in_pool?: boolean;
  unit_proofs?: Proof[];
}
