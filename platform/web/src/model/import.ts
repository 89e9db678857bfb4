import type { Refined, Schemas } from "./schemas.ts";
import type { Client } from "./client.ts";

/** Answer of a successful `POST /jobs/template_upload`. */
export type ImportAnswer = Refined<
  Schemas["Imported"],
  {
    success: true;
  }
>;

export interface ImportRowError {
  /** Row of the file, from 1, without the header. */
  row: number;
  field: string;
  message: string;
}

export interface MissingClient {
  uid: string;
  rows: number[];
  suggested: Partial<Client>;
}

/** Body of the 400 answer with `error: "IMPORT_FAILED"`. */
export interface ImportFailure {
  title: string;
  description: string;
  error: "IMPORT_FAILED";
  headers: { header: string; target: string | null; valid: boolean }[];
  row_errors: ImportRowError[];
  missing_clients: MissingClient[];
}
