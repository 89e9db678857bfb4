/** Paged list answer. */
export interface Page<T> {
  data: T[];
  per_page: number;
  page: number;
  total_pages: number;
  total_count: number;
}

/** Fields that the server sets on every stored entity. */
export interface Stored {
  id: number;
  /** ISO 8601 UTC. */
  created: string;
  /** ISO 8601 UTC. */
  modified?: string;
}

/** A place: address and decimal degrees (WGS84). */
export interface Place {
  id?: number | null;
  address: string;
  lat: number;
  lon: number;
}

/** Free fields of the organisation, stored raw and escaped where they are shown. */
export type ExtraFields = Record<string, string>;

export type DayOfWeek = "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";

export const DAYS_OF_WEEK: readonly DayOfWeek[] = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
];

/** What a file link needs: `link` is `/files/uid/{uid}` under the API base. */
export interface FileLink {
  id: number;
  uid?: string;
  link: string;
}
