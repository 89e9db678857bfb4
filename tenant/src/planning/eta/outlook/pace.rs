//! How fast a run is, and how sure that is. Pure. The same as `planner-web/src/road/pace.ts`, which says why; a table of cases
//! holds the two together.

use super::{Drive, Stop};

/// Milliseconds.
const MINUTE: f64 = 60_000.0;
/// Minutes of planned work as planned that a run is believed to have behind it before it has made a stop.
const PRIOR_WORK: f64 = 90.0;
/// So many parts of the way are believed to have been driven with the spread below.
const PRIOR_PARTS: f64 = 8.0;
/// Minutes squared by which a minute of work varies.
const PRIOR_VARIANCE: f64 = 2.5;
/// Minutes: what is planned to be shorter is as unsure as this.
const SHORTEST: f64 = 2.0;
/// A pace beyond these is a mistake in what was recorded.
const SLOWEST: f64 = 2.5;
const FASTEST: f64 = 0.6;
/// Of the normal distribution: 80 % lie within so many standard deviations.
const EIGHTY: f64 = 1.2816;

/// How fast a run is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Time taken per planned time: 1.2 is a fifth slower than planned.
    pub(super) ratio: f64,
    /// Minutes squared by which a minute of work varies.
    variance: f64,
    /// Minutes of planned work that this was seen in, with what was believed before.
    seen: f64,
}

/// A part of the way that was driven as planned, in minutes.
struct Part {
    planned: f64,
    taken: f64,
}

/// Planned milliseconds of service at a stop.
pub(super) fn planned_service(stop: &Stop) -> f64 {
    match (stop.eta, stop.etd) {
        (Some(eta), Some(etd)) => (etd - eta).max(0.0),
        _ => stop.duration * MINUTE,
    }
}

/// Planned milliseconds on the way to a stop from the one before it in the plan, without waiting.
pub(super) fn planned_travel(drive: &Drive, stops: &[Stop], at: usize) -> f64 {
    let before = at.checked_sub(1).map(|before| &stops[before]);
    let left = before.map_or(drive.planned_start, |before| before.etd.or(before.eta));
    match (left, stops[at].eta) {
        (Some(left), Some(eta)) => (eta - left - stops[at].wait).max(0.0),
        _ => 0.0,
    }
}

/// The pace of a run so far.
pub(super) fn pace_of(drive: &Drive, stops: &[Stop]) -> Pace {
    let parts = parts_of(drive, stops);
    let planned = parts.iter().fold(PRIOR_WORK, |sum, part| sum + part.planned);
    let taken = parts.iter().fold(PRIOR_WORK, |sum, part| sum + part.taken);
    let ratio = (taken / planned).clamp(FASTEST, SLOWEST);
    let square = |part: &Part| (part.taken - ratio * part.planned).powi(2) / part.planned;
    let squares: f64 = parts.iter().map(square).sum();
    let count = f64::from(u32::try_from(parts.len()).unwrap_or(u32::MAX));
    let variance = (PRIOR_PARTS * PRIOR_VARIANCE + squares) / (PRIOR_PARTS + count);
    Pace { ratio, variance, seen: planned }
}

/// Minutes to either side within which work of so many planned minutes ends in 8 of 10 cases.
pub(super) fn spread_of(pace: &Pace, work: f64) -> f64 {
    let minutes = work.max(0.0);
    EIGHTY * (pace.variance * minutes * (1.0 + minutes / pace.seen)).sqrt()
}

/// What is known of work that goes on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest {
    /// Minutes after its begin at which it is expected to end.
    pub(super) ends: f64,
    /// Planned minutes of other work that would be as unsure.
    pub(super) work: f64,
}

/// When work of so many planned minutes ends that has gone on for so long: the longer it goes on, the longer it takes.
pub(super) fn rest_of(planned: f64, gone: f64, pace: &Pace) -> Rest {
    let mean = planned * pace.ratio;
    let unsure = planned.max(SHORTEST);
    let deviation = (pace.variance * unsure).sqrt();
    let over = (gone - mean) / deviation;
    if over < -4.0 {
        return Rest { ends: mean, work: planned };
    }
    let mills = mills_of(over);
    let left = (1.0 - mills * (mills - over)).max(0.0);
    Rest { ends: mean + deviation * mills, work: left * unsure }
}

/// From so many deviations on the normal distribution is reckoned by its continued fraction, and how deep.
const TAIL: f64 = 2.0;
const DEPTH: u32 = 40;

/// The normal density by what lies beyond it.
fn mills_of(over: f64) -> f64 {
    if over > TAIL {
        return (1..=DEPTH).rev().fold(over, |found, term| over + f64::from(term) / found);
    }
    (-over * over / 2.0).exp() / std::f64::consts::TAU.sqrt() / beyond(over)
}

/// Share of the normal distribution beyond so many deviations (Abramowitz and Stegun 26.2.17).
fn beyond(over: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * over.abs());
    let terms = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = terms.iter().rfold(0.0, |found, term| (found + term) * t);
    let tail = sum * (-over * over / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if over < 0.0 { 1.0 - tail } else { tail }
}

fn parts_of(drive: &Drive, stops: &[Stop]) -> Vec<Part> {
    let mut made: Vec<(usize, f64)> =
        stops.iter().enumerate().filter_map(|(at, stop)| stop.proof_time.map(|time| (at, time))).collect();
    made.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut parts = Vec::new();
    let mut before = drive.actual_start.map(|start| (None, start));
    for (at, time) in made {
        let travel = planned_travel(drive, stops, at);
        let planned = (travel + planned_service(&stops[at])) / MINUTE;
        if let Some((last, left)) = before
            && last.map_or(0, |last: usize| last + 1) == at
            && planned >= 1.0
            && time >= left
        {
            let waited = stops[at].opens.map_or(0.0, |opens| (opens - left - travel).max(0.0));
            parts.push(Part { planned, taken: (time - left - waited).max(0.0) / MINUTE });
        }
        before = Some((Some(at), time));
    }
    parts
}
