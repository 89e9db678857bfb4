//! Users, by administrators and by themselves.

use std::time::{Duration, Instant};

use routewright_core::Clock;
use routewright_testing::Client;
use serde_json::{Value, json};

use crate::support::{Control, PASSWORD, address, config, control, name, reason, role, service};

fn body(email: &str, role: i64) -> Value {
    json!({
        "email": email, "password": PASSWORD, "first_name": "Eva", "last_name": "Reis",
        "phone_number": "+351 220 000 002", "role_id": role
    })
}

/// ..A-174, A-426: the six calls; the new user signs in.
#[tokio::test]
async fn an_administrator_keeps_users() {
    let control = control().await;
    let email = address();
    let made = control.admin.post("/users", body(&email, control.role("user").await)).await;
    assert_eq!(made.status, 201);
    let user = made.ok();
    assert_eq!(user["organisation_id"], control.organisation.id.get());
    assert_eq!(user["role"]["name"], "user");
    assert!(!user.to_string().contains("password") && !user.to_string().contains("argon2"));
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    let path = format!("/users/{}", user["id"]);
    assert!(control.admin.get(&path).await.ok()["last_login"].is_string());

    let changed =
        control.admin.patch(&path, json!({"last_name": " Reis Lima ", "phone_number": ""})).await.ok();
    assert_eq!((&changed["last_name"], &changed["phone_number"]), (&json!("Reis Lima"), &Value::Null));
    let bulk = json!([{"id": user["id"], "first_name": "Evangelina"}]);
    assert_eq!(control.admin.patch("/users/bulk", bulk).await.ok()[0]["first_name"], "Evangelina");
    let found = control.admin.get(&format!("/users?search={}&per_page=10", &email[..8])).await.ok();
    assert_eq!(found["total_count"], 1);
    let found = control.admin.get("/users?search=evangelina%20reis").await.ok();
    assert_eq!(found["data"][0]["id"], user["id"]);
    assert_eq!(control.admin.delete(&path).await.ok(), json!({"id": user["id"]}));
    assert_eq!(control.admin.get(&path).await.refused(404)["description"], "User not found");
    assert_eq!(
        control.record(&format!("user:{}", user["id"])).await,
        ["user_created", "user_changed", "user_changed", "user_deleted"]
    );
    // The address is free again.
    let _ = control.admin.post("/users", body(&email, control.role("user").await)).await.ok();
}

/// W-084: a deleted user comes back with role and password, unless somebody else has the address by now; nobody brings back
/// more than they hold, nor a user of another organisation.
#[tokio::test]
async fn w_084_a_deleted_user_comes_back() {
    let control = control().await;
    let email = address();
    let user = control.admin.post("/users", body(&email, control.role("user").await)).await.ok();
    let path = format!("/users/{}", user["id"]);
    let restore = format!("{path}/restore");
    control.admin.patch(&restore, Value::Null).await.refused(404);
    let _ = control.admin.delete(&path).await.ok();
    let list = format!("/users?email={email}");
    assert_eq!(control.admin.get(&list).await.ok()["total_count"], 0);
    let found = control.admin.get(&format!("{list}&include_deleted=true")).await.ok();
    assert!(found["data"][0]["deleted_at"].is_string(), "{found}");
    control.admin.patch(&path, json!({"first_name": "Ana"})).await.refused(404);
    let successor = control.admin.post("/users", body(&email, control.role("user").await)).await.ok();
    let refusal = control.admin.patch(&restore, Value::Null).await.refused(400);
    assert_eq!(reason(&refusal, "email"), "A user with this e-mail address already exists");
    let _ = control.admin.delete(&format!("/users/{}", successor["id"])).await.ok();
    let other = self::control().await;
    other.admin.patch(&restore, Value::Null).await.refused(404);
    control.with_levels(&["users_read", "users_write"]).await.patch(&restore, Value::Null).await.refused(403);
    control.planner.patch(&restore, Value::Null).await.refused(403);
    control.admin.patch(&format!("/drivers{restore}"), Value::Null).await.refused(404);

    let back = control.admin.patch(&restore, Value::Null).await.ok();
    assert_eq!((&back["id"], &back["role"], &back["deleted_at"]), (&user["id"], &user["role"], &Value::Null));
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    let record = control.record(&format!("user:{}", user["id"])).await;
    assert_eq!(record, ["user_created", "user_deleted", "user_restored"]);
    control.admin.patch(&restore, Value::Null).await.refused(404);

    let body = json!({"email": address(), "password": PASSWORD, "first_name": "Rui", "last_name": "Costa"});
    let driver = control.admin.post("/drivers/users", body).await.ok();
    let path = format!("/drivers/users/{}", driver["id"]);
    let _ = control.admin.delete(&path).await.ok();
    let found = control.admin.get("/drivers/users?include_deleted=true").await.ok();
    assert!(found["data"][0]["deleted_at"].is_string(), "{found}");
    let back = control.admin.patch(&format!("{path}/restore"), Value::Null).await.ok();
    assert_eq!((&back["id"], &back["deleted_at"]), (&driver["id"], &Value::Null));
}

