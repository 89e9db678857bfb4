//! A submit whose answer was lost is sent again, and done once.

use axum::body::Body;
use http::Request;
use routewright_testing::{Answer, Client};
use serde_json::{Value, json};

use crate::support::{Control, PASSWORD, address, control, name};

fn marked(path: &str, key: &str, body: &Value) -> Request<Body> {
    let request =
        Request::post(path).header("content-type", "application/json").header("idempotency-key", key);
    request.body(Body::from(body.to_string())).unwrap()
}

async fn submit(client: &Client, path: &str, key: &str, body: &Value) -> Answer {
    client.send(marked(path, key, body)).await
}

fn is_replayed(answer: &Answer) -> bool {
    answer.headers.contains_key("idempotency-replayed")
}

async fn organisations(control: &Control, name: &str) -> Vec<i64> {
    sqlx::query_scalar("select id from organisations where name = $1")
        .bind(name)
        .fetch_all(&control.app.control)
        .await
        .unwrap()
}

/// W-093: an operator whose answer was lost does not get "already exists" for the organisation that was made.
#[tokio::test]
async fn an_organisation_is_made_once() {
    let control = control().await;
    let master = control.master().await;
    let (called, email, key) = (name("Once"), address(), name("key"));
    let admin = json!({"email": email, "invite": true, "first_name": "Ida", "last_name": "Horn"});
    let mut body = json!({"name": called, "admin": admin});
    let first = submit(&master, "/organisations", &key, &body).await;
    assert_eq!((first.status.as_u16(), is_replayed(&first)), (201, false), "{}", first.text());
    let again = submit(&master, "/organisations", &key, &body).await;
    assert_eq!((again.status.as_u16(), is_replayed(&again)), (201, true), "{}", again.text());
    assert_eq!(again.json, first.json);
    assert_eq!(organisations(&control, &called).await.len(), 1);
    let mails: i64 = sqlx::query_scalar("select count(*) from messages where $1 = any(recipients)")
        .bind(&email)
        .fetch_one(&control.app.control)
        .await
        .unwrap();
    assert_eq!(mails, 1);

    body["name"] = json!(name("Other"));
    let other = submit(&master, "/organisations", &key, &body).await.refused(409);
    assert!(other.to_string().contains("used before for other values"), "{other}");
    // Another operator's key is another one, and a refusal does not use one up.
    let colleague = control.master().await;
    let _ = submit(&colleague, "/organisations", &key, &json!({"name": called})).await.refused(400);
    let own = json!({"name": name("Own")});
    let made = submit(&colleague, "/organisations", &key, &own).await;
    assert_eq!((made.status.as_u16(), is_replayed(&made)), (201, false), "{}", made.text());
}

/// W-093: the caller leaves, or the process is lost, while the organisation is being made.
#[tokio::test]
async fn an_organisation_that_was_being_made_is_answered() {
    let control = control().await;
    let master = control.master().await;
    let (called, key) = (name("Half"), name("key"));
    let body = json!({"name": called});
    let (caller, request) = (master.clone(), marked("/organisations", &key, &body));
    let call = tokio::spawn(async move { caller.send(request).await });
    while organisations(&control, &called).await.is_empty() {
        tokio::task::yield_now().await;
    }
    call.abort();
    let _ = call.await;
    let again = submit(&master, "/organisations", &key, &body).await;
    assert!(is_replayed(&again), "{}", again.text());
    let ids = organisations(&control, &called).await;
    assert_eq!((ids.len(), again.ok()["id"].as_i64()), (1, ids.first().copied()));
}

/// W-093: users, roles and hauliers too; the password that was typed cannot be tried out on what is kept.
#[tokio::test]
async fn everything_that_is_made_is_made_once() {
    let control = control().await;
    let role = control.role("user").await;
    let user = json!({"email": address(), "password": PASSWORD, "first_name": "A", "last_name": "B", "role_id": role});
    let driver = json!({"email": address(), "first_name": "A", "last_name": "B"});
    for (path, body) in [
        ("/users", user),
        ("/drivers/users", driver),
        ("/roles", json!({"name": name("Role"), "access_levels": ["jobs_read"]})),
        ("/organisations/hauliers", json!({"name": name("Haulier")})),
    ] {
        let key = name("key");
        let first = submit(&control.admin, path, &key, &body).await;
        assert_eq!((first.status.as_u16(), is_replayed(&first)), (201, false), "{path}: {}", first.text());
        let again = submit(&control.admin, path, &key, &body).await;
        assert_eq!((&again.json, is_replayed(&again)), (&first.json, true), "{path}");
        let kept: String = sqlx::query_scalar(
            "select coalesce(response::text, '') || convert_from(asked, 'UTF8') from idempotency_keys where key = $1",
        )
        .bind(&key)
        .fetch_one(&control.app.control)
        .await
        .unwrap();
        assert!(!kept.contains(PASSWORD), "{path}");
    }
}

/// Tokens are answered anew each time, and are nowhere kept.
#[tokio::test]
async fn answers_with_tokens_are_not_kept() {
    let control = control().await;
    let master = control.master().await;
    let (key, body) = (name("key"), json!({"organisation_id": control.organisation.id}));
    for _ in 0..2 {
        let answer = submit(&master, "/auth/organisation_token", &key, &body).await;
        assert!(!is_replayed(&answer), "{}", answer.text());
        let _ = answer.ok();
    }
    let kept: i64 = sqlx::query_scalar("select count(*) from idempotency_keys where key = $1")
        .bind(&key)
        .fetch_one(&control.app.control)
        .await
        .unwrap();
    assert_eq!(kept, 0);
}
