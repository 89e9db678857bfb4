import type { RunDraft } from "./run-draft.ts";

/** What was typed into the form of a run, and what stood there before. */
export interface Typing {
  typed: Partial<RunDraft>;
  from: Partial<RunDraft>;
}

export const nothingTyped: Typing = { typed: {}, from: {} };

/** The typing with another field; `stored` is the run as it is by now. */
export function typeInto({ typed, from }: Typing, stored: RunDraft, part: Partial<RunDraft>): Typing {
  const before = Object.fromEntries(Object.keys(part).map((name) => [name, stored[name as keyof RunDraft]]));
  return { typed: { ...typed, ...part }, from: { ...before, ...from } };
}

/** Fields that somebody else has changed since something else was typed there. */
export function conflictsOf({ typed, from }: Typing, stored: RunDraft): (keyof RunDraft)[] {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  return (Object.keys(typed) as (keyof RunDraft)[]).filter(
    (name) => !same(stored[name], from[name]) && !same(stored[name], typed[name]),
  );
}
