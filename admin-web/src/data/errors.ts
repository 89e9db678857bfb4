import { create } from "zustand";

/** A refusal or failure of a call of the dashboard. */
export interface ResourceError {
  /** Method and path that failed. */
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

export function keepError(error: ResourceError): void {
  useResourceErrors.setState(({ errors }) => ({ errors: [error, ...errors].slice(0, MOST_KEPT) }));
}

export function clearErrors(): void {
  useResourceErrors.setState({ errors: [] });
}
