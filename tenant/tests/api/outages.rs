//! What the service stands on goes away for a while: whoever calls is told, nothing is lost, nothing is done twice.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::Request;
use routewright_core::Clock;
use routewright_s3_server::{Keys, S3Server};
use routewright_tenant::{Config, work};
use routewright_testing::smtp::{self, Security, Sink};
use routewright_testing::wire::Wire;
use routewright_testing::{Client, TestOrganisation, variables};
use serde_json::{Value, json};
use url::Url;

use crate::files::PNG;
use crate::support::{tenant, until};
use crate::worker::ONE_AT_A_TIME;

/// A service of which the database and the storage can be taken away.
struct Wired {
    admin: Client,
    database: Wire,
    storage: Wire,
    organisation: TestOrganisation,
}

async fn wired() -> Wired {
    let mut variables = variables();
    let mut rewire = async |names: &[&str]| {
        let mut wire = None;
        for name in names {
            let mut url: Url = variables[*name].parse().unwrap();
            if wire.is_none() {
                let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
                wire = Some(Wire::to(server.parse().unwrap()).await);
            }
            url.set_port(wire.as_ref().map(|wire| wire.address.port())).unwrap();
            variables.insert((*name).to_owned(), url.to_string());
        }
        wire.unwrap()
    };
    let database = rewire(&["DATABASE_URL", "DIRECTORY_URL"]).await;
    let storage = rewire(&["S3_ENDPOINT"]).await;
    let organisation = TestOrganisation::new().await;
    let config = Config::from_source(&variables).unwrap();
    let service = routewright_tenant::build(config, Clock::system()).await.unwrap();
    let admin = Client::new(service.router, Some(organisation.token(organisation.admin)));
    Wired { admin, database, storage, organisation }
}

/// Submits as the web apps do: with the same key until it is answered.
pub(crate) async fn submit(client: &Client, path: &str, key: &str, body: &Value) -> Value {
    for _ in 0..200 {
        let request =
            Request::post(path).header("content-type", "application/json").header("idempotency-key", key);
        let answer = client.send(request.body(Body::from(body.to_string())).unwrap()).await;
        match answer.status.as_u16() {
            200 | 201 => return answer.json,
            503 => tokio::time::sleep(Duration::from_millis(50)).await,
            other => panic!("{other} {} {:?}", answer.text(), answer.causes()),
        }
    }
    panic!("{path} is never answered");
}

/// The database is gone, also for connections that were just used: 503, and back at once when it is back.
#[tokio::test]
async fn an_absent_database_is_told() {
    let wired = wired().await;
    let _ = wired.admin.post("/tags", json!({"name": "Before"})).await.ok();
    wired.database.cut();
    for _ in 0..3 {
        let answer = wired.admin.get("/tags").await;
        assert!(answer.headers.contains_key("retry-after"), "{}", answer.text());
        let refusal = answer.refused(503);
        assert_eq!(refusal["description"], "The database is not available. Please try again.");
    }
    wired.database.mend();
    let found = wired.admin.get("/tags").await.ok();
    assert_eq!((&found["total_count"], &found["data"][0]["name"]), (&json!(1), &json!("Before")));
}

/// A connection that was cut off while it idled is replaced within the request that finds it so.
#[tokio::test]
async fn a_connection_that_was_cut_off_is_replaced() {
    let wired = wired().await;
    let _ = wired.admin.post("/tags", json!({"name": "Before"})).await.ok();
    wired.database.cut();
    // The connections hear of it before the next one is asked for.
    tokio::time::sleep(Duration::from_millis(50)).await;
    wired.database.mend();
    assert_eq!(wired.admin.get("/tags").await.ok()["total_count"], 1);
}

