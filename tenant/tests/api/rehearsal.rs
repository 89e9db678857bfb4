//! Issue 13.5: an organisation that is marked as a rehearsal lives on its own time, nothing leaves it, and simulated drivers
//! drive its day through the public API.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use routewright_core::Clock;
use routewright_tenant::{Config, Service, work};
use routewright_testing::smtp::{self, Security, Sink};
use routewright_testing::{Client, TestOrganisation, variables};
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;

use crate::support::until;
use crate::worker::ONE_AT_A_TIME;

/// Marks an organisation as a rehearsal of another one, made by its administrator: seconds of simulated time in a real one,
/// none before the day is planned.
async fn mark(organisation: &TestOrganisation, begins: DateTime<Utc>, speed: i16) -> TestOrganisation {
    let home = organisation.another().await;
    sqlx::query(
        "insert into rehearsals (organisation_id, made_from, made_by, seed, begins, speed, began, origin, ends, remove_at)
         values ($1, $2, $3, 7, $4, $5, now(), $4, $4 + interval '13 hours', now() + interval '7 days')",
    )
    .bind(organisation.id)
    .bind(home.id)
    .bind(home.admin.id)
    .bind(begins)
    .bind(speed)
    .execute(&organisation.control)
    .await
    .unwrap();
    organisation.announce().await;
    home
}

/// Lets its time run, from so long after its beginning.
async fn run_from(organisation: &TestOrganisation, after: TimeDelta) {
    sqlx::query(
        "update rehearsals set began = now(), started_at = now(), origin = begins + make_interval(secs => $2)
         where organisation_id = $1",
    )
    .bind(organisation.id)
    .bind(after.as_seconds_f64())
    .execute(&organisation.control)
    .await
    .unwrap();
    organisation.announce().await;
}

/// Stops it at a moment of its day.
async fn stand_at(organisation: &TestOrganisation, after: TimeDelta) {
    sqlx::query("update rehearsals set paused = true where organisation_id = $1")
        .bind(organisation.id)
        .execute(&organisation.control)
        .await
        .unwrap();
    run_from(organisation, after).await;
}

async fn service(more: &[(&str, String)]) -> Service {
    let mut variables = variables();
    variables.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let config = Config::from_source(&variables).unwrap();
    let service = routewright_tenant::build(config, Clock::system()).await.unwrap();
    tokio::spawn(service.app.gate.policies.clone().watch());
    service
}

fn day() -> DateTime<Utc> {
    "2026-07-01T06:45:00Z".parse().unwrap()
}

/// A scenario of the rehearsed day with one dispatched run and one job.
async fn one_run(admin: &Client, date: &str) -> (Value, Value) {
    let scenario = admin.post("/scenarios", json!({"name": "Wednesday", "scheduled_date": date})).await.ok();
    let place = json!({"address": "Rua 2, Porto", "lat": 41.15, "lon": -8.6});
    let driver =
        json!({"uid": "Ana", "location": place, "email": "ana@example.org", "phone_number": "+351912345678"});
    let driver = admin.post("/drivers", driver).await.ok();
    let run =
        admin.post("/runs", json!({"scenario_id": scenario["id"], "driver_id": driver["id"]})).await.ok();
    let job = json!({"uid": "J", "scenario_id": scenario["id"], "location": place, "customer_email": "customer@example.org"});
    let job = admin.post("/jobs", job).await.ok();
    let path = format!("/runs/move_job_to_new/{}", run["id"]);
    let _ = admin.put(&path, json!({"job_ids": [job["id"]], "pool": false})).await.ok();
    (run, job)
}

