//! What changed while a search was on its way comes into its plan: what somebody moved stays where he put it, what was edited
//! or added comes to its best place, what is gone is gone.

use std::collections::{BTreeMap, BTreeSet};

use routewright_core::{Error, Result};
use routewright_solver::place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::prepare::{Prepared, Solution};
use super::write_back::Found;
use crate::plan::{PlanJob, PlanRun, Planner, Posed, Snapshot, Travel};

/// Reason of a job that was taken off its run while it was planned.
pub(super) const CHANGED: &str = "changed";

/// Jobs that were changed while an optimisation was under way, by id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Meanwhile {
    /// Moved by somebody: they stay where they were put.
    pub(super) stayed: Vec<i64>,
    /// Edited, added, or meant for a run that was handed out: they came to their best place.
    pub(super) placed: Vec<i64>,
    /// The same, but no run can take them.
    pub(super) unserved: Vec<i64>,
    /// Deleted, or moved to the pool.
    pub(super) deleted: Vec<i64>,
}

impl Meanwhile {
    /// Whether anything was changed.
    pub(super) fn any(&self) -> bool {
        [&self.stayed, &self.placed, &self.unserved, &self.deleted].into_iter().any(|ids| !ids.is_empty())
    }
}

/// A solution that knows of what changed since.
#[derive(Debug, Clone, Default)]
pub(super) struct Merged {
    pub(super) solution: Solution,
    /// Jobs that are placed anew or left out; all others stay where they are.
    pub(super) touched: BTreeSet<i64>,
    pub(super) meanwhile: Meanwhile,
}

/// Brings a solution and the plan as it is now together.
///
/// # Errors
/// When a stored place is not on the globe.
pub(super) async fn merge(planner: &Planner<'_>, found: &Found<'_>, now: &Snapshot) -> Result<Merged> {
    let Found { prepared, solution, .. } = *found;
    let mut sorted = Sorted::new(prepared, now, solution);
    let mut left: BTreeMap<i64, &'static str> = solution
        .unserved
        .iter()
        .filter(|(job, _)| sorted.touched.contains(job) && !sorted.moved.contains(job))
        .copied()
        .collect();
    let waiting = sorted.waiting();
    if !waiting.is_empty() {
        for (job, reason) in put_in(planner, found, now, &mut sorted, &waiting).await? {
            left.insert(job, reason);
        }
    }
    let placed: BTreeSet<i64> = sorted.runs.values().flatten().copied().collect();
    left.retain(|job, _| !placed.contains(job));
    let off = sorted.moved.iter().filter(|job| now.jobs.get(job).is_some_and(|job| job.run_id.is_none()));
    left.extend(off.map(|job| (*job, CHANGED)));
    let (served, unserved) = sorted.changed.iter().partition(|job| placed.contains(job));
    let deleted = prepared.scope.jobs.iter().copied().filter(|job| !now.jobs.contains_key(job)).collect();
    Ok(Merged {
        meanwhile: Meanwhile {
            stayed: sorted.moved.iter().copied().collect(),
            placed: served,
            unserved,
            deleted,
        },
        touched: sorted.touched.iter().chain(&placed).copied().collect(),
        solution: Solution { runs: sorted.runs, unserved: left.into_iter().collect() },
    })
}

/// Jobs by what is to become of them.
struct Sorted<'a> {
    now: &'a Snapshot,
    /// Sequences of the open runs.
    runs: BTreeMap<i64, Vec<i64>>,
    /// Jobs that are placed anew or left out.
    touched: BTreeSet<i64>,
    /// Moved by somebody.
    moved: BTreeSet<i64>,
    /// To come to their best place.
    changed: BTreeSet<i64>,
}

