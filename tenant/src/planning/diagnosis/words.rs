//! What was found, in words with figures. Pure.

use routewright_solver::problem::parse_types;
use routewright_solver::trial::{self, Change, Diagnosis, Use};
use routewright_solver::{Violation, ViolationKind};

use super::case::Case;
use super::model::{BlockedRun, JobDiagnosis, Remedy, RemedyKind};
use crate::plan::{PlanJob, amounts, minutes};

impl Case {
    /// Everything that was found about a job.
    pub(super) fn tell(&self, job: i64, found: &Diagnosis) -> JobDiagnosis {
        let named = self.snapshot.jobs.get(&job);
        let runs: Vec<BlockedRun> = found.blocked.iter().map(|run| self.blocked(job, run)).collect();
        let mut remedies: Vec<Remedy> =
            found.remedies.iter().filter_map(|remedy| self.remedy(job, found, remedy)).collect();
        remedies.extend(self.other_day(job));
        let fits = remedies.iter().find(|remedy| remedy.kind == RemedyKind::Insert);
        let (reason, text) = match (fits, runs.first()) {
            (Some(fits), _) => ("fits".to_owned(), fits.text.clone()),
            (None, Some(nearest)) => {
                let reason = nearest.reasons.first().cloned().unwrap_or_default();
                (reason, format!("{}: {}", nearest.run_uid, nearest.text))
            }
            (None, None) if self.snapshot.links.chain(job).is_empty() => {
                ("no_run".to_owned(), "There is no run that may still take jobs".to_owned())
            }
            (None, None) => {
                ("cycle".to_owned(), "No run can take it together with its linked jobs".to_owned())
            }
        };
        JobDiagnosis {
            job_id: job,
            job_uid: named.map(|job| job.uid.clone()).unwrap_or_default(),
            state: named.map_or("unserved", |job| self.state(job)),
            reason,
            text,
            linked_job_ids: found.linked.iter().map(|stop| self.posed.jobs[*stop]).collect(),
            runs,
            remedies,
            untried_runs: found.untried,
            version: self.version,
        }
    }

    fn name(&self, vehicle: usize) -> String {
        self.run(vehicle).map(|run| run.uid.clone()).unwrap_or_default()
    }

    fn blocked(&self, job: i64, run: &trial::Blocked) -> BlockedRun {
        let mut reasons: Vec<String> = Vec::new();
        for violation in &run.broken {
            let kind = violation.kind.as_str().to_owned();
            if !reasons.contains(&kind) {
                reasons.push(kind);
            }
        }
        let words: Vec<String> = run.broken.iter().map(|violation| self.words(job, violation)).collect();
        let id = self.posed.runs.get(run.vehicle).copied().filter(|id| *id > 0);
        BlockedRun { run_id: id, run_uid: self.name(run.vehicle), reasons, text: words.join("; ") }
    }

    /// One broken rule: `76 of 70 boxes`, `arrives 14:37, window ends 14:15`.
    fn words(&self, job: i64, violation: &Violation) -> String {
        let stop = violation.stop.and_then(|stop| self.snapshot.jobs.get(&self.posed.jobs[stop]));
        // Another job than the one that is asked about is named.
        let whose =
            stop.filter(|stop| stop.id != job).map(|stop| format!("{} ", stop.uid)).unwrap_or_default();
        let clock = |seconds: i64| self.posed.day.clock(seconds);
        let (at, limit) = (|| clock(violation.value), || clock(violation.limit));
        match violation.kind {
            ViolationKind::Capacity => amounts(violation),
            ViolationKind::LateArrival => format!("{whose}arrives {}, window ends {}", at(), limit()),
            ViolationKind::OutsideShift => format!("ends {}, shift ends {}", at(), limit()),
            ViolationKind::Break => format!("break at {}, latest {}", at(), limit()),
            ViolationKind::TypeMismatch => {
                let types = |text: Option<&str>| text.map(parse_types).unwrap_or_default().join(", ");
                let needed = types(stop.and_then(|stop| stop.spec_type.as_deref()));
                let served = types(self.run(violation.vehicle).and_then(|run| run.spec_type.as_deref()));
                let served = if served.is_empty() { "no types".to_owned() } else { served };
                format!("{whose}needs {needed}, it serves {served}")
            }
            ViolationKind::Territory => format!("{whose}lies outside its territories"),
            ViolationKind::AlternativesGroup => {
                let other = usize::try_from(violation.value).unwrap_or(usize::MAX);
                format!("excluded by {}", self.name(other))
            }
            ViolationKind::Unreachable => format!("no way to {}", stop.map_or("its end", |stop| &stop.uid)),
            ViolationKind::LinkOrder | ViolationKind::LinkOtherRun => format!("{whose}is linked elsewhere"),
        }
    }

