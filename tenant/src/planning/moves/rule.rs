//! What a move does to a draft (S-06). Pure.

use std::collections::BTreeSet;

use routewright_core::{Error, Result};
use routewright_solver::{ViolationKind, retime};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::plan::{Draft, PlanJob, Posed, Terms, Travel};

/// One move.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct Move {
    /// Where to; null means unserved.
    #[serde(default)]
    pub(super) run_id: Option<i64>,
    /// What, in the order wanted.
    pub(super) job_ids: Vec<i64>,
    /// Position of the first of them in the run, from 1; at the end when null.
    #[serde(default)]
    pub(super) seq: Option<i64>,
    /// The jobs are in the pool and are taken into the scenario.
    #[serde(default)]
    pub(super) pool: bool,
}

impl Move {
    /// What can be told without the plan.
    pub(super) fn check(&self) -> Result<()> {
        if self.job_ids.is_empty() {
            return Err(Error::field("job_ids", "You must add at least one job."));
        }
        let distinct: BTreeSet<i64> = self.job_ids.iter().copied().collect();
        if distinct.len() < self.job_ids.len() {
            return Err(Error::field("job_ids", "A job can be named only once"));
        }
        if self.seq.is_some_and(|seq| seq < 1) {
            return Err(Error::field("seq", "Value must be above 0"));
        }
        Ok(())
    }
}

/// Makes a move; linked jobs come along.
pub(super) fn apply(draft: &mut Draft, terms: &Terms<'_>, wanted: &Move) -> Result<()> {
    for id in &wanted.job_ids {
        let job = draft.job(*id)?;
        if job.in_pool && !wanted.pool {
            return Err(Error::field("job_ids", format!("Job {} is in the pool", job.uid)));
        }
        draft.require_movable(*id)?;
    }
    match wanted.run_id {
        Some(run) => onto(draft, terms, run, wanted),
        None => off(draft, wanted),
    }
}

/// To unserved, together with everything linked to it: half of a link cannot be driven.
fn off(draft: &mut Draft, wanted: &Move) -> Result<()> {
    let mut all: BTreeSet<i64> = wanted.job_ids.iter().copied().collect();
    for job in &wanted.job_ids {
        all.extend(draft.before.links.chain(*job));
    }
    for job in all {
        draft.require_movable(job)?;
        if draft.job(job)?.in_pool {
            draft.take_from_pool(job);
        } else if draft.place(job).is_some() {
            draft.unserve(job, None);
        }
    }
    Ok(())
}

fn onto(draft: &mut Draft, terms: &Terms<'_>, run: i64, wanted: &Move) -> Result<()> {
    draft.require_open(run)?;
    let named: BTreeSet<i64> = wanted.job_ids.iter().copied().collect();
    let mut block: Vec<i64> = Vec::new();
    let mut refused: Vec<i64> = Vec::new();
    for job in &wanted.job_ids {
        let mut partners: Vec<i64> = draft
            .before
            .links
            .chain(*job)
            .into_iter()
            .filter(|partner| !named.contains(partner) && draft.place(*partner) != Some(run))
            .filter(|partner| !block.contains(partner) && !refused.contains(partner))
            .collect();
        for partner in &partners {
            draft.require_movable(*partner)?;
        }
        partners.retain(|partner| {
            let fits = can_hold(draft, terms, run, &wanted.job_ids, &block, *partner);
            if !fits {
                refused.push(*partner);
            }
            fits
        });
        // Its pickups before it, its deliveries behind it.
        let at = block.len();
        block.push(*job);
        block.extend(partners);
        let mut part = block.split_off(at);
        draft.before.links.settle(&mut part);
        block.extend(part);
    }
    let at = wanted.seq.map_or(usize::MAX, |seq| usize::try_from(seq - 1).unwrap_or(usize::MAX));
    draft.put(run, &block, at);
    draft.settle(run);
    for partner in refused {
        if draft.job(partner)?.in_pool {
            draft.take_from_pool(partner);
        } else {
            draft.unserve(partner, Some("linked_job"));
        }
    }
    Ok(())
}

/// Whether a linked job may follow: the run serves its types, and its size does not make the load too much. What is moved
/// by name is not asked.
fn can_hold(draft: &Draft, terms: &Terms<'_>, run: i64, named: &[i64], block: &[i64], partner: i64) -> bool {
    let mut load: Vec<i64> = draft.sequence(run).to_vec();
    load.extend(named.iter().chain(block).filter(|job| draft.place(**job) != Some(run)));
    load.sort_unstable();
    load.dedup();
    let without = excess(draft, terms, run, &load);
    load.push(partner);
    let with = excess(draft, terms, run, &load);
    matches!((without, with), (Ok(without), Ok(with)) if with <= without)
}

/// Type mismatches and exceeded capacities of a load, the places and times left aside.
fn excess(draft: &Draft, terms: &Terms<'_>, run: i64, load: &[i64]) -> Result<usize> {
    let run = draft.run(run)?;
    let jobs = load.iter().map(|job| draft.job(*job)).collect::<Result<Vec<&PlanJob>>>()?;
    let travel = Travel::none([run], jobs.iter().copied())?;
    let posed = Posed::new(terms, &travel, [run], jobs.iter().copied(), &draft.before.links, |_| Vec::new());
    let plan = retime(&posed.problem, &vec![(0..jobs.len()).collect()]).map_err(Error::internal)?;
    let counted = [ViolationKind::TypeMismatch, ViolationKind::Capacity];
    Ok(plan.violations().filter(|violation| counted.contains(&violation.kind)).count())
}
