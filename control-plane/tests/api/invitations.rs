//! Invitations by mail.

use chrono::{TimeDelta, Utc};
use routewright_core::Clock;
use serde_json::{Value, json};

use crate::support::{Control, PASSWORD, address, config, control, control_at, control_with, name, reason};

/// The token in the newest mail to an address, with what the mail says.
async fn invitation(control: &Control, email: &str) -> (String, String) {
    let text: String = sqlx::query_scalar(
        "select body_text from messages where $1 = any(recipients) order by id desc limit 1",
    )
    .bind(email)
    .fetch_one(&control.app.control)
    .await
    .expect("a mail");
    let (_, rest) = text.split_once("http://127.0.0.1:8080/?reset=").expect("a link");
    let token = rest.split_whitespace().next().unwrap().to_owned();
    (token, text)
}

async fn choose(control: &Control, token: &str, password: &str) -> routewright_testing::Answer {
    control.nobody.patch(&format!("/reset-password?token={token}"), json!({"new_password": password})).await
}

fn invited(email: &str, role: i64) -> Value {
    json!({"email": email, "invite": true, "first_name": "Eva", "last_name": "Reis", "role_id": role})
}

/// W-093: nobody types a password for somebody else; the link works once, within a week.
#[tokio::test]
async fn an_invited_user_chooses_the_password() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let email = address();
    let role = control.role("user").await;
    let user = control.admin.post("/users", invited(&email, role)).await.ok();
    assert!(user.get("invite").is_none());
    let _ = control.sign_in(&email, "").await.refused(400);
    let _ = control.sign_in(&email, PASSWORD).await.refused(401);
    let (token, text) = invitation(&control, &email).await;
    assert!(text.contains("within 7 days") && text.contains(&email), "{text}");
    clock.advance(TimeDelta::days(6));
    let refusal = choose(&control, &token, "short").await.refused(400);
    assert_eq!(reason(&refusal, "new_password"), "Password must have at least 8 characters");
    let _ = choose(&control, &token, PASSWORD).await.ok();
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    let _ = choose(&control, &token, PASSWORD).await.refused(400);

    // Another one, for whom it came too late.
    let path = format!("/users/{}", user["id"]);
    let admin = control.admin.with_token(control.organisation.token(control.organisation.admin));
    let _ = admin.patch(&path, json!({"invite": true})).await.ok();
    let (second, _) = invitation(&control, &email).await;
    assert_ne!(second, token);
    clock.advance(TimeDelta::days(8));
    let _ = choose(&control, &second, "Other-Flower 7").await.refused(400);
    // It changes nothing for who has a password.
    let _ = control.sign_in(&email, PASSWORD).await.ok();

    let mut both = invited(&address(), role);
    both["password"] = json!(PASSWORD);
    let admin = control.admin.with_token(control.organisation.token(control.organisation.admin));
    let refusal = admin.post("/users", both).await.refused(400);
    assert_eq!(reason(&refusal, "password"), "Who is invited chooses the password: leave it empty");
    let refusal = admin.post("/users", json!({"invite": true})).await.refused(400);
    assert!(!refusal["errors"].to_string().contains("password"), "{refusal}");
}

/// W-093: the first administrator of an organisation too; the operator never knows the password.
#[tokio::test]
async fn a_first_administrator_is_invited() {
    let control = control().await;
    let master = control.master().await;
    let email = address();
    let admin = json!({"email": email, "invite": true, "first_name": "Ida", "last_name": "Horn"});
    let body = json!({"name": name("Invited"), "admin": admin});
    let _ = master.post("/organisations", body.clone()).await.ok();
    let (token, text) = invitation(&control, &email).await;
    assert!(text.contains(body["name"].as_str().unwrap()), "{text}");
    let _ = choose(&control, &token, PASSWORD).await.ok();
    assert_eq!(control.sign_in(&email, PASSWORD).await.ok()["role"]["name"], "admin");
    let mut both = json!({"name": name("Both"), "admin": admin});
    both["admin"]["email"] = json!(address());
    both["admin"]["password"] = json!(PASSWORD);
    let refusal = master.post("/organisations", both).await.refused(400);
    assert_eq!(reason(&refusal, "admin.password"), "Who is invited chooses the password: leave it empty");
}

async fn subjects(control: &Control, email: &str) -> Vec<String> {
    sqlx::query_scalar("select subject from messages where $1 = any(recipients) order by id")
        .bind(email)
        .fetch_all(&control.app.control)
        .await
        .unwrap()
}

