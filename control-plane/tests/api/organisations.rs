//! Organisations, hauliers and settings.

use std::time::{Duration, Instant};

use routewright_identity::Policy;
use serde_json::{Value, json};

use crate::support::{PASSWORD, address, control, name, reason};

/// ..A-182, A-396..A-399, R-24, S-36: Master users make organisations, whose administrator works at once.
#[tokio::test]
async fn master_users_make_organisations() {
    let control = control().await;
    let master = control.master().await;
    let email = address();
    let body = json!({
        "name": name("Northwind"), "timezone": "Australia/Perth", "modules": ["returns", "udf", "returns"],
        "settings": {"distance_unit": "mi", "optimisation": {"max_seconds": 60}},
        "admin": {"email": email, "password": PASSWORD, "first_name": "Ida", "last_name": "Holm"}
    });
    let made = master.post("/organisations", body.clone()).await;
    assert_eq!(made.status, 201);
    let organisation = made.ok();
    assert_eq!(
        (&organisation["timezone"], &organisation["state"]),
        (&json!("Australia/Perth"), &json!("ready"))
    );
    assert_eq!(organisation["modules"], json!(["returns", "udf"]));
    assert_eq!(
        (&organisation["settings"]["distance_unit"], &organisation["settings"]["weight_unit"]),
        (&json!("mi"), &json!("kg"))
    );
    let id = organisation["id"].as_i64().unwrap();
    let user = control.sign_in(&email, PASSWORD).await.ok();
    assert_eq!((&user["organisation"]["id"], &user["role"]["name"]), (&json!(id), &json!("admin")));
    let own = control.nobody.with_token(user["token"].as_str().unwrap());
    assert_eq!(own.get("/roles").await.ok()["total_count"], 3);
    assert_eq!(own.get("/password_policy").await.ok()["data"][0]["min_length"], 8);
    assert_eq!(control.record(&format!("organisation:{id}")).await, ["organisation_created"]);

    let twice = master.post("/organisations", body).await.refused(400);
    assert_eq!(reason(&twice, "name"), "An organisation with this name already exists");
    let mut again = json!({"name": name("Other"), "admin": {"email": email, "password": PASSWORD, "first_name": "I", "last_name": "H"}});
    let refusal = master.post("/organisations", again.clone()).await.refused(400);
    assert!(reason(&refusal, "email").contains("already exists"), "{refusal}");
    // Nothing is left of a refused one.
    again["admin"] = Value::Null;
    let _ = master.post("/organisations", again).await.ok();
    let _ = control.admin.post("/organisations", json!({"name": "Mine"})).await.refused(403);
}

#[tokio::test]
async fn an_organisation_form_is_checked() {
    let control = control().await;
    let master = control.master().await;
    for (body, field, text) in [
        (json!({}), "name", "Name is required"),
        (json!({"name": "x".repeat(5000)}), "name", "Value is too long"),
        (json!({"name": "a\u{7}b"}), "name", "Field can't contain special characters"),
        (json!({"name": "MASTER"}), "name", "An organisation with this name already exists"),
        (json!({"name": "A", "timezone": "Mars/Olympus"}), "timezone", "`Mars/Olympus` is not a time zone"),
        (json!({"name": "A", "modules": ["jets"]}), "modules", "`jets` is not a module"),
        (json!({"name": "A", "settings": {"job_duration": 0}}), "job_duration", "Value must be above 0"),
        (json!({"name": "A", "placement": "moon"}), "placement", "This placement is not configured"),
        (json!({"name": "A", "admin": {}}), "admin.email", "Email is required"),
        (json!({"name": "A", "admin": {}}), "admin.password", "Password is required"),
        (
            json!({"name": "A", "admin": {"email": "a@example.org", "password": "x", "first_name": "a", "last_name": "b"}}),
            "admin.password",
            "Password must have at least 8 characters",
        ),
    ] {
        let refusal = master.post("/organisations", body.clone()).await.refused(400);
        assert_eq!(reason(&refusal, field), text, "{body}: {refusal}");
    }
}

