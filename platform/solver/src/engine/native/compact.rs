//! Compact runs: the search goes on from the best plan found without that wish. The centres of its runs are held, each stop
//! pays for its way to the centre of its run, and where the plan became better the centres follow it, as in the method of
//! Lloyd: with the centres held, and then with the stops held, what is measured in the end can only fall.

use rand::rngs::SmallRng;

use super::data::Data;
use super::polish;
use super::state::{State, Value};
use super::{cycles, exact, local_search, manner, serves_all};
use crate::compact::{apart, centre, points};
use crate::engine::guard::Board;
use crate::model::Model;
use crate::problem::Sequences;

/// Part of the budget in which a plan is looked for without minding how compact it is.
pub(super) const PLAIN_PART: f64 = 0.6;
/// How often the centres are held anew.
const ROUNDS: u32 = 3;

/// Makes the runs of a plan more compact until the budget is used or the centres stay; that plan is laid aside.
pub(super) fn run(data: &Data, plain: Sequences, board: &Board, rng: &mut SmallRng) -> Sequences {
    board.lay_aside(&plain);
    let mut best = plain;
    let mut least = value(data, &best);
    for _ in 0..ROUNDS {
        if board.is_cancelled() {
            break;
        }
        board.act((1.0 - PLAIN_PART) / f64::from(ROUNDS));
        let held = data.held(&best);
        let found = around(&held, &best, board, rng);
        let reached = value(data, &found);
        if reached >= least {
            break;
        }
        board.replace(&found);
        (best, least) = (found, reached);
    }
    best
}

/// A search that stays near a plan.
fn around(data: &Data, start: &Sequences, board: &Board, rng: &mut SmallRng) -> Sequences {
    if let Some(best) = exact::best(data, start, board) {
        return best;
    }
    if polish::suits(data) && serves_all(data, start) {
        return local_search(data, std::slice::from_ref(start), manner(data, start), 0.0, board, rng);
    }
    cycles(data, start.clone(), board, rng)
}

/// What is left out, then the points with those of stops away from the centres.
fn value(data: &Data, plan: &Sequences) -> Value {
    let (left_out, plain) = State::new(data, plan).value;
    let runs = plan.iter().enumerate().map(|(vehicle, stops)| (vehicle, stops.as_slice()));
    (left_out, plain.saturating_add(points(data.model, runs)))
}

/// Points of serving each stop in a run away from its centre, beyond those in the run that it is nearest to; vehicle by
/// vehicle, nothing for unused ones.
pub(super) fn astray(model: &Model, plan: &Sequences) -> Vec<i64> {
    let count = model.stops.len();
    let centres: Vec<Option<usize>> = plan
        .iter()
        .enumerate()
        .map(|(vehicle, stops)| centre(model, vehicle, stops).map(|(centre, _)| centre))
        .collect();
    let mut astray = vec![0; plan.len() * count];
    let mut nearest = vec![i64::MAX; count];
    for (vehicle, centre) in centres.iter().enumerate() {
        let Some(centre) = *centre else { continue };
        for stop in 0..count {
            let points = apart(model, vehicle, centre, stop);
            astray[vehicle * count + stop] = points;
            nearest[stop] = nearest[stop].min(points);
        }
    }
    for (vehicle, _) in centres.iter().enumerate().filter(|(_, centre)| centre.is_some()) {
        for stop in 0..count {
            astray[vehicle * count + stop] -= nearest[stop];
        }
    }
    astray
}
