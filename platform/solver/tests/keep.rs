//! Work that stays on its run (W-003).

#![expect(clippy::unwrap_used, reason = "a test stops where its input is wrong")]

mod common;

use common::{any_problem, any_sequences, cases, problem, stop, van};
use proptest::prelude::*;
use routewright_solver::{
    Budget, Cancel, Capacity, CapacityMode, Engine, Matrix, Native, Plan, Problem, Stop, TimeWindow,
    UNREACHABLE, UnservedReason, ViolationKind, VrpCore, retime,
};

fn solve(engine: &dyn Engine, problem: &Problem) -> Plan {
    let budget = Budget { iterations: Some(200), ..Budget::seconds(60) };
    engine.solve(problem, budget, &mut |_| {}, &Cancel::default()).unwrap()
}

/// Fixes stops to the vehicles that have them: those that `kept` names.
fn keep(problem: &mut Problem, kept: &[bool]) {
    for stop in &mut problem.stops {
        stop.fixed_vehicle = None;
    }
    for (vehicle, stops) in problem.current.iter().enumerate() {
        for &stop in stops.iter().filter(|stop| kept[**stop]) {
            problem.stops[stop].fixed_vehicle = Some(vehicle);
        }
    }
}

/// The day with nothing in its plan but what stays.
fn kept_alone(problem: &Problem) -> Vec<Vec<usize>> {
    let stays = |stop: &usize| problem.stops[*stop].fixed_vehicle.is_some();
    problem.current.iter().map(|run| run.iter().copied().filter(stays).collect()).collect()
}

/// Seconds by which the runs miss windows and shifts, of each vehicle; what exceeds a capacity, in all.
fn broken(problem: &Problem, plan: &Plan) -> (Vec<i64>, usize) {
    let mut late = vec![0; problem.vehicles.len()];
    let over = plan.violations().filter(|violation| violation.kind == ViolationKind::Capacity).count();
    for violation in plan.violations() {
        let timed = matches!(violation.kind, ViolationKind::LateArrival | ViolationKind::OutsideShift);
        late[violation.vehicle] += if timed { violation.value - violation.limit } else { 0 };
    }
    (late, over)
}

fn check_kept(day: &Problem, plan: &Plan, engine: &str) -> Result<(), TestCaseError> {
    for (vehicle, run) in kept_alone(day).iter().enumerate() {
        for stop in run {
            let stays = plan.routes.iter().any(|route| {
                route.vehicle == vehicle && route.visits.iter().any(|visit| visit.stop == *stop)
            });
            prop_assert!(stays, "{engine}: stop {stop} left vehicle {vehicle}");
        }
    }
    Ok(())
}

/// The same ways, and 300 where there is none.
fn without_gaps(matrix: &Matrix) -> Matrix {
    let size = matrix.size();
    let filled = |value: Option<i64>| u32::try_from(value.unwrap_or(300)).unwrap();
    let cells = |of: &dyn Fn(usize, usize) -> Option<i64>| -> Vec<u32> {
        (0..size * size).map(|cell| filled(of(cell / size, cell % size))).collect()
    };
    let seconds = cells(&|from, to| matrix.seconds(from, to));
    Matrix::new(size, seconds, cells(&|from, to| matrix.metres(from, to))).unwrap()
}

proptest! {
    #![proptest_config(cases(150))]

    /// W-003: whatever rules the plan keeps or breaks already, what stays keeps its run, and no run is later or more
    /// overloaded than with this work alone.
    #[test]
    fn kept_work_stays(
        (mut day, current) in any_problem(14, 3).prop_flat_map(|p| (Just(p.clone()), any_sequences(&p))),
        kept in prop::collection::vec(any::<bool>(), 14),
        linked in any::<bool>(),
    ) {
        // Work that no road leads to cannot stay.
        for matrix in std::iter::once(&mut day.matrix).chain(&mut day.others) {
            *matrix = without_gaps(matrix);
        }
        if !linked {
            day.links.clear();
        }
        day.current = current;
        keep(&mut day, &kept);
        let alone = broken(&day, &retime(&day, &kept_alone(&day)).unwrap());
        for engine in [&Native as &dyn Engine, &VrpCore] {
            let plan = solve(engine, &day);
            check_kept(&day, &plan, engine.name())?;
            if !linked && !day.rules.ignore_time_window {
                let after = broken(&day, &plan);
                let worse = after.0.iter().zip(&alone.0).any(|(after, before)| after > before);
                prop_assert!(!worse, "{}: {:?} late, {:?} before", engine.name(), after.0, alone.0);
            }
            if !linked && !day.rules.ignore_capacity {
                prop_assert!(broken(&day, &plan).1 <= alone.1, "{}", engine.name());
            }
        }
    }
}

