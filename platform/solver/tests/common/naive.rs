//! The rules written down a second time, slowly and plainly: every break placement and every departure is
//! tried second by second, links and loads are counted from the definition.

use std::collections::{BTreeMap, BTreeSet};

use routewright_solver::size::{Clause, Size};
use routewright_solver::{CapacityMode, Objective, Plan, Problem, Route, RouteEnd, TerritoryMode, Totals};

/// Times of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Times {
    pub departure: i64,
    pub arrivals: Vec<i64>,
    pub end: i64,
    pub late: i64,
}

fn seconds(problem: &Problem, vehicle: usize, from: Option<usize>, to: Option<usize>) -> Option<i64> {
    let (Some(from), Some(to)) = (from, to) else { return Some(0) };
    if from == to {
        return Some(0);
    }
    let matrix = problem.vehicles[vehicle].matrix.map_or(&problem.matrix, |other| &problem.others[other]);
    matrix.metres(from, to)?;
    let seconds = matrix.seconds(from, to)?;
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "small numbers")]
    let scaled =
        (seconds as f64 / (problem.vehicles[vehicle].speed * usual(problem, vehicle))).round() as i64;
    Some(scaled)
}

fn usual(problem: &Problem, vehicle: usize) -> f64 {
    problem.vehicles[vehicle].traffic.map_or(1.0, |traffic| problem.traffic[traffic].usual)
}

/// What is driven in the second behind a moment, in ten thousandths of what is at the usual pace.
#[expect(clippy::cast_possible_truncation, reason = "small numbers")]
fn driven(problem: &Problem, vehicle: usize, moment: i64) -> i64 {
    let Some(traffic) = problem.vehicles[vehicle].traffic.map(|traffic| &problem.traffic[traffic]) else {
        return 10_000;
    };
    let (_, pace) = traffic.paces.iter().rfind(|(from, _)| *from <= moment).unwrap_or(&traffic.paces[0]);
    (pace / traffic.usual * 10_000.0).round() as i64
}

/// Drives second by second; from `rest.0` on for `rest.1` seconds nothing is driven.
fn drive_on(problem: &Problem, vehicle: usize, leave: i64, seconds: i64, rest: Option<(i64, i64)>) -> i64 {
    let mut left = if seconds > 0 { seconds * 10_000 - 5_000 } else { 0 };
    let mut now = leave;
    let mut rest = rest;
    while left > 0 || rest.is_some() {
        if let Some((from, length)) = rest
            && now >= from
        {
            now += length;
            rest = None;
            continue;
        }
        if left > 0 {
            left -= driven(problem, vehicle, now);
        }
        now += 1;
    }
    now
}

/// Legs of a run, where traffic changes over the day at its usual pace; `None` where there is no way.
pub fn legs(problem: &Problem, vehicle: usize, run: &[usize]) -> Vec<Option<i64>> {
    let v = &problem.vehicles[vehicle];
    let mut places = vec![v.start];
    places.extend(run.iter().map(|stop| Some(problem.stops[*stop].place)));
    places.push(match v.end {
        RouteEnd::Start => v.start,
        RouteEnd::Place(place) => Some(place),
        RouteEnd::Anywhere => None,
    });
    places.windows(2).map(|pair| seconds(problem, vehicle, pair[0], pair[1])).collect()
}

/// Drives the run once.
fn drive(
    problem: &Problem,
    vehicle: usize,
    run: &[usize],
    departure: i64,
    lunch_leg: Option<usize>,
) -> Option<Times> {
    let v = &problem.vehicles[vehicle];
    let mut times = Times { departure, arrivals: Vec::new(), end: 0, late: 0 };
    let mut now = departure;
    for (leg, seconds) in legs(problem, vehicle, run).into_iter().enumerate() {
        let seconds = seconds.unwrap_or(0);
        if let (Some(lunch), true) = (v.lunch, lunch_leg == Some(leg)) {
            if now > lunch.latest {
                return None;
            }
            // Drive as far as one gets before the break may start, rest, drive on.
            now = drive_on(problem, vehicle, now, seconds, Some((lunch.earliest, lunch.duration)));
        } else {
            now = drive_on(problem, vehicle, now, seconds, None);
        }
        if let Some(&stop) = run.get(leg) {
            let stop = &problem.stops[stop];
            times.arrivals.push(now);
            if let Some(window) = stop.window.filter(|_| !problem.rules.ignore_time_window) {
                times.late += (now - window.latest).max(0);
                now = now.max(window.earliest);
            }
            now += stop.service;
        }
    }
    times.end = now;
    times.late += (now - v.shift.latest).max(0);
    Some(times)
}

