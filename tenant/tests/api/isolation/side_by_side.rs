//! Two organisations behind one process whose ids are the same: nothing that is kept by id alone may mix them up.

use std::cell::RefCell;
use std::io::Write;
use std::time::Duration;

use axum::body::Body;
use http::Request;
use routewright_core::access::Who;
use routewright_testing::calls::Call;
use routewright_testing::{Answer, Client};
use serde_json::{Value, json};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use super::fill::Filled;
use super::{calls, changed, digest};
use crate::realtime::{Socket, replica};
use crate::support::until;

async fn submit(client: &Client, path: &str, body: &Value) -> Answer {
    let request =
        Request::post(path).header("content-type", "application/json").header("idempotency-key", "the same");
    client.send(request.body(Body::from(body.to_string())).unwrap()).await
}

/// A repeated submit is one of the same person in the same organisation; the same key elsewhere is another submit.
#[tokio::test]
async fn the_same_idempotency_key_is_another_one_elsewhere() {
    let ours = Filled::new("Wombat", None).await;
    let theirs = ours.beside("Quokka").await;
    let body = json!({"name": "Urgent"});
    let (first, second) =
        (submit(&ours.admin, "/tags", &body).await, submit(&theirs.admin, "/tags", &body).await);
    for answer in [&first, &second] {
        assert_eq!(answer.status, 201, "{}", answer.text());
        assert!(!answer.headers.contains_key("idempotency-replayed"));
    }
    let again = submit(&ours.admin, "/tags", &body).await;
    assert_eq!((&again.json, again.headers.contains_key("idempotency-replayed")), (&first.json, true));
    for (filled, made) in [(&ours, &first.json), (&theirs, &second.json)] {
        let found = filled.admin.get("/tags?name=Urgent").await.ok();
        assert_eq!((&found["total_count"], &found["data"][0]["created"]), (&json!(1), &made["created"]));
    }
}

/// Lists, searches, exports, settings and documents, asked in turns: what the process remembers, it remembers by
/// organisation.
#[tokio::test]
async fn answers_are_never_mixed_up() {
    let ours = Filled::new("Wombat", None).await;
    let theirs = ours.beside("Quokka").await;
    assert_eq!((&ours.things["job"], &ours.things["run"]), (&theirs.things["job"], &theirs.things["run"]));
    ours.tenant.organisation.settings(&json!({"distance_unit": "mi", "currency": "USD"})).await;
    theirs.tenant.organisation.settings(&json!({"distance_unit": "km", "currency": "EUR"})).await;
    ours.tenant.app.gate.policies.forget_all();
    let mut own = 0;
    for call in calls::all().iter().filter(|call| call.method == "GET") {
        for (filled, word, other) in [(&ours, "wombat", "quokka"), (&theirs, "quokka", "wombat")] {
            let answer = call.make(&filled.admin, &filled.things, None).await;
            let text = answer.text().to_lowercase();
            assert!(!text.contains(other), "{call:?} of {word}: {text}");
            own += usize::from(text.contains(word));
        }
    }
    assert!(own > 100, "only {own} answers show anything of an organisation's own");
}

/// Contract §6: an event is told to the sockets of its own organisation's scenario, although the other one has the same id.
#[tokio::test]
async fn events_stay_in_their_organisation() {
    let ours = Filled::new("Wombat", None).await;
    let theirs = ours.beside("Quokka").await;
    assert_eq!(ours.things["scenario"], theirs.things["scenario"]);
    let replica = replica(0).await;
    let token = |filled: &Filled| filled.things["ws_token"].as_str().unwrap().to_owned();
    let (mut own, _) = Socket::connect(&replica, "/tracking", &token(&ours)).await;
    let (mut other, _) = Socket::connect(&replica, "/tracking", &token(&theirs)).await;
    // Listening begins a moment after the connection.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let path = format!("/runs/move_job_to_new/{}", ours.things["run2"]);
    let _ = ours.admin.put(&path, json!({"job_ids": [ours.things["job3"]], "pool": false})).await.ok();
    let (name, payload) = own.event().await;
    assert_eq!((name.as_str(), &payload["scenario_id"]), ("broadcast_run_update", &ours.things["scenario"]));
    assert!(other.is_quiet().await);
}