/// A-297..A-304: the words of the user form, all at once.
#[tokio::test]
async fn a_user_form_is_checked() {
    let control = control().await;
    let empty = control.admin.post("/users", json!({})).await.refused(400);
    for (field, text) in [
        ("email", "Email is required"),
        ("password", "Password is required"),
        ("first_name", "First name is required"),
        ("last_name", "Last name is required"),
        ("role_id", "Role is required"),
    ] {
        assert_eq!(reason(&empty, field), text);
    }
    let role = control.role("user").await;
    let taken = control.with_password("user").await.1;
    for (field, value, text) in [
        ("email", json!("nobody"), "Invalid email address"),
        ("email", json!(taken.to_uppercase()), "A user with this e-mail address already exists"),
        (
            "phone_number",
            json!("12"),
            "Invalid phone number, must be international format (e.g +61412345678)",
        ),
        ("first_name", json!("x".repeat(5000)), "Value is too long"),
        ("first_name", json!("<script>"), "Field can't contain special characters"),
        ("password", json!("short"), "Password must have at least 8 characters"),
        ("role_id", json!(-1), "Role does not exist"),
        ("haulier_id", json!(control.organisation.id.get()), "Haulier does not exist"),
    ] {
        let mut body = body(&address(), role);
        body[field] = value;
        let refusal = control.admin.post("/users", body).await.refused(400);
        assert_eq!(reason(&refusal, field), text, "{refusal}");
    }
    let path = format!("/users/{}", control.organisation.planner.id);
    for (field, text) in [
        ("email", "Email is required"),
        ("first_name", "First name is required"),
        ("role_id", "Role is required"),
        ("organisation_id", "Organisation is required"),
    ] {
        let refusal = control.admin.patch(&path, json!({field: null})).await.refused(400);
        assert_eq!(reason(&refusal, field), text);
    }
}

/// Contract §2.4: nobody gives what they do not hold, nor takes over somebody who holds more.
#[tokio::test]
async fn nobody_grants_more_than_they_hold() {
    let control = control().await;
    let keeper = control.with_levels(&["users_read", "users_write", "jobs_read", "customer_view_read"]).await;
    let admin_role = control.role("admin").await;
    let user_role = control.role("user").await;
    let driver_role = control.role("driver").await;
    for role in [admin_role, user_role] {
        let _ = keeper.post("/users", body(&address(), role)).await.refused(403);
    }
    let driver = keeper.post("/users", body(&address(), driver_role)).await.ok();
    let path = format!("/users/{}", driver["id"]);
    let _ = keeper.patch(&path, json!({"role_id": admin_role})).await.refused(403);
    let above = format!("/users/{}", control.organisation.admin.id);
    let _ = keeper.patch(&above, json!({"new_password": PASSWORD})).await.refused(403);
    let _ = keeper.patch(&above, json!({"email": address()})).await.refused(403);
    let _ = keeper.delete(&above).await.refused(403);
    let bulk = json!([{"id": driver["id"], "first_name": "New"}, {"id": control.organisation.admin.id, "first_name": "X"}]);
    let _ = keeper.patch("/users/bulk", bulk).await.refused(403);
    // All or nothing.
    assert_eq!(keeper.get(&path).await.ok()["first_name"], "Eva");
    // A level that restricts an account to one view may be given by who holds the view.
    let view = control
        .admin
        .post("/roles", json!({"name": name("Customers"), "access_levels": ["customer_view_login"]}))
        .await
        .ok();
    let _ = keeper.post("/users", body(&address(), view["id"].as_i64().unwrap())).await.ok();
    let _ = control.planner.post("/users", body(&address(), driver_role)).await.refused(403);
}

