//! Signing in, staying signed in, signing out.

use chrono::{TimeDelta, Utc};
use routewright_core::Clock;
use routewright_identity::token::Typ;
use serde_json::{Value, json};

use crate::support::{PASSWORD, address, config, control, control_at, control_with, get_with};

/// A-161..A-170, A-241, A-381, A-384: login answers the auth user with its tokens, and the token is good.
#[tokio::test]
async fn a_user_signs_in_and_is_who_they_are() {
    let control = control().await;
    let (person, email) = control.with_password("user").await;
    let user = control.sign_in(&email.to_uppercase(), PASSWORD).await.ok();
    assert_eq!(user["id"], person.id);
    assert_eq!((&user["email"], &user["first_name"]), (&json!(email), &json!("Ana")));
    assert_eq!(user["role"]["name"], "user");
    assert!(
        user["role"]["access_levels"].as_array().is_some_and(|levels| levels.contains(&json!("jobs_write")))
    );
    let organisation = &user["organisation"];
    assert_eq!(organisation["id"], control.organisation.id.get());
    assert_eq!(organisation["timezone"], "Europe/Lisbon");
    assert_eq!(organisation["settings"]["job_duration"], 5.0);
    assert!(organisation["modules"].as_array().is_some_and(|modules| modules.contains(&json!("units"))));
    assert_eq!(user["personal_data_consent"], false);
    assert_eq!(user["active_scenario"], Value::Null);
    let expires: chrono::DateTime<Utc> = user["expires_at"].as_str().unwrap().parse().unwrap();
    assert!((expires - Utc::now() - TimeDelta::minutes(30)).num_seconds().abs() < 10);

    let own = control.nobody.with_token(user["token"].as_str().unwrap());
    let again = own.get("/auth/user").await.ok();
    assert_eq!((&again["id"], &again["token"]), (&user["id"], &user["token"]));
    assert!(again.get("refresh_token").is_none());

    let tokens = control.nobody.post("/auth/token", json!({"email": email, "password": PASSWORD})).await.ok();
    let keys: Vec<&String> = tokens.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["expires_at", "refresh_token", "token"]);
}

/// wrong password and unknown address get the same answer.
#[tokio::test]
async fn wrong_credentials_tell_nothing() {
    let control = control().await;
    let (_, email) = control.with_password("user").await;
    let mut answers = Vec::new();
    for (email, password) in [(email.as_str(), "wrong"), (&address(), PASSWORD), ("not an address", "x")] {
        let refusal = control.sign_in(email, password).await.refused(401);
        assert_eq!(refusal["description"], "Incorrect email or password");
        assert_eq!(refusal["error"], "USER_ERROR");
        answers.push(refusal.to_string());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1);
    for (body, field, reason) in [
        (json!({}), "email", "Email is required"),
        (json!({"email": "a@example.org"}), "password", "Password is required"),
        (json!({"email": "a@example.org", "password": ""}), "password", "Password is required"),
    ] {
        let refusal = control.nobody.post("/users/login", body).await.refused(400);
        assert_eq!(refusal["fields"][field], reason);
    }
}

/// A password may not even be tried after as many failures as the rules allow; the right one neither. Unknown
/// addresses lock alike.
#[tokio::test]
async fn an_address_locks_after_failed_sign_ins_and_opens_again() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let (_, email) = control.with_password("user").await;
    for email in [&email, &address()] {
        for _ in 0..10 {
            let _ = control.sign_in(email, "wrong").await.refused(401);
        }
        let locked = control.sign_in(email, PASSWORD).await;
        assert_eq!(locked.headers["retry-after"], "900");
        assert_eq!(locked.refused(429)["description"], "Too many requests");
    }
    clock.advance(TimeDelta::minutes(15) - TimeDelta::seconds(1));
    let _ = control.sign_in(&email, PASSWORD).await.refused(429);
    clock.advance(TimeDelta::seconds(1));
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    for _ in 0..9 {
        let _ = control.sign_in(&email, "wrong").await.refused(401);
    }
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    let _ = control.sign_in(&email, "wrong").await.refused(401);
}