/// V-23: who invites is not told whether somebody of another organisation has the address; its owner is, and nothing of the
/// own account changes. When the address is free, another invitation reaches whoever waits for it.
#[tokio::test]
async fn inviting_tells_nothing_about_other_organisations() {
    let (control, elsewhere) = (control().await, control().await);
    let (owner, taken) = elsewhere.with_password("user").await;
    let role = control.role("user").await;
    let free = address();
    let mut users = Vec::new();
    for email in [&taken, &free] {
        let made = control.admin.post("/users", invited(email, role)).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let again = control.admin.post("/users", invited(&email.to_uppercase(), role)).await.refused(400);
        assert_eq!(reason(&again, "email"), "A user with this e-mail address already exists");
        let user = made.ok();
        let path = format!("/users/{}", user["id"]);
        let _ = control.admin.patch(&path, json!({"invite": true, "phone_number": null})).await.ok();
        let mut shown = control.admin.get(&path).await.ok();
        for own in ["id", "email", "created", "modified"] {
            shown.as_object_mut().unwrap().remove(own);
        }
        let found = control.admin.get(&format!("/users?email={email}")).await.ok();
        assert_eq!(
            (found["total_count"].as_i64(), control.record(&format!("user:{}", user["id"])).await.len()),
            (Some(1), 2)
        );
        let _ = control.sign_in(email, "Another-Flower 7").await.refused(401);
        users.push(shown);
    }
    assert_eq!(users[0], users[1]);
    assert_eq!(subjects(&control, &taken).await, ["Another organisation wants to add you"]);

    // Signing in and a forgotten password are the owner's.
    assert_eq!(elsewhere.sign_in(&taken, PASSWORD).await.ok()["id"], owner.id);
    let _ = control.nobody.post("/reset-password", json!({"email": taken})).await.ok();
    let (token, _) = invitation(&control, &taken).await;
    let _ = choose(&control, &token, "Other-Flower 7").await.ok();
    assert_eq!(elsewhere.sign_in(&taken, "Other-Flower 7").await.ok()["id"], owner.id);

    let _ = elsewhere.admin.delete(&format!("/users/{}", owner.id)).await.ok();
    let waiting = control.admin.get(&format!("/users?email={taken}")).await.ok()["data"][0]["id"].clone();
    let _ = control.admin.patch(&format!("/users/{waiting}"), json!({"invite": true})).await.ok();
    let (token, _) = invitation(&control, &taken).await;
    let _ = choose(&control, &token, PASSWORD).await.ok();
    assert_eq!(control.sign_in(&taken, PASSWORD).await.ok()["id"], waiting);
}

/// V-23: with a password that somebody typed the user would sign in at once, so that it does show; few times an hour, and the
/// owner learns of it. Operators see all users anyway.
#[tokio::test]
async fn typing_a_password_tells_few_addresses() {
    let mut config = config(&[]);
    config.limits.taken = 3;
    let control = control_with(config, Clock::fixed(Utc::now())).await;
    let elsewhere = crate::support::control().await;
    let (_, taken) = elsewhere.with_password("user").await;
    let role = control.role("user").await;
    let mut typed = invited(&taken, role);
    typed["invite"] = json!(false);
    typed["password"] = json!(PASSWORD);
    let exists = "A user with this e-mail address already exists";
    let refusal = control.admin.post("/users", typed.clone()).await.refused(400);
    assert_eq!(reason(&refusal, "email"), exists);
    let (person, _) = control.with_password("user").await;
    let path = format!("/users/{}", person.id);
    let refusal = control.admin.patch(&path, json!({"email": taken})).await.refused(400);
    assert_eq!(reason(&refusal, "email"), exists);
    // Neither does one who waits get in by a password.
    let waiting = control.admin.post("/users", invited(&taken, role)).await.ok();
    let path = format!("/users/{}", waiting["id"]);
    let refusal = control.admin.patch(&path, json!({"new_password": PASSWORD})).await.refused(400);
    assert_eq!(reason(&refusal, "email"), exists);
    let (_, other) = elsewhere.with_password("user").await;
    typed["email"] = json!(other);
    let _ = control.admin.post("/users", typed).await.refused(429);
    assert_eq!(subjects(&control, &taken).await, ["Another organisation wants to add you"]);
    let mut named = invited(&other, role);
    named["organisation_id"] = json!(control.organisation.id);
    let refusal = control.master().await.post("/users", named).await.refused(400);
    assert_eq!(reason(&refusal, "email"), exists);
}
