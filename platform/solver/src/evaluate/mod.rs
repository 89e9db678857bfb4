//! The evaluator: times and checks sequences, whoever made them.

mod schedule;
mod violations;

use crate::load;
use crate::model::{self, FAR, Model, on_board};
use crate::plan::{Ended, Leg, Plan, Route, Totals, Visit};
use crate::problem::{Problem, ProblemError, Sequences};
use crate::size::{Clause, Part};
use crate::unserved;

use schedule::Schedule;

/// Times and checks given sequences, one per vehicle, as they are: nothing is dropped or reordered, what
/// breaks a rule is reported. Stops in no sequence are unserved with the reason why they cannot be inserted.
///
/// # Errors
/// [`ProblemError`] when the problem contradicts itself or the sequences name unknown or repeated stops.
pub fn retime(problem: &Problem, sequences: &Sequences) -> Result<Plan, ProblemError> {
    let model = Model::new(problem)?;
    model::check_sequences(problem, sequences)?;
    let mut sequences = sequences.clone();
    sequences.resize(problem.vehicles.len(), Vec::new());
    Ok(plan(&model, &sequences, Ended::Retimed))
}

/// Times, checks and explains complete sequences.
pub(crate) fn plan(model: &Model, sequences: &Sequences, ended: Ended) -> Plan {
    let mut routes: Vec<Route> = sequences
        .iter()
        .enumerate()
        .filter(|(_, stops)| !stops.is_empty())
        .map(|(vehicle, stops)| route(model, vehicle, stops))
        .collect();
    violations::across(model, sequences, &mut routes);
    let mut totals = Totals::default();
    for route in &routes {
        totals += route.totals;
    }
    Plan { routes, unserved: unserved::reasons(model, sequences), totals, ended, compact: None }
}

impl std::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.routes += other.routes;
        self.stops += other.stops;
        self.distance += other.distance;
        self.driving += other.driving;
        self.service += other.service;
        self.waiting += other.waiting;
        self.breaks += other.breaks;
        self.duration += other.duration;
        self.cost += other.cost;
    }
}

/// Times and checks one run by itself.
pub(crate) fn route(model: &Model, vehicle: usize, stops: &[usize]) -> Route {
    let schedule = schedule::best(model, vehicle, stops);
    let mut route = Route {
        vehicle,
        departure: schedule.departure,
        end: schedule.end,
        visits: visits(model, vehicle, stops, &schedule),
        last_leg: leg(model, vehicle, stops.len(), stops, &schedule),
        lunch: schedule.lunch,
        load: clause(total(model, vehicle, stops)),
        ..Route::default()
    };
    route.totals = totals(model, vehicle, &route);
    route.violations = violations::of(model, &route, &schedule);
    route
}

/// The same without the loads at each stop, for trying many orders.
pub(crate) fn sketch(model: &Model, vehicle: usize, stops: &[usize]) -> Route {
    let schedule = schedule::best(model, vehicle, stops);
    let mut route = Route {
        vehicle,
        departure: schedule.departure,
        end: schedule.end,
        visits: stops.iter().enumerate().map(|(at, _)| visit(model, vehicle, stops, at, &schedule)).collect(),
        last_leg: leg(model, vehicle, stops.len(), stops, &schedule),
        lunch: schedule.lunch,
        ..Route::default()
    };
    route.totals = totals(model, vehicle, &route);
    route.violations = violations::of(model, &route, &schedule);
    route
}

/// How late a run is in the given order, stops and end of the shift together, seconds, after the number of ways that are
/// missing.
pub(crate) fn lateness(model: &Model, vehicle: usize, stops: &[usize]) -> (usize, i64) {
    let data = &model.vehicles[vehicle];
    let place = |position: usize| stops.get(position).map_or(data.end, |stop| model.stops[*stop].place);
    let from = |position: usize| position.checked_sub(1).map_or(data.start, place);
    let missing = (0..=stops.len()).filter(|at| model.driving(data.profile, from(*at), place(*at)) >= FAR);
    (missing.count(), schedule::best(model, vehicle, stops).late)
}

fn visits(model: &Model, vehicle: usize, stops: &[usize], schedule: &Schedule) -> Vec<Visit> {
    let mut load = Loads::start(model, vehicle, stops);
    let mut visits = Vec::with_capacity(stops.len());
    for (position, &stop) in stops.iter().enumerate() {
        load.visit(model, vehicle, stop);
        let visit = visit(model, vehicle, stops, position, schedule);
        visits.push(Visit { load: clause(load.0.clone()), ..visit });
    }
    visits
}

