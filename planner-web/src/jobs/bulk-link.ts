import { useLevel } from "@routewright/web";
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { openDialog } from "../plan/dialogs.ts";

/** `pool`, or anything else for the active scenario. */
const PARAMETER = "bulk_create_jobs";

/** Opens Bulk Create Jobs for links that ask for it, such as the dashboard's. */
export function useBulkCreateLink(): void {
  const [parameters, setParameters] = useSearchParams();
  const permitted = useLevel("bulk_entry_jobs");
  const asked = parameters.get(PARAMETER);
  useEffect(() => {
    if (asked === null) return;
    setParameters(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete(PARAMETER);
        return rest;
      },
      { replace: true },
    );
    if (permitted) openDialog({ kind: "job-panel", jobId: null, pool: asked === "pool" });
  }, [asked, permitted, setParameters]);
}
