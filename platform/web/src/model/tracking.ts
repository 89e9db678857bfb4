import type { Refined, Schemas } from "./schemas.ts";
import type { ModuleKey } from "./organisation.ts";
import type { ProofCollections } from "./proof.ts";
import type { Return } from "./return.ts";
import type { RescheduleSettings } from "./settings.ts";
import type { Unit } from "./unit.ts";

export type DeliveryStatus = "planned" | "on_the_way" | "arrived" | "delivered" | "failed";

/** What a customer sees: answer of `GET /jobs/tracking/{token}`. */
export type TrackedJob = Refined<
  Schemas["Delivery"],
  {
    status: DeliveryStatus;
    driver: { first_name: string | null } | null;
    vehicle_position: { lat: number; lon: number; recorded_at: string } | null;
    proof: {
      success: boolean;
      record_time: string;
      reason: string | null;
      signature_name: string | null;
    } | null;
    organisation: {
      name: string;
      logo: string | null;
      colour: string | null;
      contact_phone: string | null;
      contact_email: string | null;
      modules: ModuleKey[];
    };
    reschedule: (Partial<RescheduleSettings> & { enabled: boolean }) | null;
  }
>;

/** Answer of `GET /jobs/tracking/{token}/all`. */
export type TrackedJobDetail = Refined<
  Schemas["TrackedDelivery"],
  {
    units: Unit[];
    returns: Return[];
    proofs?: ProofCollections;
  }
>;

/** One item of `POST /jobs/send_tracking_urls`. */
export interface TrackingRequest {
  email: string;
  token: string;
  job_id: number;
  dispatch_method: "email";
}

export type TrackingResult = Schemas["Sent"];
