import { type ConstraintsCheck, mayCall, request, session, useModule } from "@routewright/web";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { usePlanContext } from "../plan/context.ts";
import { keys } from "../plan/keys.ts";

/** Violations of the stored sequence; checked again after every move when the module is on. */
export function useConstraintsCheck(): UseQueryResult<ConstraintsCheck> {
  const { scenarioId, plan } = usePlanContext();
  const on = useModule("constraints_checker");
  const path = `/scenarios/${scenarioId ?? 0}/constraints_check`;
  return useQuery({
    queryKey: keys.check(scenarioId ?? 0),
    queryFn: () => request<ConstraintsCheck>(path, { quiet: true }),
    enabled: on && scenarioId !== null && plan.runs.length > 0 && mayCall("GET", path, session().user),
  });
}
