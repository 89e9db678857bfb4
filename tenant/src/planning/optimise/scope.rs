//! What an optimisation may touch: which runs are open, which are kept as they are, which jobs are to be placed. Pure.

use std::collections::{BTreeMap, BTreeSet};

use routewright_core::{Error, Result};

use super::{NO_DRIVERS, NO_JOBS, Options};
use crate::plan::{PlanJob, PlanRun, Snapshot};

/// A run that exists, or one that would be made for a driver.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Id of the run, or a negative stand-in.
    pub(super) run: PlanRun,
    /// Its jobs stay exactly as they are, none is added.
    pub(super) kept: bool,
}

/// The scope of an optimisation.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    /// Runs in play.
    pub(super) candidates: Vec<Candidate>,
    /// Jobs in play, in order of their ids.
    pub(super) jobs: Vec<i64>,
    /// Of these, the ones that may only be served by the run they are on.
    pub(super) fixed: BTreeMap<i64, i64>,
    /// Sequences that the search starts from, by run.
    pub(super) current: BTreeMap<i64, Vec<i64>>,
    /// Runs whose jobs are all placed anew without being in play themselves: their driver was not selected.
    pub(super) dissolved: Vec<i64>,
}

impl Scope {
    /// Decides the scope. `fresh` are runs that would be made, for selected drivers without one.
    ///
    /// # Errors
    /// 400 with the documented texts when there is nothing to plan or nobody to drive.
    pub(super) fn new(
        snapshot: &Snapshot,
        drivers: &BTreeSet<i64>,
        fresh: Vec<PlanRun>,
        options: &Options,
    ) -> Result<Self> {
        let locked: BTreeSet<i64> =
            snapshot.runs.values().filter(|run| snapshot.is_locked(run)).map(|run| run.id).collect();
        let named: Option<BTreeSet<i64>> = options.job_ids.as_ref().map(|ids| ids.iter().copied().collect());
        if let Some(unknown) = named.iter().flatten().find(|id| !snapshot.jobs.contains_key(*id)) {
            return Err(Error::field("options.job_ids", format!("Job {unknown} is not in the scenario")));
        }
        let wanted = |job: &PlanJob| {
            let free = job.run_id.is_none_or(|run| !locked.contains(&run) && !options.keep_assigned);
            free && !job.has_proof && !job.in_pool && named.as_ref().is_none_or(|ids| ids.contains(&job.id))
        };
        let considered: BTreeSet<i64> =
            snapshot.jobs.values().filter(|job| wanted(job)).map(|job| job.id).collect();
        let mut scope = Self {
            candidates: Vec::new(),
            jobs: Vec::new(),
            fixed: BTreeMap::new(),
            current: BTreeMap::new(),
            dissolved: Vec::new(),
        };
        for run in snapshot.runs.values() {
            scope.add_existing(snapshot, run, drivers, &locked, &considered);
        }
        scope.candidates.extend(fresh.into_iter().map(|run| Candidate { run, kept: false }));
        let open = |candidate: &Candidate| !candidate.kept;
        let resequenced = scope.candidates.iter().filter(|candidate| open(candidate));
        let any_job = resequenced
            .clone()
            .any(|candidate| scope.current.get(&candidate.run.id).is_some_and(|jobs| !jobs.is_empty()));
        if considered.is_empty() && !any_job {
            return Err(Error::bad_request(NO_JOBS));
        }
        if resequenced.count() == 0 {
            return Err(Error::bad_request(NO_DRIVERS));
        }
        let on_runs = scope.current.values().flatten().copied();
        scope.jobs = on_runs.chain(considered).collect::<BTreeSet<_>>().into_iter().collect();
        Ok(scope)
    }

    fn add_existing(
        &mut self,
        snapshot: &Snapshot,
        run: &PlanRun,
        drivers: &BTreeSet<i64>,
        locked: &BTreeSet<i64>,
        considered: &BTreeSet<i64>,
    ) {
        let sequence = snapshot.sequences.get(&run.id).cloned().unwrap_or_default();
        if locked.contains(&run.id) {
            self.keep(run, sequence);
        } else if drivers.contains(&run.driver_id) {
            for job in sequence.iter().filter(|job| !considered.contains(job)) {
                self.fixed.insert(*job, run.id);
            }
            self.current.insert(run.id, sequence);
            self.candidates.push(Candidate { run: run.clone(), kept: false });
        } else {
            let remaining: Vec<i64> = sequence.into_iter().filter(|job| !considered.contains(job)).collect();
            if remaining.is_empty() {
                self.dissolved.push(run.id);
            } else {
                self.keep(run, remaining);
            }
        }
    }

    fn keep(&mut self, run: &PlanRun, sequence: Vec<i64>) {
        self.current.insert(run.id, sequence);
        self.candidates.push(Candidate { run: run.clone(), kept: true });
    }

    /// Ids of the runs that may be given other jobs.
    pub(super) fn open_runs(&self) -> impl Iterator<Item = i64> {
        self.candidates.iter().filter(|candidate| !candidate.kept).map(|candidate| candidate.run.id)
    }
}
