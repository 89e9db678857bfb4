//! Bad input gets a clear refusal that names field and reason, never a fault of ours, and changes nothing.

use axum::body::Body;
use futures_util::StreamExt;
use http::{Method, Request};
use routewright_testing::Client;
use serde_json::{Value, json};

use crate::jobs::{add, job, scenario};
use crate::support::{Tenant, tenant};

/// Rows of all tables together, but for what is kept about requests themselves.
async fn rows(tenant: &Tenant) -> Vec<(String, i64)> {
    let mut database = tenant.organisation.database().await;
    sqlx::query_as(
        "select t.table_name::text,
             (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', t.table_name), false, true, '')))[1]::text::bigint
         from information_schema.tables t
         where t.table_schema = current_schema() and t.table_type = 'BASE TABLE' and t.table_name <> 'idempotency_keys'
         order by 1",
    )
    .fetch_all(&mut database)
    .await
    .expect("counts")
}

async fn raw(client: &Client, method: Method, path: &str, bytes: Vec<u8>) -> routewright_testing::Answer {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", "application/json")
        .body(Body::from(bytes));
    client.send(request.expect("a request")).await
}

/// Malformed, oversized, deep and mistyped JSON to every route that takes a body: a 4xx in the error shape, and no row more
/// or less anywhere.
#[tokio::test]
async fn no_body_makes_a_route_fail() {
    let tenant = tenant().await;
    let before = rows(&tenant).await;
    let wrong_types = json!({"uid": [], "name": {}, "location": "here", "job_ids": "all", "tag_ids": {}, "scenario_id": "x",
        "duration": "long", "rows": 1, "moves": "up", "driver_ids": 7, "geometry": [], "value": {"a": []}, "id": "7",
        "run_id": {}, "seq": "first", "odometer": [], "template_id": "t", "groups": 1, "items": 2, "group": 4, "fields": "x",
        "pattern": 3, "conditions": 1, "config": 2, "days": "monday", "copy_items": "jobs", "scheduled_date": 20261120});
    let bodies: Vec<(&str, Vec<u8>)> = vec![
        ("half an object", b"{\"uid\":".to_vec()),
        ("not UTF-8", b"{\"uid\": \"\xff\xfe\", \"name\": \"\xff\"}".to_vec()),
        ("a number", b"7".to_vec()),
        ("deep", [b"[".repeat(5000), b"]".repeat(5000)].concat()),
        ("wrong types", wrong_types.to_string().into_bytes()),
    ];
    let table = routewright_tenant::routes::table().rows();
    let takes_body = |method: &Method| [Method::POST, Method::PUT, Method::PATCH].contains(method);
    // Streams answer line by line, files are no JSON, and these take no body.
    let special = [
        "/jobs/bulk_upload",
        "/files/upload",
        "/v2/runsheet/upload/file",
        "/drivers/{id}/restore",
        "/runs/{id}/reverse_sequence",
        "/vehicles/{id}/billing_rates/{rate_id}",
    ];
    for row in table.iter().filter(|row| takes_body(&row.method) && !special.contains(&row.path)) {
        let path = row
            .path
            .replace("{id}", "987654")
            .replace("{run_id}", "987654")
            .replace("{group}", "app_settings");
        for (what, bytes) in &bodies {
            let answer = raw(&tenant.admin, row.method.clone(), &path, bytes.clone()).await;
            let status = answer.status.as_u16();
            assert!(
                (400..500).contains(&status),
                "{what} to {} {path}: {status} {}",
                row.method,
                answer.text()
            );
            assert!(
                answer.json["title"].as_str().is_some_and(|title| title.starts_with(&status.to_string())),
                "{what} to {} {path}: not the error shape: {}",
                row.method,
                answer.text()
            );
            assert!(!answer.text().contains("sqlx"), "{what} to {path}: {}", answer.text());
        }
    }
    assert_eq!(rows(&tenant).await, before, "a refused request left something behind");
}

/// Bodies of more than their limit are refused by their announced length, and at the limit when they announce none: 100 MB
/// are not read.
#[tokio::test]
async fn large_bodies_are_not_read() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let tenant = tenant().await;
    for (path, content_type, most) in [
        ("/jobs", "application/json", 2),
        ("/jobs/template_upload", "application/json", 25),
        ("/clients/bulk_create", "application/json", 25),
        ("/files/upload", "multipart/form-data; boundary=b", 25),
    ] {
        let read = Arc::new(AtomicUsize::new(0));
        let counted = read.clone();
        let start = match path {
            "/files/upload" => {
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
            }
            _ => "[\"",
        };
        let parts = futures_util::stream::iter(0..=100).map(move |n| {
            let part = if n == 0 { start.as_bytes().to_vec() } else { vec![b'x'; 1024 * 1024] };
            counted.fetch_add(part.len(), Ordering::Relaxed);
            Ok::<_, std::io::Error>(bytes::Bytes::from(part))
        });
        let request = Request::post(path).header("content-type", content_type).body(Body::from_stream(parts));
        let refusal = tenant.admin.send(request.expect("a request")).await.refused(413);
        assert!(
            refusal["description"].as_str().is_some_and(|text| text.contains("larger than")),
            "{refusal}"
        );
        let megabytes = read.load(Ordering::Relaxed) / (1024 * 1024);
        assert!(megabytes <= most + 2, "{path}: {megabytes} MB were read");
        let announced = Request::post(path)
            .header("content-type", "application/json")
            .header("content-length", 100 * 1024 * 1024)
            .body(Body::empty());
        if content_type == "application/json" {
            let _ = tenant.admin.send(announced.expect("a request")).await.refused(413);
        }
    }
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 0);
}

