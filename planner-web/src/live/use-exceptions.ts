import { useSession } from "@routewright/web";
import { useMemo } from "react";
import { type RunContact, useContacts } from "../contact/contact.ts";
import { usePlanContext } from "../plan/context.ts";
import { useProblems } from "../plan/use-problems.ts";
import { useRoad } from "../road/road.ts";
import { exceptionsOf } from "./exceptions.ts";
import type { Day, Exception, Terms } from "./model.ts";

const NONE: readonly Exception[] = [];

/** What was told last, and of what: several parts of the page ask for the same. */
let last: { scenarioId: number; day: Day; found: readonly Exception[]; keys: ReadonlySet<string> } | null =
  null;

function look(scenarioId: number, day: Day): readonly Exception[] {
  const before = last?.scenarioId === scenarioId ? last : null;
  if (before !== null && sameDay(before.day, day)) return before.found;
  const found = exceptionsOf(day, before?.keys ?? new Set());
  last = { scenarioId, day, found, keys: new Set(found.map(({ key }) => key)) };
  return found;
}

function sameDay(a: Day, b: Day): boolean {
  return (["plan", "problems", "road", "contacts", "terms"] as const).every((part) => a[part] === b[part]);
}

const contactsByRun = new WeakMap<readonly RunContact[], ReadonlyMap<number, RunContact>>();

function byRun(contacts: readonly RunContact[]): ReadonlyMap<number, RunContact> {
  let found = contactsByRun.get(contacts);
  if (found === undefined) {
    found = new Map(contacts.map((contact) => [contact.run_id, contact]));
    contactsByRun.set(contacts, found);
  }
  return found;
}

let lastTerms: Terms = { zone: "UTC", unit: "km" };

function termsOf(zone: string, unit: Terms["unit"]): Terms {
  if (lastTerms.zone !== zone || lastTerms.unit !== unit) lastTerms = { zone, unit };
  return lastTerms;
}

/** What does not go as planned in the plan on the screen, as it stands this minute. */
export function useExceptions(asked = true): readonly Exception[] {
  const { plan, scenarioId } = usePlanContext();
  const problems = useProblems();
  const road = useRoad();
  const contacts = useContacts(scenarioId, asked);
  const zone = useSession((state) => state.user?.organisation.timezone ?? "UTC");
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  return useMemo(() => {
    if (!asked) return NONE;
    const day = { plan, problems, road, contacts: byRun(contacts), terms: termsOf(zone, unit) };
    return look(scenarioId ?? 0, day);
  }, [asked, scenarioId, plan, problems, road, contacts, zone, unit]);
}
