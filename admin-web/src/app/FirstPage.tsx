import { useSession } from "@routewright/web";
import { Home } from "../home/Home.tsx";
import { MENU, visibleMenu } from "./menu.ts";

/** `/dashboard` itself. */
export function FirstPage() {
  const user = useSession((state) => state.user);
  return <Home groups={visibleMenu(MENU, user)} />;
}