impl<'a> Sorted<'a> {
    fn new(prepared: &Prepared, now: &'a Snapshot, solution: &Solution) -> Self {
        let locked = |run: &i64| now.runs.get(run).is_none_or(|found| now.is_locked(found));
        let open: BTreeSet<i64> = prepared.scope.open_runs().filter(|run| *run < 0 || !locked(run)).collect();
        let moved = moved(prepared, now);
        let stays = |job: &i64| {
            let run = now.jobs.get(job).and_then(|job| job.run_id);
            // Off its run by hand, on a run that is not in play, or on one that was handed out.
            (moved.contains(job) && run.is_none_or(|run| !open.contains(&run)))
                || run.is_some_and(|run| !open.contains(&run) && !prepared.scope.dissolved.contains(&run))
        };
        let touched: BTreeSet<i64> = (prepared.scope.jobs.iter().copied())
            .filter(|job| now.jobs.contains_key(job) && !stays(job))
            .collect();
        let edited = |job: &i64| match (prepared.snapshot.jobs.get(job), now.jobs.get(job)) {
            (Some(then), Some(now)) => essence(then) != essence(now),
            _ => false,
        };
        let all = prepared.wanted.options.job_ids.is_none();
        let added = |job: &&PlanJob| {
            all && job.run_id.is_none() && !job.in_pool && !prepared.snapshot.jobs.contains_key(&job.id)
        };
        let mut changed: BTreeSet<i64> =
            touched.iter().copied().filter(|job| edited(job) && !moved.contains(job)).collect();
        changed.extend(now.jobs.values().filter(added).map(|job| job.id));
        let mut runs = BTreeMap::new();
        for (run, jobs) in &solution.runs {
            let free = |job: &&i64| touched.contains(*job) && !moved.contains(*job);
            let jobs: Vec<i64> = jobs.iter().filter(free).copied().collect();
            if open.contains(run) {
                runs.insert(*run, jobs.into_iter().filter(|job| !changed.contains(job)).collect());
            } else {
                changed.extend(jobs);
            }
        }
        for run in open.iter().filter(|run| now.runs.contains_key(run)) {
            let current = now.sequences.get(run).map_or(&[][..], Vec::as_slice);
            keep_moved(runs.entry(*run).or_default(), current, &moved);
        }
        let touched = touched.into_iter().chain(changed.iter().copied()).collect();
        Self { now, runs, touched, moved, changed }
    }

    /// Jobs that look for their best place: those that were changed, and what is linked to them.
    fn waiting(&mut self) -> BTreeSet<i64> {
        let partners: BTreeSet<i64> = self
            .changed
            .iter()
            .flat_map(|job| self.now.links.chain(*job))
            .filter(|job| self.touched.contains(job) && !self.moved.contains(job))
            .collect();
        let waiting: BTreeSet<i64> = self.changed.iter().copied().chain(partners).collect();
        for jobs in self.runs.values_mut() {
            jobs.retain(|job| !waiting.contains(job));
        }
        waiting
    }
}

/// Jobs on another run than when the search began, or elsewhere in the order of the same.
fn moved(prepared: &Prepared, now: &Snapshot) -> BTreeSet<i64> {
    let then = &prepared.snapshot;
    let run = |of: &Snapshot, job: i64| of.jobs.get(&job).and_then(|job| job.run_id);
    let mut moved: BTreeSet<i64> = (prepared.scope.jobs.iter().copied())
        .filter(|job| now.jobs.contains_key(job) && run(then, *job) != run(now, *job))
        .collect();
    let added = now.jobs.values().filter(|job| !then.jobs.contains_key(&job.id) && job.run_id.is_some());
    moved.extend(added.map(|job| job.id));
    for (run, before) in &then.sequences {
        let Some(after) = now.sequences.get(run) else { continue };
        let places: Vec<(usize, i64)> = after
            .iter()
            .filter_map(|job| Some((before.iter().position(|other| other == job)?, *job)))
            .collect();
        moved.extend(out_of_order(&places));
    }
    moved
}

