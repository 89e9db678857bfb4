import { useSession } from "@routewright/web";
import { Navigate } from "react-router";
import { MENU, visibleMenu } from "./menu.ts";

/** `/dashboard` itself: the first page the user may open. */
export function FirstPage() {
  const user = useSession((state) => state.user);
  const first = visibleMenu(MENU, user)[0]?.items[0];
  return <Navigate to={first ? `/${first.path}` : "/account"} replace />;
}