/// Forms are submitted while the database comes and goes, also between a commit and its answer: each is stored once, and
/// the answer names what was stored.
#[tokio::test]
async fn every_form_is_stored_once() {
    let wired = Arc::new(wired().await);
    let mut writers = Vec::new();
    for writer in 0..4 {
        let admin = wired.admin.clone();
        writers.push(tokio::spawn(async move {
            let mut made = Vec::new();
            for number in 0..12 {
                let name = format!("Tag {writer}-{number}");
                let answer = submit(&admin, "/tags", &name, &json!({"name": name})).await;
                made.push((name, answer["id"].as_i64().unwrap()));
            }
            made
        }));
    }
    let cutting = {
        let wired = Arc::clone(&wired);
        tokio::spawn(async move {
            for pause in [20_u64, 35, 50, 15, 60, 25, 40, 10, 30, 45] {
                tokio::time::sleep(Duration::from_millis(pause)).await;
                wired.database.cut();
                tokio::time::sleep(Duration::from_millis(60)).await;
                wired.database.mend();
            }
        })
    };
    let mut answered = Vec::new();
    for writer in writers {
        answered.extend(writer.await.unwrap());
    }
    cutting.await.unwrap();
    let mut database = wired.organisation.database().await;
    let mut stored: Vec<(String, i64)> =
        sqlx::query_as("select name, id from tags").fetch_all(&mut database).await.unwrap();
    stored.sort();
    answered.sort();
    assert_eq!(stored, answered);
}

/// The storage is gone: an upload is refused and leaves no file that could be referred to; what was there before is there
/// again when the storage is.
#[tokio::test]
async fn an_absent_storage_is_told() {
    let wired = wired().await;
    let before = wired.admin.upload("/files/upload", "a.png", "image/png", PNG, &[]).await.ok();
    wired.storage.cut();
    let refused = wired.admin.upload("/files/upload", "b.png", "image/png", PNG, &[]).await;
    assert!([502, 503].contains(&refused.status.as_u16()), "{} {}", refused.status, refused.text());
    let link = before["link"].as_str().unwrap();
    let answer = wired.admin.nobody().get(link).await;
    assert!([502, 503].contains(&answer.status.as_u16()), "{} {}", answer.status, answer.text());
    let mut database = wired.organisation.database().await;
    let ready: Vec<String> = sqlx::query_scalar("select name from files where state = 'ready'")
        .fetch_all(&mut database)
        .await
        .unwrap();
    assert_eq!(ready, ["a.png"]);
    wired.storage.mend();
    assert_eq!(wired.admin.nobody().get(link).await.status, 200);
    let _ = wired.admin.upload("/files/upload", "b.png", "image/png", PNG, &[]).await.ok();
}

/// A run of driver Ana with one job; its number.
pub(crate) async fn one_run(admin: &Client) -> Value {
    let scenario =
        admin.post("/scenarios", json!({"name": "Monday", "scheduled_date": "2026-11-23"})).await.ok();
    let place = json!({"address": "Rua 2, Porto", "lat": 41.15, "lon": -8.6});
    let driver = json!({"uid": "Ana", "location": place, "email": "ana@example.org"});
    let driver = admin.post("/drivers", driver).await.ok();
    let run =
        admin.post("/runs", json!({"scenario_id": scenario["id"], "driver_id": driver["id"]})).await.ok();
    let job = json!({"uid": "J", "scenario_id": scenario["id"], "location": place});
    let job = admin.post("/jobs", job).await.ok();
    let path = format!("/runs/move_job_to_new/{}", run["id"]);
    let _ = admin.put(&path, json!({"job_ids": [job["id"]], "pool": false})).await.ok();
    run["id"].clone()
}

/// Lets the pauses of the outbox and of the queue be over.
pub(crate) async fn pauses_are_over(organisation: &TestOrganisation) {
    let schema = format!("org_{}", organisation.id);
    let statements = format!(
        "alter table {schema}.messages disable trigger touch_modified;
         update {schema}.messages set modified = modified - interval '1 hour' where state = 'pending';
         alter table {schema}.messages enable trigger touch_modified;
         update {schema}.background_jobs set run_at = now() where state = 'queued';
         select pg_notify('routewright', '{{\"job\": {id}}}'), pg_notify('routewright', '{{\"message\": {id}}}')",
        id = organisation.id,
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(statements)).execute(&organisation.control).await.unwrap();
}