fn visit(model: &Model, vehicle: usize, stops: &[usize], position: usize, schedule: &Schedule) -> Visit {
    let stop = stops[position];
    let arrival = schedule.arrivals[position];
    let service_start = arrival.max(model.stops[stop].earliest);
    Visit {
        stop,
        leg: leg(model, vehicle, position, stops, schedule),
        arrival,
        wait: service_start - arrival,
        service_start,
        departure: service_start + model.stops[stop].service,
        load: Clause::default(),
    }
}

/// Leg to the stop at `position` (or the end); missing ways count as zero.
fn leg(model: &Model, vehicle: usize, position: usize, stops: &[usize], schedule: &Schedule) -> Option<Leg> {
    let data = &model.vehicles[vehicle];
    let place = |position: usize| stops.get(position).map_or(data.end, |stop| model.stops[*stop].place);
    let from = position.checked_sub(1).map_or(data.start, place);
    let to = place(position);
    if from == model.nowhere() || to == model.nowhere() {
        return None;
    }
    let real = |value: i64| if value >= FAR { 0 } else { value };
    Some(Leg {
        from,
        to,
        driving: schedule.driving[position],
        distance: real(model.metres(data.profile, from, to)),
    })
}

fn totals(model: &Model, vehicle: usize, route: &Route) -> Totals {
    let legs = || route.visits.iter().filter_map(|visit| visit.leg).chain(route.last_leg);
    let service = route.visits.iter().map(|visit| model.stops[visit.stop].service).sum();
    let driving = legs().map(|leg| leg.driving).sum();
    let breaks = route.lunch.map_or(0, |lunch| lunch.end - lunch.start);
    let duration = route.end - route.departure;
    let mut totals = Totals {
        routes: 1,
        stops: i64::try_from(route.visits.len()).unwrap_or(i64::MAX),
        distance: legs().map(|leg| leg.distance).sum(),
        driving,
        service,
        waiting: duration - driving - service - breaks,
        breaks,
        duration,
        cost: 0,
    };
    totals.cost = cost(model, vehicle, &totals);
    totals
}

/// Thousandths of the currency, each part rounded down.
fn cost(model: &Model, vehicle: usize, totals: &Totals) -> i64 {
    let costs = model.problem.vehicles[vehicle].costs;
    let part = |rate: i64, amount: i64, per: i64| -> i64 {
        i64::try_from(i128::from(rate) * i128::from(amount) / i128::from(per)).unwrap_or(i64::MAX)
    };
    costs
        .fixed
        .saturating_add(part(costs.per_km, totals.distance, 1000))
        .saturating_add(part(costs.per_hour, totals.duration, 3600))
        .saturating_add(part(costs.per_drop, totals.stops, 1))
}

/// Amounts per key in order of first appearance, for showing.
type Amounts = Vec<(String, i64)>;

struct Loads(Amounts);

impl Loads {
    fn start(model: &Model, vehicle: usize, stops: &[usize]) -> Self {
        let mut loads = Self(Amounts::new());
        if on_board(model) {
            for &stop in stops.iter().filter(|stop| model.loads_at_start(**stop)) {
                loads.add(model, vehicle, stop, 1);
            }
        }
        loads
    }

    fn visit(&mut self, model: &Model, vehicle: usize, stop: usize) {
        if !on_board(model) {
            self.add(model, vehicle, stop, 1);
            return;
        }
        for &(taken, sign) in model.goods(stop) {
            self.add(model, vehicle, taken, sign);
        }
    }

    fn add(&mut self, model: &Model, vehicle: usize, stop: usize, sign: i64) {
        let size = &model.problem.stops[stop].size;
        let counted = model.problem.vehicles[vehicle].capacity.counted(size).or_else(|| size.0.first());
        for part in counted.iter().flat_map(|clause| &clause.0) {
            match self.0.iter_mut().find(|(key, _)| *key == part.key) {
                Some((_, sum)) => *sum += sign * part.amount,
                None => self.0.push((part.key.clone(), sign * part.amount)),
            }
        }
    }
}

/// Most that counts at once, for all keys the stops name.
fn total(model: &Model, vehicle: usize, stops: &[usize]) -> Amounts {
    let mut loads = Loads::start(model, vehicle, stops);
    let mut most = loads.0.clone();
    for &stop in stops {
        loads.visit(model, vehicle, stop);
        for (key, now) in &loads.0 {
            match most.iter_mut().find(|(name, _)| name == key) {
                Some((_, peak)) => *peak = (*peak).max(*now),
                None => most.push((key.clone(), *now)),
            }
        }
    }
    most
}

fn clause(amounts: Amounts) -> Clause {
    Clause(amounts.into_iter().map(|(key, amount)| Part { key, amount }).collect())
}

/// Load of the keys that the capacity knows, for checking.
fn checked_load(model: &Model, route: &Route) -> Vec<i64> {
    let stops: Vec<usize> = route.visits.iter().map(|visit| visit.stop).collect();
    load::peak(model, route.vehicle, &stops)
}