/// The best break for a departure: least late, then earliest end.
fn with_lunch(problem: &Problem, vehicle: usize, run: &[usize], departure: i64) -> Times {
    let v = &problem.vehicles[vehicle];
    let plain = drive(problem, vehicle, run, departure, None).unwrap();
    let earliest = v.departure.map_or(v.shift.earliest, |w| w.earliest.max(v.shift.earliest));
    match v.lunch {
        Some(lunch) if plain.end > lunch.latest && earliest <= lunch.latest && departure <= lunch.latest => {
            (0..=run.len())
                .filter_map(|leg| drive(problem, vehicle, run, departure, Some(leg)))
                .min_by_key(|times| (times.late, times.end))
                .unwrap_or(plain)
        }
        _ => plain,
    }
}

/// The schedule of a run.
pub fn schedule(problem: &Problem, vehicle: usize, run: &[usize]) -> Times {
    let v = &problem.vehicles[vehicle];
    let earliest = v.departure.map_or(v.shift.earliest, |w| w.earliest.max(v.shift.earliest));
    with_lunch(problem, vehicle, run, earliest)
}

fn counted(problem: &Problem, vehicle: usize, size: &Size) -> BTreeMap<String, i64> {
    let layouts = &problem.vehicles[vehicle].capacity.0;
    let known: BTreeSet<&str> = layouts.iter().flat_map(|l| l.0.iter().map(|p| p.key.as_str())).collect();
    let all = |c: &&Clause| c.0.iter().all(|p| known.contains(p.key.as_str()));
    let any = |c: &&Clause| c.0.iter().any(|p| known.contains(p.key.as_str()));
    let clause = size.0.iter().find(all).or_else(|| size.0.iter().find(any));
    let mut amounts = BTreeMap::new();
    for part in clause.iter().flat_map(|c| &c.0) {
        *amounts.entry(part.key.clone()).or_default() += part.amount;
    }
    amounts
}

/// Whether the loads fit at every moment.
pub fn load_fits(problem: &Problem, vehicle: usize, run: &[usize]) -> bool {
    let pickups = |stop: usize| -> BTreeSet<usize> {
        problem.links.iter().filter(|l| l.delivery == stop).map(|l| l.pickup).collect()
    };
    let deliveries = |stop: usize| -> BTreeSet<usize> {
        problem.links.iter().filter(|l| l.pickup == stop).map(|l| l.delivery).collect()
    };
    // Goods as (from, to, whose size); from `None` is loaded at the start.
    let mut goods: Vec<(Option<usize>, usize, usize)> = Vec::new();
    for stop in 0..problem.stops.len() {
        let from = pickups(stop);
        let own: Vec<usize> = from.iter().copied().filter(|pickup| deliveries(*pickup).len() == 1).collect();
        if from.is_empty() && deliveries(stop).is_empty() {
            goods.push((None, stop, stop));
        } else if from.len() == 1 || (from.len() > 1 && own.is_empty()) {
            goods.push((from.first().copied(), stop, stop));
        } else {
            goods.extend(own.iter().map(|pickup| (Some(*pickup), stop, *pickup)));
        }
    }
    let mut moments = Vec::new();
    if problem.rules.capacity_mode == CapacityMode::Sum {
        moments.push(run.iter().map(|stop| (*stop, 1_i64)).collect::<Vec<_>>());
    } else {
        let start: Vec<(usize, i64)> = goods
            .iter()
            .filter(|(from, to, _)| from.is_none() && run.contains(to))
            .map(|g| (g.2, 1))
            .collect();
        moments.push(start.clone());
        let mut board = start;
        for stop in run {
            board.extend(goods.iter().filter(|g| g.0 == Some(*stop)).map(|g| (g.2, 1)));
            board.extend(goods.iter().filter(|g| g.1 == *stop).map(|g| (g.2, -1)));
            moments.push(board.clone());
        }
    }
    let loads: Vec<BTreeMap<String, i64>> = moments
        .iter()
        .map(|board| {
            let mut load: BTreeMap<String, i64> = BTreeMap::new();
            for (stop, sign) in board {
                for (key, amount) in counted(problem, vehicle, &problem.stops[*stop].size) {
                    *load.entry(key).or_default() += sign * amount;
                }
            }
            load
        })
        .collect();
    let layouts = &problem.vehicles[vehicle].capacity.0;
    layouts.is_empty()
        || layouts.iter().any(|layout| {
            layout
                .0
                .iter()
                .all(|part| loads.iter().all(|load| load.get(&part.key).is_none_or(|l| *l <= part.amount)))
        })
}

