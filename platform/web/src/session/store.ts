import { create } from "zustand";
import type { AuthUser } from "../model/user.ts";
import { setOrganisationClock } from "../rehearsal/clock.ts";

export interface WorkingOrganisation {
  id: number;
  name: string;
  /** Whether it is the rehearsal of the own organisation. */
  rehearsal?: boolean;
}

export interface SessionState {
  /** `starting` until the stored token has been tried, and again while the page is left. */
  status: "starting" | "signed_out" | "signed_in";
  user: AuthUser | null;
  /** Access token. */
  token: string | null;
  /** Why the last sign-in failed. */
  problem: string | null;
  /** The organisation a Master user works inside of. */
  workingIn: WorkingOrganisation | null;
}

const signedOut: SessionState = {
  status: "signed_out",
  user: null,
  token: null,
  problem: null,
  workingIn: null,
};

/** The session of this tab. Changed only by the functions of `session.ts`. */
export const useSession = create<SessionState>(() => ({ ...signedOut, status: "starting" }));

// Whoever is signed in, the clock is that of the organisation in which the user works.
useSession.subscribe(({ user }, before) => {
  if (user !== before.user) setOrganisationClock(user?.organisation.rehearsal ?? null);
});

export function session(): SessionState {
  return useSession.getState();
}

export function changeSession(change: Partial<SessionState>): void {
  useSession.setState(change);
}

export function clearSession(problem: string | null = null): void {
  useSession.setState({ ...signedOut, problem });
}
