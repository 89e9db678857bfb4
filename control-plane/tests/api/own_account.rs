//! V-20: how an account is signed in to changes only by its owner's hand, and never behind his back.

use chrono::{TimeDelta, Utc};
use routewright_core::Clock;
use routewright_testing::Client;
use serde_json::{Value, json};

use crate::support::{Control, PASSWORD, address, control, control_at, reason};

const NEXT: &str = "Dandelion 42!";

/// Subjects and texts of the mails to an address, oldest first.
async fn mails(control: &Control, email: &str) -> Vec<(String, String)> {
    sqlx::query_as("select subject, body_text from messages where $1 = any(recipients) order by id")
        .bind(email)
        .fetch_all(&control.app.control)
        .await
        .unwrap()
}

async fn signed_in(control: &Control, email: &str) -> Client {
    let user = control.sign_in(email, PASSWORD).await.ok();
    control.nobody.with_token(user["token"].as_str().unwrap())
}

/// The token of the link in the newest mail to an address.
async fn link(control: &Control, email: &str) -> String {
    let (_, text) = mails(control, email).await.pop().expect("a mail");
    let (_, rest) = text.split_once("http://127.0.0.1:8080/?confirm_email=").expect("a link");
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn confirm(own: &Client, token: &str) -> routewright_testing::Answer {
    own.post("/users/me/email", json!({"token": token})).await
}

/// Without the present password, or with a wrong one, nothing of the whole form is taken.
#[tokio::test]
async fn an_open_session_is_not_enough_for_a_new_password_or_address() {
    // Guesses are counted by the quarter of an hour, one of which must not end meanwhile.
    let control = control_at(Clock::fixed(Utc::now())).await;
    let (person, email) = control.with_password("user").await;
    let own = signed_in(&control, &email).await;
    for (change, given, text) in [
        (json!({"new_password": NEXT}), Value::Null, "Current password is required"),
        (json!({"new_password": NEXT}), json!(""), "Current password is required"),
        (json!({"new_password": NEXT}), json!("wrong"), "Current password is wrong"),
        (json!({"email": address()}), Value::Null, "Current password is required"),
        (json!({"email": address(), "first_name": "Bia"}), json!("wrong"), "Current password is wrong"),
    ] {
        let mut body = change.clone();
        body["current_password"] = given;
        let refusal = own.patch("/users/me", body).await.refused(400);
        assert_eq!(refusal["fields"], json!({"current_password": text}), "{change}");
    }
    let user = own.get("/auth/user").await.ok();
    assert_eq!((&user["first_name"], &user["pending_email"]), (&json!("Ana"), &Value::Null));
    assert!(mails(&control, &email).await.is_empty());
    assert!(control.record(&format!("user:{}", person.id)).await.is_empty());
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    // Nor can the password be guessed there.
    let guess = json!({"new_password": NEXT, "current_password": "guess"});
    let mut last = own.patch("/users/me", guess.clone()).await;
    for _ in 0..10 {
        last = own.patch("/users/me", guess.clone()).await;
    }
    assert_eq!(last.refused(429)["description"], "Too many requests");
}

/// A new password is told to the person, and all other sessions end with the answer.
#[tokio::test]
async fn a_new_password_is_told() {
    let control = control().await;
    let (_, email) = control.with_password("user").await;
    let (own, other) = (signed_in(&control, &email).await, signed_in(&control, &email).await);
    let body = json!({"new_password": NEXT, "current_password": PASSWORD});
    let user = own.patch("/users/me", body).await.ok();
    let _ = other.get("/auth/user").await.refused(401);
    let _ = own.get("/auth/user").await.refused(401);
    let _ = own.with_token(user["token"].as_str().unwrap()).get("/auth/user").await.ok();
    let told = mails(&control, &email).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].0, "Your password has changed");
}

