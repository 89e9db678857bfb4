//! Days and times at which a job could be brought instead: what customers may ask for, and what becomes of it when it is
//! carried out. A day on which nothing is planned yet is open as a whole. On any other the independent evaluator tries the job
//! on every run nearby: a time is free where a run takes it without breaking a rule that holds without it, and with no more
//! driving than is wanted. Nothing is promised: plans change, so whoever carries it out looks again under the plan's lock.

mod carry_out;
mod day;
mod free;
mod spans;

pub(crate) use carry_out::{Carried, Outcome, carry_out};
pub(crate) use day::{Look, look};
pub(crate) use free::free;
pub(crate) use routewright_solver::trial::NoRoom;
pub(crate) use spans::{FreeDay, nearest};

use chrono::{NaiveDate, NaiveTime};

/// When a job is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wish {
    /// The day.
    pub(crate) date: NaiveDate,
    /// Not before; without both times the job keeps its window.
    pub(crate) from: Option<NaiveTime>,
    /// Not after.
    pub(crate) to: Option<NaiveTime>,
}

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sought {
    /// The job; what is linked to it goes along.
    pub(crate) job: i64,
    /// Most driving that it may add to the plan of its day, seconds.
    pub(crate) most_driving: i64,
}
