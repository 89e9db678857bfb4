import type { Column } from "./noun.ts";

/** Field names whose label is not the name itself with blanks. */
const LABELS: Record<string, string> = {
  uid: "UID",
  id: "ID",
  job_id: "Job",
  run_id: "Run",
  client_id: "Client",
  driver_id: "Driver",
  driver_user_id: "Driver user",
  vehicle_id: "Vehicle",
  haulier_id: "Haulier",
  container_id: "Container",
  scenario_id: "Scenario",
  organisation_id: "Organisation",
  role_id: "Role",
  billing_rate_id: "Billing rate",
  template_id: "Template",
  validated_by_id: "Validated by",
  spec_type: "Types",
  idm: "Customer may interact",
  lat: "Latitude",
  lon: "Longitude",
  shift_start: "Shift start",
  shift_end: "Shift end",
  lunch_time: "Break earliest start",
  lunch_latest_start: "Break latest start",
  lunch_duration: "Break duration (min)",
  duration: "Duration (min)",
  eta: "ETA",
  etd: "ETD",
  modified: "Changed",
  ok: "OK",
  device_id: "Device ID",
  sms_text: "SMS text",
  "location.address": "Address",
};

/** Label of a field, from its name unless it has one of its own. */
export function fieldLabel(source: string): string {
  const known = LABELS[source];
  if (known) return known;
  // Of a part of a field its own name is enough: `conditions.operator` is the operator.
  const name = source.split(".").at(-1) ?? source;
  return LABELS[name] ?? sentenceCase(name);
}

/** `route_end` as `Route end`. */
export function sentenceCase(name: string): string {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Head of a column. */
export function columnLabel(column: Column): string {
  return column.label ?? fieldLabel(column.source);
}
