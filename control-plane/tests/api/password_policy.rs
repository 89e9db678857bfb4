//! Rules for passwords.

use chrono::{TimeDelta, Utc};
use routewright_core::Clock;
use serde_json::json;

use crate::support::{Control, PASSWORD, address, control, control_at, reason};

async fn rules(control: &Control, change: serde_json::Value) -> serde_json::Value {
    let id = control.admin.get("/password_policy").await.ok()["data"][0]["id"].clone();
    control.admin.patch(&format!("/password_policy/{id}"), change).await.ok()
}

/// one set of rules per organisation, in all six calls.
#[tokio::test]
async fn an_administrator_keeps_the_rules() {
    let control = control().await;
    let page = control.admin.get("/password_policy").await.ok();
    assert_eq!(page["total_count"], 1);
    let rules = &page["data"][0];
    for (field, value) in
        [("min_length", 8), ("history", 0), ("lockout_attempts", 10), ("lockout_minutes", 15)]
    {
        assert_eq!(rules[field], value, "{field}");
    }
    assert_eq!((&rules["require_digit"], &rules["max_age_days"]), (&json!(false), &json!(null)));
    let path = format!("/password_policy/{}", rules["id"]);
    assert_eq!(control.admin.get(&path).await.ok()["id"], rules["id"]);
    let changed = control.admin.patch(&path, json!({"min_length": 12, "max_age_days": 90})).await.ok();
    assert_eq!((&changed["min_length"], &changed["max_age_days"]), (&json!(12), &json!(90)));
    let bulk = json!([{"id": rules["id"], "max_age_days": null}]);
    assert_eq!(control.admin.patch("/password_policy/bulk", bulk).await.ok()[0]["max_age_days"], json!(null));
    for (field, value) in [
        // W-093: no rule makes passwords shorter than the floor.
        ("min_length", json!(1)),
        ("min_length", json!(7)),
        ("min_length", json!(129)),
        ("min_length", json!(null)),
        ("history", json!(51)),
        ("max_age_days", json!(0)),
        ("lockout_attempts", json!(0)),
        ("lockout_minutes", json!(1441)),
        ("require_digit", json!("perhaps")),
    ] {
        let refusal = control.admin.patch(&path, json!({field: value})).await.refused(400);
        assert!(!reason(&refusal, field).is_empty(), "{field}: {refusal}");
    }
    let _ = control.admin.post("/password_policy", json!({})).await.refused(409);
    // Without rules there would be no lockout: deleting goes back to the usual ones.
    let _ = control.admin.delete(&path).await.ok();
    assert_eq!(control.admin.get("/password_policy").await.ok()["data"][0]["min_length"], 8);
    let _ = control.admin.get(&path).await.refused(404);
    let _ = control.planner.get("/password_policy").await.refused(403);
    let other = crate::support::control().await;
    let theirs = other.admin.get("/password_policy").await.ok()["data"][0]["id"].clone();
    let theirs = format!("/password_policy/{theirs}");
    let _ = control.admin.get(&theirs).await.refused(404);
    let _ = control.admin.patch(&theirs, json!({"min_length": 1})).await.refused(404);
    let _ = control.admin.delete(&theirs).await.refused(404);
}

/// W-093: rules from before the floor count as the floor.
#[tokio::test]
async fn rules_below_the_floor_are_lifted() {
    let control = control().await;
    sqlx::query("update password_policies set min_length = 1 where organisation_id = $1")
        .bind(control.organisation.id)
        .execute(&control.app.control)
        .await
        .unwrap();
    let rules = control.admin.get("/password_policy").await.ok()["data"][0].clone();
    assert_eq!(rules["min_length"], 8);
    // Other rules can still be changed.
    let path = format!("/password_policy/{}", rules["id"]);
    assert_eq!(control.admin.patch(&path, json!({"history": 1})).await.ok()["min_length"], 8);
    let body = json!({"email": address(), "password": "a", "first_name": "P", "last_name": "W"});
    let refusal = control.admin.post("/drivers/users", body).await.refused(400);
    assert_eq!(reason(&refusal, "password"), "Password must have at least 8 characters");
}

/// S-35: the rules hold for first, new and own passwords; the last ones cannot come back.
#[tokio::test]
async fn the_rules_hold_everywhere() {
    let control = control().await;
    let _ = rules(&control, json!({"require_digit": true, "require_special": true, "history": 2})).await;
    let email = address();
    let body =
        |password: &str| json!({"email": email, "password": password, "first_name": "P", "last_name": "W"});
    let refusal = control.admin.post("/drivers/users", body("no digits here!")).await.refused(400);
    assert_eq!(reason(&refusal, "password"), "Password must contain a digit");
    let _ = control.admin.post("/drivers/users", body(PASSWORD)).await.ok();
    let user = control.sign_in(&email, PASSWORD).await.ok();
    let mut own = control.nobody.with_token(user["token"].as_str().unwrap());
    let mut current = PASSWORD;
    for (password, reason_given) in [
        ("no digits here!", Some("Password must contain a digit")),
        ("nospecials1", Some("Password must contain a special character")),
        (PASSWORD, Some("Password was used before")),
        ("Second-Flower 1", None),
        (PASSWORD, Some("Password was used before")),
        ("Third-Flower 1", None),
        (PASSWORD, None),
    ] {
        let body = json!({"new_password": password, "current_password": current});
        let answer = own.patch("/users/me", body).await;
        match reason_given {
            Some(text) => assert_eq!(reason(&answer.refused(400), "new_password"), text, "{password}"),
            None => {
                own = own.with_token(answer.ok()["token"].as_str().unwrap());
                current = password;
            }
        }
    }
}

/// A password that is too old opens nothing any more, and says why to who knows it.
#[tokio::test]
async fn an_old_password_must_be_changed() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let _ = rules(&control, json!({"max_age_days": 30})).await;
    let (_, email) = control.with_password("user").await;
    clock.advance(TimeDelta::days(30) - TimeDelta::seconds(1));
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    clock.advance(TimeDelta::seconds(2));
    let refusal = control.sign_in(&email, PASSWORD).await.refused(401);
    assert!(refusal["description"].as_str().is_some_and(|text| text.contains("expired")));
    assert_eq!(refusal["error"], "USER_ERROR");
    assert_eq!(
        control.sign_in(&email, "wrong").await.refused(401)["description"],
        "Incorrect email or password"
    );
}

/// An organisation may lock earlier and longer.
#[tokio::test]
async fn lockout_follows_the_rules() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let _ = rules(&control, json!({"lockout_attempts": 3, "lockout_minutes": 60})).await;
    let (person, email) = control.with_password("user").await;
    let fail = || control.sign_in(&email, "wrong");
    for _ in 0..3 {
        let _ = fail().await.refused(401);
        // Failures far apart add up within the time of a lockout.
        clock.advance(TimeDelta::minutes(19));
    }
    clock.advance(TimeDelta::minutes(40));
    let _ = control.sign_in(&email, PASSWORD).await.refused(429);
    clock.advance(TimeDelta::minutes(1));
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    for _ in 0..3 {
        let _ = fail().await.refused(401);
    }
    // A new password by the administrator opens the account.
    let admin = control.admin.with_token(control.organisation.token(control.organisation.admin));
    let path = format!("/users/{}", person.id);
    let _ = admin.patch(&path, json!({"new_password": "Fresh-Flower 3"})).await.ok();
    let _ = control.sign_in(&email, "Fresh-Flower 3").await.ok();
}
