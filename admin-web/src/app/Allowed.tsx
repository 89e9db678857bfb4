import { useSession } from "@routewright/web";
import type { ReactNode } from "react";
import { AccessDenied } from "react-admin";
import { MENU, visibleMenu } from "./menu.ts";

/** Shows a page only to those who see it in the side menu. */
export function Allowed({ path, children }: { path: string; children: ReactNode }) {
  const user = useSession((state) => state.user);
  const allowed = visibleMenu(MENU, user).some((group) => group.items.some((item) => item.path === path));
  return allowed ? children : <AccessDenied />;
}
