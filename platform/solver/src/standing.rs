//! A plan beside the one that stands: whether it is better, and what comes to a plan later.

use crate::evaluate;
use crate::insert::{Filling, open_units};
use crate::model::{self, Model};
use crate::objective::score;
use crate::plan::{Ended, Plan, ViolationKind};
use crate::problem::{Problem, ProblemError, Rules, Sequences};

/// The plan that stands beside a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The current plan of the problem, timed and judged under its rules.
    pub plan: Plan,
    /// Whether the new plan is better: it breaks fewer rules in force, or as many and serves more, or as much at less in terms
    /// of the objective.
    pub beaten: bool,
}

/// Holds a plan of the problem against the one that stands, [`Problem::current`].
///
/// # Errors
/// [`ProblemError`] when the problem contradicts itself.
pub fn compare(problem: &Problem, plan: &Plan) -> Result<Standing, ProblemError> {
    let model = Model::new(problem)?;
    let mut sequences = problem.current.clone();
    sequences.resize(problem.vehicles.len(), Vec::new());
    let standing = evaluate::plan(&model, &sequences, Ended::Retimed);
    let judged = |plan: &Plan| (broken(plan, problem.rules), score(&model, plan));
    let beaten = judged(plan) < judged(&standing);
    Ok(Standing { plan: standing, beaten })
}

/// Rules in force that a plan breaks.
fn broken(plan: &Plan, rules: Rules) -> usize {
    let in_force = |kind: ViolationKind| match kind {
        ViolationKind::TypeMismatch => !rules.ignore_type,
        ViolationKind::LateArrival => !rules.ignore_time_window,
        ViolationKind::Capacity => !rules.ignore_capacity,
        _ => true,
    };
    plan.violations().filter(|violation| in_force(violation.kind)).count()
}

/// Puts stops that are in no sequence to the cheapest place where they break no rule, the most urgent first; nothing else
/// moves. What fits nowhere is unserved with its reason.
///
/// # Errors
/// [`ProblemError`] when the problem contradicts itself or the sequences name unknown or repeated stops.
pub fn place(problem: &Problem, sequences: &Sequences) -> Result<Plan, ProblemError> {
    let model = Model::new(problem)?;
    model::check_sequences(problem, sequences)?;
    let mut sequences = sequences.clone();
    sequences.resize(problem.vehicles.len(), Vec::new());
    let units = open_units(&model, &sequences);
    let mut filling = Filling::new(&model, &sequences);
    filling.insert(&units, &|| false);
    Ok(evaluate::plan(&model, &filling.sequences(), Ended::Retimed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::problem::{Stop, TimeWindow, Vehicle};

    /// Stops 10, 20 and 30 m along a line, one vehicle at its beginning.
    fn line() -> Problem {
        let cells: Vec<u32> = (0..4_u32).flat_map(|a| (0..4_u32).map(move |b| a.abs_diff(b) * 10)).collect();
        Problem {
            stops: (1..4).map(|place| Stop { place, ..Stop::default() }).collect(),
            vehicles: vec![Vehicle { start: Some(0), ..Vehicle::default() }],
            matrix: Matrix::new(4, cells.clone(), cells).unwrap(),
            current: vec![vec![2, 0]],
            ..Problem::default()
        }
    }

    fn order(plan: &Plan) -> Vec<usize> {
        plan.routes.iter().flat_map(|route| route.visits.iter().map(|visit| visit.stop)).collect()
    }

    /// W-006: a stop comes to where it costs least, the others keep their order.
    #[test]
    fn a_stop_comes_to_its_best_place() {
        let mut day = line();
        let plan = place(&day, &vec![vec![2, 0]]).unwrap();
        assert_eq!(order(&plan), [1, 2, 0]);
        day.stops[1].window = Some(TimeWindow { earliest: 0, latest: 1 });
        let plan = place(&day, &vec![vec![2, 0]]).unwrap();
        assert_eq!((order(&plan), plan.unserved.len()), (vec![2, 0], 1));
    }

    /// W-005: who serves more is better, then who costs less; a plan that breaks rules is beaten by one that keeps them.
    #[test]
    fn a_plan_is_better_or_not() {
        let mut day = line();
        let plan = |day: &Problem, runs: &[usize]| evaluate::retime(day, &vec![runs.to_vec()]).unwrap();
        let beaten = |day: &Problem, runs: &[usize]| compare(day, &plan(day, runs)).unwrap().beaten;
        assert!(beaten(&day, &[0, 1, 2]) && beaten(&day, &[2, 1, 0]));
        assert!(!beaten(&day, &[0, 2]) && !beaten(&day, &[2, 0]) && !beaten(&day, &[2]));
        day.vehicles[0].shift.latest = day.vehicles[0].shift.earliest + 30;
        assert!(beaten(&day, &[0]), "the plan that stands ends after the shift");
    }
}
