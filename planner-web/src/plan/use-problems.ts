import { session, useSession } from "@routewright/web";
import { useMemo } from "react";
import { useView } from "../ui/view.ts";
import { usePlanContext } from "./context.ts";
import type { Plan } from "./plan.ts";
import { Problems, problemsOf, type ProblemTerms, sameTerms } from "./problems.ts";

let last: { plan: Plan; terms: ProblemTerms; found: Problems } | null = null;

/** Many parts of the page ask for the problems of the same plan: they are looked for once. */
function found(plan: Plan, terms: ProblemTerms): Problems {
  if (last?.plan !== plan || !sameTerms(last.terms, terms))
    last = { plan, terms, found: problemsOf(plan, terms) };
  return last.found;
}

/** The same outside of a component, as things stand. */
export function problemTerms(): ProblemTerms {
  const organisation = session().user?.organisation;
  const settings = organisation?.settings.optimisation;
  return {
    mode: settings?.capacity_mode === "on_board" ? "on_board" : "sum",
    zeroIsUnlimited: settings?.zero_capacity_is_unlimited ?? true,
    zone: organisation?.timezone ?? "UTC",
  };
}

/** How this organisation counts loads and where its clocks are. */
export function useProblemTerms(): ProblemTerms {
  const zone = useSession((state) => state.user?.organisation.timezone ?? "UTC");
  const settings = useSession((state) => state.user?.organisation.settings.optimisation);
  const mode = settings?.capacity_mode === "on_board" ? "on_board" : "sum";
  const zeroIsUnlimited = settings?.zero_capacity_is_unlimited ?? true;
  return useMemo(() => ({ mode, zeroIsUnlimited, zone }), [mode, zeroIsUnlimited, zone]);
}

const nothing = new Problems([]);

/** What is wrong with the plan on the screen; the customer view tells nothing of it. */
export function useProblems(): Problems {
  const { plan } = usePlanContext();
  const terms = useProblemTerms();
  const customer = useView() === "customer";
  return useMemo(() => (customer ? nothing : found(plan, terms)), [customer, plan, terms]);
}
