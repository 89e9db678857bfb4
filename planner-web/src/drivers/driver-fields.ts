import {
  type Driver,
  emailsText,
  parseTimeOfDay,
  phonesText,
  type Place,
  placeSchema,
  type RouteEnd,
  sizeText,
  texts,
  timeText,
  uidText,
} from "@routewright/web";
import { z } from "zod";
import { textOrNull } from "../fields/text.ts";

const timeNeeded = timeText.refine((text) => text.trim() !== "", texts.checks.required);

export const driverSchema = z.object({
  uid: uidText,
  email: emailsText,
  phone_number: phonesText,
  preferred_method: z.enum(["email", "sms"]),
  shift_start: timeNeeded,
  shift_end: timeNeeded,
  lunch_time: timeText,
  lunch_latest_start: timeText,
  lunch_duration: z.string().refine((text) => text.trim() === "" || Number(text) >= 0, texts.checks.negative),
  capacity: sizeText,
  spec_type: z.string(),
  route_end: z.enum(["start", "end_location", "anywhere"]),
  location: placeSchema.refine((value) => value !== null, texts.checks.required),
  end_location: placeSchema,
  route_colour: z.string(),
  speed_multiplier: z
    .string()
    .refine((text) => Number(text) >= 0.1 && Number(text) <= 3, texts.checks.numeric),
});

export type DriverFields = z.input<typeof driverSchema>;

export function driverFieldsOf(driver: Driver | null): DriverFields {
  return {
    uid: driver?.uid ?? "",
    email: driver?.email ?? "",
    phone_number: driver?.phone_number ?? "",
    preferred_method: driver?.preferred_method ?? "email",
    shift_start: (driver?.shift_start ?? "09:00").slice(0, 5),
    shift_end: (driver?.shift_end ?? "17:00").slice(0, 5),
    lunch_time: (driver?.lunch_time ?? "").slice(0, 5),
    lunch_latest_start: (driver?.lunch_latest_start ?? "").slice(0, 5),
    lunch_duration: String(driver?.lunch_duration ?? 0),
    capacity: driver?.capacity ?? "0",
    spec_type: driver?.spec_type ?? "",
    route_end: driver?.route_end ?? "start",
    location: driver?.location ?? null,
    end_location: driver?.end_location ?? null,
    route_colour: driver?.route_colour ?? "",
    speed_multiplier: String(driver?.speed_multiplier ?? 1),
  };
}

export function driverInputOf(fields: DriverFields): Partial<Driver> {
  return {
    uid: fields.uid.trim(),
    email: textOrNull(fields.email),
    phone_number: textOrNull(fields.phone_number),
    preferred_method: fields.preferred_method,
    shift_start: parseTimeOfDay(fields.shift_start) ?? fields.shift_start,
    shift_end: parseTimeOfDay(fields.shift_end) ?? fields.shift_end,
    lunch_time: parseTimeOfDay(fields.lunch_time),
    lunch_latest_start: parseTimeOfDay(fields.lunch_latest_start),
    lunch_duration: Number(fields.lunch_duration || "0"),
    capacity: textOrNull(fields.capacity) ?? "0",
    spec_type: textOrNull(fields.spec_type.replaceAll(" ", "")),
    route_end: fields.route_end,
    location: bare(fields.location),
    end_location: fields.route_end === "end_location" ? bare(fields.end_location) : null,
    ...(fields.route_colour === "" ? {} : { route_colour: fields.route_colour }),
    speed_multiplier: Number(fields.speed_multiplier),
  };
}

function bare(value: Place | null): Place | null {
  return value === null ? null : { address: value.address, lat: value.lat, lon: value.lon };
}

/** The driver of one row of a file: our own names, `type`, and `start_lat`/`start_lon`. */
export function driverOfRow(row: Record<string, string>): Partial<Driver> {
  const cell = (name: string): string => (row[name] ?? "").trim();
  const lat = cell("start_lat") || cell("lat");
  const lon = cell("start_lon") || cell("lon");
  const address = cell("address") || cell("start_location") || `${lat}, ${lon}`;
  const end = cell("route_end");
  const routeEnd: RouteEnd = end === "anywhere" || end === "end_location" ? end : "start";
  return {
    ...driverInputOf({
      ...driverFieldsOf(null),
      uid: cell("uid"),
      email: cell("email"),
      phone_number: cell("phone_number"),
      shift_start: cell("shift_start") || "09:00",
      shift_end: cell("shift_end") || "17:00",
      lunch_time: cell("lunch_time"),
      lunch_latest_start: cell("lunch_latest_start"),
      lunch_duration: cell("lunch_duration") || "0",
      capacity: cell("capacity") || "0",
      spec_type: cell("type") || cell("spec_type"),
      route_end: routeEnd,
      location: lat === "" || lon === "" ? null : { address, lat: Number(lat), lon: Number(lon) },
      speed_multiplier: cell("speed_multiplier") || "1",
    }),
  };
}
