//! Solves public instances and real days; prints one line of JSON per run.
//!
//! ```text
//! bench-solver [--engine native|vrp-core] [--seconds 20] [--seed 1] [--iterations N] [--objective shortest_time]
//!              [--clock cpu|wall] [--patience SECONDS] [--cancel SECONDS] [--out FOLDER] [--trace]
//!              [--compact] [--latest-departure HH:MM] [--hours planned|averaged]
//!              file... | jobs.csv drivers.csv
//! bench-solver --dump problem.json file | jobs.csv drivers.csv          the problem as others are given it
//! bench-solver --routes routes.json --engine NAME file | jobs.csv drivers.csv    checks and times another's routes
//! ```
//!
//! The native engine's budget is processor time of the searching thread unless `--clock wall` is given, so that
//! runs on a busy machine can be compared; the cache and the memory are shared all the same.
#![expect(clippy::print_stdout, reason = "a command line tool")]
#![expect(clippy::cast_precision_loss, reason = "gaps are shown with few digits")]

use std::path::Path;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use routewright_bench_solver::{Result, day, hours, instance};
use routewright_solver::{
    Budget, Cancel, Clock, Engine, Native, Objective, Plan, Problem, Progress, TimeWindow, VrpCore, retime,
};
use serde_json::json;

/// What to do.
struct Arguments {
    engine: Box<dyn Engine>,
    name: String,
    budget: Budget,
    objective: Objective,
    /// Folder for problem and routes of each run.
    out: Option<String>,
    dump: Option<String>,
    routes: Option<String>,
    trace: bool,
    /// Runs keep to areas of their own.
    compact: bool,
    /// Every run may depart from the start of its shift until then, seconds of the day.
    latest_departure: Option<i64>,
    /// Traffic changes by the hour: whether it is planned with, or with its mean.
    hours: Option<bool>,
    /// When to cancel, to see how long the answer takes.
    cancel: Option<f64>,
    files: Vec<String>,
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let mut cases = Vec::new();
    if arguments.files.first().is_some_and(|file| file.ends_with(".csv")) {
        let [jobs, drivers] = arguments.files.as_slice() else {
            return Err("jobs.csv and drivers.csv are needed".into());
        };
        let problem = day::problem(&day::rows(jobs)?, &day::rows(drivers)?, arguments.objective)?;
        let name = Path::new(jobs).parent().and_then(Path::file_name).and_then(|name| name.to_str());
        cases.push(Case { name: name.unwrap_or("day").to_owned(), problem, best: None });
    }
    for file in arguments.files.iter().filter(|file| !file.ends_with(".csv")) {
        cases.push(Case::instance(Path::new(file))?);
    }
    for Case { problem, .. } in &mut cases {
        problem.rules.compact = arguments.compact;
        if let Some(latest) = arguments.latest_departure {
            for vehicle in &mut problem.vehicles {
                let earliest = vehicle.shift.earliest;
                vehicle.departure = Some(TimeWindow { earliest, latest: latest.max(earliest) });
            }
        }
        if arguments.hours.is_some() {
            *problem = hours::driven(std::mem::take(problem));
        }
    }
    let mut gaps = Vec::new();
    for case in &cases {
        if let Some(file) = &arguments.dump {
            std::fs::write(file, serde_json::to_string(&case.problem)?)?;
            continue;
        }
        let run = match &arguments.routes {
            Some(file) => Run::read(file, &case.problem)?,
            None => Run::solve(&arguments, &case.problem)?,
        };
        gaps.extend(report(&arguments, case, &run)?);
    }
    if gaps.len() > 1 {
        println!("{}", json!({"mean_gap": gaps.iter().sum::<f64>() / gaps.len() as f64, "runs": gaps.len()}));
    }
    Ok(())
}

/// A problem with its best known value.
struct Case {
    name: String,
    problem: Problem,
    best: Option<(Option<i64>, f64)>,
}

impl Case {
    fn instance(path: &Path) -> Result<Self> {
        let stem = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = stem.split('.').next().unwrap_or_default().to_owned();
        let best = instance::best_known(path, &name)?;
        Ok(Self { problem: instance::problem(&instance::read(path)?), best, name })
    }
}

