import { requestAll } from "@routewright/web";
import type { ConfigValue } from "@routewright/web/model";
import { useQuery } from "@tanstack/react-query";
import { SelectInput } from "react-admin";
import { useFormContext } from "react-hook-form";

/** Fields that a vehicle type fills where the vehicle has none of its own. */
const FILLED = [
  "capacity",
  "spec_type",
  "speed_multiplier",
  "fuel_consumption",
  "co2_per_litre",
  "road_profile",
  "height",
  "width",
  "length",
  "weight",
  "hazardous_goods",
  "tolls",
] as const;

/** Chooses one of the organisation's vehicle types; its values fill the vehicle's empty fields. */
export function VehicleTypeInput() {
  const { getValues, setValue } = useFormContext();
  const { data: types = [] } = useQuery({
    queryKey: ["vehicle types"],
    queryFn: () =>
      requestAll<ConfigValue>("/config_values", { group: "vehicle_definition" }, { quiet: true }),
    retry: false,
  });
  function fill(key: string) {
    const values = types.find((type) => type.key === key)?.value as Record<string, unknown> | undefined;
    for (const field of FILLED) {
      const current = getValues(field) as unknown;
      if (values?.[field] != null && (current === null || current === undefined || current === "")) {
        setValue(field, values[field], { shouldDirty: true });
      }
    }
  }
  return (
    <SelectInput
      source="vehicle_type"
      choices={types.map((type) => ({ id: type.key, name: nameOf(type) }))}
      onChange={(event) => {
        if ("target" in event) fill((event as React.ChangeEvent<HTMLInputElement>).target.value);
      }}
    />
  );
}

function nameOf(type: ConfigValue): string {
  const name = (type.value as { name?: unknown } | null)?.name;
  return typeof name === "string" && name ? name : type.key;
}
