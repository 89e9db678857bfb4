//! How much operators let an organisation do at the same time: heavy work, requests.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use http::Request;
use routewright_core::Clock;
use routewright_governor::{Intake, Kind, Pace};
use routewright_tenant::Config;
use routewright_testing::{Answer, Client, TestOrganisation, variables};
use serde_json::json;
use sqlx::{Connection, PgConnection};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinHandle, JoinSet};

use crate::execution::ready;
use crate::files::picture;
use crate::support::{Tenant, neighbour, tenant};

/// What operators set in the control plane.
async fn limit(tenant: &Tenant, at_once: Option<i16>) {
    let id = tenant.organisation.id;
    sqlx::query("update organisations set heavy_work_at_once = $2 where id = $1")
        .bind(id)
        .bind(at_once)
        .execute(&tenant.organisation.control)
        .await
        .expect("a limit");
    tenant.app.gate.policies.forget(id);
}

/// A piece of heavy work of the organisation that lasts until it is told to end.
async fn at_work(tenant: &Tenant) -> oneshot::Sender<()> {
    let (end, ended) = oneshot::channel::<()>();
    let (begin, begun) = oneshot::channel::<()>();
    let (governor, id) = (tenant.app.governor.clone(), tenant.organisation.id);
    tokio::spawn(async move {
        let work = move |_: &_| {
            let _ = begin.send(());
            let _ = ended.blocking_recv();
            Ok(())
        };
        governor.run(id, Kind::Read.needing(1), work).await
    });
    begun.await.expect("it is at work");
    end
}

/// V-02: an organisation that is at work as much as operators allow waits for itself, another one for nobody; a higher limit is
/// in force with the next request.
#[tokio::test(flavor = "multi_thread")]
async fn an_organisation_does_as_much_at_once_as_operators_allow() {
    let tenant = tenant().await;
    let other = neighbour(&tenant, Clock::system()).await;
    limit(&tenant, Some(1)).await;
    let held = at_work(&tenant).await;
    let waits = tokio::time::timeout(Duration::from_secs(1), picture(&tenant)).await;
    assert!(waits.is_err(), "its one turn is taken");
    assert!(picture(&other).await["id"].is_number());
    limit(&tenant, Some(2)).await;
    assert!(picture(&tenant).await["id"].is_number());
    held.send(()).expect("it still works");
}

/// V-02, V-04: the distributor's zip is packed in the organisation's turn, and refused before a picture is read when it would
/// take too much memory.
#[tokio::test(flavor = "multi_thread")]
async fn a_zip_of_pictures_takes_a_turn() {
    let ready = ready().await;
    let (tenant, planner) = (&ready.tenant, &ready.tenant.planner);
    let photo = picture(tenant).await;
    let proof = json!({
        "job_id": ready.jobs[0]["id"], "photo_ids": [photo["id"]], "record_time": "2026-11-23 07:30:00",
    });
    let _ = planner.post("/job_proofs", proof).await.ok();
    let path = format!("/runs/bunzl_export?run_ids={}", ready.run["id"]);
    limit(tenant, Some(1)).await;
    let held = at_work(tenant).await;
    let waits = tokio::time::timeout(Duration::from_secs(1), planner.get(&path)).await;
    assert!(waits.is_err(), "its one turn is taken");
    held.send(()).expect("it still works");
    assert_eq!(planner.get(&path).await.headers["content-type"], "application/zip");

    let mut database = tenant.organisation.database().await;
    sqlx::query("update files set size = 300::bigint << 20")
        .execute(&mut database)
        .await
        .expect("a large file");
    let refusal = planner.get(&path).await.refused(413);
    assert_eq!(
        refusal["description"],
        "Writing this file takes too much memory. Please choose fewer entries."
    );
}

/// Requests of one organisation that may wait.
const WAITING: usize = 128;

/// What operators set in the control plane.
async fn limit_requests(tenant: &Tenant, at_once: Option<i16>) {
    let id = tenant.organisation.id;
    sqlx::query("update organisations set requests_at_once = $2 where id = $1")
        .bind(id)
        .bind(at_once)
        .execute(&tenant.organisation.control)
        .await
        .expect("a limit");
    tenant.app.gate.policies.forget(id);
}

/// V-10: requests of one organisation wait for each other and for nobody else, as many as operators allow are answered at the same
/// time, and too many are refused with the time to come again; none of those that waited is lost.
#[tokio::test(flavor = "multi_thread")]
async fn an_organisations_requests_wait_in_a_line_of_their_own_v_10() {
    let tenant = tenant().await;
    let other = neighbour(&tenant, Clock::system()).await;
    limit_requests(&tenant, Some(1)).await;
    let _ = tenant.admin.post("/tags", json!({"name": "Fragile"})).await.ok();

    let mut database: PgConnection = tenant.organisation.database().await;
    let mut lock = database.begin().await.expect("a transaction");
    sqlx::query("lock table tags").execute(&mut *lock).await.expect("the lock");
    let mut loud = JoinSet::new();
    for _ in 0..WAITING + 11 {
        let admin = tenant.admin.clone();
        loud.spawn(async move { admin.get("/tags").await });
    }
    for _ in 0..10 {
        let answer = loud.join_next().await.expect("a refusal").expect("an answer");
        assert_eq!(answer.headers["retry-after"], "1");
        let text = &answer.refused(503)["description"];
        assert_eq!(text, "Too many requests at once. Please try again.");
    }
    let quiet = tokio::time::timeout(Duration::from_secs(5), other.admin.get("/tags")).await;
    assert_eq!(quiet.expect("others do not wait").ok()["total_count"], 0);
    assert_eq!(loud.len(), WAITING + 1, "one is at work, the others wait");

    limit_requests(&tenant, Some(2)).await;
    let statuses = tokio::time::timeout(Duration::from_secs(1), tenant.admin.get("/reasons")).await;
    assert!(statuses.is_ok_and(|answer| answer.status == 503), "the line is still full");
    lock.rollback().await.expect("the lock goes");
    while let Some(answer) = loud.join_next().await {
        assert_eq!(answer.expect("an answer").ok()["total_count"], 1);
    }
    assert!(tenant.admin.get("/reasons").await.status.is_success());
}

