use std::sync::atomic::AtomicUsize;
use std::sync::mpsc;

use routewright_core::OrganisationId;

use super::*;
use crate::kind::Kind;

fn one_at_a_time() -> Governor {
    of_sizes(1, 1)
}

fn of_sizes(at_once: usize, each: usize) -> Governor {
    let memory = 1 << 30;
    let sizes = Sizes {
        at_once,
        each,
        beside_others: each,
        memory,
        memory_each: memory,
        waiting_each: 2,
        waiting: 4,
        patience: PATIENCE,
    };
    Governor::new(sizes, Seats::new(at_once), PathBuf::new()).unwrap()
}

fn organisation(id: i64) -> OrganisationId {
    OrganisationId::new(id)
}

type Held = (tokio::task::JoinHandle<Result<()>>, mpsc::Sender<()>, mpsc::Receiver<()>);

/// Tells all before it waits for any: whoever waits is called only after others have ended.
async fn end_all(held: impl IntoIterator<Item = Held>) {
    let held: Vec<_> = held.into_iter().collect();
    for (_, end, _) in &held {
        end.send(()).unwrap();
    }
    for (work, ..) in held {
        work.await.unwrap().unwrap();
    }
}

/// Work that runs until it is told to end; the receiver hears when it has begun.
fn held(governor: &Governor, of: impl Into<Share>) -> Held {
    let (end, ended) = mpsc::channel();
    let (begin, begun) = mpsc::channel();
    let (governor, of) = (governor.clone(), of.into());
    let work = tokio::spawn(async move {
        let work = move |_: &Budget| {
            let _ = begin.send(());
            let _ = ended.recv();
            Ok(())
        };
        governor.run(of, Kind::Read, work).await
    });
    (work, end, begun)
}

#[tokio::test(flavor = "multi_thread")]
async fn work_runs_off_the_async_threads_and_its_answer_comes_back() {
    let governor = Governor::for_machine(PathBuf::new()).unwrap();
    let name = governor
        .run(None, Kind::Hash, |_| Ok(std::thread::current().name().unwrap_or_default().to_owned()))
        .await
        .unwrap();
    assert!(name.starts_with("heavy work"), "{name}");
}

/// V-02: what does not fit into the line is refused at once and told when to come back.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_line_answers_503_with_retry_after() {
    let governor = one_at_a_time();
    let (first, end, begun) = held(&governor, organisation(1));
    begun.recv().unwrap();
    let waiting: Vec<_> = (0..2).map(|_| held(&governor, organisation(1))).collect();
    while governor.0.turns.line().waiting() < 2 {
        tokio::task::yield_now().await;
    }
    let refused = governor.run(organisation(1), Kind::Read, |_| Ok(())).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unavailable);
    assert_eq!(refused.retry_after_seconds(), Some(RETRY_AFTER));
    end.send(()).unwrap();
    first.await.unwrap().unwrap();
    end_all(waiting).await;
}

/// V-02: operators allow one organisation three pieces of work at the same time; the other has the usual one.
#[tokio::test(flavor = "multi_thread")]
async fn each_organisation_has_the_limit_that_operators_set() {
    let governor = of_sizes(6, 1);
    let wide = Share::from(organisation(1)).at_once(Some(3));
    let of_wide: Vec<_> = (0..4).map(|_| held(&governor, wide)).collect();
    let of_usual: Vec<_> = (0..2).map(|_| held(&governor, organisation(2))).collect();
    while governor.0.turns.line().waiting() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(governor.0.turns.line().at_work_of(Some(1)), 3);
    assert_eq!(governor.0.turns.line().at_work_of(Some(2)), 1);
    end_all(of_wide.into_iter().chain(of_usual)).await;
}