/// Background work of one organisation writes into that one only, although the other has a scenario, drivers and jobs with
/// the same ids.
#[tokio::test]
async fn background_work_stays_in_its_organisation() {
    let _turn = crate::worker::ONE_AT_A_TIME.lock().await;
    let ours = Filled::new("Wombat", None).await;
    let theirs = ours.beside("Quokka").await;
    let path = format!("/optimise/background/scenarios/{}", ours.things["scenario2"]);
    for filled in [&ours, &theirs] {
        let _ = filled.admin.delete(&path).await.ok();
    }
    // Nothing of theirs is due later; what they have in their outbox is done first.
    theirs.nothing_due().await;
    let replica = replica(2).await;
    let mut outbox = theirs.tenant.organisation.database().await;
    until(&mut outbox, "select not exists (select from messages where state in ('pending', 'sending'))")
        .await;
    let mut before = digest(&theirs).await;
    loop {
        tokio::time::sleep(Duration::from_secs(3)).await;
        let now = digest(&theirs).await;
        if changed(&before, &now).is_empty() {
            break;
        }
        before = now;
    }
    let wanted = json!({"driver_ids": [ours.things["driver"]], "options": {"max_seconds": 1, "ignore_capacity": true}});
    let _ = ours.admin.post(&path, wanted).await.ok();
    let dispatched = json!([{"run_id": ours.things["run"], "method": "email"}]);
    let _ = ours.admin.post("/runs/dispatch", dispatched).await.ok();
    let mut status = Value::Null;
    for _ in 0..600 {
        status = ours.admin.get(&path).await.ok()["status"].clone();
        if status == "done" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    assert_eq!(status, "done");
    drop(replica);
    let runs = ours.admin.get(&format!("/runs?scenario_id={}", ours.things["scenario2"])).await.ok();
    assert_eq!(runs["total_count"], 1);
    assert_eq!(changed(&before, &digest(&theirs).await), [""; 0]);
}

thread_local! {
    /// What this thread's test logs, once it wants to know.
    static LOG: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

struct ThreadLog;

impl Write for ThreadLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOG.with_borrow_mut(|log| log.iter_mut().for_each(|log| log.extend_from_slice(bytes)));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What is logged of a request names its own organisation only, and neither tokens nor what people wrote.
#[tokio::test]
async fn log_lines_name_one_organisation() {
    let ours = Filled::new("Wombat", None).await;
    let theirs = ours.beside("Quokka").await;
    let wanted = dynamic_filter_fn(|meta, _| {
        *meta.level() <= tracing::Level::DEBUG && LOG.with_borrow(Option::is_some)
    });
    let layer = tracing_subscriber::fmt::layer().json().with_writer(|| ThreadLog).with_filter(wanted);
    // For the whole process, because what is logged first from a thread without it would never be logged.
    tracing_subscriber::registry().with(layer).init();
    LOG.set(Some(Vec::new()));
    let table = routewright_tenant::routes::table().rows();
    let is_users = |call: &&Call| call.route(&table).is_some_and(|row| row.access.who == Who::User);
    for call in calls::all().iter().filter(is_users).filter(|call| call.method == "GET") {
        let _ = call.make(&ours.admin, &ours.things, None).await;
        for place in call.places() {
            let _ = call.make(&ours.admin, &ours.things, Some((&place, &theirs.things))).await;
        }
    }
    let log = String::from_utf8(LOG.take().unwrap_or_default()).unwrap();
    let (own, other) = (ours.tenant.organisation.id.to_string(), theirs.tenant.organisation.id.to_string());
    assert!(log.lines().filter(|line| line.contains(&own)).count() > 100, "{log}");
    for line in log.lines() {
        assert!(!line.contains(&other), "{line}");
        for hidden in ["Quokka", "quokka", "Wombat customer"] {
            assert!(!line.contains(hidden), "{line}");
        }
        for token in ["run_token", "job_tracking", "ws_token", "file_uid", "check_token", "ticket"] {
            for filled in [&ours, &theirs] {
                assert!(!line.contains(filled.things[token].as_str().unwrap()), "{token}: {line}");
            }
        }
    }
}
