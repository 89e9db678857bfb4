//! No connection is held over slow work. In these tests every route that waits for the network, the storage, decoding or
//! drawing inside an open transaction answers 500 (`routewright_core::transaction`), whatever the test is about; here is
//! what that means for an organisation with few connections.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Query;
use axum::routing::get;
use axum::{Json, Router};
use http::Request;
use routewright_core::Clock;
use routewright_tenant::Config;
use routewright_testing::{Client, TestOrganisation, variables};
use serde_json::{Value, json};

use crate::files::PNG;

/// Connections of the organisation.
const CONNECTIONS: usize = 2;
/// Time that the address search takes for one address.
const SLOW: Duration = Duration::from_millis(400);

/// A service in front of an organisation with few connections.
async fn narrow(further: &[(&str, String)]) -> (TestOrganisation, Client) {
    let organisation = TestOrganisation::new().await;
    let mut variables = variables();
    variables.insert("TENANT_CONNECTIONS_EACH".to_owned(), CONNECTIONS.to_string());
    variables.extend(further.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let config = Config::from_source(&variables).expect("the test configuration is complete");
    let service = routewright_tenant::build(config, Clock::system()).await.expect("the service starts");
    let admin = Client::new(service.router, Some(organisation.token(organisation.admin)));
    (organisation, admin)
}

/// An address search that takes its time and knows every street but "Nowhere"; the number of its calls.
async fn address_search() -> (String, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let search = move |Query(query): Query<BTreeMap<String, String>>| async move {
        counted.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(SLOW).await;
        let known = query.get("q").filter(|text| !text.starts_with("Nowhere"));
        Json(known.map_or_else(
            || json!([]),
            |text| json!([{"lat": "41.15", "lon": "-8.61", "display_name": text}]),
        ))
    };
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let router = Router::new().route("/search", get(search));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, calls)
}

fn rows(addresses: impl Iterator<Item = String>) -> Vec<Value> {
    addresses.enumerate().map(|(n, address)| json!({"uid": format!("J{n}"), "address": address})).collect()
}

/// V-05: while two imports look up their addresses, an organisation with two connections works on, and no transaction of it
/// is open. What was found is not looked up again when the import was refused.
#[tokio::test(flavor = "multi_thread")]
async fn v_05_addresses_are_looked_up_without_a_connection() {
    let (url, calls) = address_search().await;
    let (organisation, admin) = narrow(&[("GEOCODER_URL", url)]).await;
    let streets = |import: usize| (0..24).map(move |n| format!("Rua {import} {n}, Porto"));
    let refused = |import: usize| {
        let rows = rows(streets(import).chain(["Nowhere 1".to_owned()]));
        let admin = admin.clone();
        tokio::spawn(async move { admin.post("/jobs/template_upload", json!({ "rows": rows })).await })
    };
    let imports = [refused(0), refused(1)];
    while calls.load(Ordering::Relaxed) < 16 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let _ = admin.get("/jobs").await.ok();
    let mut database = organisation.database().await;
    organisation.may_watch_sessions().await;
    let open: i64 = sqlx::query_scalar(
        "select count(*) from pg_stat_activity
         where usename = current_user and pid <> pg_backend_pid() and state like 'idle in transaction%'",
    )
    .fetch_one(&mut database)
    .await
    .expect("the sessions");
    assert_eq!(open, 0, "transactions are open while addresses are looked up");
    for import in imports {
        let answer = import.await.expect("an import").refused(400);
        assert_eq!(answer["row_errors"][0]["message"], "No results were found.");
        assert_eq!(answer["row_errors"].as_array().map(Vec::len), Some(1));
    }
    let before = calls.load(Ordering::Relaxed);
    let answer = admin.post("/jobs/template_upload", json!({"rows": rows(streets(0))})).await.ok();
    assert_eq!(answer["created"], 24);
    assert_eq!(calls.load(Ordering::Relaxed), before, "addresses were looked up twice");
}

/// W-110: addresses that were looked up some at a time, so that whoever waits sees it, are not asked for again by the import.
#[tokio::test]
async fn w_110_addresses_are_looked_up_ahead_of_an_import() {
    let (url, calls) = address_search().await;
    let (_, admin) = narrow(&[("GEOCODER_URL", url)]).await;
    let ahead = |addresses: Value| admin.post("/jobs/look_up_addresses", json!({ "addresses": addresses }));
    let streets = ["Rua 1, Porto", " rua 1, PORTO", "Rua 2, Porto", "Nowhere 1", ""];
    let told = json!({"found": 2, "doubtful": 0, "nowhere": 1, "failed": 0});
    assert_eq!(ahead(json!(streets)).await.ok(), told);
    assert_eq!(calls.load(Ordering::Relaxed), 3);
    let rows = rows(["Rua 1, Porto", "Rua 2, Porto"].map(str::to_owned).into_iter());
    assert_eq!(admin.post("/jobs/template_upload", json!({ "rows": rows })).await.ok()["created"], 2);
    assert_eq!(calls.load(Ordering::Relaxed), 3, "an address was looked up twice");

    let many: Vec<String> = (0..101).map(|n| format!("Rua {n}")).collect();
    let refusal = ahead(json!(many)).await.refused(400);
    assert_eq!(refusal["fields"]["addresses"], "At most 100 addresses at once");
    assert_eq!(calls.load(Ordering::Relaxed), 3);
}

