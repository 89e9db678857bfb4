use std::sync::mpsc;
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusBuilder;

use super::*;
use crate::priority;

fn turns(at_once: usize, each: usize) -> Turns {
    Turns::new(Sizes {
        at_once,
        each,
        beside_others: each,
        memory: 100,
        memory_each: 100,
        waiting_each: 1,
        waiting: 2,
        patience: Duration::from_secs(30),
    })
}

fn organisation(id: i64) -> OrganisationId {
    OrganisationId::new(id)
}

async fn soon<T>(turn: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(Duration::from_millis(50), turn).await.ok()
}

#[tokio::test]
async fn the_next_is_called_when_a_turn_ends() {
    let turns = turns(1, 1);
    let first = turns.take(organisation(1), "search", 0).await.unwrap();
    assert!(soon(turns.take(organisation(2), "search", 0)).await.is_none());
    assert_eq!(turns.line().waiting(), 0, "whoever left does not wait");
    drop(first);
    assert!(soon(turns.take(organisation(2), "search", 0)).await.unwrap().is_ok());
}

/// V-02: what does not fit into the line is refused at once; a background job waits.
#[tokio::test]
async fn a_full_line_is_busy() {
    let turns = turns(1, 1);
    let _held = turns.take(organisation(1), "search", 0).await.unwrap();
    let mut waiting = Box::pin(turns.take(organisation(1), "search", 0));
    assert!(soon(&mut waiting).await.is_none());
    assert_eq!(turns.take(organisation(1), "search", 0).await.unwrap_err(), Busy);
    let job = Share::from(organisation(1)).in_background();
    assert!(soon(turns.take(job, "search", 0)).await.is_none());
}

/// A turn lasts as long as what was begun in it, also when nobody waits for that any more.
#[tokio::test]
async fn a_turn_ends_with_its_work() {
    let turns = turns(1, 1);
    let (end, ended) = mpsc::channel::<()>();
    let turn = turns.take(organisation(1), "search", 0).await.unwrap();
    let work = async move { turn.work(priority::WORK, move || ended.recv()).await };
    assert!(soon(work).await.is_none());
    let next = turns.take(organisation(2), "search", 0);
    tokio::pin!(next);
    assert!(soon(&mut next).await.is_none(), "the work goes on");
    end.send(()).unwrap();
    assert!(next.await.is_ok());
}

/// V-01: a library that panics ends its own piece of work only.
#[tokio::test]
async fn a_panic_leaves_the_turn() {
    let turns = turns(1, 1);
    let turn = turns.take(organisation(1), "search", 0).await.unwrap();
    let failed = turn.work(priority::WORK, || -> () { panic!("broken plan") }).await.unwrap_err();
    assert!(failed.causes().unwrap().contains("broken plan"));
    assert_eq!(turn.work(priority::WORK, || 7).await.unwrap(), 7);
}

/// V-10: the threads that a piece of work starts stand as far behind as its own.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn its_threads_stand_behind_requests() {
    let nice = || rustix::process::getpriority_process(Some(rustix::thread::gettid())).unwrap();
    let usual = nice();
    let turn = turns(1, 1).take(organisation(1), "search", 0).await.unwrap();
    let found = turn
        .work(priority::SEARCH, move || (nice(), std::thread::spawn(nice).join().unwrap()))
        .await
        .unwrap();
    let expected = usual.max(priority::SEARCH);
    assert_eq!((found, nice()), ((expected, expected), usual));
}

#[test]
fn operators_see_who_works_who_waits_and_who_was_refused() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let seen = recorder.handle();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    metrics::with_local_recorder(&recorder, || {
        runtime.block_on(async {
            let turns = turns(1, 1);
            let held = turns.take(organisation(1), "search", 0).await.unwrap();
            let mut waiting = Box::pin(turns.take(organisation(1), "calculation", 0));
            assert!(soon(&mut waiting).await.is_none());
            assert!(turns.take(organisation(1), "search", 0).await.is_err());
            let text = seen.render();
            for line in [
                r#"heavy_work_running{kind="search"} 1"#,
                r#"heavy_work_waiting{kind="calculation"} 1"#,
                r#"heavy_work_refused_total{kind="search",reason="full"} 1"#,
            ] {
                assert!(text.contains(line), "{line} in\n{text}");
            }
            drop((held, waiting));
            let text = seen.render();
            for line in [
                r#"heavy_work_running{kind="search"} 0"#,
                r#"heavy_work_waiting{kind="calculation"} 0"#,
                r#"heavy_work_seconds_count{kind="search"} 1"#,
            ] {
                assert!(text.contains(line), "{line} in\n{text}");
            }
        });
    });
}
