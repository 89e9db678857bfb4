import { ApiError } from "../api/error.ts";

/** Why one thing of a bulk delete stays. */
export interface Refused {
  id: number;
  reason: string;
}

/** What stands in the way of a bulk delete, thing by thing; empty for other failures. */
export function refusedOf(error: unknown): Refused[] {
  if (!(error instanceof ApiError) || error.code !== "BULK_DELETE_REFUSED") return [];
  const { refused } = error.body as { refused?: Refused[] };
  return refused ?? [];
}