/// 400 on deleting oneself.
#[tokio::test]
async fn nobody_deletes_themselves() {
    let control = control().await;
    let own = format!("/users/{}", control.organisation.admin.id);
    let refusal = control.admin.delete(&own).await.refused(400);
    assert_eq!(refusal["description"], "You cannot delete yourself");
}

/// Other organisations' ids are not there, whatever the call.
#[tokio::test]
async fn users_of_others_are_not_there() {
    let control = control().await;
    let other = crate::support::control().await;
    let theirs = format!("/users/{}", other.organisation.planner.id);
    let _ = control.admin.get(&theirs).await.refused(404);
    let _ = control.admin.patch(&theirs, json!({"first_name": "Mine"})).await.refused(404);
    let _ = control.admin.delete(&theirs).await.refused(404);
    let bulk = json!([{"id": other.organisation.planner.id, "first_name": "Mine"}]);
    let _ = control.admin.patch("/users/bulk", bulk).await.refused(404);
    let theirs = other.organisation.id.get();
    assert_eq!(control.admin.get(&format!("/users?organisation_id={theirs}")).await.ok()["total_count"], 0);
    let mut new = body(&address(), other.role("user").await);
    // Their role in our organisation, our user in theirs.
    let refusal = control.admin.post("/users", new.clone()).await.refused(400);
    assert_eq!(reason(&refusal, "role_id"), "Role does not exist");
    new["organisation_id"] = theirs.into();
    let _ = control.admin.post("/users", new).await.refused(403);
    let move_there = json!({"organisation_id": theirs, "role_id": other.role("user").await});
    let own = format!("/users/{}", control.organisation.planner.id);
    let _ = control.admin.patch(&own, move_there).await.refused(403);
}

/// Master users see all, make users anywhere and move them; a moved user is signed out.
#[tokio::test]
async fn master_users_keep_users_everywhere() {
    let control = control().await;
    let other = crate::support::control().await;
    let master = control.master().await;
    let here = control.organisation.id.get();
    let mut new = body(&address(), control.role("user").await);
    new["organisation_id"] = here.into();
    let made = master.post("/users", new).await.ok();
    assert_eq!(made["organisation_id"], here);
    let path = format!("/users/{}", made["id"]);
    let signed = control.sign_in(made["email"].as_str().unwrap(), PASSWORD).await.ok();
    let there = other.organisation.id.get();
    let lacking = master.patch(&path, json!({"organisation_id": there})).await.refused(400);
    assert_eq!(reason(&lacking, "role_id"), "Role is required");
    let change = json!({"organisation_id": there, "role_id": other.role("user").await});
    assert_eq!(master.patch(&path, change).await.ok()["organisation_id"], there);
    let refresh = json!({"refresh_token": signed["refresh_token"]});
    let _ = control.nobody.post("/auth/refresh_token", refresh).await.refused(401);
    let _ = control.admin.get(&path).await.refused(404);
    let _ = other.sign_in(made["email"].as_str().unwrap(), PASSWORD).await.ok();
    let missing = json!({"email": address(), "password": PASSWORD, "first_name": "A", "last_name": "B", "role_id": 1, "organisation_id": 1});
    let refusal = master.post("/users", missing).await.refused(400);
    assert_eq!(reason(&refusal, "organisation_id"), "Organisation does not exist");
}

async fn signed_in(control: &Control, email: &str) -> (Client, Value) {
    let user = control.sign_in(email, PASSWORD).await.ok();
    (control.nobody.with_token(user["token"].as_str().unwrap()), user["refresh_token"].clone())
}

