import { Typography } from "@mui/material";
import { fill, request, texts } from "@routewright/web";
import type { JobStats } from "@routewright/web/model";
import { useQuery } from "@tanstack/react-query";
import { useListContext } from "react-admin";

interface Filters {
  scenario_ids?: number | number[];
  run_ids?: number;
}

/** How many of the jobs were visited, and how, in the scenario and run that the list is narrowed to. */
export function JobCounts() {
  const list = useListContext();
  const { scenario_ids: scenario, run_ids: run } = list.filterValues as Filters;
  const { total } = list;
  const { data } = useQuery({
    queryKey: ["job-stats", scenario, run, total],
    queryFn: () =>
      request<JobStats>("/jobs/stats", { query: { scenario_ids: scenario, run_ids: run }, quiet: true }),
  });
  if (!data || !total) return null;
  const { visitedCount, successfulCount, unsuccessfulCount } = texts.jobs;
  return (
    <Typography variant="body2" color="text.secondary" sx={{ mr: 1 }}>
      {fill(visitedCount, { n: data.visited })} · {fill(successfulCount, { n: data.successful })} ·{" "}
      {fill(unsuccessfulCount, { n: data.unsuccessful })}
    </Typography>
  );
}
