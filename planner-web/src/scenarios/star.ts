import { type Scenario, texts, toastSuccess } from "@routewright/web";
import { keys } from "../plan/keys.ts";
import { scenarios } from "../plan/queries.ts";
import { queryClient } from "../ui/query-client.ts";

/** Stars or unstars a scenario. A refusal is told by the request. */
export async function toggleStar(scenario: Scenario): Promise<void> {
  try {
    const changed = await scenarios.change(scenario.id, { starred: !scenario.starred });
    toastSuccess(texts.scenarios.updated);
    queryClient.setQueryData(keys.scenario(scenario.id), changed);
    await queryClient.invalidateQueries({ queryKey: keys.scenarios });
  } catch {
    // Told by the toast.
  }
}
