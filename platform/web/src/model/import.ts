import type { Refined, Schemas } from "./schemas.ts";
import type { Client } from "./client.ts";

/** A fault of a row. */
export interface ImportRowError {
  /** Row as it was sent, from 1. */
  row: number;
  field: string;
  message: string;
  /** Other rows that share it. */
  with: number[];
}

export interface MissingClient {
  uid: string;
  rows: number[];
  suggested: Partial<Client>;
}

/** Answer of a successful `POST /jobs/template_upload`. */
export type ImportAnswer = Refined<
  Schemas["Imported"],
  {
    success: true;
    row_errors: ImportRowError[];
    missing_clients: MissingClient[];
  }
>;

/** Body of the 400 answer with `error: "IMPORT_FAILED"`. */
export interface ImportFailure {
  title: string;
  description: string;
  error: "IMPORT_FAILED";
  headers: { header: string; target: string | null; valid: boolean }[];
  row_errors: ImportRowError[];
  missing_clients: MissingClient[];
  /** Rows that would be kept by a partial import. */
  kept_rows: number[];
}

/** A file as the service read it. */
export type OpenedFile = Schemas["OpenedFile"];
