import { texts } from "@routewright/web";
import { SelectInput } from "react-admin";

const PROFILES = ["car", "van", "truck", "hazmat_truck", "bicycle"] as const;

/** What a vehicle is on the road: which streets it may take, and how fast. */
export function RoadProfileInput({ source, label }: { source: string; label?: string }) {
  return (
    <SelectInput
      source={source}
      {...(label !== undefined && { label })}
      choices={PROFILES.map((id) => ({ id, name: texts.admin.choices[id] }))}
      helperText={texts.admin.vehicles.roadProfileHelp}
    />
  );
}
