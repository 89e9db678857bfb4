//! When the open stops of a run on the road are expected to be reached, from its last fact on and at its own pace so far, and
//! between which times in 8 of 10 cases. Pure. The planner's screens reckon the same in `planner-web/src/road/expected.ts`,
//! which says why; customers are told what comes out here. A table of cases holds the two together.

mod pace;
mod stand;

use pace::{pace_of, planned_service, planned_travel, rest_of, spread_of};
use stand::{STALE, metres_between, stand_of};

/// Milliseconds.
const MINUTE: f64 = 60_000.0;
/// A range is never narrower on either side than what a clock shows and a driver notes.
const LEAST: f64 = 2.0 * MINUTE;
/// Metres within which a vehicle is at a stop: it parks around the corner.
const AT_STOP: f64 = 200.0;
/// Milliseconds at a stop that are a visit.
const VISIT: f64 = 3.0 * MINUTE;

/// A run that was begun; moments in milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drive {
    pub(super) planned_start: Option<f64>,
    pub(super) actual_start: Option<f64>,
}

/// One of its stops, in visiting order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    pub(super) id: i64,
    pub(super) place: (f64, f64),
    /// Minutes of service.
    pub(super) duration: f64,
    pub(super) eta: Option<f64>,
    pub(super) etd: Option<f64>,
    /// What the server estimated from the vehicle's last place.
    pub(super) updated_eta: Option<f64>,
    /// Planned milliseconds of waiting.
    pub(super) wait: f64,
    /// When its window opens.
    pub(super) opens: Option<f64>,
    pub(super) proof_time: Option<f64>,
    pub(super) visited: bool,
}

/// A position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) lat: f64,
    pub(super) lon: f64,
    pub(super) at: f64,
}

/// When a stop is expected to be reached. In 8 of 10 cases it is reached between `from` and `to`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reached {
    pub(super) at: f64,
    pub(super) from: f64,
    pub(super) to: f64,
}

/// Whether the newest position says where the vehicle was, not where it is.
pub(super) fn is_stale(at: f64, now: f64) -> bool {
    now - at > STALE
}

/// When each open stop of a run under way is expected, by the job's id; nothing for one that has no times.
pub(super) fn outlook(drive: &Drive, stops: &[Stop], track: &[Spot], now: f64) -> Vec<(i64, Reached)> {
    let Some(start) = drive.actual_start else { return Vec::new() };
    if drive.planned_start.is_none() || stops.iter().any(|stop| stop.eta.is_none()) {
        return Vec::new();
    }
    let open: Vec<usize> = (0..stops.len()).filter(|at| !stops[*at].visited).collect();
    let pace = pace_of(drive, stops);
    let last = last_fact(start, stops, track.last(), open.first().map(|at| &stops[*at]));
    let stand = stand_of(track, now);
    let here = stand.and_then(|stand| {
        // What is not next in the plan is passed on the way, too.
        let visits =
            |stop: &Stop| stand.until - stand.since >= VISIT && stop.opens.is_none_or(|opens| now >= opens);
        let is_here = |at: &usize| {
            let stop = &stops[*at];
            metres_between(stand.place, stop.place) <= AT_STOP && (Some(at) == open.first() || visits(stop))
        };
        open.iter().copied().find(is_here)
    });
    let mut found = Vec::with_capacity(open.len());
    // Planned minutes of work since the last fact, which is what the range grows with.
    let (mut clock, mut work) = (last, 0.0);
    if let (Some(here), Some(stand)) = (here, stand) {
        let stop = &stops[here];
        // What stood there before the last proof was of another stop.
        let since = stops.iter().filter_map(|stop| stop.proof_time).fold(stand.since, f64::max);
        let began = stop.opens.map_or(since, |opens| since.max(opens));
        found.push((stop.id, Reached { at: began, from: began, to: began }));
        let service = rest_of(planned_service(stop) / MINUTE, (now - began) / MINUTE, &pace);
        clock = (began + service.ends * MINUTE).max(now);
        work = service.work;
    }
    let mut first = here.is_none();
    for at in open.into_iter().filter(|at| Some(*at) != here) {
        let stop = &stops[at];
        let planned = planned_travel(drive, stops, at);
        let arrives = if first {
            let travel = first_travel(stop, planned, last) / MINUTE;
            let rest = rest_of(travel, (now - last) / MINUTE, &pace);
            // Who has not come by now comes now at the earliest.
            let arrives = (last + rest.ends * MINUTE).max(now);
            // Of a vehicle that was not heard of for long nobody knows that it has not come.
            let known = if is_stale(last, now) { (arrives - last) / pace.ratio / MINUTE } else { 0.0 };
            work = known.max(rest.work);
            arrives
        } else {
            work += planned / MINUTE;
            clock + planned * pace.ratio
        };
        first = false;
        let opens = stop.opens.unwrap_or(f64::NEG_INFINITY);
        let half = LEAST.max(spread_of(&pace, work) * MINUTE);
        let reached = arrives.max(opens);
        let from = now.min(reached).max(arrives - half).max(opens);
        found.push((stop.id, Reached { at: reached, from, to: (arrives + half).max(opens) }));
        // Who waits for the window in any case starts from there anew.
        if arrives + half <= opens {
            work = 0.0;
        }
        work += planned_service(stop) / MINUTE;
        clock = reached + planned_service(stop) * pace.ratio;
    }
    found
}

/// The newest of start, proofs and positions.
fn last_fact(start: f64, stops: &[Stop], newest: Option<&Spot>, next: Option<&Stop>) -> f64 {
    let fact = stops.iter().filter_map(|stop| stop.proof_time).fold(start, f64::max);
    // Without an estimate from there a place tells no time.
    let timed = next.is_some_and(|next| next.updated_eta.is_some());
    newest.map_or(fact, |spot| if timed && spot.at > fact { spot.at } else { fact })
}

/// Milliseconds to the next stop, without the run's pace.
fn first_travel(stop: &Stop, planned: f64, from: f64) -> f64 {
    let Some(updated) = stop.updated_eta else { return planned };
    let estimated = (updated - from).max(0.0);
    // An estimate at the window's opening holds waiting, of which nobody knows how much.
    let waits = stop.opens.is_some_and(|opens| updated <= opens);
    if waits { estimated.min(planned) } else { estimated }
}