/// The organisation's now is the simulated one wherever something that happens is judged; what protects the platform stays on
/// the machine's time.
#[tokio::test]
async fn everything_that_happens_is_on_simulated_time() {
    let organisation = TestOrganisation::new().await;
    mark(&organisation, day(), 1).await;
    stand_at(&organisation, TimeDelta::hours(2)).await;
    let noon = day() + TimeDelta::hours(2);
    let service = service(&[]).await;
    let admin = Client::new(service.router.clone(), Some(organisation.token(organisation.admin)));
    let (run, job) = one_run(&admin, "2026-07-01").await;
    let _ = admin.post("/runs/dispatch", json!([{"run_id": run["id"], "method": "qrcode"}])).await.ok();
    let sheet = admin.post("/auth/runsheet_token", json!({"token_uid": run["token"]})).await.ok();
    // The day lies months back; the link is good for as long as there is the rehearsal.
    let until: DateTime<Utc> = sheet["expires_at"].as_str().unwrap().parse().unwrap();
    assert!(until - Utc::now() > TimeDelta::days(6), "{until}");
    let driver = admin.with_token(sheet["runsheet_token"].as_str().unwrap().to_owned());
    let shown = driver.get("/v2/runsheet").await.ok();
    assert_eq!(shown["server_time"], json!(noon));
    assert_eq!(shown["organisation"]["rehearsal"], json!(true));
    let _ = driver.put("/v2/runsheet/start_route", json!({"odometer": 1.0})).await.ok();
    let _ = driver.post("/v2/runsheet/contact", json!({"waiting": 0})).await.ok();
    // What lies ahead of the simulated moment is no position, however long ago it is by the machine's clock.
    let points = json!([
        {"lat": 41.15, "lon": -8.6, "recorded_at": noon},
        {"lat": 41.15, "lon": -8.6, "recorded_at": noon + TimeDelta::minutes(10)},
    ]);
    assert_eq!(driver.post("/v2/runsheet/gps_points", points).await.ok()["accepted"], json!(1));
    let record = json!({"id": "6d4b5d31-6f0e-4f4e-9f6f-0e8f3a3b2c01", "kind": "stop", "captured_at": noon, "job_id": job["id"],
        "job_uid": "J", "job_proof": {"success": true}});
    let stored = driver.post("/v2/runsheet/records", record).await.ok();
    assert_eq!(stored["received_at"], json!(noon));
    let scenario = &run["scenario_id"];
    let contacts = admin.get(&format!("/scenarios/{scenario}/contacts")).await.ok();
    assert_eq!(contacts[0]["last_at"], json!(noon));
    let runs = admin.get(&format!("/runs/{}", run["id"])).await.ok();
    assert_eq!((&runs["actual_start_time"], &runs["dispatched_at"]), (&json!(noon), &json!(noon)));
    let trail = admin.get("/audit?per_page=1").await.ok();
    let at: DateTime<Utc> = trail["data"][0]["at"].as_str().unwrap().parse().unwrap();
    assert!(Utc::now() - at < TimeDelta::minutes(10), "the audit trail goes by the machine's clock: {at}");
    let page =
        admin.nobody().get(&format!("/jobs/tracking/{}/page", job["tracking_token"].as_str().unwrap())).await;
    assert!(page.text().contains("Rehearsal: nothing is delivered"), "{}", page.text());
}

/// What was called, by whom: path and body.
type Calls = Arc<Mutex<Vec<String>>>;

async fn listener() -> (String, Calls) {
    let calls = Calls::default();
    let receiver = Router::new()
        .fallback(async |State(calls): State<Calls>, body: String| {
            calls.lock().unwrap().push(body);
            StatusCode::OK
        })
        .with_state(Arc::clone(&calls));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/in", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, receiver).await });
    (url, calls)
}

/// Who is told by mail; workers also send what other tests have in their outboxes.
fn boss(of: &TestOrganisation) -> String {
    format!("boss-{}@example.org", of.id)
}

/// Everything that an organisation can send: mails, text messages, web hooks, documents of the forwarder.
async fn send_everything(admin: &Client, organisation: &TestOrganisation, url: &str) {
    let sms = json!({"provider": "http", "account": "a", "api_key": "k", "sender": "RW", "base_url": url, "enabled": true});
    let _ = admin.post("/secrets/sms_configuration", sms).await.ok();
    let endpoint = json!({"url": url, "token": "t", "name": "TMS"}).to_string();
    let _ = admin.post("/secrets", json!({"name": "gefco_endpoint", "value": endpoint})).await.ok();
    for (action, config) in [
        ("email", json!({"to": boss(organisation), "subject": "On the road", "text": "Go"})),
        ("sms", json!({"to": "+351912345678", "text": "Go"})),
        ("webhook", json!({"url": "https://hooks.example.com/"})),
    ] {
        let new = json!({"name": action, "event": "run_dispatched", "conditions": [], "action": action, "config": config});
        let _ = admin.post("/udf/actions", new).await.ok();
    }
    let mut database = organisation.database().await;
    // Users can only name public addresses; the receiver of this test is a local one.
    sqlx::query(
        "update udf_actions set config = jsonb_build_object('url', $1::text) where action = 'webhook'",
    )
    .bind(url)
    .execute(&mut database)
    .await
    .unwrap();
    let (run, _) = one_run(admin, "2026-07-01").await;
    for method in ["email", "sms"] {
        let sent = admin.post("/runs/dispatch", json!([{"run_id": run["id"], "method": method}])).await.ok();
        assert_eq!(sent[0]["success"], json!(true), "{sent}");
    }
    let map = json!({"run_code": "P-07", "driver_id": run["driver_id"]});
    let _ = admin.post("/gefco/run_code_maps", map).await.ok();
    let told = admin.post("/gefco/run_load", json!({"run_id": run["id"]})).await.ok();
    assert_eq!(told["success"], json!(true), "{told}");
}

