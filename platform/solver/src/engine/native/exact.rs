//! Small days by trying everything: the plan is proven best, also where stops only fit together (on roads
//! without the triangle inequality a stop can be in reach only by way of another).
//!
//! For each kind of vehicle every order of every set of stops is driven, dropping beginnings that are late
//! already; the best order of each set is kept. Sets are then dealt out to the vehicles one by one:
//! `best(v, set) = min over part of set: best(v - 1, set - part) + points(v, part)`.

use super::data::{Data, short};
use super::state::{self, Value};
use super::tour::Tour;
use crate::engine::guard::Board;
use crate::load;
use crate::model::FAR;
use crate::problem::Sequences;

/// Most stops, and most kinds of vehicles, that are planned this way: 13,700 orders of each kind.
const MOST_STOPS: usize = 7;
const MOST_KINDS: usize = 24;
/// Orders between two looks at the clock.
const CLOCK_EVERY: u32 = 256;

/// The best order of each set of stops for one kind of vehicle: points and sequence.
type Orders = Vec<Option<(i64, Vec<u32>)>>;

/// The best plan; `None` when the day is too large for it or time is up.
pub(super) fn best(data: &Data, start: &Sequences, board: &Board) -> Option<Sequences> {
    let stops = free_stops(data, start)?;
    let active: Vec<usize> = (0..start.len()).filter(|vehicle| data.active[*vehicle]).collect();
    let leaders = active.iter().filter(|vehicle| data.twin[**vehicle] == **vehicle).count();
    if stops.len() > MOST_STOPS || leaders > MOST_KINDS {
        return None;
    }
    let mut orders: Vec<Orders> = vec![Orders::new(); start.len()];
    for &vehicle in active.iter().filter(|vehicle| data.twin[**vehicle] == **vehicle) {
        let fixed = data.model.locked_stops(vehicle).to_vec();
        let mut search = Search { data, board, stops: &stops, best: vec![None; 1 << stops.len()], driven: 0 };
        let mut tour = Tour::new(data, vehicle, &fixed);
        search.best[0] = Some((tour.points, tour.stops.clone()));
        search.extend(&mut tour, 0)?;
        orders[vehicle] = search.best;
    }
    let dealt = deal(data, &slots(data, &active), &orders, &stops);
    Some(sequences(data, start, &orders, &dealt))
}

/// Stops that are not locked and can be planned at all; `None` when links tie some to locked ones.
fn free_stops(data: &Data, start: &Sequences) -> Option<Vec<u32>> {
    let model = data.model;
    let mut locked = vec![false; model.stops.len()];
    for vehicle in 0..start.len() {
        for &stop in model.locked_stops(vehicle) {
            locked[stop] = true;
        }
    }
    let torn = |component: &crate::model::Component| {
        let held = component.members.iter().filter(|stop| locked[**stop]).count();
        held > 0 && held < component.members.len()
    };
    if model.components.iter().any(torn) {
        return None;
    }
    let plannable = |stop: &usize| {
        let component = model.stops[*stop].component;
        !locked[*stop] && component.is_none_or(|component| !model.components[component].cyclic)
    };
    Some((0..model.stops.len()).filter(plannable).map(short).collect())
}

struct Search<'s, 'd, 'm> {
    data: &'d Data<'m>,
    board: &'s Board,
    stops: &'s [u32],
    best: Orders,
    driven: u32,
}

impl Search<'_, '_, '_> {
    /// Tries every stop next; `None` when time is up.
    fn extend(&mut self, tour: &mut Tour, set: usize) -> Option<()> {
        let model = self.data.model;
        for (index, &stop) in self.stops.iter().enumerate() {
            if set & (1 << index) != 0 || !model.may_serve(stop as usize, tour.vehicle) {
                continue;
            }
            let pickups = &model.stops[stop as usize].pickups;
            if !pickups.iter().all(|pickup| tour.stops.contains(&short(*pickup))) {
                continue;
            }
            self.driven += 1;
            if self.driven.is_multiple_of(CLOCK_EVERY) && self.board.is_over() {
                return None;
            }
            tour.stops.push(stop);
            tour.refresh(self.data);
            let gone = tour.times[tour.stops.len()].gone;
            if gone.before < FAR || gone.after < FAR {
                self.keep(tour, set | (1 << index));
                self.extend(tour, set | (1 << index))?;
            }
            tour.stops.pop();
        }
        Some(())
    }

    /// Keeps an order that holds all rules when it is the best of its set.
    fn keep(&mut self, tour: &Tour, set: usize) {
        let model = self.data.model;
        let whole = |component: usize| {
            model.components[component].members.iter().all(|stop| tour.stops.contains(&short(*stop)))
        };
        let better = self.best[set].as_ref().is_none_or(|(points, _)| tour.points < *points);
        if better
            && tour.feasible
            && tour.stops.iter().all(|stop| model.stops[*stop as usize].component.is_none_or(whole))
            && (model.rules.ignore_capacity || load::fits(model, tour.vehicle, &tour.load))
        {
            self.best[set] = Some((tour.points, tour.stops.clone()));
        }
    }
}

