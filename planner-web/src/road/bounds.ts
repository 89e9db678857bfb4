/**
 * When something on the road is worth a look, all in one place. A bound that is crossed back and forth would flap: each
 * state that is measured ends at another value than it begins.
 */

const MINUTE = 60_000;

/**
 * Milliseconds without a position, proof or word of the phone after which a run under way is silent. Phones report
 * themselves once a minute while they are looked at; a tunnel or a long unloading without a signal is no silence yet.
 */
export const SILENT = 15 * MINUTE;

/**
 * Milliseconds after which a position says where the vehicle was, not where it is: trackers send every 5 to 60 seconds,
 * and in 5 minutes a van is two kilometres of town away.
 */
export const STALE = 5 * MINUTE;

/** Milliseconds behind the window at which a stop is told to be late, so that a minute more or less tells nothing. */
export const LATE_FROM = 2 * MINUTE;
/**
 * Parts of the later side of an expected time's range by which that time has to be behind the window's end besides, and by which
 * a stop that was late has to be ahead of it to be on time again: what is hours away swings by more than what comes next. Such
 * that rehearsed days do not flap (`infra/bench/rehearsal`).
 */
export const LATE_BY = 0.25;
export const ON_TIME_BY = 0.75;

/** Milliseconds after the planned departure at which a run has not started: loading often takes some minutes more. */
export const NO_START = 10 * MINUTE;

/** Milliseconds beyond service, break and waiting that a vehicle may stand: a parking search or a chat is no trouble. */
export const LONG_STOP = 15 * MINUTE;
/** Metres within which a vehicle stands: a phone between houses is off by as much. */
export const STANDS_WITHIN = 120;
/** Metres within which a vehicle is at a stop: it parks around the corner. */
export const AT_STOP = 200;

/** Metres off the planned way at which a run is off plan: a diversion around a closed street is less. */
export const OFF_WAY = 2_000;
/** Metres at which it is back. */
export const BACK_ON_WAY = 1_200;
/** Plans along straight lines say little of the way: they allow so many times as much. */
export const STRAIGHT_ALLOWS = 2.5;
/** Positions in a row that must be off the way: a single one may be a fault of the device. */
export const OFF_WAY_POSITIONS = 2;

/** Milliseconds at a stop that are a visit: who waits at the lights beside it drives on earlier. */
export const VISIT = 3 * MINUTE;
/** Metres from a stop at which the vehicle has moved on. */
export const MOVED_ON = 500;
