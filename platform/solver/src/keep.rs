//! Work that stays on its run (stops fixed to the vehicle that has them in the current plan). A run that breaks a rule with
//! this work alone cannot be searched under that rule: the rule is eased for it, just as far as it is broken already, so that
//! nothing gets worse and nobody is put out. What is told about the plan afterwards is judged by the rules as they are.

use std::collections::BTreeSet;

use crate::evaluate;
use crate::insert::{Filling, Unit};
use crate::load;
use crate::model::Model;
use crate::problem::{Problem, ProblemError, Sequences, TerritoryMode, TimeWindow};
use crate::repair::repaired;
use crate::size::{Clause, Part};
use crate::timing::Lane;

/// Orders of a run that are tried to make it less late.
const ORDERS_TRIED: usize = 20_000;
/// A type that no vehicle serves.
const NOBODY: &str = "\0";

/// The problem with rules eased for work that stays, and compiled; `None` when all of it stays under the rules as they are.
///
/// # Errors
/// [`ProblemError`] as for the problem itself.
pub(crate) fn eased(problem: &Problem, model: &Model) -> Result<Option<Model>, ProblemError> {
    let stays = |run: &Vec<usize>| run.iter().filter(|stop| model.kept[**stop]).count();
    let kept = problem.current.iter().map(stays).sum::<usize>();
    if kept == 0
        || repaired(model, problem.current.clone(), &|| true).iter().map(stays).sum::<usize>() == kept
    {
        return Ok(None);
    }
    let runs = kept_runs(model, &problem.current);
    let mut eased = problem.clone();
    ease_types(model, &runs, &mut eased);
    ease_groups(model, &runs, &mut eased);
    let joined = ease_links(model, &mut eased);
    let model = Model::new(&eased)?;
    for vehicle in 0..runs.len() {
        ease_run(&model, vehicle, &mut eased);
    }
    join(problem, joined, &mut eased)?;
    Model::new(&eased).map(Some)
}

/// Of each vehicle the stops that stay, in their order. A locked run is left alone as a whole.
fn kept_runs(model: &Model, current: &Sequences) -> Sequences {
    (0..model.vehicles.len())
        .map(|vehicle| {
            let stops = current.get(vehicle).map_or(&[][..], Vec::as_slice);
            let first = model.locked_stops(vehicle).len();
            let stays = |(at, stop): (usize, &usize)| (at < first || model.kept[*stop]).then_some(*stop);
            let free = !model.vehicles[vehicle].locked && stops.iter().any(|stop| model.kept[*stop]);
            if free { stops.iter().enumerate().filter_map(stays).collect() } else { Vec::new() }
        })
        .collect()
}

/// Whether linked stops of which some stay do not all stay on one run, pickups first.
fn is_torn(model: &Model, component: &crate::model::Component, current: &Sequences) -> bool {
    if !component.members.iter().any(|stop| model.kept[*stop]) {
        return false;
    }
    let at = |stop: usize| {
        let run = current.iter().position(|run| run.contains(&stop))?;
        Some((run, current[run].iter().position(|other| *other == stop)?))
    };
    let ordered = |pickup: usize, delivery: usize| match (at(pickup), at(delivery)) {
        (Some((run, first)), Some((other, second))) => run == other && first < second,
        _ => false,
    };
    component.cyclic
        || component.members.iter().any(|stop| !model.kept[*stop])
        || component
            .members
            .iter()
            .any(|stop| model.stops[*stop].deliveries.iter().any(|delivery| !ordered(*stop, *delivery)))
}

fn ease_types(model: &Model, runs: &Sequences, eased: &mut Problem) {
    for (vehicle, stops) in runs.iter().enumerate() {
        for &stop in stops {
            if !model.type_fits(stop, vehicle) {
                eased.stops[stop].types.clear();
            }
            if model.rules.territory_mode == TerritoryMode::Only && !model.territory_fits(stop, vehicle) {
                eased.stops[stop].territories.clear();
            }
        }
    }
}

/// Several runs of one group that all have work that stays: all of them stay, and no other of the group is used.
fn ease_groups(model: &Model, runs: &Sequences, eased: &mut Problem) {
    for group in 0..model.groups {
        let members = || (0..runs.len()).filter(move |vehicle| model.vehicles[*vehicle].group == Some(group));
        if members().filter(|vehicle| !runs[*vehicle].is_empty()).count() < 2 {
            continue;
        }
        for vehicle in members() {
            eased.vehicles[vehicle].alternatives_group = None;
            if runs[vehicle].is_empty() && !eased.vehicles[vehicle].locked {
                eased.vehicles[vehicle].locked = true;
                if let Some(current) = eased.current.get_mut(vehicle) {
                    current.truncate(model.locked_stops(vehicle).len());
                }
            }
        }
    }
}

