//! Exchanging two stops of different runs, each put where it fits best in the other run (SWAP*: Vidal 2022).

use super::route::{excess, points, stop_of};
use super::segment::Timed;
use super::sum::{Piece, Sum};
use super::{NOWHERE, Polish, aboard};

/// Two runs are looked at together when a stop of one is among so many nearest neighbours of a stop of the other.
const NEAREST: usize = 10;
/// Places remembered for a stop: both best ones may lie beside the stop that leaves.
const PLACES: usize = 3;

/// A place in a run: what it costs more, and the position behind which the stop goes.
type Place = (i64, usize);

const NO_PLACE: Place = (i64::MAX, usize::MAX);

/// A stop that may go to the other run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaving<'m> {
    stop: u32,
    at: usize,
    /// Change of its run's cost when it leaves.
    change: i64,
    /// The cheapest places in the other run.
    places: [Place; PLACES],
    /// What it takes from its run's load, and what it brings to the other's.
    gone: &'m [i64],
    come: &'m [i64],
}

/// What two runs exchange: the stops' positions, and those behind which they go.
#[derive(Debug, Clone, Copy)]
struct Exchange {
    change: i64,
    from: (usize, usize),
    to: (usize, usize),
}

impl<'m, T: Timed> Polish<'_, 'm, T> {
    /// Tries exchanges between runs near each other of which one changed since the last time; whether any helped.
    pub(super) fn exchange_freely(&mut self) -> bool {
        let since = std::mem::replace(&mut self.exchanged, self.updates);
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for &u in &self.stops {
            for &v in self.near[u as usize].iter().take(NEAREST) {
                let (one, other) = (self.route_of[u as usize], self.route_of[v as usize]);
                if one == NOWHERE || other == NOWHERE || one == other {
                    continue;
                }
                let changed = |run: u32| self.last_update[run as usize] > since;
                let active = |run: u32| self.data.active[run as usize];
                if (changed(one) || changed(other)) && active(one) && active(other) {
                    pairs.push((one.min(other), one.max(other)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut helped = false;
        for (one, other) in pairs {
            helped |= self.exchange_between(one as usize, other as usize);
        }
        helped
    }

    /// Applies the exchange between two runs that saves most.
    fn exchange_between(&mut self, one: usize, other: usize) -> bool {
        self.paid(|polish| polish.try_exchange(one, other))
    }

    fn try_exchange(&mut self, one: usize, other: usize) -> bool {
        let Some(Exchange { from, to, .. }) = self.best_exchange(one, other) else { return false };
        let (ru, rv) = (&self.routes[one], &self.routes[other]);
        let (u, v) = (ru.stops[from.0 - 1], rv.stops[from.1 - 1]);
        let (mine, others) = (replaced(&ru.stops, from.0, v, to.0), replaced(&rv.stops, from.1, u, to.1));
        // The places were chosen one by one, and without what outside stops cost: the whole decides.
        let sum = |run: usize, stops: &[u32]| {
            let route = &self.routes[run];
            let rest = Piece::Behind(route, route.stops.len() + 1);
            Sum::of(self.data, route.vehicle, &[Piece::Ahead(route, 0), Piece::Stops(stops), rest])
        };
        let (new_u, new_v) = (sum(one, &mine), sum(other, &others));
        let outside = self.outside_change(one, other, &[u]) + self.outside_change(other, one, &[v]);
        let (excess_u, excess_v) = (self.excess_with(one, &[u], &[v]), self.excess_with(other, &[v], &[u]));
        let changes = self.change(one, &new_u, excess_u) + self.change(other, &new_v, excess_v);
        if outside + changes >= 0 {
            return false;
        }
        self.edit(one, |stops| stops.clone_from(&mine));
        self.edit(other, |stops| stops.clone_from(&others));
        self.mark_new(u, v);
        true
    }

    fn best_exchange(&self, one: usize, other: usize) -> Option<Exchange> {
        let (mine, others) = (self.leaving(one, other), self.leaving(other, one));
        let (ru, rv) = (&self.routes[one], &self.routes[other]);
        // Load alone saves no more than what is too much now.
        let overload = self.penalties.of(0, ru.excess + rv.excess);
        let mut best: Option<Exchange> = None;
        for u in &mine {
            for v in &others {
                let least = best.map_or(0, |best| best.change);
                let bound = u.change + v.change + u.places[0].0.min(0) + v.places[0].0.min(0);
                if bound - overload >= least {
                    continue;
                }
                let load = self.load_change(one, u.gone, v.come) + self.load_change(other, v.gone, u.come);
                if bound + load >= least {
                    continue;
                }
                let (cost_v, to_u) = self.in_place_of(one, u, v);
                let (cost_u, to_v) = self.in_place_of(other, v, u);
                let change = load + cost_v + cost_u;
                if change < least {
                    best = Some(Exchange { change, from: (u.at, v.at), to: (to_u, to_v) });
                }
            }
        }
        best
    }

    /// The stops of a run that may go to another, each with its cheapest places there.
    fn leaving(&self, run: usize, to: usize) -> Vec<Leaving<'m>> {
        let (own, vehicle) = (self.routes[run].vehicle, self.routes[to].vehicle);
        let model = self.data.model;
        let amounts = |vehicle: usize, stop: u32| model.amounts(model.vehicles[vehicle].class, stop as usize);
        let may = |stop: u32| {
            self.free[stop as usize]
                && self.mates[stop as usize] == NOWHERE
                && model.may_serve(stop as usize, vehicle)
        };
        let stops = self.routes[run].stops.iter().copied().enumerate().skip(self.floor[run]);
        stops
            .filter(|(_, stop)| may(*stop))
            .map(|(index, stop)| Leaving {
                stop,
                at: index + 1,
                change: self.joined(run, index, None, index + 2),
                places: self.cheapest_places(stop, to),
                gone: amounts(own, stop),
                come: amounts(vehicle, stop),
            })
            .collect()
    }

    fn cheapest_places(&self, stop: u32, index: usize) -> [Place; PLACES] {
        let route = &self.routes[index];
        let edges = &self.data.kinds[route.vehicle].edges;
        let place = self.data.visits[stop as usize].place;
        let mut cheapest = [NO_PLACE; PLACES];
        for behind in self.floor[index]..=route.stops.len() {
            let detour = edges.cost(route.places[behind], place)
                + edges.cost(place, route.places[behind + 1])
                - route.leg(behind);
            let dearest = cheapest[PLACES - 1].0;
            if self.rates[route.vehicle].is_some_and(|rate| detour * rate - self.slack[index] >= dearest) {
                continue;
            }
            let change = self.joined(index, behind, Some(stop), behind + 1);
            if change < dearest {
                cheapest[PLACES - 1] = (change, behind);
                cheapest.sort_unstable();
            }
        }
        cheapest
    }

    /// Change of a run's cost when one of its stops leaves and another comes, in its place or where it costs least; and the
    /// position behind which it goes.
    fn in_place_of(&self, run: usize, gone: &Leaving<'m>, come: &Leaving<'m>) -> Place {
        let there = (self.joined(run, gone.at - 1, Some(come.stop), gone.at + 1), gone.at);
        let apart = |(_, behind): &&Place| *behind != gone.at && behind + 1 != gone.at;
        match come.places.iter().filter(|place| **place != NO_PLACE).find(apart) {
            Some((change, behind)) if gone.change + change < there.0 => (gone.change + change, *behind),
            _ => there,
        }
    }

    /// Change of a run's cost, load left out, when what lies between two positions is replaced by a stop or nothing.
    fn joined(&self, run: usize, from: usize, stop: Option<u32>, to: usize) -> i64 {
        let data = self.data;
        let route = &self.routes[run];
        let kind = &data.kinds[route.vehicle];
        let road = kind.road();
        let n = route.stops.len();
        let (mut last, mut edges, mut time) = (route.places[from], route.edges[from], route.ahead[from]);
        if let Some(stop) = stop {
            let place = data.visits[stop as usize].place;
            let (cost, seconds) = kind.edges.way(last, place);
            (edges, last) = (edges + cost, place);
            time = time.then(seconds, stop_of(data, stop), road);
        }
        let (cost, seconds) = kind.edges.way(last, route.places[to]);
        edges += cost + route.edges[n + 1] - route.edges[to];
        let time = time.then(seconds, route.behind[to], road).whole();
        let count = n + 1 + from + usize::from(stop.is_some()) - to;
        points(data, route.vehicle, edges, time, count) + self.penalties.of(time.warp, 0)
            - route.points_inside()
            - self.penalties.of(route.time.warp, 0)
    }

    /// Change of what too much load costs when one stop of a run leaves and another comes; nothing where the load changes
    /// on the way.
    fn load_change(&self, run: usize, gone: &[i64], come: &[i64]) -> i64 {
        if aboard::varies(self.data) {
            return 0;
        }
        let route = &self.routes[run];
        let loads = route.whole_load(self.data.model.keys.len());
        let over = excess(self.data, route.vehicle, |key| loads[key] - gone[key] + come[key]);
        self.penalties.of(0, over - route.excess)
    }
}

/// A run in which the stop at one position leaves and another comes behind a position, which may be the same.
fn replaced(stops: &[u32], gone: usize, come: u32, behind: usize) -> Vec<u32> {
    let mut replaced = Vec::with_capacity(stops.len());
    if behind == 0 {
        replaced.push(come);
    }
    for (index, &stop) in stops.iter().enumerate() {
        if index + 1 != gone {
            replaced.push(stop);
        }
        if index + 1 == behind {
            replaced.push(come);
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn a_stop_comes_where_another_left_or_elsewhere() {
        assert_eq!(replaced(&[7, 8, 9], 2, 1, 2), [7, 1, 9]);
        assert_eq!(replaced(&[7, 8, 9], 2, 1, 0), [1, 7, 9]);
        assert_eq!(replaced(&[7, 8, 9], 1, 1, 3), [8, 9, 1]);
        assert_eq!(replaced(&[7], 1, 1, 1), [1]);
    }
}
