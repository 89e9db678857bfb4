import type { Refined, Schemas } from "./schemas.ts";
import type { Return } from "./return.ts";
import type { Unit } from "./unit.ts";

/** A delivery, a pickup or a service visit. Times of day are `HH:mm` in the organisation's timezone. */
export type Job = Refined<
  Schemas["Job"],
  {
    units?: Unit[];
    returns?: Return[];
    organisation_id?: number;
  }
>;

/** Answer of `GET /jobs/{id}/all`. */
export type JobDetail = Refined<
  Schemas["WholeJob"],
  {
    units: Unit[];
    returns: Return[];
  }
>;

/** Fields of `POST /jobs` and `PATCH /jobs/{id}`. */
export type JobInput = Partial<
  Omit<Job, "id" | "created" | "modified" | "tracking_token" | "tags" | "units" | "returns" | "eta" | "etd">
>;

/** Answer of `GET /jobs/stats`. */
export type JobStats = Schemas["Stats"];
