//! Every engine: what it returns keeps the rules, leaves locked work alone and serves what can be served.

#![expect(clippy::unwrap_used, reason = "a test stops where its input is wrong")]

mod common;

use std::time::{Duration, Instant};

use common::{any_problem, cases, naive, problem, stop, van};
use proptest::prelude::*;
use routewright_solver::{
    Budget, Cancel, CapacityMode, Ended, Engine, Matrix, Native, Objective, Plan, Problem, Progress, Rules,
    Stop, TimeWindow, UNREACHABLE, UnservedReason, Vehicle, ViolationKind, VrpCore, retime,
};

fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(VrpCore), Box::new(Native)]
}

/// Iterations alone end it, so that a busy machine changes nothing; vrp-core counts its own generations.
fn quick() -> Budget {
    Budget { iterations: Some(200), ..Budget::seconds(60) }
}

fn solve(engine: &dyn Engine, problem: &Problem) -> Plan {
    engine.solve(problem, quick(), &mut |_| {}, &Cancel::default()).unwrap()
}

fn sequences(problem: &Problem, plan: &Plan) -> Vec<Vec<usize>> {
    let mut sequences = vec![Vec::new(); problem.vehicles.len()];
    for route in &plan.routes {
        sequences[route.vehicle] = route.visits.iter().map(|visit| visit.stop).collect();
    }
    sequences
}

proptest! {
    #![proptest_config(cases(60))]

    /// P-029, P-342, P-343: no hard rule is broken, nothing is lost or served twice, and no stop is left out
    /// that a free choice of all plans could have served in addition.
    #[test]
    fn plans_keep_the_rules(problem in any_problem(5, 2)) {
        let possible = naive::most_served(&problem);
        for engine in engines() {
            let plan = solve(engine.as_ref(), &problem);
            let runs = sequences(&problem, &plan);
            for (vehicle, run) in runs.iter().enumerate().filter(|(_, run)| !run.is_empty()) {
                prop_assert!(naive::run_feasible(&problem, vehicle, run), "{} run {vehicle} {run:?}", engine.name());
            }
            prop_assert!(naive::across_feasible(&problem, &runs));
            let served = runs.iter().flatten().count();
            prop_assert_eq!(served + plan.unserved.len(), problem.stops.len());
            let priority = runs.iter().flatten().filter(|stop| problem.stops[**stop].priority).count();
            prop_assert!((priority, served) <= possible);
            if engine.name() == "native" {
                prop_assert_eq!((priority, served), possible);
            }
            let again = retime(&problem, &runs).unwrap();
            prop_assert_eq!(&again.routes, &plan.routes);
        }
    }

    /// Without breaks, links and groups the local search takes over: the same promise, on larger days.
    #[test]
    fn plans_of_the_local_search_keep_the_rules(mut problem in any_problem(25, 4)) {
        problem.links.clear();
        problem.rules.capacity_mode = CapacityMode::Sum;
        for vehicle in &mut problem.vehicles {
            vehicle.lunch = None;
            vehicle.alternatives_group = None;
            vehicle.shift.latest += 8000;
        }
        let budget = Budget { iterations: Some(300), ..Budget::seconds(30) };
        let plan = Native.solve(&problem, budget, &mut |_| {}, &Cancel::default()).unwrap();
        let runs = sequences(&problem, &plan);
        for (vehicle, run) in runs.iter().enumerate().filter(|(_, run)| !run.is_empty()) {
            prop_assert!(naive::run_feasible(&problem, vehicle, run), "run {vehicle} {run:?}");
        }
        prop_assert_eq!(runs.iter().flatten().count() + plan.unserved.len(), problem.stops.len());
    }

    /// Locked runs and locked beginnings come back as they were.
    #[test]
    fn locked_work_stays(
        (mut problem, current) in any_problem(6, 3).prop_flat_map(|p| (Just(p.clone()), common::any_sequences(&p))),
        locked in prop::collection::vec((any::<bool>(), 0..3_usize), 3),
    ) {
        problem.current = current;
        for (vehicle, (whole, prefix)) in problem.vehicles.iter_mut().zip(locked) {
            vehicle.locked = whole;
            vehicle.locked_prefix = prefix;
        }
        for engine in engines() {
            let runs = sequences(&problem, &solve(engine.as_ref(), &problem));
            for (vehicle, data) in problem.vehicles.iter().enumerate() {
                let before = &problem.current[vehicle];
                let kept = if data.locked { before.len() } else { data.locked_prefix.min(before.len()) };
                prop_assert_eq!(&runs[vehicle][..kept], &before[..kept]);
                prop_assert!(!data.locked || runs[vehicle].len() == kept);
            }
        }
    }
}

