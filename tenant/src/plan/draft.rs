//! A plan while it is being changed. Nothing is stored here: the door times and stores what the draft has become. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use routewright_core::{Error, Result};
use routewright_solver::TimeWindow;
use serde_json::{Value, json};

use super::snapshot::{PlanJob, PlanRun, Snapshot};

/// When a run leaves its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Departure {
    /// When somebody decided by hand that it leaves, or it left already; as usual otherwise.
    Kept,
    /// As the organisation wants: as late as costs nothing, or at the start of the shift.
    Usual,
    /// So many seconds earlier or later than it was planned to leave.
    Shifted(i64),
    /// Within these seconds of the day, as late as costs nothing.
    Within(TimeWindow),
}

/// The plan before, and what is to become of it.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// The plan as it was read.
    pub(crate) before: Snapshot,
    sequences: BTreeMap<i64, Vec<i64>>,
    places: HashMap<i64, Option<i64>>,
    touched: BTreeSet<i64>,
    departures: BTreeMap<i64, Departure>,
    left: BTreeMap<i64, Option<&'static str>>,
    taken: BTreeSet<i64>,
    removed: BTreeSet<i64>,
    routed: bool,
}

impl Draft {
    pub(crate) fn new(before: Snapshot) -> Self {
        Self {
            sequences: before.sequences.clone(),
            places: before.places(),
            before,
            touched: BTreeSet::new(),
            departures: BTreeMap::new(),
            left: BTreeMap::new(),
            taken: BTreeSet::new(),
            removed: BTreeSet::new(),
            routed: false,
        }
    }

    /// A run of the scenario.
    ///
    /// # Errors
    /// 404.
    pub(crate) fn run(&self, run: i64) -> Result<&PlanRun> {
        self.before.runs.get(&run).ok_or_else(|| Error::not_found("Run"))
    }

    /// A job of the scenario, or one of the pool that was asked for.
    ///
    /// # Errors
    /// 404.
    pub(crate) fn job(&self, job: i64) -> Result<&PlanJob> {
        self.before.jobs.get(&job).ok_or_else(|| Error::not_found("Job"))
    }

    /// The jobs of a run as they stand in the draft.
    pub(crate) fn sequence(&self, run: i64) -> &[i64] {
        self.sequences.get(&run).map_or(&[], Vec::as_slice)
    }

    /// The run that a job is on in the draft.
    pub(crate) fn place(&self, job: i64) -> Option<i64> {
        self.places.get(&job).copied().flatten()
    }

    /// Refuses to change a validated run.
    ///
    /// # Errors
    /// 409.
    pub(crate) fn require_open(&self, run: i64) -> Result<()> {
        let run = self.run(run)?;
        if run.validated_at.is_some() {
            return Err(super::validated(&run.uid));
        }
        Ok(())
    }

    /// Refuses to move a job that was delivered or stands on a validated run.
    ///
    /// # Errors
    /// 409.
    pub(crate) fn require_movable(&self, job: i64) -> Result<()> {
        let found = self.job(job)?;
        if found.has_proof {
            return Err(Error::conflict(format!("Job {} has proofs and cannot be moved", found.uid)));
        }
        self.place(job).map_or(Ok(()), |run| self.require_open(run))
    }

    /// Takes a job off its run; it is unserved until it is put on another.
    pub(crate) fn unserve(&mut self, job: i64, reason: Option<&'static str>) {
        if let Some(run) = self.place(job) {
            self.touched.insert(run);
            if let Some(sequence) = self.sequences.get_mut(&run) {
                sequence.retain(|other| *other != job);
            }
        }
        self.places.insert(job, None);
        self.left.insert(job, reason);
    }

    /// Puts jobs on a run, the first of them at position `at` (from 0; behind the end means at the end).
    pub(crate) fn put(&mut self, run: i64, jobs: &[i64], at: usize) {
        for job in jobs {
            self.unserve(*job, None);
        }
        let sequence = self.sequences.entry(run).or_default();
        let at = at.min(sequence.len());
        sequence.splice(at..at, jobs.iter().copied());
        for job in jobs {
            self.left.remove(job);
            self.places.insert(*job, Some(run));
            if self.before.jobs.get(job).is_some_and(|job| job.in_pool) {
                self.taken.insert(*job);
            }
        }
        self.touched.insert(run);
    }

