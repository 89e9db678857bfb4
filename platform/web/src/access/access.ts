import type { ModuleKey } from "../model/organisation.ts";
import type { AuthUser } from "../model/user.ts";
import { useSession } from "../session/store.ts";
import type { AccessLevel } from "./levels.ts";

/** The view in which a part of the screen stands; it decides what is hidden. */
export type ViewName = "map" | "live" | "customer" | "tracking";

export function holds(user: AuthUser | null, level: AccessLevel): boolean {
  return user?.role.access_levels.includes(level) ?? false;
}

/** In the tracking view every module counts as on. */
export function hasModule(user: AuthUser | null, module: ModuleKey, view: ViewName = "map"): boolean {
  return view === "tracking" || (user?.organisation.modules.includes(module) ?? false);
}

export function useLevel(level: AccessLevel): boolean {
  return useSession((state) => holds(state.user, level));
}

export function useModule(module: ModuleKey, view: ViewName = "map"): boolean {
  return useSession((state) => hasModule(state.user, module, view));
}

/** Signed in and not restricted to the customer view or the live overview. */
export function hasPlainAccess(user: AuthUser | null): boolean {
  return user !== null && !holds(user, "customer_view_login") && !holds(user, "live_overview_login");
}

/** Where an account lands that is restricted to one view; nothing for all others. */
export function onlyView(user: AuthUser | null): "/customerview" | "/liveview" | undefined {
  if (holds(user, "customer_view_login")) return "/customerview";
  return holds(user, "live_overview_login") ? "/liveview" : undefined;
}

export function isMaster(user: AuthUser | null): boolean {
  return user?.organisation.name === "Master";
}

export interface MenuNeeds {
  /** Any of them suffices. */
  permissions?: readonly AccessLevel[];
  /** All of them are required. */
  modules?: readonly ModuleKey[];
}

/** Whether a menu item is shown: any permission, all modules. */
export function showsInMenu(user: AuthUser | null, needs: MenuNeeds): boolean {
  const { permissions = [], modules = [] } = needs;
  const permitted = permissions.length === 0 || permissions.some((level) => holds(user, level));
  return permitted && modules.every((module) => hasModule(user, module));
}
