import { type Job, parseSize, type Run, type SizeClause } from "@routewright/web";
import type { Links } from "./links.ts";

/** How the organisation counts loads. */
export interface LoadTerms {
  /** `sum`: all stops of a run together; `on_board`: what is on the vehicle at once. */
  mode: "sum" | "on_board";
  /** A capacity of bare `0` is an empty form field. */
  zeroIsUnlimited: boolean;
}

/** One measure of a run's load. */
export interface Load {
  /** `boxes`; `size` for sizes without a name. */
  key: string;
  /** The most that counts at once. */
  value: number;
  limit: number;
}

const parsed = new Map<string, SizeClause[]>();

/** Clauses of a size or capacity; a text that is none takes up, or limits, nothing. Texts repeat, so they are kept. */
function clausesOf(text: string | null): SizeClause[] {
  if (text === null || text.trim() === "") return [];
  let clauses = parsed.get(text);
  if (clauses === undefined) {
    clauses = parseSize(text) ?? [];
    parsed.set(text, clauses);
  }
  return clauses;
}

/** Layouts of a capacity; none: not limited. */
function layoutsOf(capacity: string, { zeroIsUnlimited }: LoadTerms): SizeClause[] {
  const layouts = clausesOf(capacity);
  const [only] = layouts;
  const bareZero = layouts.length === 1 && only !== undefined && isBareZero(only);
  return bareZero && zeroIsUnlimited ? [] : layouts;
}

function isBareZero(clause: SizeClause): boolean {
  const entries = Object.entries(clause);
  return entries.length === 1 && entries[0]?.[0] === "size" && entries[0][1] === 0;
}

/** The alternative of a size that counts: the first all of whose measures are limited, else the first with any. */
function counted(size: string | null, known: ReadonlySet<string>): SizeClause {
  const clauses = clausesOf(size);
  const all = clauses.find((clause) => Object.keys(clause).every((key) => known.has(key)));
  return all ?? clauses.find((clause) => Object.keys(clause).some((key) => known.has(key))) ?? {};
}

/**
 * Load of a run against the layout of its capacity that it fits best, as the optimiser counts it; empty when nothing is
 * limited. Stops in visiting order.
 */
export function loadsOf(run: Run, stops: readonly Job[], terms: LoadTerms, links: Links): Load[] {
  const layouts = layoutsOf(run.capacity, terms);
  if (layouts.length === 0) return [];
  const known = new Set(layouts.flatMap((layout) => Object.keys(layout)));
  const peak = terms.mode === "sum" ? sumOf(stops, known) : peakOnBoard(stops, known, links);
  const loads = layouts.map((layout) =>
    Object.entries(layout).map(([key, limit]) => ({ key, limit, value: tidy(peak[key] ?? 0) })),
  );
  let best = loads[0] ?? [];
  for (const other of loads) if (excessOf(other) < excessOf(best)) best = other;
  return best;
}

/** What exceeds the capacity, as parts of the limits together. */
function excessOf(loads: readonly Load[]): number {
  return loads.reduce(
    (sum, { value, limit }) => sum + Math.max(0, value - limit) / Math.max(0.001, limit),
    0,
  );
}

/** Sums of thousandths leave tiny remainders. */
function tidy(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function add(sum: SizeClause, clause: SizeClause, sign: 1 | -1): void {
  for (const [key, amount] of Object.entries(clause)) sum[key] = (sum[key] ?? 0) + sign * amount;
}

function sumOf(stops: readonly Job[], known: ReadonlySet<string>): SizeClause {
  const sum: SizeClause = {};
  for (const stop of stops) add(sum, counted(stop.size, known), 1);
  return sum;
}

/** Unlinked jobs are loaded at the start and leave at their stop, linked ones are loaded at the pickup. */
function peakOnBoard(stops: readonly Job[], known: ReadonlySet<string>, links: Links): SizeClause {
  const changes = goods(stops, links);
  const load: SizeClause = {};
  for (const stop of stops) if (!links.isLinked(stop.id)) add(load, counted(stop.size, known), 1);
  const peak = { ...load };
  for (const stop of stops) {
    for (const [sized, sign] of changes.get(stop.id) ?? []) add(load, counted(sized.size, known), sign);
    for (const [key, now] of Object.entries(load)) peak[key] = Math.max(peak[key] ?? 0, now);
  }
  return peak;
}

/** What is loaded (1) and unloaded (-1) at each stop: the sizes of which jobs. */
function goods(stops: readonly Job[], links: Links): Map<number, [Job, 1 | -1][]> {
  const byId = new Map(stops.map((stop) => [stop.id, stop]));
  const changes = new Map<number, [Job, 1 | -1][]>(stops.map((stop) => [stop.id, []]));
  const shift = (from: number | null, to: Job, sized: Job | undefined): void => {
    if (sized === undefined) return;
    changes.get(to.id)?.push([sized, -1]);
    if (from !== null) changes.get(from)?.push([sized, 1]);
  };
  for (const stop of stops) {
    if (!links.isLinked(stop.id)) {
      shift(null, stop, stop);
      continue;
    }
    const pickups = links.pickupsOf(stop.id);
    const own = pickups.filter((pickup) => links.deliveriesOf(pickup).length === 1);
    const [first] = pickups;
    if (first === undefined) continue;
    if (pickups.length === 1 || own.length === 0) shift(first, stop, stop);
    else for (const pickup of own) shift(pickup, stop, byId.get(pickup));
  }
  return changes;
}