/// Issue 13.5: no message leaves. The same things are done in a rehearsal and beside it, with a real mail server and a real
/// receiver behind both; only those of the organisation in earnest arrive.
#[tokio::test]
async fn no_message_leaves() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let sink = Sink::start(Security::None).await;
    let service = service(&smtp::variables(sink.port)).await;
    let (rehearsal, earnest) = (TestOrganisation::new().await, TestOrganisation::new().await);
    mark(&rehearsal, day(), 1).await;
    stand_at(&rehearsal, TimeDelta::hours(1)).await;
    let loops = work::start(&service.app).unwrap();
    let ((kept_url, kept), (sent_url, sent)) = (listener().await, listener().await);
    let admin_of = |of: &TestOrganisation| Client::new(service.router.clone(), Some(of.token(of.admin)));
    send_everything(&admin_of(&rehearsal), &rehearsal, &kept_url).await;
    send_everything(&admin_of(&earnest), &earnest, &sent_url).await;

    // What is done in earnest arrives: three mails at least, and at the receiver texts, calls and a document.
    let mut there = earnest.database().await;
    until(
        &mut there,
        "select count(*) filter (where state = 'sent') >= 5 and bool_and(state = 'sent') from messages",
    )
    .await;
    until(&mut there, "select count(*) >= 2 and bool_and(status = 'done') from udf_runs").await;
    let mut here = rehearsal.database().await;
    until(&mut here, "select count(*) >= 8 and bool_and(state = 'rehearsal') from messages").await;
    until(&mut here, "select bool_and(status in ('rehearsal', 'done')) from udf_runs").await;
    assert!(sent.lock().unwrap().len() >= 5, "{:?}", sent.lock().unwrap());
    assert_eq!(*kept.lock().unwrap(), [""; 0], "something left the rehearsal");
    let arrived = |of: &TestOrganisation| {
        let to = boss(of);
        sink.mails().iter().filter(|mail| mail.recipients.contains(&to)).count()
    };
    let of_earnest: i64 = sqlx::query_scalar("select count(*) from messages where $1 = any(recipients)")
        .bind(boss(&earnest))
        .fetch_one(&mut there)
        .await
        .unwrap();
    assert!(of_earnest > 0);
    assert_eq!(i64::try_from(arrived(&earnest)).unwrap(), of_earnest);
    assert_eq!(arrived(&rehearsal), 0);

    // They are told as what they are, each of them once, and cannot be sent by hand either.
    let admin = admin_of(&rehearsal);
    let messages = admin.get("/messages?per_page=300").await.ok();
    let messages = messages["data"].as_array().unwrap().clone();
    let count = |channel: &str| messages.iter().filter(|message| message["channel"] == channel).count();
    assert!(
        count("email") >= 2 && count("sms") >= 2 && count("webhook") == 2 && count("partner") == 1,
        "{messages:?}"
    );
    for message in &messages {
        assert_eq!(
            (&message["state"], &message["sent_at"]),
            (&json!("rehearsal"), &Value::Null),
            "{message}"
        );
        let _ = admin.post(&format!("/messages/{}/send_again", message["id"]), json!({})).await.refused(409);
        let _ = admin.post(&format!("/messages/{}/arrived", message["id"]), json!({})).await.refused(409);
    }
    // The run counts as dispatched all the same: it is rehearsed.
    let dispatched: bool =
        sqlx::query_scalar("select bool_and(dispatched) from runs").fetch_one(&mut here).await.unwrap();
    assert!(dispatched);
    drop(loops);
}