/// Two scenarios of the organisation.
async fn scenarios(control: &Control) -> [i64; 2] {
    let mut database = control.organisation.database().await;
    let made = "insert into scenarios (name, scheduled_date, ws_token)
        select 'Day ' || n, '2026-11-23', md5(random()::text) from generate_series(1, 2) n returning id";
    let ids: Vec<i64> = sqlx::query_scalar(made).fetch_all(&mut database).await.unwrap();
    ids.try_into().unwrap()
}

/// W-018, V-25: only a scenario of the own organisation becomes the active one; one that is deleted is nobody's, and another
/// organisation's users keep theirs of the same id.
#[tokio::test]
async fn the_active_scenario_is_one_that_is_there() {
    let (control, other) = (control().await, crate::support::control().await);
    let [gone, stays] = scenarios(&control).await;
    let mut database = other.organisation.database().await;
    let same_id = "insert into scenarios (id, name, scheduled_date, ws_token)
        overriding system value values ($1, 'Same', '2026-11-23', md5(random()::text)) on conflict do nothing";
    sqlx::query(same_id).bind(gone).execute(&mut database).await.unwrap();
    let active = |client: Client, id: i64| async move {
        client.patch("/users/me", json!({"active_scenario": id})).await
    };
    for (client, id) in [(&control.admin, gone), (&control.planner, gone), (&other.admin, gone)] {
        assert_eq!(active(client.clone(), id).await.ok()["active_scenario"], id);
    }
    let refused = active(control.planner.clone(), 99_999).await.refused(400);
    assert_eq!(refused["fields"]["active_scenario"], "Value does not exist");
    let user = control.planner.get("/auth/user").await.ok();
    assert_eq!(user["active_scenario"], gone);
    let path = format!("/users/{}", user["id"]);
    let _ = control.admin.patch(&path, json!({"active_scenario": 99_999})).await.refused(400);

    let mut database = control.organisation.database().await;
    sqlx::query("delete from scenarios where id = $1").bind(gone).execute(&mut database).await.unwrap();
    assert_eq!(control.planner.get("/auth/user").await.ok()["active_scenario"], Value::Null);
    let kept: Vec<Option<i64>> =
        sqlx::query_scalar("select active_scenario from users where organisation_id = $1")
            .bind(control.organisation.id)
            .fetch_all(&control.organisation.control)
            .await
            .unwrap();
    assert!(kept.iter().all(Option::is_none), "{kept:?}");
    assert_eq!(other.admin.get("/auth/user").await.ok()["active_scenario"], gone);
    assert_eq!(active(control.planner.clone(), stays).await.ok()["active_scenario"], stays);
}

/// the own account.
#[tokio::test]
async fn users_change_their_own_account() {
    let control = control().await;
    let (_, email) = control.with_password("driver").await;
    let (own, _) = signed_in(&control, &email).await;
    let user = own.patch("/users/me", json!({"personal_data_consent": true})).await.ok();
    assert_eq!(user["personal_data_consent"], true);
    assert!(user["token"].is_string());
    let [scenario, _] = scenarios(&control).await;
    let change = json!({"first_name": "Bia", "phone_number": "+351220000009", "active_scenario": scenario});
    let user = own.patch("/users/me", change).await.ok();
    assert_eq!((&user["first_name"], &user["active_scenario"]), (&json!("Bia"), &json!(scenario)));
    assert_eq!(
        own.patch("/users/me", json!({"active_scenario": null})).await.ok()["active_scenario"],
        Value::Null
    );
    // W-032: what is not one's own to change is refused.
    let body = json!({"role_id": control.role("admin").await, "organisation_id": 1});
    let refused = own.patch("/users/me", body).await.refused(400);
    let text = "This field is unknown or read-only";
    assert_eq!(refused["fields"], json!({"role_id": text, "organisation_id": text}));
    assert_eq!(own.get("/auth/user").await.ok()["role"]["name"], "driver");
    for (field, value, text) in [
        ("email", json!("x"), "Invalid email address"),
        ("email", json!(""), "Email is required"),
        ("last_name", json!(null), "Last name is required"),
        ("new_password", json!("short"), "Password must have at least 8 characters"),
    ] {
        let body = json!({field: value, "current_password": PASSWORD});
        let refusal = own.patch("/users/me", body).await.refused(400);
        assert_eq!(reason(&refusal, field), text);
    }
    let _ = control.nobody.patch("/users/me", json!({})).await.refused(401);
}

