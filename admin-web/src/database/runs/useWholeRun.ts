import type { Run } from "@routewright/web/model";
import { useRecordContext } from "react-admin";

/** The run around, once all of it was read: a page shows the row of a list first, which comes without the jobs. */
export function useWholeRun(): Run | undefined {
  const run = useRecordContext<Run>();
  return run !== undefined && "jobs" in run ? run : undefined;
}
