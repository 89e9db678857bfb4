import { changeOwnUser, request, type Page, type Scenario, useSession } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { useSearchParams } from "react-router";
import { keys } from "./keys.ts";
import { clearSelection } from "./selection.ts";

const PARAMETER = "active_scenario";

/**
 * The scenario on the map: the query `active_scenario`, else the user's last one, else the newest. Activating
 * another clears what was marked and remembers it with the user.
 */
export function useActiveScenario(): { id: number | null; activate: (id: number) => void } {
  const [parameters, setParameters] = useSearchParams();
  const remembered = useSession((state) => state.user?.active_scenario ?? null);
  const asked = Number(parameters.get(PARAMETER));
  const chosen = Number.isInteger(asked) && asked > 0 ? asked : remembered;
  const newest = useQuery({
    queryKey: [...keys.scenarios, "newest"],
    queryFn: () => request<Page<Scenario>>("/scenarios", { query: { per_page: 1 } }),
    enabled: chosen === null,
  });
  const id = chosen ?? newest.data?.data[0]?.id ?? null;

  const activate = useCallback(
    (next: number) => {
      clearSelection();
      setParameters((current) => {
        const changed = new URLSearchParams(current);
        changed.set(PARAMETER, String(next));
        return changed;
      });
    },
    [setParameters],
  );

  useEffect(() => {
    if (asked > 0 && asked !== remembered)
      void changeOwnUser({ active_scenario: asked }).catch(() => undefined);
  }, [asked, remembered]);

  return { id, activate };
}