    /// Puts jobs that were in the pool into the scenario without a run.
    pub(crate) fn take_from_pool(&mut self, job: i64) {
        self.taken.insert(job);
        self.unserve(job, None);
    }

    /// Gives a run exactly these jobs in this order.
    pub(crate) fn replace(&mut self, run: i64, jobs: &[i64]) {
        let kept: BTreeSet<i64> = jobs.iter().copied().collect();
        for job in self.sequence(run).to_vec() {
            if !kept.contains(&job) {
                self.unserve(job, None);
            }
        }
        self.put(run, jobs, 0);
    }

    /// Reorders a run so that pickups come before deliveries.
    pub(crate) fn settle(&mut self, run: i64) {
        let mut sequence = self.sequence(run).to_vec();
        self.before.links.settle(&mut sequence);
        self.sequences.insert(run, sequence);
        self.touched.insert(run);
    }

    /// Decides when a run leaves; without it, as before.
    pub(crate) fn depart(&mut self, run: i64, departure: Departure) {
        self.touched.insert(run);
        self.departures.insert(run, departure);
    }

    /// Removes a run that has no jobs left.
    pub(crate) fn remove(&mut self, run: i64) {
        if self.sequence(run).is_empty() {
            self.removed.insert(run);
        }
    }

    /// Notes that the scenario was optimised, which ends the stage planning even if no job could be served.
    pub(crate) fn routed(&mut self) {
        self.routed = true;
    }

    /// Whether the scenario was optimised.
    pub(crate) fn is_routed(&self) -> bool {
        self.routed
    }

    /// When a run leaves.
    pub(crate) fn departure(&self, run: i64) -> Departure {
        self.departures.get(&run).copied().unwrap_or(Departure::Kept)
    }

    /// Runs that must be timed and stored anew, without the removed ones.
    pub(crate) fn touched(&self) -> impl Iterator<Item = i64> {
        self.touched.difference(&self.removed).copied()
    }

    /// Whether it is decided by hand when a run leaves.
    pub(crate) fn departure_fixed(&self, run: i64) -> bool {
        match self.departure(run) {
            Departure::Kept => self.before.runs.get(&run).is_some_and(|run| run.departure_fixed),
            Departure::Usual => false,
            Departure::Shifted(_) | Departure::Within(_) => true,
        }
    }

    /// Removed runs.
    pub(crate) fn removed(&self) -> Vec<i64> {
        self.removed.iter().copied().collect()
    }

    /// Jobs that end on no run, with the reason for it, where they are not so already.
    pub(crate) fn left(&self) -> impl Iterator<Item = (i64, Option<&'static str>)> {
        self.left.iter().filter(|(job, _)| self.place(**job).is_none()).map(|(job, reason)| (*job, *reason))
    }

    /// Every job whose row is written.
    pub(crate) fn written(&self) -> Vec<i64> {
        let on_runs = self.touched().flat_map(|run| self.sequence(run).to_vec());
        let all: BTreeSet<i64> = on_runs.chain(self.left().map(|(job, _)| job)).collect();
        all.into_iter().collect()
    }

    /// What was done, and what undoes it, as the history keeps them: whole sequences of the touched runs.
    pub(crate) fn record(&self) -> (Value, Value) {
        let was = |run: i64| self.before.sequences.get(&run).cloned().unwrap_or_default();
        let now: BTreeMap<String, Vec<i64>> =
            self.touched().map(|run| (run.to_string(), self.sequence(run).to_vec())).collect();
        let earlier: BTreeMap<String, Vec<i64>> =
            self.touched.iter().map(|run| (run.to_string(), was(*run))).collect();
        let starts: BTreeMap<String, Value> = self
            .touched
            .iter()
            .filter_map(|run| self.before.runs.get(run))
            .map(|run| (run.id.to_string(), json!(run.planned_start_time)))
            .collect();
        let unserved_before: Vec<i64> = self
            .written()
            .into_iter()
            .filter(|job| self.before.jobs.get(job).is_some_and(|job| job.run_id.is_none() && !job.in_pool))
            .collect();
        let left: Vec<i64> = self.left().map(|(job, _)| job).collect();
        (
            json!({ "runs": now, "unserved": left, "removed_runs": self.removed, "from_pool": self.taken }),
            json!({ "runs": earlier, "unserved": unserved_before, "starts": starts, "to_pool": self.taken }),
        )
    }
}

