import { type Job, type Run, zoneOffset } from "@routewright/web";

export type PieceKind = "driving" | "waiting" | "break";

/** What a run does between two stops; milliseconds. */
export interface Piece {
  kind: PieceKind;
  from: number;
  to: number;
}

const MINUTE = 60_000;

/**
 * What a run does between its stops, in order: the drive as the roads say, the break where there is room for it within
 * its times, the rest of the time is waited. Stops in visiting order; the break's times are of the zone. Without times
 * there is nothing to tell.
 */
export function piecesOf(run: Run, stops: readonly Job[], zone: string): Piece[] {
  if (run.planned_start_time === null || stops.some((stop) => stop.eta === null)) return [];
  const legs = run.route?.legs ?? [];
  const pieces: Piece[] = [];
  const open: Break = { run, zone, length: run.lunch_duration * MINUTE, taken: run.lunch_duration <= 0 };
  let clock = Date.parse(run.planned_start_time);
  stops.forEach((stop, index) => {
    const leg = legs[index]?.to_job_id === stop.id ? legs[index] : undefined;
    const arrival = Date.parse(stop.eta ?? "");
    between(pieces, clock, arrival, leg?.duration, open);
    clock = stop.etd === null ? arrival + stop.duration * MINUTE : Date.parse(stop.etd);
  });
  if (run.planned_end_time !== null && stops.length > 0) {
    const leg = legs[stops.length];
    const home = leg?.to_job_id === null ? leg.duration : undefined;
    between(pieces, clock, Date.parse(run.planned_end_time), home, open);
  }
  return pieces;
}

interface Break {
  run: Run;
  zone: string;
  /** Milliseconds. */
  length: number;
  taken: boolean;
}

/** Fills the time between two stops. Without a known drive (seconds) all of it counts as driven. */
function between(pieces: Piece[], from: number, to: number, drive: number | undefined, open: Break): void {
  if (to - from < 1000) return;
  const idle = drive === undefined ? 0 : Math.max(0, to - from - drive * 1000);
  const pause = !open.taken && idle >= open.length - MINUTE ? breakStart(open, from, to - open.length) : null;
  if (pause === null) {
    push(pieces, "driving", from, to - idle);
    push(pieces, "waiting", to - idle, to);
    return;
  }
  open.taken = true;
  const resumed = Math.min(to, pause + open.length);
  const driven = to - idle - from;
  const before = Math.min(pause - from, driven);
  push(pieces, "driving", from, from + before);
  push(pieces, "waiting", from + before, pause);
  push(pieces, "break", pause, resumed);
  push(pieces, "driving", resumed, Math.min(to, resumed + driven - before));
  push(pieces, "waiting", Math.min(to, resumed + driven - before), to);
}

function push(pieces: Piece[], kind: PieceKind, from: number, to: number): void {
  if (to - from >= 1000) pieces.push({ kind, from, to });
}

/** When the break begins that lies between two moments; `null` when its times do not allow it there. */
function breakStart({ run, zone }: Break, from: number, to: number): number | null {
  const begin = Math.max(from, timeOn(from, run.lunch_time, zone) ?? from);
  const latest = timeOn(from, run.lunch_latest_start, zone) ?? Infinity;
  return begin <= latest && begin <= to + MINUTE ? Math.min(begin, Math.max(from, to)) : null;
}

/** A time of day (`HH:mm`) on the day of a moment in a zone, in milliseconds. */
function timeOn(moment: number, time: string | null, zone: string): number | null {
  if (time === null) return null;
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const offset = zoneOffset(zone, moment);
  const day = Math.floor((moment + offset) / (24 * 60 * MINUTE)) * 24 * 60 * MINUTE;
  return day + (hours * 60 + minutes) * MINUTE - offset;
}

/** Seconds that a run spends with each. */
export interface Spent {
  driving: number;
  service: number;
  waiting: number;
  break: number;
}

/** What the time of a run goes into; `null` without times. */
export function spentOf(run: Run, stops: readonly Job[], zone: string): Spent | null {
  const pieces = piecesOf(run, stops, zone);
  if (stops.length === 0 || run.planned_start_time === null || stops.some(({ eta }) => eta === null))
    return null;
  const sum = (kind: PieceKind): number =>
    pieces.reduce((total, { kind: of, from, to }) => total + (of === kind ? to - from : 0), 0) / 1000;
  const service = stops.reduce((total, { eta, etd, duration }) => {
    const length = etd === null ? duration * MINUTE : Date.parse(etd) - Date.parse(eta ?? "");
    return total + length / 1000;
  }, 0);
  return { driving: sum("driving"), service, waiting: sum("waiting"), break: sum("break") };
}
