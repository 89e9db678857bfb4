//! Compact runs: what is gained, what it costs, and what it must not cost.

#![expect(clippy::unwrap_used, reason = "a test stops where its input is wrong")]

mod common;

use common::{any_problem, cases, naive};
use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use routewright_solver::{
    Budget, Cancel, Capacity, Engine, Matrix, Native, Plan, Problem, Rules, Stop, TimeWindow, Vehicle,
    compare,
};

type Point = (f64, f64);

fn solve(problem: &Problem, iterations: u64) -> Plan {
    let budget = Budget { iterations: Some(iterations), ..Budget::seconds(600) };
    Native.solve(problem, budget, &mut |_| {}, &Cancel::default()).unwrap()
}

fn sequences(problem: &Problem, plan: &Plan) -> Vec<Vec<usize>> {
    let mut sequences = vec![Vec::new(); problem.vehicles.len()];
    for route in &plan.routes {
        sequences[route.vehicle] = route.visits.iter().map(|visit| visit.stop).collect();
    }
    sequences
}

/// 48 stops on six by six kilometres around a depot, a third of them with a window of two hours, for five vans of twelve:
/// windows make runs that cross. And where the stops are.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "metres on a plane of 6 km")]
fn day(seed: u64) -> (Problem, Vec<Point>) {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut points: Vec<Point> = vec![(3_000.0, 3_000.0)];
    points.extend((0..48).map(|_| (rng.random_range(0.0..6_000.0), rng.random_range(0.0..6_000.0))));
    let metres = |a: &Point, b: &Point| (a.0 - b.0).hypot(a.1 - b.1);
    let way: Vec<f64> = points.iter().flat_map(|a| points.iter().map(move |b| metres(a, b))).collect();
    let seconds = way.iter().map(|metres| (metres / 10.0) as u32).collect();
    let matrix =
        Matrix::new(points.len(), seconds, way.iter().map(|metres| *metres as u32).collect()).unwrap();
    let stops = (1..points.len()).map(|place| {
        let earliest = 3600 * rng.random_range(8..15);
        Stop {
            place,
            service: 300,
            size: "1".parse().unwrap(),
            window: (place % 3 == 0).then_some(TimeWindow { earliest, latest: earliest + 7200 }),
            ..Stop::default()
        }
    });
    let van = Vehicle {
        start: Some(0),
        shift: TimeWindow { earliest: 8 * 3600, latest: 18 * 3600 },
        capacity: Capacity::parse("12", true).unwrap(),
        ..Vehicle::default()
    };
    let problem = Problem {
        stops: stops.collect(),
        vehicles: vec![van; 5],
        matrix,
        current: vec![Vec::new(); 5],
        ..Problem::default()
    };
    points.remove(0);
    (problem, points)
}

fn compact(problem: &Problem) -> Problem {
    Problem { rules: Rules { compact: true, ..problem.rules }, ..problem.clone() }
}

/// Stops that lie within the convex hull of another run's stops.
fn overlapping(points: &[Point], plan: &Plan) -> usize {
    let turn = |a: Point, b: Point, c: Point| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    // Andrew's monotone chain.
    let hull = |stops: &[usize]| -> Vec<Point> {
        let mut sorted: Vec<Point> = stops.iter().map(|stop| points[*stop]).collect();
        sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let mut hull: Vec<Point> = Vec::new();
        for chain in [sorted.clone(), sorted.into_iter().rev().collect()] {
            let base = hull.len();
            for point in chain {
                while hull.len() >= base + 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0
                {
                    hull.pop();
                }
                hull.push(point);
            }
            hull.pop();
        }
        hull
    };
    let runs: Vec<Vec<usize>> =
        plan.routes.iter().map(|route| route.visits.iter().map(|visit| visit.stop).collect()).collect();
    let hulls: Vec<Vec<Point>> = runs.iter().map(|stops| hull(stops)).collect();
    let within = |hull: &[Point], point: Point| {
        hull.len() > 2 && (0..hull.len()).all(|at| turn(hull[at], hull[(at + 1) % hull.len()], point) >= 0.0)
    };
    let in_others = |run: usize, stop: usize| {
        (0..hulls.len()).any(|other| other != run && within(&hulls[other], points[stop]))
    };
    runs.iter()
        .enumerate()
        .map(|(run, stops)| stops.iter().filter(|stop| in_others(run, **stop)).count())
        .sum()
}

