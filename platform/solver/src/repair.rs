//! Makes a plan out of whatever an engine returns: locked work back in its place, nothing twice, no hard
//! rule broken, and every stop served that can simply be inserted.

use crate::insert::{Filling, open_units};
use crate::load;
use crate::model::Model;
use crate::problem::Sequences;
use crate::timing::Lane;

/// Stops of one run of which the best to drop is looked for.
const TRIED_AT_ONCE: usize = 200;

/// Sequences that keep all hard rules except on locked work. `stop` ends the insertion early.
pub(crate) fn repaired(model: &Model, raw: Sequences, stop: &dyn Fn() -> bool) -> Sequences {
    let mut sequences = with_locks(model, raw);
    drop_unsuited(model, &mut sequences);
    drop_group_rivals(model, &mut sequences);
    drop_broken_links(model, &mut sequences);
    for vehicle in 0..sequences.len() {
        shrink(model, vehicle, &mut sequences);
    }
    // Dropping a stop drops what it is linked to, possibly from runs that were checked before.
    drop_broken_links(model, &mut sequences);
    let units = open_units(model, &sequences);
    let mut filling = Filling::new(model, &sequences);
    filling.insert(&units, stop);
    filling.sequences()
}

/// Whether a stop is part of locked work.
fn is_locked(model: &Model, vehicle: usize, stop: usize) -> bool {
    model.locked_stops(vehicle).contains(&stop)
}

fn with_locks(model: &Model, raw: Sequences) -> Sequences {
    let mut taken = vec![false; model.stops.len()];
    let mut sequences: Sequences =
        (0..model.vehicles.len()).map(|vehicle| model.locked_stops(vehicle).to_vec()).collect();
    for &stop in sequences.iter().flatten() {
        taken[stop] = true;
    }
    for (vehicle, stops) in raw.into_iter().enumerate().take(sequences.len()) {
        if model.vehicles[vehicle].locked {
            continue;
        }
        for stop in stops {
            if let Some(taken) = taken.get_mut(stop).filter(|taken| !**taken) {
                *taken = true;
                sequences[vehicle].push(stop);
            }
        }
    }
    sequences
}

fn drop_unsuited(model: &Model, sequences: &mut Sequences) {
    for (vehicle, stops) in sequences.iter_mut().enumerate() {
        stops.retain(|stop| model.may_serve(*stop, vehicle) || is_locked(model, vehicle, *stop));
    }
}

fn drop_group_rivals(model: &Model, sequences: &mut Sequences) {
    for group in 0..model.groups {
        let locked = |vehicle: usize| model.locked_stops(vehicle).len();
        let users: Vec<usize> = (0..sequences.len())
            .filter(|vehicle| {
                model.vehicles[*vehicle].group == Some(group) && !sequences[*vehicle].is_empty()
            })
            .collect();
        let staying = |vehicle: usize| sequences[vehicle].iter().filter(|stop| model.kept[**stop]).count();
        let kept = users
            .iter()
            .copied()
            .max_by_key(|vehicle| (locked(*vehicle), staying(*vehicle), sequences[*vehicle].len()));
        for vehicle in users.into_iter().filter(|vehicle| Some(*vehicle) != kept) {
            sequences[vehicle].retain(|stop| is_locked(model, vehicle, *stop));
        }
    }
}

/// Drops linked stops that are not all in one run in order. Members of locked runs stay.
fn drop_broken_links(model: &Model, sequences: &mut Sequences) {
    let mut at = vec![None; model.stops.len()];
    for (vehicle, stops) in sequences.iter().enumerate() {
        for (position, &stop) in stops.iter().enumerate() {
            at[stop] = Some((vehicle, position));
        }
    }
    let in_order = |pickup: usize, delivery: usize| match (at[pickup], at[delivery]) {
        (Some((run, first)), Some((other, second))) => run == other && first < second,
        _ => false,
    };
    for component in &model.components {
        let whole = !component.cyclic
            && component
                .members
                .iter()
                .all(|stop| model.stops[*stop].deliveries.iter().all(|delivery| in_order(*stop, *delivery)));
        if whole {
            continue;
        }
        for &stop in &component.members {
            if let Some((vehicle, _)) = at[stop].filter(|(vehicle, _)| !is_locked(model, *vehicle, stop)) {
                sequences[vehicle].retain(|other| *other != stop);
            }
        }
    }
}

/// Drops stops until the run keeps capacity, windows, shift and break; the one that helps most first,
/// priority stops last, and of all last those that stay.
fn shrink(model: &Model, vehicle: usize, sequences: &mut Sequences) {
    loop {
        let stops = &sequences[vehicle];
        if sound(model, vehicle, stops) {
            return;
        }
        // Trying every stop is quadratic: in runs beyond any real day only the last ones are tried.
        let tried = stops.len().saturating_sub(TRIED_AT_ONCE);
        let candidates = stops[tried..]
            .iter()
            .chain(&stops[..tried])
            .copied()
            .filter(|stop| !is_locked(model, vehicle, *stop));
        let worst = candidates.take(TRIED_AT_ONCE).min_by_key(|stop| {
            let left: Vec<usize> =
                stops.iter().copied().filter(|other| !tied(model, *stop, *other)).collect();
            let data = &model.stops[*stop];
            (
                model.kept[*stop],
                data.priority,
                data.penalty.is_none(),
                unsoundness(model, vehicle, &left),
                left.len(),
            )
        });
        let Some(worst) = worst else { return };
        sequences[vehicle].retain(|other| !tied(model, worst, *other) || is_locked(model, vehicle, *other));
    }
}

/// Whether dropping one stop drops the other: they are the same or linked.
fn tied(model: &Model, stop: usize, other: usize) -> bool {
    let component = model.stops[stop].component;
    stop == other || (component.is_some() && component == model.stops[other].component)
}

fn sound(model: &Model, vehicle: usize, stops: &[usize]) -> bool {
    load::allowed(model, vehicle, stops) && Lane::new(model, vehicle, stops.to_vec()).feasible()
}

/// How far a run is from keeping its hard rules: what exceeds the capacity in thousandths of it, and the
/// number of stops from the first late one.
fn unsoundness(model: &Model, vehicle: usize, stops: &[usize]) -> i128 {
    let over: i128 = if load::allowed(model, vehicle, stops) {
        0
    } else {
        load::excess(model, vehicle, &load::peak(model, vehicle, stops))
            .iter()
            .map(|&(_, load, limit)| i128::from(load - limit) * 1000 / i128::from(limit.max(1)) + 1)
            .sum()
    };
    over + Lane::new(model, vehicle, stops.to_vec()).lateness(model)
}
