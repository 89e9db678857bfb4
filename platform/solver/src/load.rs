//! Loads of a run against the capacity of its vehicle.

use crate::model::{Model, on_board};

/// Most that counts against the capacity, per key of the model.
pub(crate) fn peak(model: &Model, vehicle: usize, sequence: &[usize]) -> Vec<i64> {
    let class = model.vehicles[vehicle].class;
    let mut load = vec![0; model.keys.len()];
    let add = |load: &mut Vec<i64>, amounts: &[i64]| {
        for (sum, amount) in load.iter_mut().zip(amounts) {
            *sum += amount;
        }
    };
    if !on_board(model) {
        for &stop in sequence {
            add(&mut load, model.amounts(class, stop));
        }
        return load;
    }
    for &stop in sequence.iter().filter(|stop| model.loads_at_start(**stop)) {
        add(&mut load, model.amounts(class, stop));
    }
    let mut peak = load.clone();
    for &stop in sequence {
        add(&mut load, model.changes(class, stop));
        for (most, now) in peak.iter_mut().zip(&load) {
            *most = (*most).max(*now);
        }
    }
    peak
}

/// Whether a load fits one of the vehicle's layouts.
pub(crate) fn fits(model: &Model, vehicle: usize, load: &[i64]) -> bool {
    let layouts = &model.vehicles[vehicle].layouts;
    layouts.is_empty() || layouts.iter().any(|layout| layout.iter().all(|&(key, limit)| load[key] <= limit))
}

/// Whether the run respects the capacity, or the capacity does not bind.
pub(crate) fn allowed(model: &Model, vehicle: usize, sequence: &[usize]) -> bool {
    model.rules.ignore_capacity
        || model.vehicles[vehicle].layouts.is_empty()
        || fits(model, vehicle, &peak(model, vehicle, sequence))
}

/// What exceeds the best fitting layout, as (key, load, limit); empty when the load fits.
pub(crate) fn excess(model: &Model, vehicle: usize, load: &[i64]) -> Vec<(usize, i64, i64)> {
    let over = |layout: &Vec<(usize, i64)>| -> Vec<(usize, i64, i64)> {
        layout
            .iter()
            .filter(|(key, limit)| load[*key] > *limit)
            .map(|&(key, limit)| (key, load[key], limit))
            .collect()
    };
    // Keys have different units: excess is compared in thousandths of the limit.
    let weight = |excess: &Vec<(usize, i64, i64)>| -> i128 {
        excess
            .iter()
            .map(|&(_, load, limit)| i128::from(load - limit) * 1000 / i128::from(limit.max(1)))
            .sum()
    };
    model.vehicles[vehicle].layouts.iter().map(over).min_by_key(weight).unwrap_or_default()
}
