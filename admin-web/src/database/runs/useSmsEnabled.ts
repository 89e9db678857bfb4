import { ApiError, request, useSession } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";

/** Whether SMS may be sent; no configuration means that it may not. */
export function useSmsEnabled(): boolean {
  const organisation = useSession((state) => state.user?.organisation.id);
  const { data } = useQuery({
    queryKey: ["sms enabled", organisation],
    queryFn: async () => {
      try {
        const configuration = await request<{ enabled: boolean }>("/secrets/sms_configuration", {
          quiet: true,
        });
        return configuration.enabled;
      } catch (error) {
        if (error instanceof ApiError && [403, 404].includes(error.status)) return false;
        throw error;
      }
    },
  });
  return data ?? false;
}
