import { useEffect, useState } from "react";
import { create } from "zustand";

/** How the time of a rehearsal was told last. */
export interface ToldTime {
  /** ISO 8601. */
  now: string;
  ends: string;
  /** Simulated seconds in a real one. */
  speed: number;
  paused: boolean;
}

interface OrganisationClock {
  /** `null` in earnest: then it is the browser's clock. */
  told: (ToldTime & { at: number }) | null;
}

/** The clock of the organisation that is worked in. Set by the session and by who turns it. */
export const useOrganisationClock = create<OrganisationClock>(() => ({ told: null }));

/** Takes a time that the server told just now; `null` in earnest. */
export function setOrganisationClock(told: ToldTime | null): void {
  useOrganisationClock.setState({ told: told === null ? null : { ...told, at: performance.now() } });
}

/**
 * The organisation's present moment in milliseconds, by which everything that happens in it is judged: simulated in a
 * rehearsal. It goes by how long ago the server told it, whatever the browser's clock says.
 */
export function organisationNow(): number {
  const { told } = useOrganisationClock.getState();
  if (told === null) return Date.now();
  const passed = told.paused ? 0 : Math.max(0, performance.now() - told.at) * told.speed;
  return Math.min(Date.parse(told.now) + passed, Date.parse(told.ends));
}

/** Shortest time between two looks at the clock, milliseconds. */
const SHORTEST = 1_000;

/** The same, renewed after so many milliseconds of it, and when it is turned. `Infinity`: nobody looks at the clock. */
export function useOrganisationNow(each: number): number {
  const told = useOrganisationClock((state) => state.told);
  const [now, setNow] = useState(organisationNow);
  useEffect(() => {
    setNow(organisationNow());
    if (told?.paused === true || each === Infinity) return;
    const timer = setInterval(() => setNow(organisationNow()), Math.max(SHORTEST, each / (told?.speed ?? 1)));
    return () => clearInterval(timer);
  }, [told, each]);
  return now;
}
