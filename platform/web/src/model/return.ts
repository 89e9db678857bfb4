import type { ExtraFields, Stored } from "./common.ts";
import type { Proof } from "./proof.ts";

export interface Return extends Stored {
  uid: string;
  comments: string | null;
  client_id: number | null;
  extra_fields: ExtraFields;
  /** `null`: in the return pool. */
  job_id: number | null;
  organisation_id?: number;
  is_in_pool?: boolean;
  return_proofs?: Proof[];
}