/// Whether a stop may be in a run at all.
pub fn may_serve(problem: &Problem, vehicle: usize, stop: usize) -> bool {
    let (s, v) = (&problem.stops[stop], &problem.vehicles[vehicle]);
    let types = problem.rules.ignore_type
        || s.types.is_empty()
        || s.types.iter().any(|t| v.types.iter().any(|u| u.eq_ignore_ascii_case(t)));
    let territory = problem.rules.territory_mode != TerritoryMode::Only
        || s.territories.is_empty()
        || v.territories.is_empty()
        || s.territories.iter().any(|t| v.territories.contains(t));
    types && territory && s.fixed_vehicle.is_none_or(|fixed| fixed == vehicle)
}

/// Whether one run keeps every hard rule that concerns it alone.
pub fn run_feasible(problem: &Problem, vehicle: usize, run: &[usize]) -> bool {
    run.iter().all(|stop| may_serve(problem, vehicle, *stop))
        && legs(problem, vehicle, run).iter().all(Option::is_some)
        && (problem.rules.ignore_capacity || load_fits(problem, vehicle, run))
        && schedule(problem, vehicle, run).late == 0
}

/// Whether links and alternatives groups hold over all runs.
pub fn across_feasible(problem: &Problem, runs: &[Vec<usize>]) -> bool {
    let at = |stop: usize| {
        runs.iter().enumerate().find_map(|(v, run)| run.iter().position(|s| *s == stop).map(|p| (v, p)))
    };
    let links = problem.links.iter().all(|link| match (at(link.pickup), at(link.delivery)) {
        (None, None) => true,
        (Some((v, p)), Some((w, q))) => v == w && p < q,
        _ => false,
    });
    let used = |v: &usize| !runs[*v].is_empty();
    let groups: Vec<String> =
        (0..runs.len()).filter(used).filter_map(|v| problem.vehicles[v].alternatives_group.clone()).collect();
    links && groups.iter().collect::<BTreeSet<_>>().len() == groups.len()
}

/// Most stops that can be served, priority stops counting before all others: (priority stops, all stops).
pub fn most_served(problem: &Problem) -> (usize, usize) {
    let mut best = (0, 0);
    let mut runs = vec![Vec::new(); problem.vehicles.len()];
    place(problem, 0, &mut runs, &mut best);
    best
}

fn place(problem: &Problem, stop: usize, runs: &mut Vec<Vec<usize>>, best: &mut (usize, usize)) {
    let served = runs.iter().flatten().count();
    let priority = runs.iter().flatten().filter(|s| problem.stops[**s].priority).count();
    let left = problem.stops.len() - stop;
    let priority_left = problem.stops[stop..].iter().filter(|s| s.priority).count();
    if (priority + priority_left, served + left) <= *best {
        return;
    }
    if stop == problem.stops.len() {
        let feasible = across_feasible(problem, runs)
            && runs.iter().enumerate().all(|(v, run)| run.is_empty() || run_feasible(problem, v, run));
        if feasible {
            *best = (priority, served);
        }
        return;
    }
    for vehicle in 0..runs.len() {
        for at in 0..=runs[vehicle].len() {
            runs[vehicle].insert(at, stop);
            place(problem, stop + 1, runs, best);
            runs[vehicle].remove(at);
        }
    }
    place(problem, stop + 1, runs, best);
}

/// What a plan is judged by, smaller is better: priority stops left out, stops left out, points of the routes as
/// the crate's note gives them.
pub fn judged(problem: &Problem, plan: &Plan) -> (usize, usize, i64) {
    let left = |priority: bool| {
        plan.unserved.iter().filter(|left| problem.stops[left.stop].priority == priority).count()
    };
    (left(true), left(false), plan.routes.iter().map(|route| points(problem, route)).sum())
}

fn points(problem: &Problem, route: &Route) -> i64 {
    let Totals { distance, duration, stops, .. } = route.totals;
    let run: Vec<usize> = route.visits.iter().map(|visit| visit.stop).collect();
    let driving: i64 = legs(problem, route.vehicle, &run).into_iter().flatten().sum();
    let costs = problem.vehicles[route.vehicle].costs;
    let inside = |stop: usize| {
        let (s, v) = (&problem.stops[stop].territories, &problem.vehicles[route.vehicle].territories);
        s.is_empty() || v.is_empty() || s.iter().any(|t| v.contains(t))
    };
    let outside = route.visits.iter().filter(|visit| !inside(visit.stop)).count();
    let outside = if problem.rules.territory_mode == TerritoryMode::Prefer {
        i64::try_from(outside).unwrap()
    } else {
        0
    };
    let time = 10 * duration + driving;
    match problem.rules.objective {
        Objective::ShortestTime => time + 18_000 * outside,
        Objective::FewestRuns => 1_000_000 + time + 18_000 * outside,
        Objective::Balanced => time + 10 * (duration * duration / 7200) + 18_000 * outside,
        Objective::ShortestDistance => 10 * distance + 200_000 * outside,
        Objective::LowestCost => {
            18_000 * (costs.fixed + costs.per_drop * stops)
                + 18 * costs.per_km * distance
                + 5 * costs.per_hour * duration
                + driving
                + 20_000 * 18 * costs.per_km.max(1) * outside
        }
    }
}

