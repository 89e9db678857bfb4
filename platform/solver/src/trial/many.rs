//! Many stops at once, on several processors.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Diagnosis, Trial};

impl Trial {
    /// Tries stops one by one as [`Trial::diagnose`] does, but of the runs that cannot take one tells only the nearest. On so
    /// many threads, until `over` says so; the answer is as long as the part of the stops that was tried, from the first on.
    pub fn diagnose_many(
        &self,
        stops: &[usize],
        threads: usize,
        over: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Diagnosis> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut trial = self.clone();
            let mut found: Vec<(usize, Diagnosis)> = Vec::new();
            while !over() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(stop) = stops.get(at) else { break };
                found.push((at, trial.look(*stop, true)));
            }
            found
        };
        let mut found: Vec<(usize, Diagnosis)> = std::thread::scope(|scope| {
            let helpers: Vec<_> =
                (1..threads.clamp(1, stops.len().max(1))).map(|_| scope.spawn(work)).collect();
            let mut found = work();
            for helper in helpers {
                found.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            found
        });
        // Each takes the next one and ends what it took, so that nothing is missing in between.
        found.sort_unstable_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, diagnosis)| diagnosis).collect()
    }
}
