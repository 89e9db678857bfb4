//! Bad input gets a clear refusal, never a fault of ours.

use axum::body::Body;
use http::{Method, Request};
use routewright_core::access::Who;
use routewright_testing::fuzz::Fuzz;
use serde_json::{Value, json};

use crate::support::{CONTRACT, config, control, service};

/// Every route that takes a body, with bodies that no form sends.
#[tokio::test]
async fn no_body_makes_a_route_fail() {
    let control = control().await;
    let master = control.master().await;
    let long = "x".repeat(5000);
    let bodies: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("half an object", b"{\"email\":".to_vec()),
        ("not UTF-8", b"{\"name\": \"\xff\xfe\"}".to_vec()),
        ("a number", b"7".to_vec()),
        ("null", b"null".to_vec()),
        ("deep", [b"[".repeat(5000), b"]".repeat(5000)].concat()),
        ("NUL", br#"{"name": "a\u0000b", "email": "a\u0000@example.org", "password": "\u0000"}"#.to_vec()),
        ("lone surrogate", br#"{"name": "\ud800"}"#.to_vec()),
        (
            "long",
            json!({"name": long, "email": format!("{long}@example.org"), "first_name": long, "password": long,
                "new_password": long, "timezone": long, "access_levels": [long], "refresh_token": long})
            .to_string()
            .into_bytes(),
        ),
        (
            "wrong types",
            json!({"name": [], "email": {}, "password": 1, "role_id": "x", "access_levels": "all", "id": "7",
                "organisation_id": [], "settings": 3, "modules": {}, "ids": "x", "kind": 1, "refresh_token": 5})
            .to_string()
            .into_bytes(),
        ),
        ("huge numbers", json!({"role_id": 1e300, "organisation_id": 1e300, "min_length": 1e300}).to_string().into_bytes()),
        ("bulk of nothing", json!([{}, 7, null]).to_string().into_bytes()),
        ("too large", vec![b' '; 2 * 1024 * 1024 + 1]),
    ];
    let rows = service(config(&[]), routewright_core::Clock::system()).await.rows;
    for row in rows.iter().filter(|row| matches!(row.method, Method::POST | Method::PATCH | Method::PUT)) {
        // These take no body, or one of which every field may be missing.
        let lenient = ["/operators/organisations/{id}/advance", "/operators/organisations/{id}/undelete"]
            .contains(&row.path);
        let path = row.path.replace("{id}", &control.organisation.planner.id.to_string());
        for client in [&control.admin, &master] {
            for (what, bytes) in &bodies {
                let request = Request::builder().method(row.method.clone()).uri(&path);
                let request = request.header("content-type", "application/json");
                let answer = client.send(request.body(Body::from(bytes.clone())).unwrap()).await;
                let status = answer.status.as_u16();
                let text = answer.text();
                assert!(status < 500, "{what} to {} {path}: {status} {text}", row.method);
                if !lenient && *what != "huge numbers" && *what != "lone surrogate" {
                    assert!(!text.contains("sqlx") && !text.contains("postgres"), "{what} to {path}: {text}");
                }
                if *what == "too large" && !lenient {
                    assert!([403, 404, 413].contains(&status), "{path}: {status}");
                }
            }
        }
    }
}

/// Filters that are unknown or wrong are named; page sizes are bounded.
#[tokio::test]
async fn wrong_filters_are_named() {
    let control = control().await;
    let master = control.master().await;
    for path in [
        "/users",
        "/roles",
        "/organisations",
        "/organisations/hauliers",
        "/password_policy",
        "/drivers/users",
        "/operators/organisations",
        "/operators/audit",
    ] {
        for query in [
            "colour=red",
            "per_page=301",
            "per_page=0",
            "page=-1",
            "page=x",
            "sort_by=password_hash",
            "sort_order=up",
            "search=%00",
            "organisation_id=me&id=x",
        ] {
            let refusal = master.get(&format!("{path}?{query}")).await.refused(400);
            assert!(refusal["description"]["filters"].is_string(), "{path}?{query}: {refusal}");
        }
        for query in ["search=%25_%27%22%5C", "search=%F0%9F%9A%9A", "page=10000000", "per_page=300"] {
            let page = master.get(&format!("{path}?{query}")).await.ok();
            assert!(page["data"].is_array(), "{path}?{query}");
        }
    }
}

/// A number that is no id is not there; other methods are not possible; unknown paths are not found.
#[tokio::test]
async fn odd_paths_are_refused() {
    let control = control().await;
    for path in [
        "/users/abc",
        "/users/1e5",
        "/users/99999999999999999999",
        "/roles/-1",
        "/organisations/%00",
        "/nowhere",
    ] {
        let _ = control.admin.get(path).await.refused(404);
    }
    let _ = control.admin.call(Method::PUT, "/users/1", Some(json!({}))).await.refused(405);
    let request =
        Request::post("/users").header("content-type", "text/plain").body(Body::from("{}")).unwrap();
    let _ = control.admin.send(request).await.refused(415);
}

/// `LOOKUP-FIELDS` keeps only the named fields (contract §1.3).
#[tokio::test]
async fn lookup_fields_are_kept() {
    let control = control().await;
    let request = Request::get("/users").header("lookup-fields", "id;email").body(Body::empty()).unwrap();
    let page = control.admin.send(request).await.ok();
    let keys: Vec<&String> = page["data"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["email", "id"]);
    assert_ne!(page["total_count"], Value::Null);
}

/// Calls made up from the API document: none ends in a fault of ours, every answer is as documented. `FUZZ_ROUNDS` for more.
#[tokio::test]
async fn no_call_ends_in_a_fault() {
    let control = control().await;
    let master = control.master().await;
    let contract = CONTRACT.get().expect("made with the first organisation");
    let table = routewright_control_plane::routes::table().rows();
    let mut fuzz = Fuzz::new(contract, 11, Vec::new());
    let rounds: usize = std::env::var("FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut faults = Vec::new();
    for round in 0..rounds {
        for operation in contract.operations() {
            let row = table.iter().find(|row| row.method == operation.method && row.path == operation.path);
            let row = row.unwrap_or_else(|| panic!("{} {} is no route", operation.method, operation.path));
            // These end the session or the organisation that the others need, or take their time.
            let last = operation.method == "DELETE"
                || ["/users/me", "/auth/logout"].contains(&row.path)
                || (operation.method == "POST" && row.path == "/organisations");
            if last && round + 2 < rounds {
                continue;
            }
            let client = match (row.access.who, row.access.master) {
                (Who::Public, _) => &control.nobody,
                (_, true) => &master,
                _ => &control.admin,
            };
            if let Err(fault) = fuzz.call(client, &operation).await {
                faults.push(fault);
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
