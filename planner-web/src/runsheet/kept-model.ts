import type { Runsheet } from "@routewright/web";
import type { DBSchema } from "idb";
import type { KeptRecord } from "./record.ts";

/** A sheet as the office last gave it. */
export interface KeptSheet {
  sheet: Runsheet;
  /** Milliseconds. */
  at: number;
}

export interface Phone extends DBSchema {
  /** One entry per record, so that no window can overwrite what another one has recorded. */
  records: { key: string; value: KeptRecord; indexes: { sheet: string } };
  /** By the token of the run. */
  sheets: { key: string; value: KeptSheet };
  /** Half-filled forms. */
  drafts: { key: string; value: object };
}
