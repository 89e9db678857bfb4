//! Forgotten passwords.

use std::time::{Duration, Instant};

use chrono::{TimeDelta, Utc};
use routewright_control_plane::work;
use routewright_core::Clock;
use serde_json::json;

use crate::support::{
    Control, PASSWORD, TIDYING, address, background, config, control, control_at, control_with, reason,
};

const NEXT: &str = "Dandelion 42!";

/// The text of the newest mail to an address.
async fn mail(control: &Control, email: &str) -> Option<String> {
    sqlx::query_scalar("select body_text from messages where $1 = any(recipients) order by id desc limit 1")
        .bind(email)
        .fetch_optional(&control.app.control)
        .await
        .unwrap()
}

async fn token(control: &Control, email: &str) -> String {
    assert_eq!(ask(control, email).await.ok(), json!({"success": true}));
    let text = mail(control, email).await.expect("a mail");
    let (_, rest) = text.split_once("http://127.0.0.1:8080/?reset=").expect("a link");
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn ask(control: &Control, email: &str) -> routewright_testing::Answer {
    control.nobody.post("/reset-password", json!({"email": email})).await
}

async fn reset(control: &Control, token: &str, password: &str) -> routewright_testing::Answer {
    control.nobody.patch(&format!("/reset-password?token={token}"), json!({"new_password": password})).await
}

/// a link by mail sets a new password, once; all sessions end and a locked account opens.
#[tokio::test]
async fn a_link_sets_a_new_password_once() {
    let control = control().await;
    let (person, email) = control.with_password("user").await;
    let signed = control.sign_in(&email, PASSWORD).await.ok();
    for _ in 0..10 {
        let _ = control.sign_in(&email, "wrong").await.refused(401);
    }
    let _ = control.sign_in(&email, PASSWORD).await.refused(429);
    let token = token(&control, &email.to_uppercase().to_lowercase()).await;
    let refusal = reset(&control, &token, "short").await.refused(400);
    assert_eq!(reason(&refusal, "new_password"), "Password must have at least 8 characters");
    assert_eq!(reset(&control, &token, NEXT).await.ok(), json!({"success": true}));
    let again = reset(&control, &token, NEXT).await.refused(400);
    assert_eq!(again["description"], "Reset link is invalid or has expired");
    let _ = control.sign_in(&email, NEXT).await.ok();
    let body = json!({"refresh_token": signed["refresh_token"]});
    let _ = control.nobody.post("/auth/refresh_token", body).await.refused(401);
    control.app.gate.policies.poll().await.unwrap();
    let old = control.nobody.with_token(signed["token"].as_str().unwrap());
    let _ = old.get("/auth/user").await.refused(401);
    assert_eq!(control.record(&format!("user:{}", person.id)).await, ["reset_requested", "password_reset"]);
}

/// The answer never tells whether somebody has the address.
#[tokio::test]
async fn nobody_learns_which_addresses_exist() {
    // Limits count by the hour: the clock must not strike meanwhile.
    let control = control_at(Clock::fixed(Utc::now())).await;
    let unknown = address();
    let answer = ask(&control, &unknown).await;
    assert_eq!((answer.status.as_u16(), answer.ok()), (200, json!({"success": true})));
    assert_eq!(mail(&control, &unknown).await, None);
    for (body, text) in [
        (json!({}), "Email is required"),
        (json!({"email": " "}), "Email is required"),
        (json!({"email": "nobody"}), "Invalid email address"),
    ] {
        let refusal = control.nobody.post("/reset-password", body).await.refused(400);
        assert_eq!(reason(&refusal, "email"), text);
    }
    // Known or not, an address gets so many mails an hour.
    let (_, known) = control.with_password("user").await;
    for email in [known, address()] {
        for _ in 0..5 {
            let _ = ask(&control, &email).await.ok();
        }
        let _ = ask(&control, &email).await.refused(429);
    }
}

/// A link is good for an hour, and worthless as soon as address or password changed otherwise.
#[tokio::test]
async fn a_link_does_not_outlive_its_reason() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let (person, email) = control.with_password("user").await;
    let token_1 = token(&control, &email).await;
    clock.advance(TimeDelta::minutes(59));
    let token_2 = token(&control, &email).await;
    clock.advance(TimeDelta::minutes(1));
    let bad = "Reset link is invalid or has expired";
    assert_eq!(reset(&control, &token_1, NEXT).await.refused(400)["description"], bad);
    let admin = control.admin.with_token(control.organisation.token(control.organisation.admin));
    let path = format!("/users/{}", person.id);
    let _ = admin.patch(&path, json!({"email": address()})).await.ok();
    assert_eq!(reset(&control, &token_2, NEXT).await.refused(400)["description"], bad);
    for wrong in ["", "x", &"y".repeat(5000)] {
        assert_eq!(reset(&control, wrong, NEXT).await.refused(400)["description"], bad);
    }
    let missing = control.nobody.patch("/reset-password", json!({"new_password": NEXT})).await.refused(400);
    assert_eq!(missing["description"], bad);
}

/// Only so many tries an hour from one address.
#[tokio::test]
async fn links_cannot_be_guessed() {
    let mut config = config(&[]);
    config.limits.reset = 3;
    // In the far future, so that the window is this test's alone.
    let control = control_with(config, Clock::fixed(Utc::now() + TimeDelta::days(400))).await;
    for _ in 0..3 {
        let _ = reset(&control, "guess", NEXT).await.refused(400);
    }
    let _ = reset(&control, "guess", NEXT).await.refused(429);
}

/// The mail leaves by the outbox; without a mail server it counts as sent and can be read there.
#[tokio::test]
async fn the_mail_leaves() {
    let control = control().await;
    let (_, email) = control.with_password("user").await;
    let _ = token(&control, &email).await;
    let background = background(&control.app).await;
    let began = Instant::now();
    loop {
        let state: String = sqlx::query_scalar("select state from messages where $1 = any(recipients)")
            .bind(&email)
            .fetch_one(&control.app.control)
            .await
            .unwrap();
        if state == "sent" {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "the mail is {state}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(background);
}

/// Old attempts, limits, sessions, links and mails go; what is still of use stays.
#[tokio::test]
async fn what_has_served_its_purpose_is_removed() {
    let _turn = TIDYING.write().await;
    // Long ago, so that nothing of other tests is old enough to be removed.
    let clock = Clock::fixed(Utc::now() - TimeDelta::days(400));
    let control = control_at(clock.clone()).await;
    let (person, email) = control.with_password("user").await;
    let body = json!({"email": email, "password": PASSWORD, "remember_me": true});
    let long = control.nobody.post("/users/login", body).await.ok();
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    let _ = token(&control, &email).await;
    let rows = async |table: &str| -> i64 {
        let statement = match table {
            "families" => "select count(*) from refresh_families where user_id = $1",
            _ => "select count(*) from reset_tokens where user_id = $1",
        };
        sqlx::query_scalar(statement).bind(person.id).fetch_one(&control.app.control).await.unwrap()
    };
    work::tidy_once(&control.app).await.unwrap();
    assert_eq!((rows("families").await, rows("links").await), (2, 1));
    clock.advance(TimeDelta::days(8));
    work::tidy_once(&control.app).await.unwrap();
    assert_eq!((rows("families").await, rows("links").await), (1, 0));
    let body = json!({"refresh_token": long["refresh_token"]});
    let _ = control.nobody.post("/auth/refresh_token", body).await.ok();
}
