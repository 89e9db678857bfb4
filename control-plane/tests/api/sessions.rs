//! The end of a session ends its access tokens too.

use std::time::{Duration, Instant};

use chrono::{TimeDelta, Utc};
use routewright_control_plane::app;
use routewright_core::Clock;
use routewright_testing::Client;
use serde_json::{Value, json};

use crate::support::{Control, PASSWORD, background, config, control, control_at, service};

/// Signs in; answers a client with the access token, and the refresh token.
async fn signed_in(control: &Control, email: &str) -> (Client, Value) {
    let user = control.sign_in(email, PASSWORD).await.ok();
    (control.nobody.with_token(user["token"].as_str().unwrap()), user["refresh_token"].clone())
}

async fn refused(client: &Client) {
    let refusal = client.get("/auth/user").await.refused(401);
    assert_eq!(refusal["description"], "Incorrect or expired token");
}

/// V-22: signing out ends the access token with the answer, here and in every other process; other sessions of the same
/// user go on.
#[tokio::test]
async fn signing_out_ends_the_access_token_everywhere() {
    let control = control().await;
    let (_, email) = control.with_password("user").await;
    let (own, refresh) = signed_in(&control, &email).await;
    let (other, _) = signed_in(&control, &email).await;
    // A second replica has met both sessions.
    let replica = service(config(&[]), Clock::system()).await;
    let work = background(&replica.app).await;
    let there = |client: &Client| client.elsewhere(replica.router());
    for client in [&own, &other] {
        let _ = there(client).get("/auth/user").await.ok();
    }
    let _ = own.post("/auth/logout", json!({"refresh_token": refresh})).await.ok();
    refused(&own).await;
    let since = Instant::now();
    while there(&own).get("/auth/user").await.status != 401 {
        assert!(since.elapsed() < Duration::from_secs(1), "the session lasts too long elsewhere");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    refused(&there(&own)).await;
    let _ = other.get("/auth/user").await.ok();
    let _ = there(&other).get("/auth/user").await.ok();
    drop(work);
}

/// V-22: without the refresh token, or with another one, signing out ends the session that the request belongs to.
#[tokio::test]
async fn signing_out_ends_the_session_of_the_request() {
    let control = control().await;
    let (_, email) = control.with_password("user").await;
    let (own, refresh) = signed_in(&control, &email).await;
    let _ = own.post("/auth/logout", json!({"refresh_token": "lost"})).await.ok();
    refused(&own).await;
    let _ = control.nobody.post("/auth/refresh_token", json!({"refresh_token": refresh})).await.refused(401);
}

/// V-22: a copied refresh token ends the access tokens of its session at once, the thief's as well as the owner's.
#[tokio::test]
async fn a_copied_refresh_token_ends_the_access_tokens() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let (_, email) = control.with_password("user").await;
    let (owner, first) = signed_in(&control, &email).await;
    let (elsewhere, _) = signed_in(&control, &email).await;
    let refresh = json!({"refresh_token": first});
    let thief = control.nobody.post("/auth/refresh_token", refresh.clone()).await.ok();
    let thief = control.nobody.with_token(thief["token"].as_str().unwrap());
    for client in [&owner, &thief] {
        let _ = client.get("/auth/user").await.ok();
    }
    clock.advance(TimeDelta::seconds(121));
    let _ = control.nobody.post("/auth/refresh_token", refresh).await.refused(401);
    refused(&owner).await;
    refused(&thief).await;
    let _ = elsewhere.get("/auth/user").await.ok();
}

/// V-22: a new password set by an administrator, a reset and the removal of a user end access tokens with the answer.
#[tokio::test]
async fn changes_of_an_account_end_its_access_tokens() {
    let control = control().await;
    let (person, email) = control.with_password("user").await;
    let path = format!("/users/{}", person.id);
    let (own, _) = signed_in(&control, &email).await;
    let _ = own.get("/auth/user").await.ok();
    let _ = control.admin.patch(&path, json!({"new_password": PASSWORD})).await.ok();
    refused(&own).await;
    let (own, _) = signed_in(&control, &email).await;
    let _ = own.get("/auth/user").await.ok();
    let _ = control.admin.delete(&path).await.ok();
    refused(&own).await;
}

/// V-22: a token for an organisation that a Master user has entered ends with the session from which he entered it.
#[tokio::test]
async fn signing_out_ends_what_was_entered() {
    let control = control().await;
    let master = app::ensure_master(&control.app).await.unwrap();
    let (_, email) = control.with_password_in(master, "admin").await;
    control.app.gate.policies.forget(master);
    let (own, refresh) = signed_in(&control, &email).await;
    let body = json!({"organisation_id": control.organisation.id});
    let entered = own.post("/auth/organisation_token", body).await.ok();
    let inside = own.with_token(entered["token"].as_str().unwrap());
    let _ = inside.get("/auth/user").await.ok();
    let _ = own.post("/auth/logout", json!({"refresh_token": refresh})).await.ok();
    refused(&inside).await;
    refused(&own).await;
}
