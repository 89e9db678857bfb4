import type { ApiError } from "@routewright/web";
import { create } from "zustand";

/** A refusal or failure of a call of the dashboard. */
export interface ResourceError {
  /** Tells it from others. */
  id: number;
  /** Method and path that failed, or what was saved. */
  call: string;
  message: string;
  /** HTTP status; 0 without an answer. */
  status: number;
  /** Milliseconds since 1970. */
  at: number;
}

const MOST_KEPT = 50;

/** The admin error state: the latest failures, newest first, until they are cleared. */
export const useResourceErrors = create<{ errors: ResourceError[] }>(() => ({ errors: [] }));

let kept = 0;

export function keepError(call: string, { message, status }: ApiError): void {
  const error = { id: (kept += 1), call, message, status, at: Date.now() };
  useResourceErrors.setState(({ errors }) => ({ errors: [error, ...errors].slice(0, MOST_KEPT) }));
}

export function clearErrors(): void {
  useResourceErrors.setState({ errors: [] });
}
