import { type AppSettings, request, useSession } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../plan/keys.ts";
import { REQUIRED_JOB_FIELDS } from "./job-fields.ts";

/** Fields that the organisation wants filled in the job form. */
export function useRequiredJobFields(): readonly string[] {
  const organisation = useSession((state) => state.user?.organisation.id ?? 0);
  const { data } = useQuery({
    queryKey: keys.appSettings(organisation),
    queryFn: () =>
      request<AppSettings>(`/organisations/${organisation}/information/app_settings`, { quiet: true }),
    enabled: organisation > 0,
    staleTime: 5 * 60_000,
  });
  return data?.required_job_fields ?? REQUIRED_JOB_FIELDS;
}
