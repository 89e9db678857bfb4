//! Days in traffic that changes by the hour, planned with it and planned with its mean.

use routewright_solver::{Plan, Problem, Traffic, ViolationKind, retime};

use crate::Result;

/// Hours from which on traffic has each pace: the shares of smaller streets in the example of `platform/streets`, with hours as sharp
/// as in large towns. Round figures, no measurements.
const PACES: [(i64, f64); 6] = [(0, 1.05), (7, 0.6), (10, 0.9), (16, 0.55), (19, 0.9), (22, 1.05)];
/// Seconds.
const HOUR: i64 = 3600;

/// What a plan in traffic is judged by beside its totals.
#[derive(Debug, Clone, Copy, Default)]
pub struct Late {
    /// Stops and ends of runs that are late.
    pub times: usize,
    /// Seconds.
    pub seconds: i64,
}

/// The day as it is driven.
#[must_use]
pub fn driven(mut problem: Problem) -> Problem {
    let paces = PACES.map(|(hour, pace)| (hour * HOUR, pace)).to_vec();
    problem.traffic = vec![Traffic { usual: mean(6 * HOUR, 20 * HOUR), paces }];
    for vehicle in &mut problem.vehicles {
        vehicle.traffic = Some(0);
    }
    problem
}

/// The day as it is planned when every run drives at the mean pace of its shift.
#[must_use]
pub fn averaged(mut problem: Problem) -> Problem {
    for vehicle in &mut problem.vehicles {
        vehicle.traffic = None;
        vehicle.speed *= mean(vehicle.shift.earliest, vehicle.shift.latest);
    }
    problem.traffic.clear();
    problem
}

/// The pace at which a way that lies in any quarter of an hour takes its mean time.
fn mean(from: i64, until: i64) -> f64 {
    let pace = |at: i64| PACES.iter().rfind(|(hour, _)| hour * HOUR <= at).map_or(1.0, |(_, pace)| *pace);
    let paces = || (from..until).step_by(900).map(pace);
    let slowness: f64 = paces().map(|pace| 1.0 / pace).sum();
    paces().map(|_| 1.0).sum::<f64>() / slowness
}

/// A plan as it is driven.
///
/// # Errors
/// When the plan is none of the problem.
pub fn drive(problem: &Problem, plan: &Plan) -> Result<Plan> {
    let mut sequences = vec![Vec::new(); problem.vehicles.len()];
    for route in &plan.routes {
        sequences[route.vehicle] = route.visits.iter().map(|visit| visit.stop).collect();
    }
    Ok(retime(problem, &sequences)?)
}

/// What is late in a plan.
#[must_use]
pub fn late(plan: &Plan) -> Late {
    let of_time = plan.violations().filter(|violation| {
        matches!(violation.kind, ViolationKind::LateArrival | ViolationKind::OutsideShift)
    });
    of_time.fold(Late::default(), |late, violation| Late {
        times: late.times + 1,
        seconds: late.seconds + violation.value - violation.limit,
    })
}
