//! Whoever has no organisation yet makes one.

use chrono::Utc;
use routewright_core::Clock;
use serde_json::json;

use crate::sign_in::rand_16;
use crate::support::{PASSWORD, address, config, control, control_with};

/// sign-up makes an organisation with its administrator, who is signed in; where it is switched off it is
/// refused.
#[tokio::test]
async fn a_visitor_signs_up() {
    let control = control().await;
    let body = json!({
        "email": address(), "password": PASSWORD, "first_name": "Rui", "last_name": "Costa",
        "phone_number": "+351220000001", "organisation_name": crate::support::name("Costa & Filhos"),
        "timezone": "Europe/Lisbon"
    });
    let made = control.nobody.post("/users/register", body.clone()).await;
    assert_eq!(made.status, 201);
    let user = made.ok();
    assert_eq!(user["organisation"]["modules"], json!(["units", "returns"]));
    assert_eq!(user["role"]["name"], "admin");
    let own = control.nobody.with_token(user["token"].as_str().unwrap());
    assert_eq!(own.get("/users").await.ok()["total_count"], 1);
    let taken = control.nobody.post("/users/register", body.clone()).await.refused(400);
    assert!(taken["fields"].as_object().is_some_and(|fields| !fields.is_empty()), "{taken}");
    let wrong = json!({"email": "x", "password": "short", "phone_number": "12", "organisation_name": "<b>"});
    let refusal = control.nobody.post("/users/register", wrong).await.refused(400);
    for field in ["email", "password", "first_name", "last_name", "phone_number", "organisation_name"] {
        assert!(refusal["fields"][field].is_string(), "{field}: {refusal}");
    }
    let closed = control_with(config(&[("SELF_SIGNUP", "false")]), Clock::system()).await;
    let _ = closed.nobody.post("/users/register", body).await.refused(403);
    // W-092: the sign-in page offers it only where it is allowed.
    assert_eq!(closed.nobody.get("/auth/providers").await.ok(), json!([]));
}

/// V-23: few taken addresses an hour are told apart by signing up, and their owners learn of it.
#[tokio::test]
async fn signing_up_tells_few_addresses() {
    let mut config = config(&[]);
    config.limits.taken = 2;
    config.trusted_proxies = 1;
    let control = control_with(config, Clock::fixed(Utc::now())).await;
    let from = format!("2001:db8:{:x}::1", rand_16());
    let sign_up = |email: String| {
        let body = json!({"email": email, "password": PASSWORD, "first_name": "Rui", "last_name": "Costa",
            "organisation_name": crate::support::name("Costa")});
        let request = http::Request::post("/users/register")
            .header("content-type", "application/json")
            .header("x-forwarded-for", &from);
        control.nobody.send(request.body(body.to_string().into()).unwrap())
    };
    let (_, email) = control.with_password("user").await;
    for _ in 0..2 {
        let _ = sign_up(email.clone()).await.refused(400);
    }
    let _ = sign_up(email.clone()).await.refused(429);
    let told: Vec<String> = sqlx::query_scalar("select subject from messages where $1 = any(recipients)")
        .bind(&email)
        .fetch_all(&control.app.control)
        .await
        .unwrap();
    assert_eq!(told, ["You already have a user of Routewright"]);
}
