//! All orders in which stops can join a run.

use crate::model::Model;

/// Most orders tried for one set of linked stops in one run.
const MOST: usize = 20_000;

/// Every way of putting the stops (pickups before their deliveries) into a run whose own order stays.
pub(super) fn with(model: &Model, run: &[usize], unit: &[usize]) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    join(model, run.to_vec(), unit, &mut all);
    all
}

fn join(model: &Model, run: Vec<usize>, unit: &[usize], all: &mut Vec<Vec<usize>>) {
    let Some((&stop, rest)) = unit.split_first() else {
        all.push(run);
        return;
    };
    let pickups = &model.stops[stop].pickups;
    let first = run.iter().rposition(|placed| pickups.contains(placed)).map_or(0, |at| at + 1);
    for at in first..=run.len() {
        if all.len() >= MOST {
            return;
        }
        let mut next = run.clone();
        next.insert(at, stop);
        join(model, next, rest, all);
    }
}
