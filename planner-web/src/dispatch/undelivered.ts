import { answer, mayCall, quietApi, type Schemas, session } from "@routewright/web";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useScenarioContext } from "../plan/context.ts";
import { queryClient } from "../ui/query-client.ts";

/** A mail or text message of which nobody knows whether it arrived. */
export type LostMessage = Schemas["Message"];

const KEY = "messages that may not have arrived";
/** Milliseconds; such a message is found ten minutes after the service was lost. */
const AGAIN = 60_000;

/** Messages of the open scenario that may not have arrived. */
export function useUndelivered(): UseQueryResult<LostMessage[]> {
  const { scenarioId } = useScenarioContext();
  return useQuery({
    queryKey: [KEY, scenarioId],
    queryFn: async () => {
      const query = { scenario_id: scenarioId ?? 0, state: "unknown", per_page: 300 };
      return (await answer(quietApi.GET("/messages", { params: { query } }))).data;
    },
    enabled: scenarioId !== null && mayCall("GET", "/messages", session().user),
    refetchInterval: AGAIN,
  });
}

/** Says what became of a message: it arrived, or it is to be sent again. */
export async function decide(id: number, arrived: boolean): Promise<void> {
  const params = { path: { id } };
  await answer(
    arrived
      ? quietApi.POST("/messages/{id}/arrived", { params })
      : quietApi.POST("/messages/{id}/send_again", { params }),
  );
  await queryClient.invalidateQueries({ queryKey: [KEY] });
}
