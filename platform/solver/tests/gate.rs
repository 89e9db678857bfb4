//! A gate that holds searches back.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use common::{problem, van};
use routewright_solver::{Budget, Cancel, Engine, Gate, Native, Problem};

/// Counts who passes, and holds everybody back from a certain number on.
#[derive(Debug)]
struct Counting {
    passed: AtomicU32,
    left: AtomicU32,
    until: u32,
}

impl Gate for Counting {
    fn pass(&self, _worked: Duration, stopped: &dyn Fn() -> bool) {
        let passed = self.passed.fetch_add(1, Ordering::Relaxed);
        while passed >= self.until && !stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn leave(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }
}

fn gate(until: u32) -> Arc<Counting> {
    Arc::new(Counting { passed: AtomicU32::new(0), left: AtomicU32::new(0), until })
}

fn day() -> Problem {
    problem(&(0..30).map(|n| n * 37 % 400).collect::<Vec<i64>>(), vec![van(), van()])
}

/// W-005: a search that is held back finds the very plan that it finds otherwise, and tells when it is over.
#[test]
fn waiting_changes_no_plan() {
    let budget = Budget { iterations: Some(300), ..Budget::seconds(60) };
    let plain = Native.solve(&day(), budget, &mut |_| {}, &Cancel::default()).unwrap();
    let gate = gate(u32::MAX);
    let cancel = Cancel::default().through(Arc::<Counting>::clone(&gate));
    let held = Native.solve(&day(), budget, &mut |_| {}, &cancel).unwrap();
    assert_eq!(plain, held);
    assert!(gate.passed.load(Ordering::Relaxed) > 10);
    assert_eq!(gate.left.load(Ordering::Relaxed), 1);
}

/// P-284: whoever is held back can be cancelled all the same, with the plan that there is.
#[test]
fn waiting_can_be_cancelled() {
    let gate = gate(40);
    let cancel = Cancel::default().through(Arc::<Counting>::clone(&gate));
    let held = || gate.passed.load(Ordering::Relaxed) > 40;
    let tell = &mut |_| {
        if held() {
            cancel.cancel();
        }
    };
    let plan = Native.solve(&day(), Budget::seconds(3600), tell, &cancel).unwrap();
    assert_eq!(plan.unserved.len(), 0);
}
