import type { Schemas } from "./schemas.ts";

/** One item of `POST /jobs/send_tracking_urls`. */
export interface TrackingRequest {
  email: string;
  token: string;
  job_id: number;
  dispatch_method: "email";
}

export type TrackingResult = Schemas["Sent"];
