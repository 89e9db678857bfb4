use std::sync::mpsc;

use routewright_core::OrganisationId;

use super::*;

fn one_at_a_time() -> Governor {
    Governor::new(Sizes { at_once: 1, each: 1, memory: 1 << 30, waiting_each: 2, waiting: 4 }).unwrap()
}

fn organisation(id: i64) -> OrganisationId {
    OrganisationId::new(id)
}

/// Work that runs until it is told to end; the receiver hears when it has begun.
fn held(
    governor: &Governor,
    of: i64,
) -> (tokio::task::JoinHandle<Result<()>>, mpsc::Sender<()>, mpsc::Receiver<()>) {
    let (end, ended) = mpsc::channel();
    let (begin, begun) = mpsc::channel();
    let governor = governor.clone();
    let work = tokio::spawn(async move {
        let work = move |_: &Budget| {
            let _ = begin.send(());
            let _ = ended.recv();
            Ok(())
        };
        governor.run(organisation(of), Kind::Read, work).await
    });
    (work, end, begun)
}

#[tokio::test(flavor = "multi_thread")]
async fn work_runs_off_the_async_threads_and_its_answer_comes_back() {
    let governor = Governor::for_machine().unwrap();
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
    let (first, end, begun) = held(&governor, 1);
    begun.recv().unwrap();
    let waiting: Vec<_> = (0..2).map(|_| held(&governor, 1)).collect();
    while governor.line().waiting() < 2 {
        tokio::task::yield_now().await;
    }
    let refused = governor.run(organisation(1), Kind::Read, |_| Ok(())).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unavailable);
    assert_eq!(refused.retry_after_seconds(), Some(RETRY_AFTER));
    end.send(()).unwrap();
    first.await.unwrap().unwrap();
    for (work, end, _) in waiting {
        end.send(()).unwrap();
        work.await.unwrap().unwrap();
    }
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
    let (waiting, _end, never) = held(&governor, 2);
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
    assert_eq!(governor.run(None, Kind::Hash, move |_| nice()).await.unwrap(), usual.max(priority::WORK));
}