/// Vehicles of which at most one may be used: those of a group together, the others by themselves.
fn slots(data: &Data, active: &[usize]) -> Vec<Vec<usize>> {
    let model = data.model;
    let mut slots: Vec<Vec<usize>> =
        active.iter().filter(|vehicle| model.vehicles[**vehicle].group.is_none()).map(|v| vec![*v]).collect();
    for group in 0..model.groups {
        let in_group = |vehicle: &usize| model.vehicles[*vehicle].group == Some(group);
        let held = (0..model.vehicles.len())
            .find(|vehicle| in_group(vehicle) && !model.locked_stops(*vehicle).is_empty());
        slots.push(match held {
            Some(vehicle) => active.iter().copied().filter(|other| *other == vehicle).collect(),
            None => active.iter().copied().filter(in_group).collect(),
        });
    }
    slots
}

/// Which vehicle serves which set.
fn deal(data: &Data, slots: &[Vec<usize>], orders: &[Orders], stops: &[u32]) -> Vec<(usize, usize)> {
    let sets = 1_usize << stops.len();
    let mut reached: Vec<Option<i64>> = vec![None; sets];
    reached[0] = Some(0);
    let mut trail: Vec<Vec<(usize, usize)>> = Vec::with_capacity(slots.len());
    for vehicles in slots {
        let mut next = reached.clone();
        let mut chosen = vec![(usize::MAX, 0); sets];
        for &vehicle in vehicles {
            let orders = &orders[data.twin[vehicle]];
            for (part, order) in orders.iter().enumerate().skip(1) {
                let Some((points, _)) = order else { continue };
                // Of a vehicle that drives anyhow only what is added counts.
                let points = points - orders[0].as_ref().map_or(0, |(points, _)| *points);
                for set in (0..sets).filter(|set| set & part == part) {
                    let Some(sum) = reached[set ^ part].map(|before| before.saturating_add(points)) else {
                        continue;
                    };
                    if next[set].is_none_or(|least| sum < least) {
                        next[set] = Some(sum);
                        chosen[set] = (vehicle, part);
                    }
                }
            }
        }
        reached = next;
        trail.push(chosen);
    }
    let mut left = best_set(data, stops, &reached);
    let mut dealt = Vec::new();
    for chosen in trail.iter().rev() {
        let (vehicle, part) = chosen[left];
        if vehicle != usize::MAX {
            dealt.push((vehicle, part));
            left ^= part;
        }
    }
    dealt
}

/// The set of stops that is best to serve.
fn best_set(data: &Data, stops: &[u32], reached: &[Option<i64>]) -> usize {
    let value = |set: usize| -> Option<Value> {
        let points = reached[set]?;
        let missing = stops.iter().enumerate().filter(|(index, _)| set & (1 << index) == 0);
        Some(missing.fold((0, points), |sum, (_, stop)| state::add(sum, state::absence(data, *stop))))
    };
    (0..reached.len()).filter_map(|set| value(set).map(|value| (value, set))).min().map_or(0, |(_, set)| set)
}

fn sequences(data: &Data, start: &Sequences, orders: &[Orders], dealt: &[(usize, usize)]) -> Sequences {
    let mut sequences: Sequences =
        (0..start.len()).map(|vehicle| data.model.locked_stops(vehicle).to_vec()).collect();
    for &(vehicle, part) in dealt {
        if let Some((_, order)) = &orders[data.twin[vehicle]][part] {
            sequences[vehicle] = order.iter().map(|stop| *stop as usize).collect();
        }
    }
    sequences
}
