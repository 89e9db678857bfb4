import { type NotificationSettings, request, useSession } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../plan/keys.ts";

/** Fetches when the organisation wants to be told of late jobs; read from the cache when events arrive. */
export function useNotificationSettings(enabled: boolean): void {
  const organisation = useSession((state) => state.user?.organisation.id ?? 0);
  useQuery({
    queryKey: keys.notifications(organisation),
    queryFn: () =>
      request<NotificationSettings>(`/organisations/${organisation}/information/notification_settings`, {
        quiet: true,
      }),
    enabled: enabled && organisation > 0,
    staleTime: 5 * 60_000,
  });
}
