import type { Refined, Schemas } from "./schemas.ts";
import type { AttachedProof } from "./proof.ts";

export type Return = Refined<
  Schemas["Return"],
  {
    return_proofs?: AttachedProof[];
  }
>;
