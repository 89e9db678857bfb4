//! Where a vehicle stands. Pure. The same as `planner-web/src/road/stand.ts`.

use super::{Spot, is_stale};

/// Milliseconds after which a position says where the vehicle was, not where it is.
pub(super) const STALE: f64 = 5.0 * 60_000.0;
/// Metres within which a vehicle stands: a phone between houses is off by as much.
const STANDS_WITHIN: f64 = 120.0;
/// Metres of a degree of latitude.
const DEGREE: f64 = 111_195.0;

/// Where a vehicle stands, and from when until when that is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand {
    pub(super) place: (f64, f64),
    pub(super) since: f64,
    /// Now, or the last position where that is old.
    pub(super) until: f64,
}

/// Metres between two places; exact enough within a day's drive.
pub(super) fn metres_between(a: (f64, f64), b: (f64, f64)) -> f64 {
    let shrink = f64::midpoint(a.0, b.0).to_radians().cos();
    let (x, y) = ((b.1 - a.1) * DEGREE * shrink, (b.0 - a.0) * DEGREE);
    x.hypot(y)
}

/// Where the vehicle stands by its positions (in their order), from the first of those that lie together; none while it
/// moves. One position elsewhere is a fault of the device, two in a row are a way.
pub(super) fn stand_of(track: &[Spot], now: f64) -> Option<Stand> {
    let newest = &track[track.len().saturating_sub(3)..];
    let place = (middle(newest.iter().map(|spot| spot.lat))?, middle(newest.iter().map(|spot| spot.lon))?);
    let (mut since, mut together, mut away) = (0.0, 0, 0);
    for spot in track.iter().rev() {
        if metres_between((spot.lat, spot.lon), place) > STANDS_WITHIN {
            away += 1;
            if away == 2 {
                break;
            }
            continue;
        }
        away = 0;
        together += 1;
        since = spot.at;
    }
    let seen = track.last()?.at;
    let until = if is_stale(seen, now) { seen } else { now };
    (together >= 2).then_some(Stand { place, since, until })
}

/// The median, which one wrong value among three does not move.
fn middle(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