/// V-04: work ends when its caller has left; what had not begun never begins, and the turn goes to the next.
#[tokio::test(flavor = "multi_thread")]
async fn work_ends_when_its_caller_leaves() {
    let governor = one_at_a_time();
    let (begin, begun) = mpsc::channel();
    let (tell, told) = mpsc::channel();
    let running = governor.clone();
    let running = tokio::spawn(async move {
        let work = move |budget: &Budget| {
            begin.send(()).map_err(Error::internal)?;
            while budget.check().is_ok() {
                std::thread::yield_now();
            }
            tell.send(budget.time_left()).map_err(Error::internal)
        };
        running.run(organisation(1), Kind::Read, work).await
    });
    begun.recv().unwrap();
    let (waiting, _end, never) = held(&governor, organisation(2));
    tokio::task::yield_now().await;
    waiting.abort();
    running.abort();
    assert!(!told.recv().unwrap().is_zero(), "it ended because the caller left, not because its time was up");
    governor.run(organisation(3), Kind::Read, |_| Ok(())).await.unwrap();
    assert!(waiting.await.is_err() && never.try_recv().is_err());
}

/// V-01: a library that panics ends its own piece of work only.
#[tokio::test(flavor = "multi_thread")]
async fn a_panic_ends_only_its_piece_of_work() {
    let governor = one_at_a_time();
    let failed =
        governor.run(None, Kind::Decode, |_| -> Result<()> { panic!("broken picture") }).await.unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::Internal);
    assert!(failed.causes().unwrap().contains("broken picture"));
    governor.run(None, Kind::Decode, |_| Ok(())).await.unwrap();
}

#[tokio::test]
async fn memory_beyond_the_kinds_budget_is_refused() {
    let governor = one_at_a_time();
    let task = Kind::Decode.needing(Kind::Decode.memory() + 1);
    let refused = governor.run(None, task, |_| Ok(())).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::TooLarge);
    let refused = governor
        .run(None, Kind::Decode.needing(100), |budget| {
            budget.take(60)?;
            budget.give_back(60);
            budget.take(100)?;
            budget.take(1)
        })
        .await
        .unwrap_err();
    assert_eq!(refused.description(), "Opening this picture takes too much memory. Please make it smaller.");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn heavy_work_has_a_lower_priority_than_requests_v_10() {
    let nice =
        || rustix::process::getpriority_process(Some(rustix::thread::gettid())).map_err(Error::internal);
    let usual = nice().unwrap();
    let governor = one_at_a_time();
    assert_eq!(
        governor.run(None, Kind::Hash, move |_| nice()).await.unwrap(),
        usual.max(crate::priority::WORK)
    );
}

/// V-10: heavy work takes no more processors than there are seats, whatever threads it has, and all of it comes on: while the
/// first is at it, the others have begun.
#[tokio::test(flavor = "multi_thread")]
async fn v_10_heavy_work_shares_the_seats() {
    let governor = Governor::new(of_sizes(3, 3).0.turns.line().sizes, Seats::new(1), PathBuf::new()).unwrap();
    let (at_work, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (tell, told) = mpsc::channel();
    let works: Vec<_> = (1..=3)
        .map(|id| {
            let (governor, at_work, most, tell) =
                (governor.clone(), Arc::clone(&at_work), Arc::clone(&most), tell.clone());
            let work = move |budget: &Budget| {
                let _ = tell.send("begins");
                let until = cpu_time::ThreadTime::now().as_duration() + Duration::from_millis(400);
                while cpu_time::ThreadTime::now().as_duration() < until {
                    budget.check()?;
                    most.fetch_max(at_work.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::hint::black_box((0..100_000_u64).sum::<u64>());
                    at_work.fetch_sub(1, Ordering::SeqCst);
                }
                let _ = tell.send("ends");
                Ok(())
            };
            tokio::spawn(async move { governor.run(organisation(id), Kind::Read, work).await })
        })
        .collect();
    for work in works {
        work.await.unwrap().unwrap();
    }
    drop(tell);
    let order: Vec<&str> = told.iter().collect();
    assert_eq!(most.load(Ordering::SeqCst), 1);
    assert_eq!(order, ["begins", "begins", "begins", "ends", "ends", "ends"]);
}