/// X-011, architecture §9: the mail server is away while a run is dispatched, and the process that dispatched it is lost: the
/// run counts as dispatched, the sheet arrives once as soon as the server is back, and only then the event is told.
#[tokio::test]
async fn an_absent_mail_server_loses_nothing() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let sink = Sink::start(Security::None).await;
    let wire = Wire::to(([127, 0, 0, 1], sink.port).into()).await;
    let mut variables = variables();
    variables.extend(smtp::variables(wire.address.port()).map(|(name, value)| (name.to_owned(), value)));
    let organisation = TestOrganisation::new().await;
    let start = async || {
        let config = Config::from_source(&variables).unwrap();
        routewright_tenant::build(config, Clock::system()).await.unwrap()
    };
    wire.cut();
    let service = start().await;
    let admin = Client::new(service.router, Some(organisation.token(organisation.admin)));
    let told = json!({"name": "Tell the boss", "event": "run_dispatched", "conditions": [], "action": "email",
        "config": {"to": "boss@example.org", "subject": "On the road"}});
    let _ = admin.post("/udf/actions", told).await.ok();
    let run = one_run(&admin).await;
    let answer = admin.post("/runs/dispatch", json!([{"run_id": run, "method": "email"}])).await.ok();
    let sent = json!({"run_id": run, "success": true, "sent_to": ["ana@example.org"], "error": null});
    assert_eq!(answer, json!([sent]));
    assert_eq!(admin.get(&format!("/runs/{run}")).await.ok()["dispatched"], true);
    drop(service.app);

    // Another process takes over; while the server is away it goes on trying.
    let service = start().await;
    let loops = work::start(&service.app).unwrap();
    let mut database = organisation.database().await;
    for attempts in 2..=3 {
        pauses_are_over(&organisation).await;
        until(&mut database, &format!("select attempts >= {attempts} and state = 'pending' from messages"))
            .await;
    }
    assert_eq!(sink.mails().len(), 0);
    wire.mend();
    pauses_are_over(&organisation).await;
    until(&mut database, "select state = 'sent' from messages where 'ana@example.org' = any(recipients)")
        .await;
    pauses_are_over(&organisation).await;
    until(&mut database, "select count(*) = 2 and bool_and(state = 'sent') from messages").await;
    until(&mut database, "select bool_and(state = 'done') from background_jobs").await;
    let mut recipients: Vec<String> = sink.mails().into_iter().flat_map(|mail| mail.recipients).collect();
    recipients.sort();
    assert_eq!(recipients, ["ana@example.org", "boss@example.org"]);
    drop(loops);
}

/// A restore or a move leaves connections behind that lead to what was there before: none is used once it was announced.
#[tokio::test]
async fn connections_of_before_an_announcement_are_not_used() {
    let tenant = tenant().await;
    let id = tenant.organisation.id;
    let process = async || {
        let caller = tenant.app.gate.worker(id).await.unwrap();
        let mut work = tenant.app.tenants.of(&caller).unwrap().begin().await.unwrap();
        let process: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut *work).await.unwrap();
        work.rollback().await.unwrap();
        process
    };
    let first = process().await;
    assert_eq!(process().await, first, "a connection is kept");
    tenant.app.gate.policies.forget(id);
    let second = process().await;
    assert_ne!(second, first);
    assert_eq!((process().await, tenant.app.tenants.open()), (second, 1));
}

/// V-31: a database that has stopped answers nothing and breaks nothing off: requests in the middle of their work and new ones
/// get a 503 in bounded time, and all is well again when it goes on.
#[tokio::test(flavor = "multi_thread")]
async fn v_31_a_frozen_database_holds_nobody() {
    let wired = wired().await;
    let _ = wired.admin.post("/tags", json!({"name": "Before"})).await.ok();
    // A lock that the next request waits for, so that the freeze finds it inside its transaction.
    let mut database = wired.organisation.database().await;
    let mut holder = sqlx::Connection::begin(&mut database).await.unwrap();
    sqlx::query("lock table tags in access exclusive mode").execute(&mut *holder).await.unwrap();
    let waiting = {
        let admin = wired.admin.clone();
        tokio::spawn(async move { admin.post("/tags", json!({"name": "During"})).await })
    };
    tokio::time::sleep(Duration::from_millis(500)).await;
    wired.database.freeze();
    let started = std::time::Instant::now();
    let calls = (0..4).map(|_| wired.admin.get("/tags"));
    let answers = futures_util::future::join_all(calls).await;
    let caught = waiting.await.unwrap();
    for answer in answers.into_iter().chain([caught]) {
        assert_eq!(answer.status, 503, "{}", answer.text());
        assert!(answer.headers.contains_key("retry-after"), "{}", answer.text());
    }
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    holder.rollback().await.unwrap();
    wired.database.mend();
    submit(&wired.admin, "/tags", "after", &json!({"name": "After"})).await;
}

