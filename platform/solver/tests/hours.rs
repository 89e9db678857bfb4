//! Issue 12.2: days in traffic that changes by the hour. Small ones are held against everything there is in `engine`, `evaluator` and
//! `trial`; here are those that only a search plans.

#![expect(clippy::unwrap_used, reason = "a test stops where its input is wrong")]

mod common;

use common::{cases, stop, van};
use proptest::prelude::*;
use routewright_solver::{
    Break, Budget, Cancel, Capacity, Engine, Link, Matrix, Native, Objective, Plan, Problem, Rules, Stop,
    TimeWindow, Traffic, Vehicle, VrpCore, retime,
};

const HOUR: i64 = 3600;
const NOON: Break = Break { earliest: 4 * HOUR, latest: 5 * HOUR, duration: 1_800 };

fn solve(engine: &dyn Engine, problem: &Problem, rounds: u64) -> Plan {
    let budget = Budget { iterations: Some(rounds), ..Budget::seconds(600) };
    engine.solve(problem, budget, &mut |_| {}, &Cancel::default()).unwrap()
}

/// Stops scattered over a plane, half of them with a window of an hour or two, the first ones linked by twos.
fn day(count: usize, links: usize, lunch: Option<Break>, traffic: Option<Traffic>) -> Problem {
    let at = |index: usize| i64::try_from((index * index * 37 + index * 101) % 1009).unwrap();
    let places: Vec<(i64, i64)> =
        std::iter::once((500, 500)).chain((0..count).map(|index| (at(index), at(index + 311)))).collect();
    let way = |a: &(i64, i64), b: &(i64, i64)| u32::try_from((a.0 - b.0).abs() + (a.1 - b.1).abs()).unwrap();
    let cells: Vec<u32> = places.iter().flat_map(|a| places.iter().map(|b| 2 * way(a, b))).collect();
    let a_stop = |index: usize| {
        let earliest = HOUR + at(index + 7) * 20;
        let window = TimeWindow { earliest, latest: earliest + HOUR * (1 + at(index) % 2) };
        Stop {
            service: 240,
            size: "1".parse().unwrap(),
            window: (index.is_multiple_of(2) && index >= 2 * links).then_some(window),
            ..stop(index + 1)
        }
    };
    let shift = TimeWindow { earliest: 0, latest: 9 * HOUR };
    let vehicle = Vehicle {
        shift,
        departure: Some(shift),
        capacity: Capacity::parse("20", true).unwrap(),
        lunch,
        traffic: traffic.is_some().then_some(0),
        ..van()
    };
    let vehicles = count / 5;
    Problem {
        stops: (0..count).map(a_stop).collect(),
        vehicles: vec![vehicle; vehicles],
        matrix: Matrix::new(places.len(), cells.clone(), cells).unwrap(),
        traffic: traffic.into_iter().collect(),
        rules: Rules { objective: Objective::ShortestTime, ..Rules::default() },
        links: (0..links).map(|pair| Link { pickup: 2 * pair, delivery: 2 * pair + 1 }).collect(),
        current: vec![Vec::new(); vehicles],
        ..Problem::default()
    }
}

fn peaks() -> Traffic {
    let paces = vec![(0, 1.1), (HOUR, 0.5), (3 * HOUR, 0.9), (6 * HOUR, 0.4), (8 * HOUR, 1.0)];
    Traffic { usual: 0.65, paces }
}

fn sequences(problem: &Problem, plan: &Plan) -> Vec<Vec<usize>> {
    let mut sequences = vec![Vec::new(); problem.vehicles.len()];
    for route in &plan.routes {
        sequences[route.vehicle] = route.visits.iter().map(|visit| visit.stop).collect();
    }
    sequences
}

/// P-029, P-342, P-343: days that are bred and days that a crowd plans, with breaks and without, with pickups before their
/// deliveries: everything is served in time, the plan becomes better, and the same seed gives the same one.
#[test]
fn every_search_keeps_the_hours() {
    for (count, links, lunch, rounds) in
        [(60, 0, None, 2_000), (60, 0, Some(NOON), 1_000), (60, 10, None, 1_000), (60, 10, Some(NOON), 500)]
    {
        let day = day(count, links, lunch, Some(peaks()));
        let (first, plan) = (solve(&Native, &day, 8), solve(&Native, &day, rounds));
        assert_eq!(plan, solve(&Native, &day, rounds));
        assert_eq!((plan.violations().count(), plan.unserved.len()), (0, 0), "{links} {lunch:?}");
        assert!(plan.totals.duration < first.totals.duration, "{links} {lunch:?}");
        assert_eq!(retime(&day, &sequences(&day, &plan)).unwrap().routes, plan.routes);
    }
}

/// Whoever plans with the mean is late in the peaks; whoever plans with the hours is not.
#[test]
fn the_mean_is_late_where_the_hours_are_not() {
    let driven = day(80, 0, None, Some(peaks()));
    let mut averaged = driven.clone();
    averaged.traffic = vec![Traffic { usual: 1.0, paces: vec![(0, 0.62)] }];
    let planned = solve(&Native, &averaged, 1_000);
    assert_eq!((planned.violations().count(), planned.unserved.len()), (0, 0));
    let met = retime(&driven, &sequences(&driven, &planned)).unwrap();
    assert!(met.violations().count() > 3, "{}", met.violations().count());
    let plan = solve(&Native, &driven, 1_000);
    assert_eq!((plan.violations().count(), plan.unserved.len()), (0, 0));
}

/// Traffic that is the same all day, and traffic that nobody drives in, give the plan of slower vehicles and of none.
#[test]
fn even_traffic_is_a_slower_vehicle() {
    for lunch in [None, Some(NOON)] {
        let even = Traffic { usual: 1.0, paces: vec![(0, 0.8), (HOUR, 0.8)] };
        let with = day(50, 0, lunch, Some(even));
        let mut slower = day(50, 0, lunch, None);
        for vehicle in &mut slower.vehicles {
            vehicle.speed = 0.8;
        }
        assert_eq!(solve(&Native, &with, 500), solve(&Native, &slower, 500));
        let mut unused = day(50, 0, lunch, Some(peaks()));
        for vehicle in &mut unused.vehicles {
            vehicle.traffic = None;
        }
        assert_eq!(solve(&Native, &unused, 500), solve(&Native, &day(50, 0, lunch, None), 500));
    }
}

proptest! {
    #![proptest_config(cases(12))]

    /// Both engines: what they return, the evaluator finds in time, whatever traffic does.
    #[test]
    fn plans_are_in_time(
        paces in prop::collection::vec(0.3..1.5_f64, 2..12),
        usual in 0.5..1.2_f64,
        (count, links) in (8..30_usize, 0..4_usize),
        rested in any::<bool>(),
    ) {
        let paces = (0..).zip(paces).map(|(hour, pace)| (hour * HOUR, pace)).collect();
        let day = day(count, links, rested.then_some(NOON), Some(Traffic { usual, paces }));
        for engine in [&Native as &dyn Engine, &VrpCore] {
            let plan = solve(engine, &day, 100);
            prop_assert_eq!(plan.violations().next(), None, "{}", engine.name());
            prop_assert_eq!(&retime(&day, &sequences(&day, &plan)).unwrap().routes, &plan.routes);
        }
    }
}