/// an organisation's own administrator switches modules and changes settings, of their own only.
#[tokio::test]
async fn an_administrator_changes_their_organisation() {
    let control = control().await;
    let id = control.organisation.id.get();
    let path = format!("/organisations/{id}");
    let change = json!({"modules": ["udf"], "timezone": "Europe/Berlin", "settings": {"currency": "EUR"}});
    let changed = control.admin.patch(&path, change).await.ok();
    assert_eq!((&changed["modules"], &changed["settings"]["currency"]), (&json!(["udf"]), &json!("EUR")));
    let after = Instant::now();
    while control.admin.get("/auth/user").await.ok()["organisation"]["modules"] != json!(["udf"]) {
        assert!(after.elapsed() < Duration::from_secs(1), "the old modules last too long");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let uid = control.organisation.links.long(control.organisation.id);
    let changed = control.admin.patch(&path, json!({"logo": {"uid": uid}})).await.ok();
    assert_eq!(changed["logo"], json!({"uid": uid, "link": format!("/files/uid/{uid}")}));
    let other = crate::support::control().await;
    let theirs = other.organisation.links.long(other.organisation.id);
    let refusal = control.admin.patch(&path, json!({"logo": {"uid": theirs}})).await.refused(400);
    assert_eq!(reason(&refusal, "logo"), "File does not exist");
    assert_eq!(control.admin.patch(&path, json!({"logo": null})).await.ok()["logo"], Value::Null);

    // Everybody may read their own; nobody another one.
    assert_eq!(control.planner.get(&path).await.ok()["id"], id);
    let _ = control.planner.patch(&path, json!({"modules": []})).await.refused(403);
    let there = format!("/organisations/{}", other.organisation.id);
    let _ = control.admin.get(&there).await.refused(404);
    let _ = control.admin.patch(&there, json!({"name": "Mine"})).await.refused(404);
    let _ = control.admin.delete(&path).await.refused(403);
    let _ = control.admin.patch("/organisations/bulk", json!([{"id": id, "name": "x"}])).await.refused(403);
    assert_eq!(control.admin.get("/organisations").await.ok()["total_count"], 1);
    let renamed = control.admin.patch(&path, json!({"name": "master"})).await.refused(400);
    assert_eq!(reason(&renamed, "name"), "An organisation with this name already exists");
}

/// Master is there, keeps its name and cannot be deleted; its users see all.
#[tokio::test]
async fn master_stays() {
    let control = control().await;
    let master = control.master().await;
    let own = master.get("/organisations?name_exact=Master").await.ok();
    let own = &own["data"][0];
    assert_eq!(own["is_master"], true);
    let path = format!("/organisations/{}", own["id"]);
    let refusal = master.patch(&path, json!({"name": "Chief"})).await.refused(400);
    assert_eq!(reason(&refusal, "name"), "The organisation Master cannot be renamed");
    let refusal = master.delete(&path).await.refused(400);
    assert_eq!(refusal["description"], "The organisation Master cannot be deleted");
    let ours = format!("/organisations/{}", control.organisation.id);
    assert_eq!(master.get(&ours).await.ok()["id"], control.organisation.id.get());
    let bulk = json!([{"id": control.organisation.id.get(), "timezone": "Europe/Madrid"}]);
    assert_eq!(master.patch("/organisations/bulk", bulk).await.ok()[0]["timezone"], "Europe/Madrid");
}

/// V-02, V-10: operators say how much heavy work an organisation may do at the same time and how many of its requests are
/// answered, and that is in force with the next request; its own administrator sees it and cannot change it.
#[tokio::test]
async fn operators_limit_what_an_organisation_does_at_once() {
    let heavy_work = |policy: &Policy| policy.heavy_work_at_once;
    limited("heavy_work_at_once", heavy_work).await;
    let requests = |policy: &Policy| policy.requests_at_once;
    limited("requests_at_once", requests).await;
}

async fn limited(field: &str, of: fn(&Policy) -> Option<usize>) {
    let control = control().await;
    let master = control.master().await;
    let id = control.organisation.id;
    let path = format!("/organisations/{id}");
    assert_eq!(control.admin.get(&path).await.ok()[field], Value::Null);
    let limit = |number: Value| json!({field: number});
    for (number, text) in [
        (json!(0), "Value must be between 1 and 100"),
        (json!(-1), "Value must be between 1 and 100"),
        (json!(101), "Value must be between 1 and 100"),
        (json!(1_i64 << 40), "Value must be between 1 and 100"),
        (json!("many"), "Value must be a whole number"),
        (json!(1.5), "Value must be a whole number"),
    ] {
        let refusal = master.patch(&path, limit(number.clone())).await.refused(400);
        assert_eq!(reason(&refusal, field), text, "{number}");
        let new = json!({"name": name("Northwind"), field: number});
        let refusal = master.post("/organisations", new).await.refused(400);
        assert_eq!(reason(&refusal, field), text, "{number}");
    }
    let made = json!({"name": name("Northwind"), field: 2});
    assert_eq!(master.post("/organisations", made).await.ok()[field], 2);

    let in_force = || async { of(&control.app.gate.policies.of(id).await.unwrap()) };
    assert_eq!(in_force().await, None);
    assert_eq!(master.patch(&path, limit(json!(3))).await.ok()[field], 3);
    let after = Instant::now();
    while in_force().await != Some(3) {
        assert!(after.elapsed() < Duration::from_secs(1), "the old limit lasts too long");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let _ = control.admin.patch(&path, limit(json!(4))).await.refused(403);
    let _ = control.admin.patch(&path, limit(Value::Null)).await.refused(403);
    // A form that sends all of its fields changes the others.
    let whole = json!({field: 3, "timezone": "Europe/Berlin"});
    let changed = control.admin.patch(&path, whole).await.ok();
    assert_eq!((&changed[field], &changed["timezone"]), (&json!(3), &json!("Europe/Berlin")));
    let bulk = json!([{"id": id.get(), field: null}]);
    assert_eq!(master.patch("/organisations/bulk", bulk).await.ok()[0][field], Value::Null);
}

/// an organisation is deleted once nobody has planned in it; then nobody signs in there and its name is free.
#[tokio::test]
async fn an_organisation_without_work_is_deleted() {
    let control = control().await;
    let master = control.master().await;
    let (_, email) = control.with_password("user").await;
    let path = format!("/organisations/{}", control.organisation.id);
    let mut database = control.organisation.database().await;
    let scenario = |name: &'static str| {
        sqlx::query("insert into scenarios (name, scheduled_date, ws_token) values ($1, current_date, $2)")
            .bind(name)
            .bind(routewright_core::token::random(36))
    };
    scenario("Second").execute(&mut database).await.unwrap();
    let refusal = master.delete(&path).await.refused(400);
    assert_eq!(refusal["description"], "Organisation still has scenarios");
    sqlx::query("delete from scenarios where name = 'Second'").execute(&mut database).await.unwrap();
    drop(database);
    let was = master.get(&path).await.ok();
    assert_eq!(master.delete(&path).await.ok(), json!({"id": control.organisation.id.get()}));
    let _ = master.get(&path).await.refused(404);
    let _ = control.sign_in(&email, PASSWORD).await.refused(401);
    control.app.gate.policies.poll().await.unwrap();
    let _ = control.admin.get("/auth/user").await.refused(401);
    let _ = master.post("/organisations", json!({"name": was["name"]})).await.ok();
}

/// A-183..A-187, A-392, A-393, A-498..A-500: settings with defaults; a change keeps the rest.
#[tokio::test]
async fn settings_are_read_and_changed() {
    let control = control().await;
    let settings = control.planner.get("/organisations/settings").await.ok();
    assert_eq!((&settings["job_duration"], &settings["dispatch_method"]), (&json!(5.0), &json!("email")));
    let change = json!({"job_duration": 7.5, "optimisation": {"territory_mode": "only"}});
    let changed = control.admin.patch("/organisations/settings", change).await.ok();
    assert_eq!(
        (&changed["job_duration"], &changed["optimisation"]["territory_mode"]),
        (&json!(7.5), &json!("only"))
    );
    let changed = control.admin.patch("/organisations/settings", json!({"weight_unit": "lb"})).await.ok();
    assert_eq!((&changed["job_duration"], &changed["weight_unit"]), (&json!(7.5), &json!("lb")));
    let changed = control.admin.patch("/organisations/settings", json!({"job_duration": null})).await.ok();
    assert_eq!(changed["job_duration"], 5.0);
    for (body, field) in [
        (json!({"job_duration": -1}), "job_duration"),
        (json!({"distance_unit": "ell"}), "distance_unit"),
        (json!({"optimisation": {"max_seconds": 0}}), "optimisation.max_seconds"),
    ] {
        let refusal = control.admin.patch("/organisations/settings", body).await.refused(400);
        assert!(!reason(&refusal, field).is_empty(), "{refusal}");
    }
    let _ = control.admin.patch("/organisations/settings", json!({"colour": "red"})).await.refused(400);
    let _ = control.admin.patch("/organisations/settings", json!([])).await.refused(400);
    let _ = control.planner.patch("/organisations/settings", json!({})).await.refused(403);
    let subject = format!("organisation:{}", control.organisation.id);
    assert_eq!(control.record(&subject).await, ["settings_changed"; 3]);
}

/// S-39: hauliers and their people, who see only their own.
#[tokio::test]
async fn an_organisation_has_hauliers() {
    let control = control().await;
    let own = control.organisation.id.get();
    let made = control
        .admin
        .post("/organisations/hauliers", json!({"name": "Fast Freight", "email": "ops@example.org"}))
        .await;
    assert_eq!(made.status, 201);
    let haulier = made.ok();
    assert_eq!(
        (&haulier["parent_organisation_id"], &haulier["timezone"]),
        (&json!(own), &json!("Europe/Lisbon"))
    );
    assert_eq!(haulier["modules"].as_array().map(Vec::len), Some(9));
    let id = haulier["id"].as_i64().unwrap();
    let path = format!("/organisations/hauliers/{id}");
    let changed =
        control.admin.patch(&path, json!({"phone_number": "+351220000003", "timezone": "UTC"})).await.ok();
    assert_eq!(changed["phone_number"], "+351220000003");
    assert_eq!(control.admin.get("/organisations").await.ok()["total_count"], 2);
    assert_eq!(control.planner.get("/organisations/hauliers?search=fast").await.ok()["total_count"], 1);

    // Its people are made by naming it as their organisation.
    let email = address();
    let body = json!({
        "email": email, "password": PASSWORD, "first_name": "Hal", "last_name": "Lee",
        "role_id": control.role("admin").await, "organisation_id": id
    });
    let person = control.admin.post("/users", body).await.ok();
    assert_eq!((&person["organisation_id"], &person["haulier_id"]), (&json!(own), &json!(id)));
    let user = control.sign_in(&email, PASSWORD).await.ok();
    assert_eq!(
        (&user["organisation"]["id"], &user["haulier"]["name"]),
        (&json!(own), &json!("Fast Freight"))
    );
    let theirs = control.nobody.with_token(user["token"].as_str().unwrap());
    let seen = theirs.get("/users").await.ok();
    assert_eq!((&seen["total_count"], &seen["data"][0]["email"]), (&json!(1), &json!(email)));
    let _ = theirs.get(&format!("/users/{}", control.organisation.planner.id)).await.refused(404);
    let colleague = json!({
        "email": address(), "password": PASSWORD, "first_name": "Col", "last_name": "Lee", "role_id": control.role("driver").await
    });
    assert_eq!(theirs.post("/users", colleague.clone()).await.ok()["haulier_id"], id);
    // What belongs to the whole organisation is not theirs to change.
    let _ = theirs.post("/organisations/hauliers", json!({"name": "Sub"})).await.refused(403);
    let _ = theirs.patch("/organisations/settings", json!({"job_duration": 9})).await.refused(403);
    let _ = theirs.patch(&format!("/organisations/{own}"), json!({"modules": []})).await.refused(403);
    let _ = theirs.post("/roles", json!({"name": "Ours"})).await.refused(403);
    let refusal = control.admin.delete(&path).await.refused(400);
    assert_eq!(refusal["description"], "Haulier still has users");
    for user in theirs.get("/users").await.ok()["data"].as_array().unwrap() {
        let _ = control.admin.delete(&format!("/users/{}", user["id"])).await.ok();
    }
    let _ = control.admin.delete(&path).await.ok();
    let _ = control.admin.get(&path).await.refused(404);
    let events = control.record(&format!("haulier:{id}")).await;
    assert_eq!(events, ["haulier_created", "haulier_changed", "haulier_deleted"]);
}

#[tokio::test]
async fn a_haulier_form_is_checked_and_others_hauliers_are_not_there() {
    let control = control().await;
    let other = crate::support::control().await;
    let _ = control.admin.post("/organisations/hauliers", json!({"name": "Twice"})).await.ok();
    // Each organisation may have a haulier of the same name.
    let theirs = other.admin.post("/organisations/hauliers", json!({"name": "twice"})).await.ok();
    for (body, field, text) in [
        (json!({}), "name", "Name is required"),
        (json!({"name": "TWICE"}), "name", "A haulier with this name already exists"),
        (json!({"name": "A", "email": "x"}), "email", "Invalid email address"),
        (json!({"name": "A", "timezone": "Moon"}), "timezone", "`Moon` is not a time zone"),
    ] {
        let refusal = control.admin.post("/organisations/hauliers", body.clone()).await.refused(400);
        assert_eq!(reason(&refusal, field), text, "{body}");
    }
    let path = format!("/organisations/hauliers/{}", theirs["id"]);
    let _ = control.admin.get(&path).await.refused(404);
    let _ = control.admin.patch(&path, json!({"name": "Mine"})).await.refused(404);
    let _ = control.admin.delete(&path).await.refused(404);
    let stolen = json!({
        "email": address(), "password": PASSWORD, "first_name": "A", "last_name": "B",
        "role_id": control.role("driver").await, "haulier_id": theirs["id"]
    });
    let _ = control.admin.post("/users", stolen).await.refused(403);
    let there = json!({"name": "Away", "parent_organisation_id": other.organisation.id.get()});
    let _ = control.admin.post("/organisations/hauliers", there.clone()).await.refused(403);
    let _ = control.master().await.post("/organisations/hauliers", there).await.ok();
}
