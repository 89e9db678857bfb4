import type { Refined, Schemas } from "./schemas.ts";
import type { AttachedProof } from "./proof.ts";

/** A group of units. */
export type Container = Refined<
  Schemas["Container"],
  {
    container_proofs?: AttachedProof[];
  }
>;