/// A new address takes effect when the link sent to it is followed, once, in time, by the user who asked; the old one is
/// told twice.
#[tokio::test]
async fn a_new_address_is_confirmed_from_its_mailbox() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let (person, email) = control.with_password("user").await;
    let own = signed_in(&control, &email).await;
    let ask = async |next: &str| {
        own.patch("/users/me", json!({"email": next, "current_password": PASSWORD})).await.ok()
    };
    let next = address();
    let user = ask(&next).await;
    assert_eq!((&user["email"], &user["pending_email"]), (&json!(email), &json!(next)));
    assert_eq!(mails(&control, &email).await[0].0, "Your e-mail address is about to change");
    let _ = control.sign_in(&next, PASSWORD).await.refused(401);

    let token = link(&control, &next).await;
    let (_, other) = control.with_password("user").await;
    let other = signed_in(&control, &other).await;
    let text = "This link is invalid, has expired or belongs to another user";
    assert_eq!(confirm(&other, &token).await.refused(400)["description"], text);
    assert_eq!(confirm(&own, "rubbish").await.refused(400)["description"], text);
    let _ = confirm(&control.nobody, &token).await.refused(401);
    let user = confirm(&own, &token).await.ok();
    assert_eq!((&user["email"], &user["pending_email"]), (&json!(next), &Value::Null));
    assert_eq!(confirm(&own, &token).await.refused(400)["description"], text);
    let told = mails(&control, &email).await;
    assert_eq!(told.last().unwrap().0, "Your e-mail address has changed");
    let _ = control.sign_in(&next, PASSWORD).await.ok();
    let _ = control.sign_in(&email, PASSWORD).await.refused(401);
    let record = control.record(&format!("user:{}", person.id)).await;
    assert_eq!(record, ["own_account_changed", "own_email_confirmed"]);

    // The newest link counts; the present address takes the change back; a day later it is too late.
    let (third, fourth) = (address(), address());
    let _ = ask(&third).await;
    let third = link(&control, &third).await;
    let _ = ask(&fourth).await;
    let _ = confirm(&own, &third).await.refused(400);
    let fourth = link(&control, &fourth).await;
    let user = own.patch("/users/me", json!({"email": next})).await.ok();
    assert_eq!(user["pending_email"], Value::Null);
    let _ = confirm(&own, &fourth).await.refused(400);
    let late = address();
    let _ = ask(&late).await;
    let late = link(&control, &late).await;
    clock.advance(TimeDelta::hours(24));
    let own = signed_in(&control, &next).await;
    assert_eq!(own.get("/auth/user").await.ok()["pending_email"], Value::Null);
    let _ = confirm(&own, &late).await.refused(400);
}

/// V-23: the answer does not tell whether somebody has the address; whoever has it is told, and gets no link.
#[tokio::test]
async fn a_new_address_tells_nothing_about_others() {
    let control = control_at(Clock::fixed(Utc::now())).await;
    let (_, email) = control.with_password("user").await;
    let (_, taken) = control.with_password("user").await;
    let own = signed_in(&control, &email).await;
    let body = json!({"email": taken, "current_password": PASSWORD});
    let user = own.patch("/users/me", body).await.ok();
    assert_eq!((&user["email"], &user["pending_email"]), (&json!(email), &json!(taken)));
    let told = mails(&control, &taken).await;
    assert_eq!(told.len(), 1);
    assert!(!told[0].1.contains("confirm_email"), "{}", told[0].1);
    // A mailbox is not flooded: five links an hour.
    let ask = || json!({"email": address(), "current_password": PASSWORD});
    for _ in 0..4 {
        let _ = own.patch("/users/me", ask()).await.ok();
    }
    let _ = own.patch("/users/me", ask()).await.refused(429);
}

/// An administrator sets another's address and password at once, because a mailbox may be lost; the person is told at the
/// address that he had. The own ones need the present password, by every way.
#[tokio::test]
async fn an_administrators_change_is_told_to_the_person() {
    let control = control().await;
    let (person, email) = control.with_password("user").await;
    let path = format!("/users/{}", person.id);
    let next = address();
    let _ = control.admin.patch(&path, json!({"email": next, "new_password": NEXT})).await.ok();
    let subjects: Vec<String> = mails(&control, &email).await.into_iter().map(|mail| mail.0).collect();
    assert_eq!(subjects, ["Your e-mail address has changed", "Your password has changed"]);
    let _ = control.admin.patch(&path, json!({"email": next, "first_name": "Bia"})).await.ok();
    assert!(mails(&control, &next).await.is_empty());

    let (person, email) = control.with_password("admin").await;
    let own = signed_in(&control, &email).await;
    let text = "Please change your own e-mail address and password on your account page";
    let body = json!({"id": person.id, "email": address(), "new_password": NEXT});
    let refusal = own.patch("/users/bulk", json!([body])).await.refused(400);
    assert_eq!(reason(&refusal, "email"), text);
    let path = format!("/users/{}", person.id);
    let refusal = own.patch(&path, json!({"new_password": NEXT})).await.refused(400);
    assert_eq!(reason(&refusal, "new_password"), text);
    let _ = own.patch(&path, json!({"email": email, "first_name": "Bia"})).await.ok();
}

/// Whoever forgot the password is told that it was set.
#[tokio::test]
async fn a_reset_is_told() {
    let control = control().await;
    let (_, email) = control.with_password("user").await;
    let _ = control.nobody.post("/reset-password", json!({"email": email})).await.ok();
    let (_, text) = mails(&control, &email).await.pop().unwrap();
    let (_, rest) = text.split_once("/?reset=").unwrap();
    let token = rest.split_whitespace().next().unwrap();
    let body = json!({"new_password": NEXT});
    let _ = control.nobody.patch(&format!("/reset-password?token={token}"), body).await.ok();
    assert_eq!(mails(&control, &email).await.last().unwrap().0, "Your password has changed");
}
