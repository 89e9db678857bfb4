//! Pickup and delivery links between jobs of one scenario (or of the pool): `pickup_from` and `deliver_to` name uids,
//! both sides are kept in step, and they must not form a cycle. Pure.

use std::collections::{BTreeSet, HashMap};

/// A job as far as links go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Linked {
    /// Id; the oldest job of a uid is the one that links mean.
    pub id: i64,
    /// Uid.
    pub uid: String,
    /// Uids it is picked up from.
    pub pickup_from: BTreeSet<String>,
    /// Uids it is delivered to.
    pub deliver_to: BTreeSet<String>,
}

/// What is wrong with links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LinkFault {
    /// A uid that no job of the scenario has: job, field, uid.
    Unknown { job: i64, field: &'static str, uid: String },
    /// The uids along a cycle, the first repeated at the end.
    Cycle(Vec<String>),
}

impl LinkFault {
    /// The text of the specification.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Unknown { uid, .. } => format!("Job {uid} not found"),
            Self::Cycle(chain) => format!(
                "Job.pickup_from and Job.deliver_to relationships must not form a cycle: {}",
                chain.join(" -> ")
            ),
        }
    }
}

/// Splits a list of uids.
pub(crate) fn uids(text: Option<&str>) -> BTreeSet<String> {
    text.unwrap_or_default()
        .split(',')
        .map(str::trim)
        .filter(|uid| !uid.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Joins a list of uids; nothing for an empty one.
pub(crate) fn text(uids: &BTreeSet<String>) -> Option<String> {
    (!uids.is_empty()).then(|| uids.iter().cloned().collect::<Vec<_>>().join(","))
}

/// Brings both sides of all links in step. The lists of the `changed` jobs say what holds for them; what other jobs say
/// about them follows. Answers the jobs whose lists are different from before.
///
/// # Errors
/// An unknown uid in a changed job, or a cycle.
pub(crate) fn synchronise(jobs: &mut [Linked], changed: &BTreeSet<i64>) -> Result<Vec<i64>, LinkFault> {
    let before: HashMap<i64, Linked> = jobs.iter().map(|job| (job.id, job.clone())).collect();
    let by_uid = oldest(jobs);
    for job in jobs.iter().filter(|job| changed.contains(&job.id)) {
        for (field, list) in [("pickup_from", &job.pickup_from), ("deliver_to", &job.deliver_to)] {
            if let Some(uid) = list.iter().find(|uid| !by_uid.contains_key(*uid)) {
                return Err(LinkFault::Unknown { job: job.id, field, uid: uid.clone() });
            }
        }
    }
    // Where both ends were changed at once, as in an import, naming the link on one side is enough.
    let edges = edges(jobs, changed, &by_uid);
    for job in jobs.iter_mut() {
        job.pickup_from.clear();
        job.deliver_to.clear();
    }
    for (from, to) in &edges {
        let (from_uid, to_uid) = (jobs[*from].uid.clone(), jobs[*to].uid.clone());
        jobs[*from].deliver_to.insert(to_uid);
        jobs[*to].pickup_from.insert(from_uid);
    }
    if let Some(chain) = cycle(jobs.len(), &edges) {
        return Err(LinkFault::Cycle(chain.into_iter().map(|index| jobs[index].uid.clone()).collect()));
    }
    Ok(jobs.iter().filter(|job| before.get(&job.id) != Some(*job)).map(|job| job.id).collect())
}

/// Which job each uid means.
fn oldest(jobs: &[Linked]) -> HashMap<String, usize> {
    let mut by_uid: HashMap<String, usize> = HashMap::new();
    for (index, job) in jobs.iter().enumerate() {
        let oldest = by_uid.entry(job.uid.clone()).or_insert(index);
        if jobs[*oldest].id > job.id {
            *oldest = index;
        }
    }
    by_uid
}

/// Everything that is linked to some jobs, directly or through others, without themselves.
pub(crate) fn partners(jobs: &[Linked], of: &BTreeSet<i64>) -> BTreeSet<i64> {
    let edges = edges(jobs, &BTreeSet::new(), &oldest(jobs));
    let mut chain = of.clone();
    let mut grown = true;
    while grown {
        grown = false;
        for (one, other) in edges.iter().map(|(from, to)| (jobs[*from].id, jobs[*to].id)) {
            if chain.contains(&one) != chain.contains(&other) {
                grown = chain.insert(one) | chain.insert(other);
            }
        }
    }
    &chain - of
}

/// Ends the links that lead from some jobs to others.
pub(crate) fn cut(jobs: &mut [Linked], apart: &BTreeSet<i64>) {
    let by_uid = oldest(jobs);
    let inside: BTreeSet<String> =
        by_uid.into_iter().filter(|(_, at)| apart.contains(&jobs[*at].id)).map(|(uid, _)| uid).collect();
    for job in jobs.iter_mut().filter(|job| apart.contains(&job.id)) {
        job.pickup_from.retain(|uid| inside.contains(uid));
        job.deliver_to.retain(|uid| inside.contains(uid));
    }
}

fn edges(
    jobs: &[Linked],
    changed: &BTreeSet<i64>,
    by_uid: &HashMap<String, usize>,
) -> BTreeSet<(usize, usize)> {
    let mut edges = BTreeSet::new();
    for (index, job) in jobs.iter().enumerate() {
        let says = |other: usize| changed.contains(&job.id) || !changed.contains(&jobs[other].id);
        for from in job.pickup_from.iter().filter_map(|uid| by_uid.get(uid)) {
            if says(*from) {
                edges.insert((*from, index));
            }
        }
        for to in job.deliver_to.iter().filter_map(|uid| by_uid.get(uid)) {
            if says(*to) {
                edges.insert((index, *to));
            }
        }
    }
    edges
}

/// Finds a cycle by depth-first search without recursion, so that long chains cannot exhaust the stack.
fn cycle(count: usize, edges: &BTreeSet<(usize, usize)>) -> Option<Vec<usize>> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in edges {
        next[*from].push(*to);
    }
    let mut state = vec![0_u8; count];
    for start in 0..count {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if state[start] == 0 {
            state[start] = 1;
            path.push((start, 0));
        }
        while let Some((node, position)) = path.last().copied() {
            let Some(&to) = next[node].get(position) else {
                state[node] = 2;
                path.pop();
                continue;
            };
            if let Some(last) = path.last_mut() {
                last.1 += 1;
            }
            match state[to] {
                0 => {
                    state[to] = 1;
                    path.push((to, 0));
                }
                1 => {
                    let mut chain: Vec<usize> =
                        path.iter().map(|(node, _)| *node).skip_while(|node| *node != to).collect();
                    chain.push(to);
                    return Some(chain);
                }
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: i64, uid: &str, pickup_from: &str, deliver_to: &str) -> Linked {
        Linked {
            id,
            uid: uid.to_owned(),
            pickup_from: uids(Some(pickup_from)),
            deliver_to: uids(Some(deliver_to)),
        }
    }

    /// P-277, P-278: a cycle names its chain.
    #[test]
    fn a_cycle_names_its_chain() {
        let mut jobs = [job(1, "A", "", "B"), job(2, "B", "", "A")];
        let fault = synchronise(&mut jobs, &BTreeSet::from([1, 2])).expect_err("a cycle");
        assert_eq!(fault, LinkFault::Cycle(vec!["A".into(), "B".into(), "A".into()]));
        assert_eq!(
            fault.text(),
            "Job.pickup_from and Job.deliver_to relationships must not form a cycle: A -> B -> A"
        );
        let mut own = [job(1, "A", "A", "")];
        assert!(matches!(synchronise(&mut own, &BTreeSet::from([1])), Err(LinkFault::Cycle(_))));
    }

    /// both sides are kept in step, several to one and one to several.
    #[test]
    fn both_sides_follow_a_change() {
        let mut jobs = [job(1, "P1", "", ""), job(2, "P2", "", "D"), job(3, "D", "P1", "")];
        // D says: only from P1. What P2 said about D is over.
        let mut touched = synchronise(&mut jobs, &BTreeSet::from([3])).expect("no fault");
        touched.sort_unstable();
        assert_eq!(touched, [1, 2]);
        assert_eq!(text(&jobs[0].deliver_to).as_deref(), Some("D"));
        assert_eq!(text(&jobs[1].deliver_to), None);
        assert_eq!(text(&jobs[2].pickup_from).as_deref(), Some("P1"));
    }

    /// W-012: what is linked to a job is found through others, and what is cut leaves the rest linked.
    #[test]
    fn a_chain_is_found_and_cut() {
        let mut jobs =
            [job(1, "A", "", "B"), job(2, "B", "A", "C"), job(3, "C", "B", ""), job(4, "D", "", "")];
        assert_eq!(partners(&jobs, &BTreeSet::from([1])), BTreeSet::from([2, 3]));
        assert_eq!(partners(&jobs, &BTreeSet::from([1, 2, 3, 4])), BTreeSet::new());
        let apart = BTreeSet::from([1, 2]);
        cut(&mut jobs, &apart);
        synchronise(&mut jobs, &apart).expect("no fault");
        assert_eq!((text(&jobs[0].deliver_to).as_deref(), text(&jobs[1].deliver_to)), (Some("B"), None));
        assert_eq!((text(&jobs[1].pickup_from).as_deref(), text(&jobs[2].pickup_from)), (Some("A"), None));
    }

    #[test]
    fn unknown_uids_are_told() {
        let mut jobs = [job(1, "A", "NO-SUCH-JOB", "")];
        let fault = synchronise(&mut jobs, &BTreeSet::from([1])).expect_err("unknown");
        assert_eq!(fault.text(), "Job NO-SUCH-JOB not found");
    }
}
