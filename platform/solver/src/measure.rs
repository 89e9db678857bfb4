//! The inner loops one by one, for benchmarks: each prepares a day and hands the work of one step to the caller.

use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::engine::measured;
pub use crate::engine::measured::Bench;
use crate::evaluate;
use crate::model::Model;
use crate::plan::Ended;
use crate::problem::{Problem, ProblemError};
use crate::repair::repaired;

fn prepared(problem: &Problem) -> Result<(Model, Vec<Vec<usize>>), ProblemError> {
    let model = Model::new(problem)?;
    let start = repaired(&model, problem.current.clone(), &|| false);
    Ok((model, start))
}

/// Tests every move between near stops of a plan that none improves; returns the number of stops looked at.
///
/// # Errors
/// [`ProblemError`] when the problem contradicts itself.
pub fn moves(problem: &Problem, bench: Bench) -> Result<(), ProblemError> {
    let (model, start) = prepared(problem)?;
    measured::moves(&model, &start, &mut SmallRng::seed_from_u64(1), bench);
    Ok(())
}

/// Rounds of local search: some stops are taken out, put back and improved around; returns the rounds.
///
/// # Errors
/// [`ProblemError`] when the problem contradicts itself.
pub fn rounds(problem: &Problem, bench: Bench) -> Result<(), ProblemError> {
    let (model, start) = prepared(problem)?;
    measured::rounds(&model, &start, &mut SmallRng::seed_from_u64(1), bench);
    Ok(())
}

/// Looks for the cheapest place of each of some stops that were taken out; returns the number of stops.
///
/// # Errors
/// [`ProblemError`] when the problem contradicts itself.
pub fn insertions(problem: &Problem, bench: Bench) -> Result<(), ProblemError> {
    let (model, start) = prepared(problem)?;
    measured::insertions(&model, &start, &mut SmallRng::seed_from_u64(1), bench);
    Ok(())
}

/// Times and checks a plan; returns the number of routes.
///
/// # Errors
/// [`ProblemError`] when the problem contradicts itself.
pub fn retime(problem: &Problem, bench: Bench) -> Result<(), ProblemError> {
    let (model, start) = prepared(problem)?;
    bench(&mut || evaluate::plan(&model, &start, Ended::Retimed).routes.len());
    Ok(())
}