fn arguments() -> Result<Arguments> {
    let mut found = Arguments {
        engine: Box::new(Native),
        name: "native".to_owned(),
        budget: Budget { clock: Clock::Processor, ..Budget::seconds(20) },
        objective: Objective::ShortestTime,
        out: None,
        dump: None,
        routes: None,
        trace: false,
        compact: false,
        latest_departure: None,
        hours: None,
        cancel: None,
        files: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("a value is missing");
        match argument.as_str() {
            "--engine" => found.name = value()?,
            "--seconds" => found.budget.time = Duration::from_secs_f64(value()?.parse()?),
            "--patience" => found.budget.patience = Some(Duration::from_secs_f64(value()?.parse()?)),
            "--seed" => found.budget.seed = value()?.parse()?,
            "--iterations" => found.budget.iterations = Some(value()?.parse()?),
            "--clock" => {
                if value()? == "wall" {
                    found.budget.clock = Clock::Wall;
                }
            }
            "--objective" => found.objective = serde_json::from_value(value()?.into())?,
            "--out" => found.out = Some(value()?),
            "--dump" => found.dump = Some(value()?),
            "--routes" => found.routes = Some(value()?),
            "--cancel" => found.cancel = Some(value()?.parse()?),
            "--compact" => found.compact = true,
            "--latest-departure" => found.latest_departure = day::clock(&value()?),
            "--hours" => found.hours = Some(value()? == "planned"),
            "--trace" => found.trace = true,
            _ => found.files.push(argument),
        }
    }
    if found.name == "vrp-core" {
        found.engine = Box::new(VrpCore);
    }
    Ok(found)
}

/// One finished run.
struct Run {
    plan: Plan,
    /// Processor seconds of all threads together.
    cpu: f64,
    wall: f64,
    /// Seconds until the first plan.
    first: Option<f64>,
    /// Most seconds between two reports, and between cancelling and the answer.
    silence: f64,
    cancelled_in: Option<f64>,
}

impl Run {
    fn solve(arguments: &Arguments, problem: &Problem) -> Result<Self> {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let mut first = None;
        let (cancel, mut cancelled) = (Cancel::default(), None);
        let (mut reported, mut silence) = (Instant::now(), 0.0_f64);
        let mut report = |progress: Progress| {
            silence = silence.max(reported.elapsed().as_secs_f64());
            reported = Instant::now();
            if cancelled.is_none() && arguments.cancel.is_some_and(|at| wall.elapsed().as_secs_f64() >= at) {
                cancelled = Some(Instant::now());
                cancel.cancel();
            }
            if progress.served > 0 && first.is_none() {
                first = Some(progress.elapsed.as_secs_f64());
            }
            if arguments.trace {
                println!("{:.1} s {:?}", progress.elapsed.as_secs_f64(), progress.cost);
            }
        };
        let averaged = (arguments.hours == Some(false)).then(|| hours::averaged(problem.clone()));
        let planned = averaged.as_ref().unwrap_or(problem);
        let mut plan = arguments.engine.solve(planned, arguments.budget, &mut report, &cancel)?;
        if averaged.is_some() {
            plan = hours::drive(problem, &plan)?;
        }
        let cancelled_in = cancelled.map(|at| at.elapsed().as_secs_f64());
        let (cpu, wall) = (cpu.elapsed().as_secs_f64(), wall.elapsed().as_secs_f64());
        Ok(Self { plan, cpu, wall, first, silence, cancelled_in })
    }

    /// Another solver's routes, timed and checked by our evaluator.
    fn read(file: &str, problem: &Problem) -> Result<Self> {
        let found: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
        let mut sequences: Vec<Vec<usize>> =
            serde_json::from_value(found["routes"].clone()).unwrap_or_default();
        sequences.resize(problem.vehicles.len(), Vec::new());
        let number = |key: &str| found[key].as_f64().unwrap_or_default();
        Ok(Self {
            plan: retime(problem, &sequences)?,
            cpu: number("cpu"),
            wall: number("wall"),
            first: None,
            silence: 0.0,
            cancelled_in: None,
        })
    }
}

/// Prints one run; the gap in percent when a best known value is comparable.
fn report(arguments: &Arguments, case: &Case, run: &Run) -> Result<Option<f64>> {
    let totals = run.plan.totals;
    let late = hours::late(&run.plan);
    let complete = run.plan.unserved.is_empty();
    let gap = case
        .best
        .filter(|(best, _)| complete && best.is_none_or(|best| best == totals.routes))
        .map(|(_, best)| (totals.distance as f64 - best) / best * 100.0);
    let result = json!({
        "instance": case.name, "engine": arguments.name, "seed": arguments.budget.seed,
        "cost": totals.distance, "routes": totals.routes, "best": case.best, "gap": gap,
        "served": totals.stops, "unserved": run.plan.unserved.len(),
        "working_minutes": totals.duration / 60, "driving_minutes": totals.driving / 60,
        "waiting_minutes": totals.waiting / 60, "compact": run.plan.compact,
        "violations": run.plan.violations().count(), "late": late.times, "late_minutes": late.seconds / 60,
        "cpu": run.cpu, "wall": run.wall, "first_plan": run.first,
        "longest_silence": run.silence, "cancelled_in": run.cancelled_in,
    });
    println!("{result}");
    if let Some(out) = &arguments.out {
        let mut sequences = vec![Vec::new(); case.problem.vehicles.len()];
        for route in &run.plan.routes {
            sequences[route.vehicle] = route.visits.iter().map(|visit| visit.stop).collect();
        }
        let file = format!("{out}/{}.{}.{}.routes.json", case.name, arguments.name, arguments.budget.seed);
        std::fs::write(file, json!({"result": result, "routes": sequences}).to_string())?;
    }
    Ok(gap)
}
