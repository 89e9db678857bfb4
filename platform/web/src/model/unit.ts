import type { Refined, Schemas } from "./schemas.ts";
import type { AttachedProof } from "./proof.ts";

export type Unit = Refined<
  Schemas["Unit"],
  {
    unit_proofs?: AttachedProof[];
  }
>;
