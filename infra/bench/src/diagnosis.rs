//! Why hundreds of jobs have no place on a plan of 5,000 jobs and 200 runs, against the optimiser's own scan for their
//! cheapest places: that one only has to find a place, the other tells what is in the way and what would help.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use routewright_solver::trial::{Trial, Use};
use routewright_solver::{
    Break, Capacity, Matrix, Plan, Problem, Sequences, Stop, TimeWindow, UNREACHABLE, Vehicle, place,
};

use crate::report;

const JOBS: usize = 5_000;
const RUNS: usize = 200;
/// Drivers who have no run yet.
const SPARE: usize = 20;
/// Addresses, several jobs at each.
const PLACES: usize = 1_500;
/// Boxes that a van takes; a job is one.
const BOXES: &str = "23";
/// Longest that the product looks at a plan.
const LONGEST: Duration = Duration::from_secs(8);

/// Diagnoses, and scans.
pub(crate) fn run() -> Result<()> {
    let (problem, sequences) = day()?;
    let began = Instant::now();
    let placed: Plan = place(&problem, &sequences)?;
    let scan = began.elapsed();
    let unserved: Vec<usize> = placed.unserved.iter().map(|left| left.stop).collect();
    ensure!(unserved.len() > 300, "only {} jobs are without a place", unserved.len());

    let uses = (0..RUNS + SPARE).map(|run| if run < RUNS { Use::Open } else { Use::Spare }).collect();
    let began = Instant::now();
    let trial = Trial::new(&problem, &sequences, uses, Vec::new())?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let over = || began.elapsed() > LONGEST;
    let told = trial.diagnose_many(&unserved, threads, &over);
    let took = began.elapsed();

    let began = Instant::now();
    let mut trial = trial;
    let one = trial.diagnose(unserved[0]);
    let alone = began.elapsed();
    ensure!(!one.blocked.is_empty() || !one.remedies.is_empty(), "nothing was found");

    report::line(&format!(
        "Diagnosis: {} of {} jobs without a place were looked at on {} runs, {threads} threads",
        told.len(),
        unserved.len(),
        RUNS
    ))?;
    let each = |time: Duration, jobs: usize| time / u32::try_from(jobs.max(1)).unwrap_or(1);
    report::ratio(
        "GET /scenarios/{id}/diagnosis, each job",
        each(took, told.len()),
        "the optimiser's scan for its place, each job",
        each(scan, unserved.len()),
    )?;
    report::ratio(
        "GET /scenarios/{id}/diagnosis/{job_id}",
        alone,
        "the same among many",
        each(took, told.len()),
    )
}

/// A day over a city, a third of the jobs with windows; as many as fit are on runs by the cheapest insertion.
fn day() -> Result<(Problem, Sequences)> {
    let mut state = 7_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    // Metres on a plane, the depot in the middle.
    let mut points: Vec<(u64, u64)> = vec![(15_000, 15_000)];
    points.extend((1..PLACES).map(|_| (random(30_000), random(30_000))));
    let metres: Vec<u32> = points
        .iter()
        .flat_map(|a| points.iter().map(move |b| a.0.abs_diff(b.0) + a.1.abs_diff(b.1)))
        .map(|way| u32::try_from(way).unwrap_or(UNREACHABLE))
        .collect();
    let seconds = metres.iter().map(|metres| metres / 10).collect();
    let mut stop = |n: usize| {
        let earliest = 3600 * i64::try_from(random(7) + 8).unwrap_or(8);
        Ok(Stop {
            place: 1 + n % (PLACES - 1),
            service: 480,
            window: n.is_multiple_of(3).then_some(TimeWindow { earliest, latest: earliest + 3 * 3600 }),
            size: "1".parse()?,
            ..Stop::default()
        })
    };
    let van = Vehicle {
        start: Some(0),
        shift: TimeWindow { earliest: 8 * 3600, latest: 17 * 3600 },
        lunch: Some(Break { duration: 1800, earliest: 11 * 3600 + 1800, latest: 13 * 3600 }),
        capacity: Capacity::parse(BOXES, true)?,
        ..Vehicle::default()
    };
    let problem = Problem {
        stops: (0..JOBS).map(&mut stop).collect::<Result<_>>()?,
        vehicles: vec![van; RUNS + SPARE],
        matrix: Matrix::new(PLACES, seconds, metres)?,
        current: vec![Vec::new(); RUNS + SPARE],
        ..Problem::default()
    };
    // Drivers without a run get none while the plan is made.
    let mut made = problem.clone();
    made.vehicles.truncate(RUNS);
    made.current.truncate(RUNS);
    let plan = place(&made, &made.current)?;
    let mut sequences = vec![Vec::new(); RUNS + SPARE];
    for route in &plan.routes {
        sequences[route.vehicle] = route.visits.iter().map(|visit| visit.stop).collect();
    }
    let mut problem = problem;
    for vehicle in &mut problem.vehicles[RUNS..] {
        // They serve what they are offered for, but the scan is of the runs that there are.
        vehicle.locked = true;
    }
    Ok((problem, sequences))
}
