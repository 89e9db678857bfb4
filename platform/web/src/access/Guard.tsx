import type { ReactNode } from "react";
import type { ModuleKey } from "../model/organisation.ts";
import { useSession } from "../session/store.ts";
import { hasModule, holds, type ViewName } from "./access.ts";
import type { AccessLevel } from "./levels.ts";

export interface GuardProps {
  levels?: readonly AccessLevel[];
  modules?: readonly ModuleKey[];
  /** Values of UI settings that must all be on. */
  settings?: readonly boolean[];
  view?: ViewName;
  fallback?: ReactNode;
  children: ReactNode;
}

/** Shows its content only with all access levels, all modules and all UI settings. */
export function Guard(props: GuardProps): ReactNode {
  const { levels = [], modules = [], settings = [], view = "map", fallback = null, children } = props;
  const user = useSession((state) => state.user);
  const passes =
    levels.every((level) => holds(user, level)) &&
    modules.every((module) => hasModule(user, module, view)) &&
    settings.every(Boolean);
  return passes ? children : fallback;
}
