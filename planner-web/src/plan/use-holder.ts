import { useSession } from "@routewright/web";
import { holderOf, type Person, usePresence } from "./presence.ts";

/** Who else has this job or run in hand at the moment. */
export function useHolder(kind: "job" | "run", id: number): Person | null {
  const self = useSession(({ user }) => user?.id);
  return usePresence(({ people }) => holderOf(people, self, kind, id));
}
