import type { Socket } from "socket.io-client";
import { create } from "zustand";

/** What somebody has in hand. */
export interface Doing {
  kind: "dragging" | "editing";
  job_ids?: number[];
  run_ids?: number[];
}

/** Somebody who has the plan open. */
export interface Person {
  user_id: number;
  name: string;
  initials: string;
  colour: string;
  doing: Doing | null;
}

interface Presence {
  /** Whether changes of the plan are heard at once. */
  connected: boolean;
  /** Everybody who has the plan open, oneself too. */
  people: readonly Person[];
}

export const usePresence = create<Presence>(() => ({ connected: false, people: [] }));

let socket: Socket | null = null;
let doing: Doing | null = null;

/** The socket by which is said what is done here; `null` when there is none. */
export function speakThrough(next: Socket | null): void {
  socket = next;
  if (next === null) usePresence.setState({ connected: false, people: [] });
}

/** Says again what is done, to a server that does not know it. */
export function repeat(): void {
  if (doing !== null) socket?.emit("doing", { doing });
}

/** Tells the others what is in hand here; `null` when it was put down. */
export function say(next: Doing | null): void {
  doing = next;
  if (socket?.connected === true) socket.emit("doing", { doing });
}

/** Who else has this job or run in hand. */
export function holderOf(
  people: readonly Person[],
  self: number | undefined,
  kind: "job" | "run",
  id: number,
): Person | null {
  const holds = ({ user_id, doing: what }: Person): boolean =>
    user_id !== self && ((kind === "job" ? what?.job_ids : what?.run_ids) ?? []).includes(id);
  return people.find(holds) ?? null;
}