/// W-003: two small jobs do not put out a large one that stays, however many more would be served.
#[test]
fn a_large_job_is_not_put_out_by_small_ones() {
    let mut day = problem(&[0, 10, 20, 30, 40, 50, 60, 70, 80, 90], vec![van()]);
    day.vehicles[0].capacity = Capacity::parse("6", true).unwrap();
    for (at, stop) in day.stops.iter_mut().enumerate() {
        stop.size = if at == 0 { "6" } else { "1" }.parse().unwrap();
        stop.priority = at == 1;
    }
    day.current = vec![vec![0]];
    day.stops[0].fixed_vehicle = Some(0);
    for engine in [&Native as &dyn Engine, &VrpCore] {
        let plan = solve(engine, &day);
        assert_eq!(plan.routes[0].visits.iter().map(|visit| visit.stop).collect::<Vec<_>>(), [0]);
        assert!(plan.unserved.iter().all(|left| left.reason == UnservedReason::Capacity));
    }
}

/// W-003: a run that carries too much and is late keeps its work, nothing is added to what is too much, it is told what is
/// broken, and a better order makes it less late.
#[test]
fn a_run_that_breaks_rules_already_gets_no_worse() {
    for capacity_mode in [CapacityMode::Sum, CapacityMode::OnBoard] {
        let mut day = problem(&[0, 10, 20, 30], vec![van(), van()]);
        day.rules.capacity_mode = capacity_mode;
        day.vehicles[0].capacity = Capacity::parse("boxes:3", true).unwrap();
        for stop in &mut day.stops {
            stop.size = "boxes:2".parse().unwrap();
        }
        day.stops[0].window = Some(TimeWindow { earliest: 0, latest: 5 });
        day.current = vec![vec![1, 0], vec![]];
        day.stops[0].fixed_vehicle = Some(0);
        day.stops[1].fixed_vehicle = Some(0);
        let plan = solve(&Native, &day);
        let run = |vehicle: usize| -> Vec<usize> {
            let route = plan.routes.iter().find(|route| route.vehicle == vehicle);
            route.map(|route| route.visits.iter().map(|visit| visit.stop).collect()).unwrap_or_default()
        };
        assert_eq!((run(0), run(1)), (vec![0, 1], vec![2]));
        let told: Vec<_> = plan.violations().map(|found| (found.kind, found.value, found.limit)).collect();
        assert_eq!(told, [(ViolationKind::Capacity, 4000, 3000), (ViolationKind::LateArrival, 10, 5)]);
    }
}

/// W-003: only where there is no way to it, kept work leaves its run, and the reason says so.
#[test]
fn without_a_way_it_leaves_and_is_named() {
    let matrix = vec![0, 10, UNREACHABLE, 10, 0, UNREACHABLE, UNREACHABLE, UNREACHABLE, 0];
    let mut day = Problem {
        stops: vec![stop(1), Stop { fixed_vehicle: Some(0), ..stop(2) }],
        vehicles: vec![van()],
        matrix: Matrix::new(3, matrix.clone(), matrix).unwrap(),
        ..Problem::default()
    };
    day.stops[0].fixed_vehicle = Some(0);
    day.current = vec![vec![1, 0]];
    let plan = solve(&Native, &day);
    assert_eq!(plan.routes[0].visits.iter().map(|visit| visit.stop).collect::<Vec<_>>(), [0]);
    assert_eq!(
        plan.unserved.iter().map(|left| (left.stop, left.reason)).collect::<Vec<_>>(),
        [(1, UnservedReason::Unreachable)]
    );
}
