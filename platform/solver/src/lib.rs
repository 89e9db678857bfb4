//! Vehicle routing for a day's plan: stops, vehicles and travel matrices in, timed routes out.
//!
//! The crate is pure: no I/O, no async, no database. Times are whole seconds on one clock chosen by the
//! caller (usually seconds after local midnight of the scheduled date), distances whole metres, sizes whole
//! thousandths of their unit.
//!
//! ```text
//! Engine::solve(&problem, budget, &mut progress, &cancel) -> Result<Plan, SolveError>     optimise
//! retime(&problem, &sequences) -> Result<Plan, ProblemError>                              a hand move
//! Trial::new(&problem, &sequences, uses, fixed)?.diagnose(stop) -> Diagnosis                 what keeps a stop out
//! ```
//!
//! All paths end in the same evaluator, which is the single source of arrival times,
//! waiting, break placement, violations and reasons for unserved stops.

pub mod links;
#[doc(hidden)]
pub mod measure;
pub mod plan;
pub mod problem;
pub mod size;

mod cells;
mod compact;
mod engine;
mod evaluate;
mod insert;
mod keep;
mod load;
mod matrix;
mod model;
mod objective;
mod repair;
mod standing;
mod timing;
mod traffic;
pub mod trial;
mod unserved;

pub use engine::{
    Budget, Cancel, Clock, Engine, Gate, Native, Progress, SolveError, VrpCore, default_engine,
};
pub use evaluate::retime;
pub use matrix::{Matrix, MatrixRows, UNREACHABLE};
pub use plan::{
    Compactness, Ended, Leg, PlacedBreak, Plan, Route, Totals, Unserved, UnservedReason, Violation,
    ViolationKind, Visit,
};
pub use problem::{
    Break, CapacityMode, Costs, Link, Objective, Problem, ProblemError, RouteEnd, Rules, Sequences, Stop,
    TerritoryMode, TimeWindow, Vehicle,
};
pub use size::{Capacity, Clause, Part, Size, SizeError};
pub use standing::{Standing, compare, place};
pub use traffic::Traffic;