    fn remedy(&self, job: i64, found: &Diagnosis, remedy: &trial::Remedy) -> Option<Remedy> {
        let place = &remedy.place;
        let named = self.snapshot.jobs.get(&job)?;
        let run = self.run(place.vehicle)?;
        let (stop, uid) = (self.stop(job)?, run.uid.as_str());
        let fresh = self.fresh.get(&run.id);
        let stops = i64::try_from(found.linked.len() + 1).unwrap_or(i64::MAX);
        let placed =
            |stop: usize, sequence: &[usize]| sequence.iter().position(|at| *at == stop).map(|at| at + 1);
        let mut told = Remedy {
            kind: RemedyKind::Insert,
            text: format!("Put it on {uid}"),
            run_id: (run.id > 0).then_some(run.id),
            run_uid: run.uid.clone(),
            seq: placed(stop, &place.sequence),
            driver_id: fresh.map(|defaults| defaults.driver_id),
            shift_end: None,
            arrive_after: None,
            leave_by: None,
            moved_job_id: None,
            moved_to_run_id: None,
            scenario_id: None,
            eta: Some(self.posed.day.moment(place.arrival)),
            added_distance: remedy.added.metres,
            added_time: remedy.added.duration,
            added_cost: self.cost(&remedy.by_run, stops, place.vehicle),
        };
        match &remedy.change {
            Change::Nothing => {
                if fresh.is_some() {
                    told.kind = RemedyKind::AddDriver;
                    told.text = format!("Add {uid}, who has no run");
                }
            }
            Change::ExtendShift { minutes: more } => {
                told.kind = RemedyKind::ExtendShift;
                let end = self.posed.problem.vehicles[place.vehicle].shift.latest + more * 60;
                let start = self.posed.problem.vehicles[place.vehicle].shift.earliest;
                let text = self.posed.day.clock(end);
                // A shift that ends where it starts would be a whole day.
                if end - start >= 24 * 3600 {
                    return None;
                }
                told.text = format!("Extend the shift of {uid} to {text} ({})", minutes(more * 60));
                told.shift_end = Some(text);
            }
            Change::WidenWindow { earlier, later } => {
                told.kind = RemedyKind::WidenWindow;
                self.window(named, (*earlier, *later), &mut told)?;
            }
            Change::DropTypes => {
                told.kind = RemedyKind::DropType;
                let types = named.spec_type.as_deref().map(parse_types).unwrap_or_default().join(", ");
                told.text = format!("Drop the type {types} and put it on {uid}");
            }
            Change::FreeCapacity { stop, to } => {
                told.kind = RemedyKind::FreeCapacity;
                let other = self.posed.jobs[*stop];
                let other_uid =
                    self.snapshot.jobs.get(&other).map(|job| job.uid.as_str()).unwrap_or_default();
                told.text = format!("Move {other_uid} to {} and put it on {uid}", self.name(to.vehicle));
                told.moved_job_id = Some(other);
                told.moved_to_run_id = self.posed.runs.get(to.vehicle).copied();
            }
        }
        Some(told)
    }

    /// A wider window; none where it would reach into another day.
    fn window(&self, job: &PlanJob, (earlier, later): (i64, i64), told: &mut Remedy) -> Option<()> {
        let shifted = |time: chrono::NaiveTime, by: i64| {
            let (moved, over) = time.overflowing_add_signed(chrono::Duration::minutes(by));
            (over == 0).then(|| moved.format("%H:%M").to_string())
        };
        let uid = &told.run_uid;
        if later > 0 {
            let text = shifted(job.leave_by?, later)?;
            told.text = format!("Widen the window to {text} ({} later) on {uid}", minutes(later * 60));
            told.leave_by = Some(text);
        } else {
            let text = shifted(job.arrive_after?, -earlier)?;
            told.text = format!("Open the window at {text} ({} earlier) on {uid}", minutes(earlier * 60));
            told.arrive_after = Some(text);
        }
        Some(())
    }

    /// The job goes to the plan of the next day, where there is one.
    fn other_day(&self, job: i64) -> Option<Remedy> {
        let (scenario, name) = self.next_day.as_ref()?;
        let stop = self.stop(job)?;
        let named = self.snapshot.jobs.get(&job)?;
        let movable = |id: i64| self.snapshot.jobs.get(&id).is_some_and(|job| !job.has_proof);
        let chain = self.snapshot.links.chain(job);
        let on_kept = named.run_id.and_then(|run| self.posed.vehicle(run));
        if on_kept.is_some_and(|vehicle| self.uses(vehicle) == Use::Kept)
            || !chain.iter().copied().chain([job]).all(movable)
            || self.posed.problem.stops.get(stop).is_none()
        {
            return None;
        }
        Some(Remedy {
            kind: RemedyKind::NextDay,
            text: format!("Move it to the next day ({name})"),
            run_id: None,
            run_uid: name.clone(),
            seq: None,
            driver_id: None,
            shift_end: None,
            arrive_after: None,
            leave_by: None,
            moved_job_id: None,
            moved_to_run_id: None,
            scenario_id: Some(*scenario),
            eta: None,
            added_distance: 0,
            added_time: 0,
            added_cost: None,
        })
    }
}
