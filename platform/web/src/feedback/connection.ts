import { create } from "zustand";
import { API_BASE } from "../api/base.ts";
import { within } from "../api/within.ts";

/** What is waited for: an answer of any kind, or the renewal of the session. */
export type Trouble = "network" | "session";

interface Connection {
  troubles: ReadonlySet<Trouble>;
}

/** Whether the server can be reached. What is open stays open meanwhile. */
export const useConnection = create<Connection>(() => ({ troubles: new Set() }));

/** Milliseconds before the first further try; each pause is twice the one before. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;
/** Milliseconds after which an answer counts as lost. */
const PATIENCE = 5_000;

const listeners = new Set<() => void>();

/** Runs when the server answers again: the place to load what could not be loaded. */
export function onReconnected(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function lost(trouble: Trouble): void {
  const { troubles } = useConnection.getState();
  if (!troubles.has(trouble)) useConnection.setState({ troubles: new Set([...troubles, trouble]) });
}

export function found(trouble: Trouble): void {
  const { troubles } = useConnection.getState();
  if (!troubles.has(trouble)) return;
  const rest = new Set([...troubles].filter((other) => other !== trouble));
  useConnection.setState({ troubles: rest });
  if (rest.size === 0) for (const listener of listeners) listener();
}

/** Asks the server until it answers; ends with `signal`. */
export async function watchNetwork(signal: AbortSignal): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    await pauseBefore(attempt);
    if (signal.aborted) return;
    if (await serverAnswers()) return found("network");
  }
}

/** Whether the server answers a call that anybody may make. */
export async function serverAnswers(): Promise<boolean> {
  const url = `${API_BASE}/auth/providers`;
  try {
    return (await within(PATIENCE, (signal) => fetch(url, { cache: "no-store", signal }))).ok;
  } catch {
    return false;
  }
}

/**
 * Waits before try number `attempt`, counted from 0: longer each time, and no less than the server asked for, in
 * seconds. Ends early when the browser says that it is back.
 */
export function pauseBefore(attempt: number, askedFor: number | null = null): Promise<void> {
  const pause = Math.max(Math.min(FIRST_PAUSE * 2 ** attempt, LONGEST_PAUSE), (askedFor ?? 0) * 1_000);
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, pause);
    if (askedFor === null) window.addEventListener("online", done);
  });
}