/// What stands in the rehearsal's schema: proofs, starts, ends, evidence, and acts that were refused.
async fn counted(database: &mut PgConnection) -> (i64, i64, i64, i64, Vec<String>) {
    let (proofs, starts, evidence, acts): (i64, i64, i64, i64) = sqlx::query_as(
        "select (select count(*) from job_proofs), (select count(*) from run_proofs where mode = 'start'),
             (select count(*) from evidence),
             (select count(*) from rehearsal_acts where done_at is not null and deed ->> 'kind' in ('start', 'stop', 'end', 'note'))",
    )
    .fetch_one(&mut *database)
    .await
    .unwrap();
    let refused: Vec<String> = sqlx::query_scalar(
        "select deed ->> 'kind' || ' ' || answer from rehearsal_acts where answer is not null",
    )
    .fetch_all(database)
    .await
    .unwrap();
    (proofs, starts, evidence, acts, refused)
}

/// Issue 13.5: the day is planned through the product's own paths and driven through the public API. The worker is lost in
/// the middle, twice, and two work at the same time: no act is doubled, none is left out.
#[tokio::test]
async fn the_day_is_driven_once() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/api", listener.local_addr().unwrap());
    let service = service(&[("API_URL", base)]).await;
    let api = Router::new().nest("/api", service.router.clone());
    let api = api.into_make_service_with_connect_info::<std::net::SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, api).await });
    let organisation = TestOrganisation::new().await;
    mark(&organisation, day(), 60).await;
    let mut database = organisation.database().await;

    // Two at the same time, one of which is lost while the day is planned.
    let (first, second) = (work::start(&service.app).unwrap(), work::start(&service.app).unwrap());
    until(&mut database, "select step <> 'Setting up the organisation' from rehearsal").await;
    drop(first);
    until(&mut database, "select ready_at is not null or failure is not null from rehearsal").await;
    let failure: Option<String> =
        sqlx::query_scalar("select failure from rehearsal").fetch_one(&mut database).await.unwrap();
    assert_eq!(failure, None);
    let (jobs, planned, drivers, runs): (i64, i64, i64, i64) = sqlx::query_as(
        "select (select count(*) from jobs), (select count(*) from jobs where run_id is not null),
             (select count(*) from drivers), (select count(*) from runs where dispatched)",
    )
    .fetch_one(&mut database)
    .await
    .unwrap();
    assert_eq!((jobs, drivers), (120, 6));
    assert!(planned > 110 && (4..=6).contains(&runs), "{planned} on {runs}");

    // Two hours and a half are caught up with at once.
    run_from(&organisation, TimeDelta::minutes(150)).await;
    until(&mut database, "select count(*) >= 4 from job_proofs").await;
    drop(second);
    let third = work::start(&service.app).unwrap();
    until(&mut database, "select count(*) >= 12 from job_proofs").await;
    stand_at(&organisation, TimeDelta::minutes(160)).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    until(&mut database, "select not exists (select from rehearsal_acts where done_at is null and sent_at <= '2026-07-01T09:20Z')").await;
    drop(third);

    let (proofs, starts, evidence, acts, refused) = counted(&mut database).await;
    assert_eq!(refused, [""; 0]);
    assert_eq!(evidence, acts, "each record is stored once");
    let stops: i64 = sqlx::query_scalar(
        "select count(*) from rehearsal_acts where done_at is not null and deed ->> 'kind' = 'stop'",
    )
    .fetch_one(&mut database)
    .await
    .unwrap();
    assert_eq!(proofs, stops, "each stop has one proof");
    assert!(starts >= 3 && proofs >= 12, "{starts} {proofs}");
    let (doubled, open, early): (i64, i64, i64) = sqlx::query_as(
        "select (select count(*) from (select job_id from job_proofs group by job_id having count(*) > 1) d),
             (select count(*) from evidence where state = 'open' and kind <> 'note'),
             (select count(*) from job_proofs where record_time > '2026-07-01T09:20Z')",
    )
    .fetch_one(&mut database)
    .await
    .unwrap();
    assert_eq!((doubled, open, early), (0, 0, 0));
    let (points, photos): (i64, i64) = sqlx::query_as(
        "select (select count(*) from gps_points), (select count(*) from job_proofs where signature_id is not null)",
    )
    .fetch_one(&mut database)
    .await
    .unwrap();
    assert!(points > 0 && photos > 5, "{points} {photos}");
}