#[cfg(test)]
pub(super) mod tests {
    use chrono::{NaiveDate, NaiveTime};

    use super::*;
    use crate::plan::snapshot::PlanScenario;

    pub(in crate::plan) fn run(id: i64) -> PlanRun {
        PlanRun {
            id,
            uid: format!("Driver {id}"),
            driver_id: id,
            route_end: "start".to_owned(),
            start_lat: None,
            start_lon: None,
            end_lat: None,
            end_lon: None,
            shift_start: NaiveTime::from_hms_opt(9, 0, 0).expect("a time"),
            shift_end: NaiveTime::from_hms_opt(17, 0, 0).expect("a time"),
            lunch_time: None,
            lunch_latest_start: None,
            lunch_duration: 0.0,
            capacity: "0".to_owned(),
            spec_type: None,
            speed_multiplier: 1.0,
            alternatives_group: None,
            territory_ids: Vec::new(),
            planned_start_time: None,
            departure_fixed: false,
            actual_start_time: None,
            actual_end_time: None,
            has_start_odometer: false,
            has_end_odometer: false,
            dispatched: false,
            validated_at: None,
            has_proofs: false,
            litres_per_100_km: None,
            co2_per_litre: None,
            on_road: crate::fleet::vehicles::OnRoad::default(),
            hour: None,
        }
    }

    fn draft() -> Draft {
        let job = |id: i64, run_id: Option<i64>| PlanJob {
            id,
            run_id,
            uid: format!("J{id}"),
            ..PlanJob::default()
        };
        let scenario = PlanScenario {
            id: 1,
            scheduled_date: NaiveDate::from_ymd_opt(2026, 11, 23).expect("a date"),
            version: 3,
        };
        let jobs = vec![job(1, Some(7)), job(2, Some(7)), job(3, Some(8)), job(4, None)];
        Draft::new(Snapshot::of(scenario, vec![run(7), run(8)], jobs))
    }

    #[test]
    fn jobs_are_in_one_place_only() {
        let mut draft = draft();
        draft.put(8, &[2, 4], 0);
        assert_eq!((draft.sequence(7), draft.sequence(8)), (&[1][..], &[2, 4, 3][..]));
        draft.unserve(3, Some("capacity"));
        assert_eq!(draft.left().collect::<Vec<_>>(), [(3, Some("capacity"))]);
        draft.replace(7, &[3]);
        assert_eq!(draft.sequence(7), [3]);
        assert_eq!(draft.left().collect::<Vec<_>>(), [(1, None)]);
        assert_eq!(draft.written(), [1, 2, 3, 4]);
    }

    #[test]
    fn the_inverse_holds_the_plan_before() {
        let mut draft = draft();
        draft.put(8, &[2, 4], 0);
        let (change, inverse) = draft.record();
        assert_eq!(change["runs"], json!({ "7": [1], "8": [2, 4, 3] }));
        assert_eq!(inverse["runs"], json!({ "7": [1, 2], "8": [3] }));
        assert_eq!(inverse["unserved"], json!([4]));
    }

    #[test]
    fn what_was_delivered_or_validated_stays() {
        let mut draft = draft();
        let text = |result: Result<()>| result.err().map(|error| error.description());
        if let Some(run) = draft.before.runs.get_mut(&7) {
            run.validated_at = Some(chrono::DateTime::UNIX_EPOCH);
        }
        if let Some(job) = draft.before.jobs.get_mut(&3) {
            job.has_proof = true;
        }
        assert_eq!(
            text(draft.require_movable(1)).as_deref(),
            Some("Run Driver 7 is validated and cannot be changed: reopen it first")
        );
        assert_eq!(text(draft.require_movable(3)).as_deref(), Some("Job J3 has proofs and cannot be moved"));
        assert!(draft.require_movable(4).is_ok());
        assert_eq!(text(draft.require_movable(99)).as_deref(), Some("Job not found"));
    }
}