/// The best that any plan can reach, found by trying every one: every order of every set of stops in each vehicle,
/// and every way to deal the sets out.
pub fn best(problem: &Problem) -> (usize, usize, i64) {
    let sets = 1_usize << problem.stops.len();
    let worst = (usize::MAX, usize::MAX, i64::MAX);
    let runs: Vec<Vec<Option<i64>>> =
        (0..problem.vehicles.len()).map(|vehicle| cheapest_runs(problem, vehicle, sets)).collect();
    let mut best = worst;
    // The least points with which the first vehicles serve each set, per set of alternatives groups in use.
    let mut reached: BTreeMap<(usize, BTreeSet<String>), i64> = BTreeMap::from([((0, BTreeSet::new()), 0)]);
    for (vehicle, runs) in problem.vehicles.iter().zip(&runs) {
        for ((served, groups), points) in reached.clone() {
            for (set, more) in runs.iter().enumerate().filter(|(set, _)| *set > 0 && set & served == 0) {
                let Some(more) = more else { continue };
                let mut groups = groups.clone();
                if vehicle.alternatives_group.as_ref().is_some_and(|group| !groups.insert(group.clone())) {
                    continue;
                }
                let sum = points + more;
                let least = reached.entry((served | set, groups)).or_insert(sum);
                *least = sum.min(*least);
            }
        }
    }
    for ((served, _), points) in reached {
        let left = |priority: bool| {
            (0..problem.stops.len())
                .filter(|stop| served & (1 << stop) == 0 && problem.stops[*stop].priority == priority)
                .count()
        };
        best = best.min((left(true), left(false), points));
    }
    best
}

/// The least points of a run of each set of stops; `None` where no order keeps the rules.
fn cheapest_runs(problem: &Problem, vehicle: usize, sets: usize) -> Vec<Option<i64>> {
    let mut cheapest = vec![None; sets];
    let mut stack = vec![Vec::new()];
    while let Some(run) = stack.pop() {
        for stop in (0..problem.stops.len()).filter(|stop| !run.contains(stop)) {
            let mut longer: Vec<usize> = run.clone();
            longer.push(stop);
            if run_feasible(problem, vehicle, &longer) && links_whole(problem, &longer) {
                let mut sequences = vec![Vec::new(); problem.vehicles.len()];
                sequences[vehicle].clone_from(&longer);
                let plan = routewright_solver::retime(problem, &sequences).unwrap();
                let points = points(problem, &plan.routes[0]);
                let set = longer.iter().fold(0, |set, stop| set | (1 << stop));
                if cheapest[set].is_none_or(|least| points < least) {
                    cheapest[set] = Some(points);
                }
            }
            // What is too late already gets no earlier; other rules may still come right.
            if with_lunch_ahead_or_taken(problem, vehicle, &longer) {
                stack.push(longer);
            }
        }
    }
    cheapest
}

fn links_whole(problem: &Problem, run: &[usize]) -> bool {
    let at = |stop: usize| run.iter().position(|other| *other == stop);
    problem.links.iter().all(|link| match (at(link.pickup), at(link.delivery)) {
        (None, None) => true,
        (Some(first), Some(second)) => first < second,
        _ => false,
    })
}

/// Whether the stops so far can be reached in time when the break is taken early, late or not yet.
fn with_lunch_ahead_or_taken(problem: &Problem, vehicle: usize, run: &[usize]) -> bool {
    let v = &problem.vehicles[vehicle];
    let earliest = v.departure.map_or(v.shift.earliest, |w| w.earliest.max(v.shift.earliest));
    let Some(times) = drive(problem, vehicle, run, earliest, None) else { return false };
    run.iter().zip(&times.arrivals).all(|(stop, arrival)| {
        let window = problem.stops[*stop].window.filter(|_| !problem.rules.ignore_time_window);
        window.is_none_or(|window| *arrival <= window.latest)
    })
}
