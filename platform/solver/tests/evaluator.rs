//! The evaluator against the rules written down a second time.

mod common;

use common::{any_problem, any_problem_by_the_hour, any_sequences, cases, naive};
use proptest::prelude::*;
use routewright_solver::{Problem, Sequences, ViolationKind, retime};

proptest! {
    #![proptest_config(cases(3000))]

    /// P-342, P-343: arrivals, end, lateness, loads, types and links agree with the plain definition for any
    /// order of any stops.
    #[test]
    fn agrees_with_the_plain_definition(
        (problem, sequences) in any_problem(6, 3).prop_flat_map(|p| (Just(p.clone()), any_sequences(&p)))
    ) {
        agrees(&problem, &sequences)?;
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    /// Issue 12.2: so do they where every way takes as long as the quarters of an hour that it is driven in let it.
    #[test]
    fn agrees_with_the_plain_definition_by_the_hour(
        (problem, sequences) in any_problem_by_the_hour(6, 3).prop_flat_map(|p| (Just(p.clone()), any_sequences(&p)))
    ) {
        agrees(&problem, &sequences)?;
    }
}

fn agrees(problem: &Problem, sequences: &Sequences) -> Result<(), TestCaseError> {
    let plan = retime(problem, sequences).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    prop_assert_eq!(plan.routes.len(), sequences.iter().filter(|run| !run.is_empty()).count());
    for route in &plan.routes {
        let vehicle = route.vehicle;
        let run: Vec<usize> = route.visits.iter().map(|visit| visit.stop).collect();
        prop_assert_eq!(&run, &sequences[vehicle]);
        let expected = naive::schedule(problem, vehicle, &run);
        let has = |kind| route.violations.iter().any(|violation| violation.kind == kind);
        prop_assert_eq!(route.end, expected.end);
        prop_assert!(route.departure >= expected.departure);
        let late: i64 = route
            .visits
            .iter()
            .map(|visit| {
                let window = problem.stops[visit.stop].window.filter(|_| !problem.rules.ignore_time_window);
                window.map_or(0, |window| (visit.arrival - window.latest).max(0))
            })
            .sum::<i64>()
            + (route.end - problem.vehicles[vehicle].shift.latest).max(0);
        prop_assert_eq!(late, expected.late);
        if route.departure == expected.departure && route.lunch.is_none() {
            let arrivals: Vec<i64> = route.visits.iter().map(|visit| visit.arrival).collect();
            prop_assert_eq!(arrivals, expected.arrivals);
        }
        prop_assert_eq!(has(ViolationKind::Capacity), !naive::load_fits(problem, vehicle, &run));
        prop_assert_eq!(
            has(ViolationKind::Unreachable),
            naive::legs(problem, vehicle, &run).iter().any(Option::is_none)
        );
        prop_assert_eq!(has(ViolationKind::OutsideShift), route.end > problem.vehicles[vehicle].shift.latest);
        let totals = route.totals;
        prop_assert_eq!(totals.duration, totals.driving + totals.service + totals.waiting + totals.breaks);
        prop_assert!(totals.waiting >= 0);
    }
    let across = plan.violations().any(|violation| {
        matches!(
            violation.kind,
            ViolationKind::LinkOrder | ViolationKind::LinkOtherRun | ViolationKind::AlternativesGroup
        )
    });
    prop_assert_eq!(across, !naive::across_feasible(problem, sequences));
    Ok(())
}
