import dayjs, { type Dayjs } from "dayjs";
import timezonePlugin from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";

dayjs.extend(utc);
dayjs.extend(timezonePlugin);

/**
 * A time of day typed by a person, as `HH:mm`: `9`, `9:30`, `0930`, `09:30:00`, `9:30 am`, `9pm`.
 * `null` when it is none.
 */
export function parseTimeOfDay(text: string): string | null {
  const match = /^\s*(\d{1,2})(?::?(\d{2}))?(?::\d{2})?\s*([ap])?\.?(?:m\.?)?\s*$/i.exec(text);
  if (match === null) return null;
  const [, hourText = "", minuteText = "0", half] = match;
  let hour = Number(hourText);
  const minute = Number(minuteText);
  if (minute > 59) return null;
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  }
  return hour > 23 ? null : `${pad(hour)}:${pad(minute)}`;
}

/** A day typed by a person or by a picker, as the wire date: `2026/11/22`, `2026-11-22`, `20261122`. `null` for none. */
export function parseDay(text: string): string | null {
  const match = /^\s*(\d{4})[/.-]?(\d{1,2})[/.-]?(\d{1,2})\s*$/.exec(text);
  if (match === null) return null;
  const [, year = "", month = "", day = ""] = match;
  const wire = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  // The 31st of February is none.
  return dayjs.utc(wire).format("YYYY-MM-DD") === wire ? wire : null;
}

/** A day with a time typed by a person or by a picker, as the wall clock `YYYY-MM-DDTHH:mm`. `null` for none. */
export function parseWallClock(text: string): string | null {
  const [, dayPart = "", timePart = ""] = /^\s*(\S+?)(?:\s+|T)(.+)$/.exec(text) ?? [];
  const [day, time] = [parseDay(dayPart), parseTimeOfDay(timePart)];
  return day === null || time === null ? null : `${day}T${time}`;
}

/** `YYYY/MM/DD HH:mm` of a wall clock `YYYY-MM-DDTHH:mm`. */
export function wallClockText(wallClock: string): string {
  return wallClock.replaceAll("-", "/").replace("T", " ");
}

/** Minutes since midnight of `HH:mm` or `HH:mm:ss`. */
export function minutesOf(time: string): number {
  const [hour = "0", minute = "0"] = time.split(":");
  return Number(hour) * 60 + Number(minute);
}

/** `HH:mm` of `HH:mm:ss`. */
export function shortTime(time: string | null | undefined): string {
  return time?.slice(0, 5) ?? "";
}

export function timeOfMinutes(minutes: number): string {
  const day = ((Math.round(minutes) % 1440) + 1440) % 1440;
  return `${pad(Math.floor(day / 60))}:${pad(day % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

/** A moment (ISO 8601 UTC) in a timezone; unknown zones fall back to UTC. */
export function inZone(moment: string, zone: string | null | undefined): Dayjs {
  try {
    return dayjs.utc(moment).tz(zone ?? "UTC");
  } catch {
    return dayjs.utc(moment);
  }
}

/** `HH:mm` of a moment in a timezone. */
export function clockText(moment: string | null | undefined, zone: string | null | undefined): string {
  if (moment === null || moment === undefined) return "–";
  const time = moment.endsWith("Z") ? Date.parse(moment) : dayjs.utc(moment).valueOf();
  if (Number.isNaN(time)) return inZone(moment, zone).format("HH:mm");
  // A board shows thousands of times: no calendar is asked for each.
  return timeOfMinutes(Math.floor((time + zoneOffset(zone ?? "UTC", time)) / 60_000));
}

const QUARTER = 900_000;
const offsets = new Map<string, number>();
const clocks = new Map<string, Intl.DateTimeFormat | null>();

/** Milliseconds that a zone's clock is ahead of UTC at a moment (milliseconds); 0 for unknown zones. */
export function zoneOffset(zone: string, moment: number): number {
  // Clocks are changed at full quarters of an hour.
  const key = `${zone}|${Math.floor(moment / QUARTER)}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    if (offsets.size > 10_000) offsets.clear();
    offset = askOffset(zone, moment);
    offsets.set(key, offset);
  }
  return offset;
}

function askOffset(zone: string, moment: number): number {
  let format = clocks.get(zone);
  if (format === undefined) {
    format = offsetFormat(zone);
    clocks.set(zone, format);
  }
  const name = format?.formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const match = /([+-])(\d{2}):(\d{2})/.exec(name);
  if (match === null) return 0;
  const [, sign, hours, minutes] = match;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function offsetFormat(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "longOffset" });
  } catch {
    return null;
  }
}

/** `YYYY/MM/DD HH:mm` of a moment in a timezone. */
export function momentText(moment: string | null | undefined, zone: string | null | undefined): string {
  return moment === null || moment === undefined ? "–" : inZone(moment, zone).format("YYYY/MM/DD HH:mm");
}

/** `YYYY/MM/DD` of a wire date. */
export function dateText(date: string | null | undefined): string {
  return date?.replaceAll("-", "/") ?? "–";
}

/** `MM/DD/YYYY` of a scenario's wire date. */
export function scenarioDateText(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${month}/${day}/${year}`;
}

/** The wire moment of a wall-clock text `YYYY-MM-DDTHH:mm` in a timezone. */
export function momentOf(wallClock: string, zone: string | null | undefined): string {
  return dayjs.tz(wallClock, zone ?? "UTC").toISOString();
}

/** Wall clock `YYYY-MM-DDTHH:mm` of a moment, as date-time inputs want it. */
export function wallClock(moment: string | null | undefined, zone: string | null | undefined): string {
  return moment === null || moment === undefined ? "" : inZone(moment, zone).format("YYYY-MM-DDTHH:mm");
}

/** A moment of a proof: `YYYY-MM-DD HH:mm:ss` taken as UTC, as ISO 8601. */
export function recordTimeMoment(recordTime: string): string {
  return recordTime.includes("T") ? recordTime : `${recordTime.replace(" ", "T")}Z`;
}

export function recordTimeOf(moment: Date): string {
  return dayjs(moment).utc().format("YYYY-MM-DD HH:mm:ss");
}

/** The range shown for an ETA: rounded down to 5 minutes, 15 minutes long. */
export function etaRange(eta: string): { from: string; to: string } {
  const start = Math.floor(Date.parse(eta) / 300_000) * 300_000;
  return { from: new Date(start).toISOString(), to: new Date(start + 900_000).toISOString() };
}

export { dayjs };
