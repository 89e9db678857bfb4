//! Links of a file's rows among each other and with the jobs that are there already. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::OnDuplicate;
use super::read::{Row, RowError};
use super::store::Existing;
use crate::orders::jobs::links::{self, LinkFault, Linked};

/// Rows of new jobs stand in with ids from here on: younger than every job that exists.
const NEW: i64 = 1 << 62;

/// What links are after the import.
pub(super) struct Links {
    /// Links of the jobs of rows, by the number of the row.
    pub rows: HashMap<usize, Linked>,
    /// Other jobs whose links follow.
    pub others: Vec<Linked>,
}

/// Tells every link to an unknown job and every cycle.
pub(super) fn check(
    rows: &[Row],
    existing: &[Existing],
    on_duplicate: OnDuplicate,
    errors: &mut Vec<RowError>,
) {
    let mut all = together(rows, existing, on_duplicate);
    let known: HashSet<String> = all.jobs.iter().map(|job| job.uid.clone()).collect();
    for job in all.jobs.iter_mut().filter(|job| all.changed.contains(&job.id)) {
        let Some(number) = all.numbers.get(&job.id) else { continue };
        for (field, list) in [("pickup_from", &mut job.pickup_from), ("deliver_to", &mut job.deliver_to)] {
            list.retain(|uid| {
                if !known.contains(uid) {
                    let fault = LinkFault::Unknown { job: job.id, field, uid: uid.clone() };
                    errors.push(RowError::new(*number, field, fault.text()));
                }
                known.contains(uid)
            });
        }
    }
    // A cycle is told at all of its rows and cut, so that the next one is found.
    while let Err(fault) = links::synchronise(&mut all.jobs.clone(), &all.changed) {
        let LinkFault::Cycle(chain) = &fault else { break };
        for linked in all.jobs.iter_mut().filter(|linked| chain.contains(&linked.uid)) {
            if let Some(number) = all.numbers.get(&linked.id) {
                let field = if linked.pickup_from.is_empty() { "deliver_to" } else { "pickup_from" };
                errors.push(RowError::new(*number, field, fault.text()));
            }
            linked.pickup_from.clear();
            linked.deliver_to.clear();
        }
    }
}

/// Brings the links of faultless rows in step, in memory.
///
/// # Errors
/// What [`check`] would have told.
pub(super) fn settle(
    rows: &[Row],
    existing: &[Existing],
    on_duplicate: OnDuplicate,
) -> Result<Links, LinkFault> {
    let mut all = together(rows, existing, on_duplicate);
    let touched: HashSet<i64> = links::synchronise(&mut all.jobs, &all.changed)?.into_iter().collect();
    let mut links = Links { rows: HashMap::new(), others: Vec::new() };
    for job in all.jobs {
        match all.numbers.get(&job.id) {
            Some(number) => {
                links.rows.insert(*number, job);
            }
            None if touched.contains(&job.id) => links.others.push(job),
            None => {}
        }
    }
    Ok(links)
}

struct Together {
    jobs: Vec<Linked>,
    /// Ids of jobs whose rows say something of links.
    changed: BTreeSet<i64>,
    /// Rows by id.
    numbers: HashMap<i64, usize>,
}

/// The linked jobs of the file and the scenario, and those they name. What a row does not say of a job that is there stays
/// as it is.
fn together(rows: &[Row], existing: &[Existing], on_duplicate: OnDuplicate) -> Together {
    let mut jobs: BTreeMap<i64, Linked> = existing
        .iter()
        .map(|job| {
            let linked = Linked {
                id: job.id,
                uid: job.uid.clone(),
                pickup_from: links::uids(job.pickup_from.as_deref()),
                deliver_to: links::uids(job.deliver_to.as_deref()),
            };
            (job.id, linked)
        })
        .collect();
    let oldest = oldest(existing);
    let (mut changed, mut numbers) = (BTreeSet::new(), HashMap::new());
    for row in rows {
        let Some(uid) = &row.fields.uid else { continue };
        let known = oldest.get(uid.as_str()).filter(|_| on_duplicate != OnDuplicate::Create);
        if known.is_some() && on_duplicate == OnDuplicate::Skip {
            continue;
        }
        let number = i64::try_from(row.number).unwrap_or_default();
        let id = known.map_or(NEW + number, |job| job.id);
        let linked = jobs.entry(id).or_insert_with(|| Linked {
            id,
            uid: uid.clone(),
            pickup_from: BTreeSet::new(),
            deliver_to: BTreeSet::new(),
        });
        for (given, list) in [
            (&row.fields.pickup_from, &mut linked.pickup_from),
            (&row.fields.deliver_to, &mut linked.deliver_to),
        ] {
            if given.is_some() {
                *list = links::uids(given.as_deref());
                changed.insert(id);
            }
        }
        numbers.insert(id, row.number);
    }
    let named: HashSet<String> =
        jobs.values().flat_map(|job| job.pickup_from.iter().chain(&job.deliver_to)).cloned().collect();
    let linked =
        |job: &Linked| !job.pickup_from.is_empty() || !job.deliver_to.is_empty() || named.contains(&job.uid);
    Together { jobs: jobs.into_values().filter(linked).collect(), changed, numbers }
}

/// The oldest job of each uid: the one that links and rows mean.
pub(super) fn oldest(existing: &[Existing]) -> HashMap<&str, &Existing> {
    let mut oldest: HashMap<&str, &Existing> = HashMap::new();
    for job in existing {
        let first = oldest.entry(job.uid.as_str()).or_insert(job);
        if job.id < first.id {
            *first = job;
        }
    }
    oldest
}
