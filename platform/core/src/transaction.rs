//! No connection is held over slow work. A unit of work counts the transactions that it has open; whatever waits for the
//! network, the storage, decoding or rendering says so first with [`slow`], and is refused while one is open. So a handler
//! reads, lets go, works, and writes.
//!
//! Tests [`enforce`] the rule: there its breach is a panic, in any route that they touch. In production it is logged, since
//! a slow answer is better than none.

use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// What ends within this, whatever happens, is not slow and may be waited for inside a transaction.
pub const BRIEF: Duration = Duration::from_secs(2);

static ENFORCED: AtomicBool = AtomicBool::new(false);

tokio::task_local! {
    static UNIT: Arc<Unit>;
}

struct Unit {
    name: String,
    open: AtomicUsize,
}

/// From now on slow work inside an open transaction is a panic.
pub fn enforce() {
    ENFORCED.store(true, Ordering::Relaxed);
}

/// Does a unit of work whose open transactions are counted. `name` says in the log which: a route, a kind of job.
pub async fn watched<F: Future>(name: impl Into<String>, work: F) -> F::Output {
    let unit = Arc::new(Unit { name: name.into(), open: AtomicUsize::new(0) });
    UNIT.scope(unit, work).await
}

/// A transaction of the unit of work around it; open until this is dropped.
#[derive(Default)]
pub struct Open(Option<Arc<Unit>>);

impl Open {
    /// Counts a transaction that begins. Outside of [`watched`] nothing is counted.
    #[must_use]
    pub fn begin() -> Self {
        let unit = UNIT.try_with(Arc::clone).ok();
        if let Some(unit) = &unit {
            unit.open.fetch_add(1, Ordering::Relaxed);
        }
        Self(unit)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(unit) = &self.0 {
            unit.open.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Whether the unit of work has a transaction open.
#[must_use]
pub fn is_open() -> bool {
    UNIT.try_with(|unit| unit.open.load(Ordering::Relaxed) > 0).unwrap_or(false)
}

/// To be called where something slow begins; `what` names it.
///
/// # Panics
/// While a transaction is open, where the rule is enforced.
#[track_caller]
pub fn slow(what: &str) {
    if !is_open() {
        return;
    }
    let unit = UNIT.try_with(|unit| unit.name.clone()).unwrap_or_default();
    assert!(
        !ENFORCED.load(Ordering::Relaxed),
        "{unit} waits for {what} inside an open transaction ({})",
        Location::caller()
    );
    metrics::counter!("slow_work_in_transactions_total").increment(1);
    tracing::warn!(unit, what, at = %Location::caller(), "slow work inside an open transaction");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn v_05_slow_work_is_refused_while_a_transaction_is_open() {
        enforce();
        watched("POST /jobs", async {
            slow("the address search");
            let open = Open::begin();
            assert!(is_open());
            let refused = std::panic::catch_unwind(|| slow("the address search"));
            let refused = refused.expect_err("refused");
            let text = refused.downcast_ref::<String>().expect("a text");
            assert!(text.starts_with("POST /jobs waits for the address search"), "{text}");
            drop(open);
            slow("the address search");
        })
        .await;
    }

    #[tokio::test]
    async fn units_of_work_are_counted_apart() {
        let one = watched("one", async {
            let open = Open::begin();
            tokio::task::yield_now().await;
            drop(open);
        });
        let other = watched("other", async {
            tokio::task::yield_now().await;
            assert!(!is_open());
        });
        tokio::join!(one, other);
    }
}