/// Unknown and wrong filters of every list are named; what looks like SQL is a text like any other.
#[tokio::test]
async fn wrong_filters_of_every_list_are_named() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let _ = add(&tenant, &scenario, job("A")).await;
    let table = routewright_tenant::routes::table().rows();
    let mut lists = 0;
    for row in table.iter().filter(|row| row.method == Method::GET && !row.path.contains('{')) {
        let answer = tenant.admin.get(row.path).await;
        if !answer.json["data"].is_array() || !answer.json["total_pages"].is_number() {
            continue;
        }
        lists += 1;
        for query in [
            "colour_of_the_sky=red",
            "per_page=301",
            "per_page=0",
            "page=-1",
            "page=x",
            "sort_order=up",
            "sort_by=tracking_token",
            "sort_by=id;drop%20table%20jobs",
            "search=%00",
            "a%27%20or%201=1--=x",
        ] {
            let refusal = tenant.admin.get(&format!("{}?{query}", row.path)).await.refused(400);
            assert!(refusal["description"]["filters"].is_string(), "{}?{query}: {refusal}", row.path);
        }
        for query in
            ["search=%25_%27%22%5C", "search=%27;drop%20table%20jobs;--", "page=10000000", "per_page=300"]
        {
            let answer = tenant.admin.get(&format!("{}?{query}", row.path)).await;
            // A search needs a column to look into.
            let searchless = answer.json["description"]["filters"] == "unknown filter `search`";
            assert!(answer.json["data"].is_array() || searchless, "{}?{query}: {}", row.path, answer.text());
        }
    }
    assert!(lists >= 30, "only {lists} lists were found");
    for query in [
        "scenario_ids=1,x",
        "run_id=1e9999",
        "scenario_ids=99999999999999999999",
        "served=perhaps",
        "priority=2",
        "tag_ids=;",
    ] {
        let refusal = tenant.admin.get(&format!("/jobs?{query}")).await.refused(400);
        let name = query.split('=').next().unwrap_or_default();
        let text = refusal["description"]["filters"].as_str().unwrap_or_default();
        assert!(text.contains(name), "{query}: {refusal}");
    }
    for query in ["scheduled_date_start=2026-02-30", "scheduled_date_end=20261120", "scheduled_date=tomorrow"]
    {
        let refusal = tenant.admin.get(&format!("/scenarios?{query}")).await.refused(400);
        assert!(refusal["description"]["filters"].is_string(), "{refusal}");
    }
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 1);
}

/// Numbers that are no ids, paths that climb, and bytes that no path has are not there; other methods are not possible.
#[tokio::test]
async fn odd_paths_are_not_there() {
    let tenant = tenant().await;
    for path in [
        "/jobs/abc",
        "/jobs/1e5",
        "/jobs/-1",
        "/jobs/99999999999999999999",
        "/jobs/%00",
        "/jobs/1%27--",
        "/nowhere",
        "/jobs/..%2f..%2fscenarios",
        "/files/..%2f..%2fetc%2fpasswd",
        "/scenarios/%E0%A4%A",
        "/runs/1%0d%0aX-Evil:%201",
        "/jobs/pool/..%2f1",
        "/organisations/1/information/..%2fsecrets",
    ] {
        let answer = tenant.admin.get(path).await;
        assert_eq!(answer.status.as_u16(), 404, "{path}: {}", answer.text());
        assert!(!answer.headers.contains_key("x-evil"));
    }
    for path in ["/files/uid/..%2f..%2fetc%2fpasswd", "/jobs/tracking/..%2f..%2fall", "/scenarios/token/%00"]
    {
        let answer = tenant.planner.nobody().get(path).await;
        assert!([401, 404].contains(&answer.status.as_u16()), "{path}: {}", answer.text());
    }
    let _ = tenant.admin.call(Method::PUT, "/jobs/1", Some(json!({}))).await.refused(405);
    let request = Request::post("/jobs").header("content-type", "text/plain").body(Body::from("{}"));
    let _ = tenant.admin.send(request.expect("a request")).await.refused(415);
}

