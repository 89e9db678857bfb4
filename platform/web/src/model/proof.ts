import type { Refined, Schemas } from "./schemas.ts";

export type ProofMode = "load" | "deliver" | "pickup" | "at_depot" | "return";

/** What a driver recorded about a job, a unit, a return or a container. */
export type Proof = Refined<
  Schemas["JobProof"],
  {
    /** `null` on job proofs. */
    mode: ProofMode | null;
  }
>;

/** The same inside the unit, return or container that it is about. */
export type AttachedProof = Refined<
  Schemas["AttachedProof"],
  {
    mode: ProofMode | null;
  }
>;

/** The start or the end of a run. */
export type RunProof = Refined<
  Schemas["RunProof"],
  {
    mode: "start" | "end";
  }
>;

/** Answer of `GET /jobs/{id}/proofs`. */
export type ProofCollections = Refined<
  Schemas["Collections"],
  {
    job_proofs: Proof[];
    unit_proofs: Proof[];
    return_proofs: Proof[];
    container_proofs: Proof[];
    run_proofs: RunProof[];
  }
>;

export type ReasonUse = "job" | "load" | "deliver" | "pickup" | "at_depot";

export type Reason = Refined<
  Schemas["Reason"],
  {
    applies_to: ReasonUse[];
  }
>;

/** Why a plan was changed after dispatch. */
export type ScenarioReason = Schemas["ScenarioReason"];
