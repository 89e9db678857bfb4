//! Taking strings of neighbouring stops out of tours near each other (slack induction by string removals:
//! Christiaens and Vanden Berghe 2020).

use rand::Rng;
use rand::rngs::SmallRng;

use super::data::Data;
use super::state::{NOWHERE, State};

/// Longest string: half an average run, but so many stops at least and at most. With runs of fifty stops strings of
/// ten cannot leave a plan that is good as a whole.
const LONGEST: (f64, f64) = (10.0, 25.0);
/// Stops taken out on average, as a part of the longest string, and at least.
const REMOVED: (f64, f64) = (0.8, 10.0);
/// How often a string keeps some stops in its middle.
const SPLIT: f64 = 0.5;
/// How often one more stop is kept.
const KEEP_MORE: f64 = 0.01;

/// Units taken out; their stops are in no tour.
pub(super) fn strings(state: &mut State, rng: &mut SmallRng, removed: &mut Vec<usize>) {
    removed.clear();
    let data = state.data;
    let (used, served) = (state.used, state.served);
    if served == 0 {
        return;
    }
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let run = served as f64 / used as f64;
    let longest = (run / 2.0).clamp(LONGEST.0, LONGEST.1);
    let removed_on_average = (longest * REMOVED.0).max(REMOVED.1);
    let longest = longest.min(run).max(1.0);
    let most_strings = (4.0 * removed_on_average / (1.0 + longest) - 1.0).max(1.0);
    let strings = whole(rng.random_range(1.0..most_strings + 1.0));
    let seed = rng.random_range(0..data.model.stops.len());
    let mut ruined: Vec<u32> = Vec::with_capacity(strings);
    let near = &data.near[seed];
    for stop in std::iter::once(seed).chain(near.iter().map(|stop| *stop as usize)) {
        if ruined.len() >= strings {
            break;
        }
        let tour = state.tour_of[stop];
        if tour == NOWHERE || ruined.contains(&tour) || !data.active[tour as usize] {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let length =
            whole(rng.random_range(1.0..longest.min(state.tours[tour as usize].stops.len() as f64) + 1.0));
        take_string(state, tour as usize, stop, length, rng, removed);
        ruined.push(tour);
    }
    take_out(state, removed);
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small positive numbers")]
fn whole(value: f64) -> usize {
    value.floor() as usize
}

/// Takes a string that contains the stop.
fn take_string(
    state: &mut State,
    index: usize,
    stop: usize,
    length: usize,
    rng: &mut SmallRng,
    removed: &mut Vec<usize>,
) {
    let data = state.data;
    let tour = &state.tours[index];
    let fixed = tour.fixed(data);
    let Some(at) = tour.stops.iter().position(|other| *other as usize == stop).filter(|at| *at >= fixed)
    else {
        return;
    };
    let free = tour.stops.len() - fixed;
    let length = length.min(free);
    let mut kept = 0;
    if length > 1 && length < free && rng.random_bool(SPLIT) {
        kept = 1;
        while length + kept < free && rng.random_bool(KEEP_MORE) {
            kept += 1;
        }
    }
    let span = length + kept;
    let lowest = (at + 1).saturating_sub(span).max(fixed);
    let highest = at.min(tour.stops.len() - span);
    let start = rng.random_range(lowest..=highest.max(lowest));
    // The kept stops lie somewhere inside the string.
    let gap = if kept > 0 { start + rng.random_range(1..length.max(2)) } else { usize::MAX };
    for position in start..(start + span).min(tour.stops.len()) {
        if gap != usize::MAX && (gap..gap + kept).contains(&position) {
            continue;
        }
        let unit = data.unit_of[tour.stops[position] as usize];
        if !removed.contains(&unit) {
            removed.push(unit);
        }
    }
}

/// Takes all stops of the marked units out of their tours. Units with a stop that must stay, stay.
pub(super) fn take_out(state: &mut State, removed: &mut Vec<usize>) {
    let data = state.data;
    removed.retain(|unit| data.units[*unit].iter().all(|stop| movable(state, data, *stop)));
    let mut touched: Vec<usize> = Vec::new();
    for &unit in removed.iter() {
        for &stop in &data.units[unit] {
            let tour = state.tour_of[stop as usize] as usize;
            state.tour_of[stop as usize] = NOWHERE;
            if !touched.contains(&tour) {
                touched.push(tour);
            }
        }
    }
    let tour_of = std::mem::take(&mut state.tour_of);
    for index in touched {
        state.edit(index, |sequence| sequence.retain(|stop| tour_of[*stop as usize] != NOWHERE));
    }
    state.tour_of = tour_of;
}

fn movable(state: &State, data: &Data, stop: u32) -> bool {
    let tour = state.tour_of[stop as usize];
    if tour == NOWHERE || !data.active[tour as usize] {
        return false;
    }
    let tour = &state.tours[tour as usize];
    let fixed = tour.fixed(data);
    fixed == 0 || !tour.stops[..fixed].contains(&stop)
}