/// S-35: a new password ends all other sessions; the own one goes on with its refresh token.
#[tokio::test]
async fn a_new_password_ends_other_sessions() {
    let control = control().await;
    let (_, email) = control.with_password("user").await;
    let (own, own_refresh) = signed_in(&control, &email).await;
    let (other, other_refresh) = signed_in(&control, &email).await;
    let body = json!({"new_password": "Other-Flower 8", "current_password": PASSWORD});
    let user = own.patch("/users/me", body).await.ok();
    let own = own.with_token(user["token"].as_str().unwrap());
    let _ = own.get("/auth/user").await.ok();
    control.app.gate.policies.poll().await.unwrap();
    let _ = own.get("/auth/user").await.ok();
    assert_eq!(other.get("/auth/user").await.refused(401)["description"], "Incorrect or expired token");
    let refresh = |token: Value| control.nobody.post("/auth/refresh_token", json!({"refresh_token": token}));
    let _ = refresh(other_refresh).await.refused(401);
    let next = refresh(own_refresh).await.ok();
    let _ = own.with_token(next["token"].as_str().unwrap()).get("/auth/user").await.ok();
    let _ = control.sign_in(&email, PASSWORD).await.refused(401);
    let _ = control.sign_in(&email, "Other-Flower 8").await.ok();
}

/// by an administrator a new password ends them all.
#[tokio::test]
async fn an_administrator_sets_a_new_password() {
    let control = control().await;
    let (person, email) = control.with_password("user").await;
    let (own, refresh) = signed_in(&control, &email).await;
    let path = format!("/users/{}", person.id);
    let _ = control.admin.patch(&path, json!({"new_password": "Third-Flower 9"})).await.ok();
    control.app.gate.policies.poll().await.unwrap();
    let _ = own.get("/auth/user").await.refused(401);
    let body = json!({"refresh_token": refresh});
    let _ = control.nobody.post("/auth/refresh_token", body).await.refused(401);
    let _ = control.sign_in(&email, "Third-Flower 9").await.ok();
}

/// S-35, W-094: a change of what a user may do is in force with its answer, at another replica as well, and be it one that
/// hears no announcement: the very next request sees it, without signing in again.
#[tokio::test]
async fn a_change_is_in_force_with_its_answer_at_every_replica() {
    let control = control().await;
    let (person, email) = control.with_password("admin").await;
    let (own, _) = signed_in(&control, &email).await;
    let other = service(config(&[]), Clock::system()).await;
    let (own_there, admin_there) = (own.elsewhere(other.router()), control.admin.elsewhere(other.router()));
    let (admin, driver) = (
        role(&control.app, control.organisation.id, "admin").await,
        role(&control.app, control.organisation.id, "driver").await,
    );
    let path = format!("/users/{}", person.id);
    for turn in 0..6 {
        let _ = own_there.get("/users").await.ok();
        let _ = control.admin.patch(&path, json!({"role_id": driver})).await.ok();
        let _ = own_there.get("/users").await.refused(403);
        let _ = own.get("/users").await.refused(403);
        let _ = control.admin.patch(&path, json!({"role_id": admin})).await.ok();
        let settings = json!({"optimisation": {"max_seconds": 10 + turn}});
        let _ = admin_there.get("/organisations/settings").await.ok();
        let _ = control.admin.patch("/organisations/settings", settings).await.ok();
        let read = admin_there.get("/organisations/settings").await.ok();
        assert_eq!(read["optimisation"]["max_seconds"], 10 + turn);
    }
}

/// A change of what a user may do is in force within a second, without signing in again.
#[tokio::test]
async fn a_change_of_rights_is_in_force_within_a_second() {
    let control = control().await;
    let (person, email) = control.with_password("admin").await;
    let (own, _) = signed_in(&control, &email).await;
    let _ = own.get("/users").await.ok();
    let role = role(&control.app, control.organisation.id, "driver").await;
    let _ = control.admin.patch(&format!("/users/{}", person.id), json!({"role_id": role})).await.ok();
    let changed = Instant::now();
    while own.get("/users").await.status != 403 {
        assert!(changed.elapsed() < Duration::from_secs(1), "the old rights last too long");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