/// P-029: the areas of the runs overlap less, stops are nearer to the centres of their runs, nothing more is left out; and what is told as the
/// plan without that wish is the very plan that the search finds without it in its part of the budget.
#[test]
fn runs_keep_to_areas_of_their_own_at_a_price_that_is_told() {
    let (mut before, mut after) = ((0, 0), (0, 0));
    for seed in 1..=3 {
        let (day, points) = day(seed);
        let plain = solve(&day, 600);
        assert_eq!(plain.compact, None);
        let plan = solve(&compact(&day), 1000);
        let told = plan.compact.unwrap();
        assert_eq!(told.without, plain.totals, "day {seed}");
        assert!(plan.unserved.len() <= plain.unserved.len());
        assert_eq!(plan.violations().count(), 0);
        before.0 += overlapping(&points, &plain);
        before.1 += told.strays_without;
        after.0 += overlapping(&points, &plan);
        after.1 += told.strays;
    }
    assert!(after.0 < before.0 && after.1 < before.1, "overlapping, astray: {before:?} -> {after:?}");
}

/// P-029: without the wish a plan is what it always was: the same seed gives the same plan, whatever was searched before.
#[test]
fn off_changes_nothing() {
    let (day, _) = day(4);
    let plan = solve(&day, 200);
    let _ = solve(&compact(&day), 200);
    assert_eq!(plan, solve(&day, 200));
    let stored = serde_json::to_value(&day).unwrap();
    let mut old = stored.clone();
    old["rules"].as_object_mut().unwrap().remove("compact");
    assert_eq!(serde_json::from_value::<Problem>(old).unwrap(), day);
}

/// W-005: a plan of compact runs beats the one it was made from although it takes longer, and the other way round without the
/// wish.
#[test]
fn a_compact_plan_is_better_where_it_is_wanted() {
    let (mut day, _) = day(2);
    day.current = sequences(&day, &solve(&day, 600));
    let plan = solve(&compact(&day), 1000);
    assert!(compare(&compact(&day), &plan).unwrap().beaten);
    assert!(!compare(&day, &plan).unwrap().beaten);
}

proptest! {
    #![proptest_config(cases(40))]

    /// P-342, P-343: compact runs keep every rule and all locked work, lose nothing, serve as much, and are the same again for
    /// the same seed.
    #[test]
    fn compact_runs_keep_the_rules(problem in any_problem(16, 4), prefix in 0..3_usize) {
        let mut problem = compact(&problem);
        problem.current = sequences(&problem, &solve(&problem, 60));
        for vehicle in &mut problem.vehicles {
            vehicle.locked_prefix = prefix;
        }
        let plan = solve(&problem, 100);
        prop_assert_eq!(&plan, &solve(&problem, 100));
        let runs = sequences(&problem, &plan);
        for (vehicle, run) in runs.iter().enumerate().filter(|(_, run)| !run.is_empty()) {
            prop_assert!(naive::run_feasible(&problem, vehicle, run), "run {vehicle} {run:?}");
            let kept = prefix.min(problem.current[vehicle].len());
            prop_assert_eq!(&run[..kept], &problem.current[vehicle][..kept]);
        }
        prop_assert!(naive::across_feasible(&problem, &runs));
        prop_assert_eq!(runs.iter().flatten().count() + plan.unserved.len(), problem.stops.len());
        let without = plan.compact.map_or(0, |compact| compact.without.stops);
        prop_assert!(plan.totals.stops >= without);
    }
}
