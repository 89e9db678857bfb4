import type { Noun } from "./noun.ts";
import { hasModule, holds, isMaster, useSession, type AccessLevel } from "@routewright/web";
import type { DistanceUnit, FuelConsumptionUnit, ModuleKey } from "@routewright/web/model";

/** IANA timezone of the organisation that is worked in; UTC when it has none. */
export function useTimezone(): string {
  return useSession((state) => state.user?.organisation.timezone ?? "UTC");
}

/** Unit in which the organisation enters and reads distances. */
export function useDistanceUnit(): DistanceUnit {
  return useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
}

/** Unit in which the organisation enters and reads fuel consumption. */
export function useConsumptionUnit(): FuelConsumptionUnit {
  return useSession((state) => state.user?.organisation.settings.fuel_consumption_unit ?? "l_per_100_km");
}

/** Whether the user holds the level and the organisation has the module, where one is given. */
export function useMay(level: AccessLevel, module?: ModuleKey): boolean {
  return useSession(
    (state) => holds(state.user, level) && (module === undefined || hasModule(state.user, module)),
  );
}

/** Whether the user may add records of the noun. */
export function useMayCreate(noun: Noun): boolean {
  const may = useMay(noun.levels.write, noun.module);
  const master = useSession((state) => isMaster(state.user));
  return may && noun.form !== undefined && noun.creatable !== false && (!noun.byMaster || master);
}

/** Whether the user may delete records of the noun. */
export function useMayDelete(noun: Noun): boolean {
  const may = useMay(noun.levels.delete, noun.module);
  const master = useSession((state) => isMaster(state.user));
  return may && noun.deletable !== false && (!noun.byMaster || master);
}