/// Twenty sign-ins at once try no more passwords than one after the other would.
#[tokio::test]
async fn sign_ins_at_once_do_not_escape_the_lockout() {
    let control = control().await;
    let (_, email) = control.with_password("user").await;
    let tries = (0..20).map(|_| control.sign_in(&email, "wrong"));
    let answers = futures_util::future::join_all(tries).await;
    let tried = answers.iter().filter(|answer| answer.status == 401).count();
    let locked = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!((tried, locked), (10, 10));
}

/// One address may only try so often a minute, whomever it tries.
#[tokio::test]
async fn an_address_may_try_so_often_a_minute() {
    let mut config = config(&[]);
    config.limits.sign_in = 5;
    config.trusted_proxies = 1;
    let clock = Clock::fixed(Utc::now());
    let control = control_with(config, clock.clone()).await;
    let from = format!("2001:db8:{:x}::1", rand_16());
    let attempt = |from: String| {
        let body = json!({"email": address(), "password": "x"}).to_string();
        let request = http::Request::post("/users/login")
            .header("content-type", "application/json")
            .header("x-forwarded-for", from);
        control.nobody.send(request.body(body.into()).unwrap())
    };
    for _ in 0..5 {
        let _ = attempt(from.clone()).await.refused(401);
    }
    let _ = attempt(from.clone()).await.refused(429);
    // A flood costs no query: nobody can read the counts now.
    let mut lock = control.app.control.begin().await.unwrap();
    sqlx::query("lock table rate_limits").execute(&mut *lock).await.unwrap();
    let _ = attempt(from.clone()).await.refused(429);
    lock.rollback().await.unwrap();
    let _ = attempt(format!("2001:db8:{:x}::1", rand_16())).await.refused(401);
    clock.advance(TimeDelta::minutes(1));
    let _ = attempt(from).await.refused(401);
}

pub(crate) fn rand_16() -> u16 {
    let text = routewright_core::token::random(4);
    text.bytes().fold(7_u16, |sum, byte| sum.wrapping_mul(131).wrapping_add(u16::from(byte)))
}

/// a refresh token is used once; used again, the session ends, for the thief and the owner alike.
#[tokio::test]
async fn a_copied_refresh_token_ends_the_session() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let (person, email) = control.with_password("user").await;
    let refresh = |token: Value| control.nobody.post("/auth/refresh_token", json!({"refresh_token": token}));
    let first = control.sign_in(&email, PASSWORD).await.ok()["refresh_token"].clone();
    let second = refresh(first.clone()).await.ok();
    assert_ne!(second["refresh_token"], first);
    clock.advance(TimeDelta::seconds(121));
    let reused = refresh(first.clone()).await.refused(401);
    assert_eq!(reused["description"], "Incorrect or expired token");
    let _ = refresh(second["refresh_token"].clone()).await.refused(401);
    assert!(control.record(&format!("user:{}", person.id)).await.contains(&"session_reused".to_owned()));
    // Other sessions of the user go on.
    let other = control.sign_in(&email, PASSWORD).await.ok();
    let _ = refresh(other["refresh_token"].clone()).await.ok();
}

/// W-081: a lost answer is given again: the same successor, within two minutes and until the successor was used.
#[tokio::test]
async fn a_lost_answer_is_given_again() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let (_, email) = control.with_password("user").await;
    let refresh = |token: Value| control.nobody.post("/auth/refresh_token", json!({"refresh_token": token}));
    let first = control.sign_in(&email, PASSWORD).await.ok()["refresh_token"].clone();
    let (one, two) = tokio::join!(refresh(first.clone()), refresh(first.clone()));
    let (one, two) = (one.ok(), two.ok());
    assert_eq!(one["refresh_token"], two["refresh_token"]);
    clock.advance(TimeDelta::seconds(119));
    assert_eq!(refresh(first.clone()).await.ok()["refresh_token"], one["refresh_token"]);
    let next = refresh(one["refresh_token"].clone()).await.ok();
    assert_ne!(next["refresh_token"], one["refresh_token"]);
    // The owner evidently has the successor: whoever shows the old one now is somebody else.
    let _ = refresh(first).await.refused(401);
    let _ = refresh(next["refresh_token"].clone()).await.refused(401);
}

