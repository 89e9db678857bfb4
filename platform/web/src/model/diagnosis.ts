import type { Schemas } from "./schemas.ts";
import type { Job } from "./job.ts";
import type { Run } from "./run.ts";

/** Why a job has no good place, and what would give it one. */
export type JobDiagnosis = Schemas["JobDiagnosis"];

/** Answer of `GET /scenarios/{id}/diagnosis`. */
export type Diagnoses = Schemas["Diagnoses"];

/** One change that would serve a job without breaking another rule. */
export type Remedy = Schemas["Remedy"];
export type RemedyKind = Schemas["RemedyKind"];

/** Answer of `POST /scenarios/{id}/remedies`. */
export type Remedied = Omit<Schemas["Remedied"], "updated_runs"> & {
  updated_runs: (Run & { jobs: Job[] })[];
};

/** A plan before and after an optimisation. */
export type OptimisationSummary = Schemas["OptimisationSummary"];
export type PlanFigures = Schemas["PlanFigures"];
