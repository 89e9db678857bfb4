import { texts } from "../texts/index.ts";
import type { Method } from "./send.ts";

/** Paths with one of these show their own message. */
const SILENT = [
  "dispatch",
  "optimise",
  "upload",
  "login",
  "scenarios",
  "/rehearsal",
  "auth",
  "reset-password",
  "users/me",
  "runsheet",
  "run_proofs",
  "send_tracking_urls",
  "assign_tags",
  "pool",
  "move",
  "merge",
  "duplicate",
  "bulk_create",
  "returns",
  "units",
  "validate",
  "/bill/",
  "/reopen",
  "delay",
  "reverse_sequence",
  "tutorial",
  "secrets",
  "gefco",
  "_send_to_sftp",
  "search",
];

/** The toast after a successful call, or `null` where none is due. */
export function successText(method: Method, path: string): string | null {
  if (method === "GET" || SILENT.some((fragment) => path.includes(fragment))) return null;
  const done = texts.success;
  return { POST: done.added, PATCH: done.updated, PUT: done.saved, DELETE: done.deleted }[method];
}