/// A file that is told to have so many bytes and comes when the sender says so.
fn sends_slowly(
    tenant: &Tenant,
    bytes: usize,
) -> (mpsc::Sender<Result<Bytes, Infallible>>, JoinHandle<Answer>) {
    let (sender, receiver) = mpsc::channel(4);
    let body = Body::from_stream(tokio_stream::wrappers::ReceiverStream::new(receiver));
    let request = Request::post("/files/upload")
        .header("content-type", "multipart/form-data; boundary=b")
        .header("content-length", bytes);
    let (admin, request) = (tenant.admin.clone(), request.body(body).expect("a request"));
    (sender, tokio::spawn(async move { admin.send(request).await }))
}

const TEXT_FILE: &str =
    "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\na,b\r\n--b--\r\n";

/// V-10: what an organisation sends waits in memory within room of its own, which a slow sender holds: it goes on reading and writing,
/// others send as much, and what waited arrives when there is room again.
#[tokio::test(flavor = "multi_thread")]
async fn v_10_what_is_sent_waits_for_its_own_room() {
    let tenant = tenant().await;
    let other = neighbour(&tenant, Clock::system()).await;
    let (slow, slowly) = sends_slowly(&tenant, 24 << 20);
    // Five such fit. Four and a half are taken here, as soon as the first one is under way.
    let (intake, own) = (Intake::of_process(), Some(tenant.organisation.id));
    let taken = tokio::time::timeout(Duration::from_secs(15), async {
        loop {
            let all = intake.room(own, 112 << 20);
            if tokio::time::timeout(Duration::from_millis(200), all).await.is_err() {
                break intake.room(own, 104 << 20).await.expect("room");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let taken = taken.await.expect("the slow one is under way");

    let (sender, waits) = sends_slowly(&tenant, 16 << 20);
    sender.send(Ok(Bytes::from(TEXT_FILE))).await.expect("a file");
    drop(sender);
    let mut waits = std::pin::pin!(waits);
    assert!(tokio::time::timeout(Duration::from_secs(1), &mut waits).await.is_err(), "its room is taken");
    let _ = tenant.admin.post("/tags", json!({"name": "Fragile"})).await.ok();
    let (sender, arrives) = sends_slowly(&other, 16 << 20);
    sender.send(Ok(Bytes::from(TEXT_FILE))).await.expect("a file");
    drop(sender);
    assert!(arrives.await.expect("an answer").status.is_success(), "others have theirs");

    slow.send(Ok(Bytes::from(TEXT_FILE))).await.expect("a file");
    drop(slow);
    assert!(slowly.await.expect("an answer").status.is_success());
    assert!(waits.await.expect("an answer").status.is_success(), "there is room again");
    drop(taken);
}

/// V-10: whoever has taken more than his share waits before his next request while others ask, and those do not.
#[tokio::test(flavor = "multi_thread")]
async fn v_10_who_takes_much_is_slowed_down_beside_others() {
    let [loud, quiet] = [TestOrganisation::new().await, TestOrganisation::new().await];
    let mut variables = variables();
    variables.insert("REQUEST_SHARE".to_owned(), "10".to_owned());
    let config = Config::from_source(&variables).expect("the test configuration is complete");
    let share = config.request_share;
    let service = routewright_tenant::build(config, Clock::system()).await.expect("the service starts");
    let admin = |of: &TestOrganisation| Client::new(service.router.clone(), Some(of.token(of.admin)));
    let took = async |of: &TestOrganisation| {
        let began = Instant::now();
        let _ = admin(of).get("/tags").await.ok();
        began.elapsed()
    };
    let _ = (took(&loud).await, took(&quiet).await);
    Pace::of_process().note(loud.id, Duration::from_secs_f64(12.0 * share));
    let _ = took(&quiet).await;
    let (quick, slow) = (took(&quiet).await, took(&loud).await);
    assert!(slow > Duration::from_millis(1500) && quick < slow / 2, "{quick:?} {slow:?}");
}

#[test]
fn a_share_of_nothing_is_refused() {
    for wrong in ["0", "101", "NaN", "half"] {
        let mut variables = variables();
        variables.insert("REQUEST_SHARE".to_owned(), wrong.to_owned());
        let refused = Config::from_source(&variables).expect_err("that is no share");
        assert_eq!(refused.variable, "REQUEST_SHARE");
    }
}