#[test]
fn nothing_to_do_is_an_answer() {
    let no_vehicles = problem(&[0, 5, 9], Vec::new());
    for engine in engines() {
        let plan = solve(engine.as_ref(), &no_vehicles);
        assert_eq!(plan.unserved.len(), 2);
        assert!(plan.unserved.iter().all(|unserved| unserved.reason == UnservedReason::NotEnoughDrivers));
        assert!(solve(engine.as_ref(), &Problem::default()).routes.is_empty());
        assert!(solve(engine.as_ref(), &problem(&[0], vec![van()])).routes.is_empty());
    }
}

/// Ten thousand stops at one point are planned; cancelling answers at once with every stop accounted for.
#[test]
fn one_point_ten_thousand_times() {
    let mut crowd = problem(&[0, 7], vec![van(), van()]);
    crowd.stops = (0..10_000).map(|_| stop(1)).collect();
    for engine in engines() {
        let cancel = Cancel::default();
        let asked = std::cell::Cell::new(None);
        let mut report = |progress: Progress| {
            if progress.elapsed > Duration::from_millis(500) {
                cancel.cancel();
                asked.set(asked.get().or(Some(Instant::now())));
            }
        };
        let plan = engine.solve(&crowd, Budget::seconds(20), &mut report, &cancel).unwrap();
        assert_eq!(plan.ended, Ended::Cancelled);
        assert!(asked.get().unwrap().elapsed() < Duration::from_secs(2), "{}", engine.name());
        assert_eq!(plan.totals.stops + i64::try_from(plan.unserved.len()).unwrap(), 10_000);
        assert!(plan.totals.stops > 100);
    }
}

#[test]
fn impossible_windows_are_told() {
    let mut late = problem(&[0, 50, 60], vec![van()]);
    late.stops[0].window = Some(TimeWindow { earliest: 0, latest: 10 });
    late.stops[1].window = Some(TimeWindow { earliest: 0, latest: 59 });
    for engine in engines() {
        let plan = solve(engine.as_ref(), &late);
        let reasons: Vec<_> = plan.unserved.iter().map(|unserved| unserved.reason).collect();
        assert_eq!(reasons, [UnservedReason::TimeWindow, UnservedReason::TimeWindow]);
    }
    let forced = retime(&late, &vec![vec![0, 1]]).unwrap();
    assert!(forced.violations().all(|violation| violation.kind == ViolationKind::LateArrival));
    assert_eq!(forced.violations().count(), 2);
}

/// The same seed and number of iterations give the same plan.
#[test]
fn deterministic_by_seed() {
    let positions: Vec<i64> = (0..40).map(|place| place * place * 37 % 1009).collect();
    let day = problem(&positions, vec![van(), van(), van()]);
    let budget = Budget { iterations: Some(2000), ..Budget::seconds(60) };
    let run = || Native.solve(&day, budget, &mut |_| {}, &Cancel::default()).unwrap();
    assert_eq!(run(), run());
}

/// A better current plan than the search would find at once is never given up.
#[test]
fn starts_from_the_current_plan() {
    let mut day = problem(&[0, 10, 20, 30, 40, 50], vec![van(), van()]);
    day.current = vec![vec![0, 1, 2, 3, 4], vec![]];
    let budget = Budget { iterations: Some(0), ..Budget::seconds(5) };
    for engine in engines() {
        let plan = engine.solve(&day, budget, &mut |_| {}, &Cancel::default()).unwrap();
        assert_eq!(plan.totals.distance, 100);
    }
}

/// A stop that is in reach only by way of another is served: from place 3 there is no good way to place 2, and
/// none back from place 1, but one from 3 over 1 and 2 back to 3.
#[test]
fn stops_that_only_fit_together_are_served() {
    let missing = UNREACHABLE;
    let seconds = vec![1, 1, 1, 1, 1, 1, 1, 1, 1, 97, 289, 231, 360, 57, 462, 11];
    let metres = vec![510, 358, 479, 175, 80, 316, 506, missing, 466, 251, 22, 579, 395, 135, 363, 269];
    let frozen = vec!["Frozen".to_owned()];
    let from = |place: usize, latest: i64| Vehicle {
        start: Some(place),
        shift: TimeWindow { earliest: 0, latest },
        ..Vehicle::default()
    };
    let day = Problem {
        stops: vec![stop(1), Stop { service: 180, types: frozen.clone(), ..stop(2) }],
        vehicles: vec![Vehicle { types: frozen, ..from(3, 506) }, from(0, 500)],
        matrix: Matrix::new(4, seconds, metres).unwrap(),
        rules: Rules {
            objective: Objective::ShortestDistance,
            capacity_mode: CapacityMode::OnBoard,
            ignore_time_window: true,
            ..Rules::default()
        },
        current: vec![Vec::new(); 2],
        ..Problem::default()
    };
    let plan = solve(&Native, &day);
    assert_eq!(sequences(&day, &plan), [vec![0, 1], vec![]]);
}