/// Links that work that stays breaks are taken away. A partner without a run may only join it, and is answered with the
/// run that it would join; one that could not is served by nobody, as half of a link cannot be driven.
fn ease_links(model: &Model, eased: &mut Problem) -> Vec<Joined> {
    let mut joined = Vec::new();
    for component in &model.components {
        if !is_torn(model, component, &model.problem.current) {
            continue;
        }
        eased.links.retain(|link| !component.members.contains(&link.pickup));
        let homes: BTreeSet<Option<usize>> = component
            .members
            .iter()
            .filter(|stop| model.kept[**stop])
            .map(|stop| model.problem.stops[*stop].fixed_vehicle)
            .collect();
        let locked = |stop: &usize| (0..model.vehicles.len()).any(|v| model.locked_stops(v).contains(stop));
        let free: Vec<usize> = component
            .members
            .iter()
            .copied()
            .filter(|stop| !model.kept[*stop])
            .filter(|stop| !locked(stop))
            .collect();
        let held = component.members.iter().any(|stop| !model.kept[*stop] && locked(stop));
        for &stop in &free {
            eased.stops[stop].types = vec![NOBODY.to_owned()];
            for run in &mut eased.current {
                run.retain(|other| *other != stop);
            }
        }
        if let (Some(Some(home)), 1, false, false) = (homes.first(), homes.len(), component.cyclic, held) {
            joined.push(Joined { home: *home, members: component.members.clone() });
        }
    }
    joined
}

/// Eases capacity, windows, shift and break of one run as far as the best order of what stays on it breaks them.
fn ease_run(model: &Model, vehicle: usize, eased: &mut Problem) {
    let stops = kept_runs(model, &eased.current).swap_remove(vehicle);
    let sound = load::allowed(model, vehicle, &stops) && Lane::new(model, vehicle, stops.clone()).feasible();
    if stops.is_empty() || sound {
        return;
    }
    let stops = less_late(model, vehicle, stops);
    if !load::allowed(model, vehicle, &stops) {
        let load = load::peak(model, vehicle, &stops);
        let layouts = &mut eased.vehicles[vehicle].capacity.0;
        let known = |key: &String| layouts.iter().any(|layout| layout.amount(key).is_some());
        let parts = model.keys.iter().zip(load).filter(|(key, _)| known(key));
        let parts = parts.map(|(key, amount)| Part { key: key.clone(), amount }).collect();
        layouts.push(Clause(parts));
    }
    let route = evaluate::route(model, vehicle, &stops);
    let data = &mut eased.vehicles[vehicle];
    data.shift.latest = data.shift.latest.max(route.end);
    if let (Some(lunch), Some(placed)) = (&mut data.lunch, route.lunch) {
        lunch.latest = lunch.latest.max(placed.start);
    }
    for visit in &route.visits {
        if let Some(TimeWindow { latest, .. }) = &mut eased.stops[visit.stop].window {
            *latest = (*latest).max(visit.arrival);
        }
    }
    if let Some(current) = eased.current.get_mut(vehicle) {
        *current = stops;
    }
}

/// Stops in an order in which they are least late, found by moving one at a time.
fn less_late(model: &Model, vehicle: usize, stops: Vec<usize>) -> Vec<usize> {
    let first = model.locked_stops(vehicle).len().min(stops.len());
    let mut best = (evaluate::lateness(model, vehicle, &stops), stops);
    let mut tried = 0;
    let mut better = true;
    while better && best.0 > (0, 0) && tried < ORDERS_TRIED {
        better = false;
        for from in first..best.1.len() {
            for to in first..best.1.len() {
                let mut order = best.1.clone();
                let stop = order.remove(from);
                order.insert(to, stop);
                if from == to || !in_order(model, &order) {
                    continue;
                }
                tried += 1;
                let late = evaluate::lateness(model, vehicle, &order);
                if late < best.0
                    && (load::allowed(model, vehicle, &order) || !load::allowed(model, vehicle, &best.1))
                {
                    best = (late, order);
                    better = true;
                }
            }
            if tried >= ORDERS_TRIED {
                break;
            }
        }
    }
    best.1
}

fn in_order(model: &Model, order: &[usize]) -> bool {
    let at = |stop: usize| order.iter().position(|other| *other == stop);
    order.iter().enumerate().all(|(position, stop)| {
        let pickups = &model.stops[*stop].pickups;
        pickups.is_empty() || pickups.iter().all(|pickup| at(*pickup).is_none_or(|first| first < position))
    })
}

/// Partners of work that stays join its run where they fit: then the link holds again.
fn join(problem: &Problem, joined: Vec<Joined>, eased: &mut Problem) -> Result<(), ProblemError> {
    for Joined { home, members } in joined {
        let mut trial = eased.clone();
        let among = |stop: &usize| members.contains(stop);
        trial.links.extend(problem.links.iter().filter(|link| among(&link.pickup)));
        for &stop in &members {
            trial.stops[stop].fixed_vehicle = Some(home);
            if trial.stops[stop].types.iter().any(|name| name == NOBODY) {
                trial.stops[stop].types.clone_from(&problem.stops[stop].types);
            }
        }
        let model = Model::new(&trial)?;
        let mut sequences = kept_runs(&model, &trial.current);
        sequences[home].retain(|stop| !among(stop));
        let mut filling = Filling::new(&model, &sequences);
        filling.insert(&[Unit { stops: members.clone() }], &|| false);
        let run = filling.sequences().swap_remove(home);
        if run.contains(&members[0]) {
            trial.current[home] = run;
            *eased = trial;
        }
    }
    Ok(())
}

/// Linked stops that may come together on the run where some of them stay.
struct Joined {
    home: usize,
    members: Vec<usize>,
}