/// Headers carry nothing into answers: odd lookup fields answer nothing, odd keys of submits are refused, and what is
/// stored as a file's name cannot end the header that it is sent back in.
#[tokio::test]
async fn headers_are_not_broken_out_of() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let _ = add(&tenant, &scenario, job("A")).await;
    let lookup = |fields: &str| {
        let request = Request::get("/jobs").header("lookup-fields", fields).body(Body::empty());
        tenant.planner.send(request.expect("a request"))
    };
    assert_eq!(lookup("id;uid").await.ok()["data"][0].as_object().map(serde_json::Map::len), Some(2));
    for odd in ["'; drop table jobs; --", "*", "constructor;__proto__"] {
        assert_eq!(lookup(odd).await.ok()["data"][0], json!({}), "{odd}");
    }
    let long = "k".repeat(201);
    let request =
        Request::post("/jobs").header("content-type", "application/json").header("idempotency-key", long);
    let request = request.body(Body::from(job("B").to_string())).expect("a request");
    let _ = tenant.planner.send(request).await.refused(400);
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 1);

    let name = "a\\\"; x=\\\"b%0d%0aSet-Cookie: c=d ü.csv";
    let file = tenant.planner.upload("/files/upload", name, "text/csv", b"a,b\n1,2\n", &[]).await.ok();
    let shown = tenant.planner.nobody().get(file["link"].as_str().unwrap_or_default()).await;
    let disposition = shown.headers["content-disposition"].to_str().unwrap_or_default();
    assert!(!disposition.contains('\\') && disposition.matches('"').count() == 2, "{disposition}");
    assert!(!shown.headers.contains_key("set-cookie"));
    // Addresses and subjects end up in the headers of mails.
    let mut body = job("C");
    body["customer_email"] = "a@example.org\r\nBcc: b@example.org".into();
    let refusal = tenant.planner.post("/jobs", body).await.refused(400);
    assert_eq!(refusal["fields"]["customer_email"], "Invalid email address");
    let path = format!("/organisations/{}/information/dispatch_settings", tenant.organisation.id);
    let refusal =
        tenant.admin.put(&path, json!({"email_subject": "Run\r\nBcc: b@example.org"})).await.refused(400);
    assert!(refusal["fields"]["email_subject"].is_string(), "{refusal}");
}

/// The same form twice: with its key it is done once, also when both arrive at the same moment; a refused submit may be
/// repeated with the key once its fault is mended; the key of one user is not another's.
#[tokio::test]
async fn a_form_that_is_sent_twice_is_done_once() {
    let tenant = tenant().await;
    let submit = |client: &Client, path: &str, body: Value| {
        let request = Request::post(path)
            .header("content-type", "application/json")
            .header("idempotency-key", "form-7")
            .body(Body::from(body.to_string()))
            .expect("a request");
        let client = client.clone();
        async move { client.send(request).await }
    };
    let _ = submit(&tenant.planner, "/jobs", json!({"uid": "A"})).await.refused(400);
    let (one, two) =
        tokio::join!(submit(&tenant.planner, "/jobs", job("A")), submit(&tenant.planner, "/jobs", job("A")));
    assert_eq!((one.status, two.status), (http::StatusCode::CREATED, http::StatusCode::CREATED));
    let replayed = |answer: &routewright_testing::Answer| answer.headers.contains_key("idempotency-replayed");
    assert!(replayed(&one) != replayed(&two), "exactly one of them was done");
    assert_eq!(one.ok()["id"], two.ok()["id"]);
    let _ = submit(&tenant.admin, "/jobs", job("A")).await.ok();
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 2, "one of each user");
    // Other values under the key are not taken for the same form, and not lost behind its answer.
    let refusal = submit(&tenant.planner, "/jobs", job("B")).await.refused(409);
    let text = "Idempotency-Key was used before for other values. Please send a new one.";
    assert_eq!(refusal["description"], text);
    let refusal = submit(&tenant.planner, "/jobs?quiet=true", job("A")).await.refused(409);
    assert_eq!(refusal["description"], text);
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 2);
    let scenario = scenario(&tenant).await;
    let path = format!("/scenarios/{scenario}/duplicate");
    let copy = json!({"copy_items": [], "scheduled_date": "2026-11-24", "number_of_copies": 2, "scenario_name": "Copy"});
    let first = submit(&tenant.planner, &path, copy.clone()).await.ok();
    assert_eq!(submit(&tenant.planner, &path, copy.clone()).await.ok(), first);
    // The process was lost between its work and its answer.
    let mut database = tenant.organisation.database().await;
    sqlx::query("update idempotency_keys set response_status = null, response = null")
        .execute(&mut database)
        .await
        .expect("a lost answer");
    let refusal = submit(&tenant.planner, &path, copy).await.refused(409);
    let text = "This was submitted before and has been carried out. Please reload to see the result.";
    assert_eq!(refusal["description"], text);
    assert_eq!(tenant.planner.get("/scenarios?name=Copy").await.ok()["total_count"], 2);
}
