import { hasPlainAccess, holds, texts } from "@routewright/web";
import type { AuthUser } from "@routewright/web/model";

/** Where the header leads from the admin panel: Map, else Live Overview, else Customer View. */
export function switchLink(user: AuthUser | null): { text: string; href: string } | undefined {
  if (hasPlainAccess(user)) return { text: texts.admin.shell.map, href: "/" };
  if (holds(user, "live_overview_read")) return { text: texts.admin.shell.liveOverview, href: "/liveview" };
  if (holds(user, "customer_view_read"))
    return { text: texts.admin.shell.customerView, href: "/customerview" };
  return undefined;
}