/// 12 hours without remember-me, 30 days with it, counted from the last use.
#[tokio::test]
async fn sessions_end_when_they_are_not_used() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let (_, email) = control.with_password("user").await;
    let refresh = |token: Value| control.nobody.post("/auth/refresh_token", json!({"refresh_token": token}));
    let short = control.sign_in(&email, PASSWORD).await.ok();
    let body = json!({"email": email, "password": PASSWORD, "remember_me": true});
    let long = control.nobody.post("/users/login", body).await.ok();
    clock.advance(TimeDelta::hours(11));
    let short = refresh(short["refresh_token"].clone()).await.ok();
    clock.advance(TimeDelta::hours(11));
    let short = refresh(short["refresh_token"].clone()).await.ok();
    clock.advance(TimeDelta::hours(12));
    let _ = refresh(short["refresh_token"].clone()).await.refused(401);
    clock.advance(TimeDelta::days(28));
    let _ = refresh(long["refresh_token"].clone()).await.ok();
}

/// login by token takes the header `token` or a bearer token and rotates it.
#[tokio::test]
async fn a_kept_token_signs_in() {
    let control = control().await;
    let (person, email) = control.with_password("user").await;
    let token = control.sign_in(&email, PASSWORD).await.ok()["refresh_token"].as_str().unwrap().to_owned();
    let user = control.nobody.send(get_with("/users/login/from_token", "token", &token)).await.ok();
    assert_eq!(user["id"], person.id);
    let next = format!("Bearer {}", user["refresh_token"].as_str().unwrap());
    let user = control.nobody.send(get_with("/users/login/from_token", "authorization", &next)).await.ok();
    let access = user["token"].as_str().unwrap().to_owned();
    // an access token is none that signs in.
    for wrong in [access.as_str(), "rubbish", ""] {
        let refusal =
            control.nobody.send(get_with("/users/login/from_token", "token", wrong)).await.refused(401);
        assert_eq!(refusal["error"], "USER_ERROR");
        assert_eq!(refusal["description"], "Incorrect or expired token");
    }
}

/// after signing out the refresh token is good for nothing; one cannot sign others out.
#[tokio::test]
async fn signing_out_ends_the_session() {
    let control = control().await;
    let (_, email) = control.with_password("user").await;
    let one = control.sign_in(&email, PASSWORD).await.ok();
    let two = control.sign_in(&email, PASSWORD).await.ok();
    let refresh = |token: &Value| control.nobody.post("/auth/refresh_token", json!({"refresh_token": token}));
    // Somebody else's token is left alone.
    let body = json!({"refresh_token": one["refresh_token"]});
    assert_eq!(control.admin.post("/auth/logout", body.clone()).await.ok(), json!({"success": true}));
    let one_next = refresh(&one["refresh_token"]).await.ok();
    let own = control.nobody.with_token(one["token"].as_str().unwrap());
    let _ = own.post("/auth/logout", json!({"refresh_token": one_next["refresh_token"]})).await.ok();
    let _ = refresh(&one_next["refresh_token"]).await.refused(401);
    let _ = refresh(&two["refresh_token"]).await.ok();
    let _ = control.nobody.post("/auth/logout", body).await.refused(401);
}

