//! Every engine: what it returns keeps the rules, leaves locked work alone and serves what can be served.

#![expect(clippy::unwrap_used, reason = "a test stops where its input is wrong")]

mod common;

use std::time::{Duration, Instant};

use common::{any_problem, cases, naive, problem, stop, van};
use proptest::prelude::*;
use routewright_solver::{
    Break, Budget, Cancel, Capacity, CapacityMode, Ended, Engine, Link, Matrix, Native, Objective, Plan,
    Problem, Progress, RouteEnd, Rules, Stop, TimeWindow, UNREACHABLE, UnservedReason, Vehicle,
    ViolationKind, VrpCore, retime,
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

    /// Days that the local search takes part in: the same promise with breaks, links, groups and locked
    /// beginnings, and the same plan again for the same seed.
    #[test]
    fn plans_of_the_local_search_keep_the_rules(
        mut problem in any_problem(25, 4),
        (linked, prefix) in (0..3, 0..3_usize),
    ) {
        match linked {
            0 => problem.links.clear(),
            1 => {}
            _ => {
                let pairs = (0..problem.stops.len() / 2).map(|pair| 2 * pair);
                problem.links = pairs.map(|pickup| Link { pickup, delivery: pickup + 1 }).collect();
            }
        }
        for vehicle in &mut problem.vehicles {
            vehicle.shift.latest += 8000;
        }
        let budget = Budget { iterations: Some(300), ..Budget::seconds(60) };
        let run = |problem: &Problem| Native.solve(problem, budget, &mut |_| {}, &Cancel::default()).unwrap();
        let first = run(&problem);
        problem.current = sequences(&problem, &first);
        for vehicle in &mut problem.vehicles {
            vehicle.locked_prefix = prefix;
        }
        let plan = run(&problem);
        prop_assert_eq!(&plan, &run(&problem));
        prop_assert!(naive::judged(&problem, &plan) <= naive::judged(&problem, &first));
        let runs = sequences(&problem, &plan);
        for (vehicle, run) in runs.iter().enumerate().filter(|(_, run)| !run.is_empty()) {
            prop_assert!(naive::run_feasible(&problem, vehicle, run), "run {vehicle} {run:?}");
            let kept = prefix.min(problem.current[vehicle].len());
            prop_assert_eq!(&run[..kept], &problem.current[vehicle][..kept]);
        }
        prop_assert!(naive::across_feasible(&problem, &runs));
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

proptest! {
    #![proptest_config(cases(24))]

    /// Up to seven stops no plan at all is better, and the bound that is told says so.
    #[test]
    fn small_days_are_planned_best(problem in any_problem(7, 3)) {
        let mut last = Progress::default();
        let plan = Native.solve(&problem, quick(), &mut |now| last = now, &Cancel::default()).unwrap();
        let judged = naive::judged(&problem, &plan);
        prop_assert_eq!(judged, naive::best(&problem));
        prop_assert_eq!((last.cost, last.lower_bound), (Some(judged.2), Some(judged.2)));
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// A current plan that keeps the rules is never made worse.
    #[test]
    fn never_worse_than_the_current_plan(
        (mut problem, current) in any_problem(12, 3).prop_flat_map(|p| (Just(p.clone()), common::any_sequences(&p))),
    ) {
        problem.current = current;
        let before = retime(&problem, &problem.current).unwrap();
        let forbidden = |kind| match kind {
            ViolationKind::TypeMismatch => !problem.rules.ignore_type,
            ViolationKind::LateArrival => !problem.rules.ignore_time_window,
            ViolationKind::Capacity => !problem.rules.ignore_capacity,
            _ => true,
        };
        let fixed = problem.current.iter().enumerate().all(|(vehicle, run)| {
            run.iter().all(|stop| problem.stops[*stop].fixed_vehicle.is_none_or(|fixed| fixed == vehicle))
        });
        prop_assume!(fixed && !before.violations().any(|violation| forbidden(violation.kind)));
        for engine in engines() {
            let after = solve(engine.as_ref(), &problem);
            prop_assert!(naive::judged(&problem, &after) <= naive::judged(&problem, &before), "{}", engine.name());
        }
    }

    /// Lifting a rule never makes the best plan worse.
    #[test]
    fn a_relaxed_rule_costs_nothing(problem in any_problem(6, 3), rule in 0..8_usize) {
        let mut relaxed = problem.clone();
        match rule {
            0 => relaxed.rules.ignore_type = true,
            1 => relaxed.rules.ignore_time_window = true,
            2 => relaxed.rules.ignore_capacity = true,
            3 => relaxed.vehicles.iter_mut().for_each(|vehicle| vehicle.lunch = None),
            4 => relaxed.vehicles.iter_mut().for_each(|vehicle| vehicle.alternatives_group = None),
            5 => relaxed.vehicles.iter_mut().for_each(|vehicle| vehicle.shift.latest += 1000),
            6 => relaxed.stops.iter_mut().for_each(|stop| stop.fixed_vehicle = None),
            _ => relaxed.vehicles.iter_mut().for_each(|vehicle| vehicle.end = RouteEnd::Anywhere),
        }
        let judged = |problem: &Problem| naive::judged(problem, &solve(&Native, problem));
        prop_assert!(judged(&relaxed) <= judged(&problem));
    }
}

/// A search that finds nothing better for long ends before its time, without being cancelled.
#[test]
fn an_easy_day_is_done_early() {
    let positions: Vec<i64> = (0..30).collect();
    let day = problem(&positions, vec![van(), van()]);
    let patience = Some(Duration::from_millis(300));
    let mut last = Progress::default();
    let budget = Budget { patience, ..Budget::seconds(3600) };
    let plan = Native.solve(&day, budget, &mut |now| last = now, &Cancel::default()).unwrap();
    assert_eq!((plan.ended, plan.totals.distance), (Ended::Finished, 58));
    assert!(last.elapsed < Duration::from_secs(3600));
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

/// P-029, P-342: plans of many stops, which are searched part by part, keep the rules, too: windows, capacity, breaks, pickups
/// before their deliveries; they become better, and the same seed gives the same plan.
#[test]
fn a_large_day_is_searched_part_by_part() {
    searched(320, 40, None, 4_000);
    searched(450, 0, Some(NOON), 4_000);
}

/// P-029, P-342: so do plans that are bred: one at which two searches stand still and come together, and one of many stops.
#[test]
fn a_day_is_bred() {
    searched(60, 0, Some(NOON), 10_000);
    searched(380, 0, None, 1_000);
}

const NOON: Break = Break { earliest: 12_000, latest: 20_000, duration: 1_800 };

fn searched(count: usize, links: usize, lunch: Option<Break>, rounds: u64) {
    let day = large_day(count, links, lunch);
    let plan = |rounds: u64| {
        let budget = Budget { iterations: Some(rounds), ..Budget::seconds(600) };
        Native.solve(&day, budget, &mut |_| {}, &Cancel::default()).unwrap()
    };
    let (first, plan, again) = (plan(8), plan(rounds), plan(rounds));
    assert_eq!(plan, again);
    assert_eq!((plan.violations().count(), plan.unserved.len()), (0, 0), "{count}");
    let mut served: Vec<usize> = sequences(&day, &plan).concat();
    served.sort_unstable();
    assert_eq!(served, (0..count).collect::<Vec<_>>());
    let (before, after) = (first.totals.distance, plan.totals.distance);
    assert!(after * 100 < before * 95, "{count}: {before} m, {after} m");
}

/// Stops scattered over a plane, a third with a window of two hours, the first ones linked by twos.
fn large_day(count: usize, links: usize, lunch: Option<Break>) -> Problem {
    let at = |index: usize| i64::try_from((index * index * 37 + index * 101) % 1009).unwrap();
    let places: Vec<(i64, i64)> =
        std::iter::once((500, 500)).chain((0..count).map(|index| (at(index), at(index + 311)))).collect();
    let metres =
        |a: &(i64, i64), b: &(i64, i64)| u32::try_from((a.0 - b.0).abs() + (a.1 - b.1).abs()).unwrap();
    let cells: Vec<u32> = places.iter().flat_map(|a| places.iter().map(|b| metres(a, b))).collect();
    let a_stop = |index: usize| {
        let earliest = at(index + 7) * 20;
        let window = TimeWindow { earliest, latest: earliest + 7_200 };
        Stop {
            service: 120,
            size: "1".parse().unwrap(),
            window: (index.is_multiple_of(3) && index >= 2 * links).then_some(window),
            ..stop(index + 1)
        }
    };
    let vehicle = Vehicle { capacity: Capacity::parse("20", true).unwrap(), lunch, ..van() };
    Problem {
        stops: (0..count).map(a_stop).collect(),
        vehicles: vec![vehicle; count / 10],
        matrix: Matrix::new(places.len(), cells.clone(), cells).unwrap(),
        rules: Rules { objective: Objective::ShortestDistance, ..Rules::default() },
        links: (0..links).map(|pair| Link { pickup: 2 * pair, delivery: 2 * pair + 1 }).collect(),
        current: vec![Vec::new(); count / 10],
        ..Problem::default()
    }
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
