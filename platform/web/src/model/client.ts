import type { ExtraFields, Place, Stored } from "./common.ts";

/** A customer's record from which jobs are filled. */
export interface Client extends Stored {
  uid: string;
  name: string;
  location: Place | null;
  arrive_after: string | null;
  leave_by: string | null;
  spec_type: string | null;
  delivery_instructions: string | null;
  customer_email: string | null;
  phone_number: string | null;
  dock_location: string | null;
  external_comments: string | null;
  consignee_info: string | null;
  colour: string | null;
  extra_fields: ExtraFields;
  organisation_id: number;
}