/// Expired, forged, wrong-type tokens and those of deleted users are refused alike.
#[tokio::test]
async fn only_a_good_access_token_opens() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let (person, email) = control.with_password("user").await;
    let user = control.sign_in(&email, PASSWORD).await.ok();
    let access = user["token"].as_str().unwrap().to_owned();
    let tokens = &control.organisation.tokens;
    let until = clock.now() + TimeDelta::hours(1);
    let runsheet = tokens.runsheet(1, control.organisation.id, until).unwrap().token;
    let stranger = tokens.access(i64::MAX, control.organisation.id, 0, None).unwrap().token;
    let elsewhere =
        tokens.access(person.id, routewright_core::OrganisationId::new(7), 0, None).unwrap().token;
    let stale = tokens.access(person.id, control.organisation.id, 3, None).unwrap().token;
    // A user of an ordinary organisation who claims to come from Master.
    let home = Some(control.organisation.id);
    let other = crate::support::control().await;
    let climber = tokens.access(person.id, other.organisation.id, 0, home).unwrap().token;
    let mut forged = access.clone();
    forged.pop();
    for (what, token) in [
        ("forged", forged.as_str()),
        ("refresh", user["refresh_token"].as_str().unwrap()),
        ("run sheet", &runsheet),
        ("unknown user", &stranger),
        ("another organisation", &elsewhere),
        ("other epoch", &stale),
        ("not of Master", &climber),
        ("empty", ""),
    ] {
        let refusal = control.nobody.with_token(token).get("/auth/user").await.refused(401);
        assert_eq!(refusal["description"], "Incorrect or expired token", "{what}");
    }
    assert_eq!(tokens.verify(&access, Typ::Access).unwrap().sub, person.id);
    let own = control.nobody.with_token(access.clone());
    let _ = own.get("/auth/user").await.ok();
    let _ = control.admin.delete(&format!("/users/{}", person.id)).await.ok();
    control.app.gate.policies.poll().await.unwrap();
    let _ = own.get("/auth/user").await.refused(401);
    let _ = control.sign_in(&email, PASSWORD).await.refused(401);
    let refresh = json!({"refresh_token": user["refresh_token"]});
    let _ = control.nobody.post("/auth/refresh_token", refresh).await.refused(401);
    clock.advance(TimeDelta::minutes(30));
    let _ = control.admin.get("/auth/user").await.refused(401);
}

/// A user made a moment ago signs in and works at once, though policies are held in memory.
#[tokio::test]
async fn a_new_user_need_not_wait() {
    let control = control().await;
    let _ = control.admin.get("/users").await.ok();
    let (_, email) = control.with_password("user").await;
    let user = control.sign_in(&email, PASSWORD).await.ok();
    let _ = control.nobody.with_token(user["token"].as_str().unwrap()).get("/auth/user").await.ok();
}

/// A Master user enters an organisation: on the record, for half an hour, with all rights there.
#[tokio::test]
async fn a_master_user_enters_an_organisation() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let id = control.organisation.id.get();
    let master = control.master().await;
    let entered = master.post("/auth/organisation_token", json!({"organisation_id": id})).await.ok();
    assert_eq!(entered["organisation"]["id"], id);
    let inside = master.with_token(entered["token"].as_str().unwrap());
    let user = inside.get("/auth/user").await.ok();
    assert_eq!(user["organisation"]["id"], id);
    assert!(user["role"]["access_levels"].as_array().is_some_and(|levels| levels.len() == 65));
    // Inside, the organisation's people are all there is.
    let users = inside.get("/users?per_page=300").await.ok();
    assert!(users["data"].as_array().unwrap().iter().all(|user| user["organisation_id"] == id));
    assert_eq!(control.record(&format!("organisation:{id}")).await, ["organisation_entered"]);
    // From inside to the next, as the client does when it renews.
    let other = crate::support::control().await;
    let body = json!({"organisation_id": other.organisation.id.get()});
    let _ = inside.post("/auth/organisation_token", body.clone()).await.ok();
    clock.advance(TimeDelta::minutes(30));
    let _ = inside.get("/auth/user").await.refused(401);

    let _ = control.admin.post("/auth/organisation_token", body.clone()).await.refused(401);
    let _ = other.admin.post("/auth/organisation_token", body).await.refused(403);
    let fresh = crate::support::control().await;
    let _ = fresh
        .master()
        .await
        .post("/auth/organisation_token", json!({"organisation_id": 3}))
        .await
        .refused(404);
    // Who may not manage organisations cannot enter them either, though entering gives all rights.
    let planner = fresh.admin.with_token(fresh.master_token("user").await);
    let body = json!({"organisation_id": fresh.organisation.id.get()});
    let _ = planner.post("/auth/organisation_token", body).await.refused(403);
}