/// V-05: an address search that is away is not asked ten thousand times, and is not taken for one that knows no such place.
#[tokio::test]
async fn v_05_an_absent_address_search_is_told() {
    let (_, admin) = narrow(&[("GEOCODER_URL", "http://127.0.0.1:9".to_owned())]).await;
    let rows = rows((0..200).map(|n| format!("Rua {n}, Porto")));
    let answer = admin.post("/jobs/template_upload", json!({ "rows": rows })).await.refused(400);
    let errors = answer["row_errors"].as_array().expect("errors");
    assert_eq!(errors.len(), 200);
    let text = "The address could not be looked up. Please try again.";
    assert!(errors.iter().all(|error| error["message"] == text), "{}", errors[0]);
}

/// V-05: callers that send their requests slowly hold no connection, be it JSON or a form, marked or not.
#[tokio::test]
async fn v_05_slow_senders_hold_no_connection() {
    let (_, admin) = narrow(&[]).await;
    let mut senders = Vec::new();
    let mut calls = Vec::new();
    for n in 0..4 * CONNECTIONS {
        let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Bytes, Infallible>>(4);
        let form = n % 2 == 1;
        let (path, media, begin) = if form {
            let part =
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\na,b\r\n";
            ("/files/upload", "multipart/form-data; boundary=b", part)
        } else {
            ("/tags", "application/json", "{\"name\": ")
        };
        sender.send(Ok(Bytes::from(begin))).await.expect("the beginning");
        let body = Body::from_stream(tokio_stream::wrappers::ReceiverStream::new(receiver));
        let mut request = Request::post(path).header("content-type", media);
        if n % 4 > 1 {
            request = request.header("idempotency-key", format!("slow-{n}"));
        }
        let (admin, request) = (admin.clone(), request.body(body).expect("a request"));
        calls.push(tokio::spawn(async move { admin.send(request).await }));
        senders.push((sender, form, n));
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let quick = tokio::time::timeout(Duration::from_secs(10), admin.get("/tags")).await;
    let _ = quick.expect("others are served").ok();
    for (sender, form, n) in senders {
        let rest = if form { "\r\n--b--\r\n".to_owned() } else { format!("\"Slow {n}\"}}") };
        sender.send(Ok(Bytes::from(rest))).await.expect("the rest");
    }
    for call in calls {
        let answer = call.await.expect("an answer");
        assert!(answer.status.is_success(), "{} {}", answer.status, answer.text());
    }
}

/// V-05: a marked submit that lets its connection go counts as carried out only when all of it is: refused, it may come
/// again; done, it is not done twice.
#[tokio::test]
async fn v_05_a_marked_submit_is_carried_out_once() {
    let (url, _) = address_search().await;
    let (_, admin) = narrow(&[("GEOCODER_URL", url)]).await;
    let import = |address: &str| {
        let body = json!({"rows": [{"uid": "A", "address": address}]}).to_string();
        let request = Request::post("/jobs/template_upload")
            .header("content-type", "application/json")
            .header("idempotency-key", "import");
        admin.send(request.body(Body::from(body)).expect("a request"))
    };
    import("Nowhere 7").await.refused(400);
    assert_eq!(import("Rua 7, Porto").await.ok()["created"], 1);
    let again = import("Rua 7, Porto").await;
    assert!(again.headers.contains_key("idempotency-replayed"), "{}", again.text());
    assert_eq!(admin.get("/jobs").await.ok()["total_count"], 1);

    let upload = || {
        let mut body =
            b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n".to_vec();
        body.extend(PNG);
        body.extend(b"\r\n--b--\r\n");
        let request = Request::post("/files/upload")
            .header("content-type", "multipart/form-data; boundary=b")
            .header("idempotency-key", "upload");
        admin.send(request.body(Body::from(body)).expect("a request"))
    };
    let (first, second) = tokio::join!(upload(), upload());
    assert_eq!(first.ok()["id"], second.ok()["id"]);
    let third = upload().await;
    assert!(third.headers.contains_key("idempotency-replayed"));
}