/// Jobs that are not part of the longest stretch in the old order.
fn out_of_order(places: &[(usize, i64)]) -> Vec<i64> {
    // Of each stretch length so far the end that lies first, and what comes before each place in its longest stretch.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(places.len());
    for at in 0..places.len() {
        let length = ends.partition_point(|end| places[*end].0 < places[at].0);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut kept = vec![false; places.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        kept[at] = true;
        next = before[at];
    }
    (0..places.len()).filter(|at| !kept[*at]).map(|at| places[at].1).collect()
}

/// Puts moved jobs behind the job that they were put behind, as far as that is still on the run.
fn keep_moved(run: &mut Vec<i64>, current: &[i64], moved: &BTreeSet<i64>) {
    for (at, job) in current.iter().enumerate().filter(|(_, job)| moved.contains(job)) {
        let behind = current[..at].iter().rev().find_map(|before| run.iter().position(|job| job == before));
        run.insert(behind.map_or(0, |place| place + 1), *job);
    }
}

/// What a job is, apart from where and when it is planned.
fn essence(job: &PlanJob) -> PlanJob {
    PlanJob {
        run_id: None,
        seq: None,
        eta: None,
        etd: None,
        updated_eta: None,
        has_proof: false,
        ..job.clone()
    }
}

/// Lets the evaluator put jobs to their best places; answers those that no run can take, with the reason.
async fn put_in(
    planner: &Planner<'_>,
    found: &Found<'_>,
    now: &Snapshot,
    sorted: &mut Sorted<'_>,
    waiting: &BTreeSet<i64>,
) -> Result<Vec<(i64, &'static str)>> {
    let prepared = found.prepared;
    let terms = prepared.terms(planner);
    let runs: Vec<PlanRun> = prepared
        .scope
        .candidates
        .iter()
        .filter(|candidate| candidate.run.id < 0 || now.runs.contains_key(&candidate.run.id))
        .map(|candidate| now.runs.get(&candidate.run.id).unwrap_or(&candidate.run).clone())
        .collect();
    let open = |run: &i64| sorted.runs.contains_key(run) || *run < 0;
    let sequence = |run: i64| match sorted.runs.get(&run) {
        Some(jobs) => jobs.clone(),
        None if run < 0 => Vec::new(),
        None => now.sequences.get(&run).cloned().unwrap_or_default(),
    };
    let planned: BTreeSet<i64> =
        runs.iter().flat_map(|run| sequence(run.id)).chain(waiting.iter().copied()).collect();
    let jobs: Vec<&PlanJob> = planned.iter().filter_map(|job| now.jobs.get(job)).collect();
    // The plan may be locked: only for a job or a driver that came to a new place are the roads asked again.
    let travel = if found.travel.covers(&runs, jobs.iter().copied()) {
        found.travel.clone()
    } else {
        Travel::at_once(planner.roads, &runs, jobs.iter().copied()).await?
    };
    let mut posed = Posed::new(&terms, &travel, &runs, jobs.iter().copied(), &now.links, sequence);
    for (vehicle, run) in runs.iter().enumerate().filter(|(_, run)| !open(&run.id)) {
        debug_assert_eq!(posed.runs[vehicle], run.id);
        posed.problem.vehicles[vehicle].locked = true;
    }
    for job in waiting {
        let home = prepared.scope.fixed.get(job).and_then(|run| posed.vehicle(*run));
        if let Some(stop) = posed.stop(*job) {
            posed.problem.stops[stop].fixed_vehicle = home;
        }
    }
    let problem = std::mem::take(&mut posed.problem);
    // The plan may be locked, so that this cannot wait for another turn.
    let placed = found.turn.think(move || place(&problem, &problem.current));
    let plan = placed.await?.map_err(Error::internal)?;
    for route in &plan.routes {
        let run = posed.runs[route.vehicle];
        if run < 0 || sorted.runs.contains_key(&run) {
            let jobs = route.visits.iter().map(|visit| posed.jobs[visit.stop]).collect();
            sorted.runs.insert(run, jobs);
        }
    }
    Ok(plan.unserved.iter().map(|left| (posed.jobs[left.stop], left.reason.as_str())).collect())
}

/// Whether two snapshots hold the same jobs in the same places.
pub(super) fn same(one: &Snapshot, other: &Snapshot) -> bool {
    let locked = |of: &Snapshot| -> Vec<i64> {
        of.runs.values().filter(|run| of.is_locked(run)).map(|run| run.id).collect()
    };
    one.sequences == other.sequences
        && locked(one) == locked(other)
        && one.jobs.len() == other.jobs.len()
        && one.jobs.values().zip(other.jobs.values()).all(|(one, other)| essence(one) == essence(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W-006: what was moved within its run is told apart from what only gave way.
    #[test]
    fn the_moved_job_is_the_one_out_of_order() {
        let order = |now: &[usize]| -> Vec<(usize, i64)> {
            now.iter().map(|at| (*at, i64::try_from(*at).unwrap())).collect()
        };
        assert_eq!(out_of_order(&order(&[0, 1, 2, 3])), Vec::<i64>::new());
        assert_eq!(out_of_order(&order(&[3, 0, 1, 2])), [3]);
        assert_eq!(out_of_order(&order(&[1, 2, 0, 3])), [0]);
    }

    /// W-006: a moved job stays behind the one that it was put behind, or comes first.
    #[test]
    fn moved_jobs_keep_their_neighbour() {
        let mut run = vec![5, 6, 7];
        keep_moved(&mut run, &[9, 7, 8, 5], &BTreeSet::from([8, 9]));
        assert_eq!(run, [9, 5, 6, 7, 8]);
    }
}