/// A-391, L-06: without a map vendor there is no token.
#[tokio::test]
async fn without_a_map_vendor_there_is_no_token() {
    let control = control().await;
    let _ = control.planner.get("/auth/esri_token").await.refused(404);
    let _ = control.nobody.get("/auth/esri_token").await.refused(401);
}

/// modules, time zones and access levels can be listed.
#[tokio::test]
async fn vocabularies_are_listed() {
    let control = control().await;
    let modules = control.planner.get("/modules").await.ok();
    assert_eq!(modules.as_array().map(Vec::len), Some(9));
    assert_eq!(modules[1], json!({"key": "units", "name": "Units"}));
    let zones = control.planner.get("/timezones").await.ok();
    assert!(zones.as_array().is_some_and(|zones| zones.contains(&json!("Australia/Perth"))));
    let levels = control.admin.get("/access_levels").await.ok();
    assert_eq!(levels.as_array().map(Vec::len), Some(67));
    let _ = control.planner.get("/access_levels").await.refused(403);
    let _ = control.nobody.get("/modules").await.refused(401);
}

/// V-23: strangers who try an address lock out strangers. Its owner gets in from a device that is known, with the right
/// password; from there too only so many wrong ones are tried, and the cookie is of no use for another address.
#[tokio::test]
async fn a_known_device_gets_in_while_strangers_are_locked_out() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let (_, email) = control.with_password("user").await;
    let first = control.sign_in(&email, PASSWORD).await;
    let set = first.headers["set-cookie"].to_str().unwrap().to_owned();
    assert!(
        set.contains("HttpOnly") && set.contains("SameSite=Strict") && set.contains("Path=/api"),
        "{set}"
    );
    let cookie = set.split(';').next().unwrap().to_owned();
    let from = |cookie: String, email: String, password: &'static str| {
        let body = json!({"email": email, "password": password}).to_string();
        let request = http::Request::post("/users/login")
            .header("content-type", "application/json")
            .header("cookie", cookie);
        control.nobody.send(request.body(body.into()).unwrap())
    };
    clock.advance(TimeDelta::seconds(1));
    for _ in 0..10 {
        let _ = control.sign_in(&email, "wrong").await.refused(401);
    }
    let _ = control.sign_in(&email, PASSWORD).await.refused(429);
    let _ = from(cookie.clone(), email.clone(), PASSWORD).await.ok();
    // The owner's sign-in gives strangers no further tries.
    let _ = control.sign_in(&email, PASSWORD).await.refused(429);
    let (name, value) = cookie.split_once('=').unwrap();
    let forged = format!("{name}=another{}", &value[7..]);
    let _ = from(forged, email.clone(), PASSWORD).await.refused(429);
    let (_, other) = control.with_password("user").await;
    for _ in 0..10 {
        let _ = control.sign_in(&other, "wrong").await.refused(401);
    }
    let _ = from(cookie.clone(), other, PASSWORD).await.refused(429);
    clock.advance(TimeDelta::seconds(1));
    for _ in 0..10 {
        let _ = from(cookie.clone(), email.clone(), "wrong").await.refused(401);
    }
    let _ = from(cookie, email, PASSWORD).await.refused(429);
}