/// Makes the database refuse what is done to a table.
pub(crate) async fn refuse(organisation: &TestOrganisation, what: &str, message: &str, code: &str) {
    let schema = format!("org_{}", organisation.id);
    let what = what.replace("{schema}", &schema);
    let statements = format!(
        "create function {schema}.refuse() returns trigger language plpgsql as $$
         begin raise exception '{message}' using errcode = '{code}'; end $$;
         create trigger refuse before {what} for each row execute function {schema}.refuse()"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(statements)).execute(&organisation.control).await.unwrap();
}

/// V-31: a disk without room is told as 507 with a sentence, and `/readyz` says why.
#[tokio::test]
async fn v_31_a_full_disk_is_told() {
    let wired = wired().await;
    // What Postgres says itself when it cannot extend a file.
    refuse(&wired.organisation, "insert on {schema}.tags", "could not extend file", "53100").await;
    let answer = wired.admin.post("/tags", json!({"name": "Full"})).await;
    assert_eq!(answer.status, 507, "{}", answer.text());
    let text =
        "There is no room left on the disk of the database. Nothing was saved. Please tell your operator.";
    assert_eq!(answer.json["description"], text);
    let ready =
        Client::new(routewright_core::http::health::routes(|| async { Ok(()) }), None).get("/readyz").await;
    assert_eq!(ready.status, 503);
    let reason = ready.json["reason"].as_str().unwrap();
    assert!(reason.contains("There is no room left on the disk of the database."), "{reason}");
    assert_eq!(wired.admin.get("/tags").await.status, 200, "what is there can be read");
}

/// V-31: a file storage without room is told as 507 with a sentence, and `/readyz` says why. Nothing half is left, what is there can
/// be read, and the same submit is carried out once there is room again.
#[tokio::test]
async fn v_31_a_full_storage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut variables = variables();
    let keys = Keys {
        access_key: variables["S3_ACCESS_KEY"].clone(),
        secret_key: variables["S3_SECRET_KEY"].clone(),
    };
    let server = S3Server::with_limit(folder.path(), &keys, 0, Some(4096)).await.unwrap();
    let port = Url::parse(&server.endpoint()).unwrap().port().unwrap();
    variables.insert("S3_ENDPOINT".to_owned(), server.endpoint());
    let organisation = TestOrganisation::new().await;
    let config = Config::from_source(&variables).unwrap();
    let service = routewright_tenant::build(config, Clock::system()).await.unwrap();
    let admin = Client::new(service.router, Some(organisation.token(organisation.admin)));
    let first = admin.upload("/files/upload", "a.png", "image/png", PNG, &[]).await.ok();

    let noise: Vec<u8> =
        (0..48 * 48 * 3_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let mut photo = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_raw(48, 48, noise).unwrap();
    picture.write_to(&mut photo, image::ImageFormat::Png).unwrap();
    let photo = photo.into_inner();
    let upload = || admin.upload("/files/upload", "b.png", "image/png", &photo, &[]);
    let answer = upload().await;
    assert_eq!(answer.status, 507, "{}", answer.text());
    let text = "There is no room left in the file storage. Nothing was saved. Please tell your operator.";
    assert_eq!(answer.json["description"], text);
    let ready =
        Client::new(routewright_core::http::health::routes(|| async { Ok(()) }), None).get("/readyz").await;
    assert_eq!(ready.status, 503);
    let reason = ready.json["reason"].as_str().unwrap();
    assert!(reason.contains("There is no room left in the file storage."), "{reason}");
    let mut database = organisation.database().await;
    let ready = "select count(*) from files where state = 'ready'";
    let files: i64 = sqlx::query_scalar(ready).fetch_one(&mut database).await.unwrap();
    assert_eq!(files, 1, "nothing is said to be there that is not");
    let link = first["link"].as_str().unwrap();
    assert_eq!(admin.nobody().get(link).await.status, 200, "what is there can be read");

    server.stop().await;
    let _server = S3Server::start(folder.path(), &keys, port).await.unwrap();
    let second = upload().await.ok();
    assert_eq!(admin.nobody().get(second["link"].as_str().unwrap()).await.status, 200);
}
