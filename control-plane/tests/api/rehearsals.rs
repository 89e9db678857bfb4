//! Issue 13.5: making, entering, turning, leaving and removing rehearsals.

use chrono::{DateTime, Utc};
use routewright_core::OrganisationId;
use routewright_testing::Client;
use serde_json::{Value, json};

use crate::support::{Control, background, config, control, control_with};

/// Into the rehearsal of the caller's organisation.
async fn entered(client: &Client) -> Client {
    let entered = client.post("/auth/rehearsal_token", json!({})).await.ok();
    client.with_token(entered["token"].as_str().expect("a token").to_owned())
}

/// Says what the tenant service says when the day is planned.
async fn planned(control: &Control, rehearsal: &Value) {
    let id = OrganisationId::new(rehearsal["organisation_id"].as_i64().expect("an id"));
    let mut owner = control.organisation.placements.connect_owner("default", id).await.unwrap();
    sqlx::query(
        "insert into rehearsal (step, ready_at) values ('Ready', now())
         on conflict (one) do update set ready_at = now()",
    )
    .execute(&mut owner)
    .await
    .unwrap();
}

async fn state(client: &Client, wanted: &str) -> Value {
    for _ in 0..200 {
        let found = client.get("/rehearsal").await.ok()["rehearsal"].clone();
        if found["state"] == wanted {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("never {wanted}: {:?}", client.get("/rehearsal").await.ok());
}

fn moment(value: &Value) -> DateTime<Utc> {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no moment: {value}"))
}

/// One call makes it, marked; whoever made it enters and leaves with one call each, on the record.
#[tokio::test]
async fn a_rehearsal_is_made_entered_and_left() {
    let control = control().await;
    assert_eq!(control.admin.get("/rehearsal").await.ok()["rehearsal"], Value::Null);
    let made = control.admin.post("/rehearsal", json!({"seed": 4711, "speed": 60})).await.ok();
    assert_eq!(
        (&made["seed"], &made["speed"], &made["state"]),
        (&json!(4711), &json!(60), &json!("preparing"))
    );
    assert!(made["name"].as_str().is_some_and(|name| name.starts_with("Rehearsal 4711 of ")), "{made}");
    let inside = entered(&control.admin).await;
    let own = inside.get("/auth/user").await.ok();
    assert_eq!(own["organisation"]["id"], made["organisation_id"]);
    assert_eq!(own["organisation"]["rehearsal"]["made_from"], json!(control.organisation.id));
    assert_eq!(own["organisation"]["rehearsal"]["paused"], json!(true), "time has not begun");
    assert_eq!(control.admin.get("/auth/user").await.ok()["organisation"]["rehearsal"], Value::Null);
    assert_eq!(inside.get("/rehearsal").await.ok()["rehearsal"]["organisation_id"], made["organisation_id"]);
    let _ = inside.delete("/auth/rehearsal_token").await.ok();
    let subject = format!("organisation:{}", made["organisation_id"]);
    let record = control.record(&subject).await;
    assert_eq!(record, ["rehearsal_made", "organisation_entered", "organisation_left"]);
}

/// Its time begins when its day is planned, runs as fast as it is turned, and stands while it is paused.
#[tokio::test]
async fn time_begins_with_the_plan_and_is_turned() {
    let control = control().await;
    let _background = background(&control.app).await;
    let made = control.admin.post("/rehearsal", json!({"seed": 1, "speed": 1})).await.ok();
    let first = moment(&made["now"]);
    let refused = control.admin.patch("/rehearsal", json!({"paused": true})).await.refused(409);
    assert_eq!(refused["description"], "The day is still being planned");
    planned(&control, &made).await;
    let running = state(&control.admin, "running").await;
    assert!(moment(&running["now"]) - first < chrono::TimeDelta::minutes(2), "{running}");
    let inside = entered(&control.planner).await;
    let fast = inside.patch("/rehearsal", json!({"speed": 60})).await.ok();
    assert_eq!((&fast["speed"], &fast["state"]), (&json!(60), &json!("running")));
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let paused = control.planner.patch("/rehearsal", json!({"paused": true})).await.ok();
    assert!(moment(&paused["now"]) - moment(&fast["now"]) >= chrono::TimeDelta::seconds(60), "{paused}");
    let still = control.admin.get("/rehearsal").await.ok()["rehearsal"].clone();
    assert_eq!((&still["now"], &still["state"]), (&paused["now"], &json!("paused")));
    let on = control.admin.patch("/rehearsal", json!({"paused": false})).await.ok();
    assert_eq!(on["now"], paused["now"], "nothing is lost by standing");
}

/// Bad input names its field; a second one names the first.
#[tokio::test]
async fn what_is_no_rehearsal_is_refused() {
    let control = control().await;
    for (body, field) in [
        (json!({"speed": 0}), "speed"),
        (json!({"speed": 61}), "speed"),
        (json!({"speed": -1}), "speed"),
        (json!({"speed": "fast"}), "speed"),
        (json!({"seed": "seven"}), "seed"),
        (json!({"seed": 1.5}), "seed"),
        (json!({"seed": -1}), "seed"),
        (json!({"seed": 1_000_000}), "seed"),
    ] {
        let refusal = control.admin.post("/rehearsal", body.clone()).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{body}: {refusal}");
    }
    for (method, path) in
        [("PATCH", "/rehearsal"), ("DELETE", "/rehearsal"), ("POST", "/rehearsal/start_again")]
    {
        let body = (method != "DELETE").then(|| json!({}));
        let _ = control.admin.call(method.parse().unwrap(), path, body).await.refused(404);
    }
    let _ = control.admin.post("/auth/rehearsal_token", json!({})).await.refused(404);
    let made = control.admin.post("/rehearsal", json!({})).await.ok();
    assert!(made["seed"].as_i64().is_some_and(|seed| (0..1_000_000).contains(&seed)) && made["speed"] == 5);
    let second = control.admin.post("/rehearsal", json!({})).await.refused(409);
    assert!(second["description"].as_str().unwrap().contains(made["name"].as_str().unwrap()), "{second}");
    for body in [json!({"speed": 0}), json!({"speed": 61})] {
        let _ = control.admin.patch("/rehearsal", body).await.refused(400);
    }
}

/// Somebody else's rehearsal is nobody's: not entered, not seen, not turned. Inside, a role counts for as much as at home;
/// hauliers' people rehearse nowhere.
#[tokio::test]
async fn a_rehearsal_is_its_organisations_own() {
    let (theirs, ours) = (control().await, control().await);
    let made = theirs.admin.post("/rehearsal", json!({"seed": 5})).await.ok();
    let id = &made["organisation_id"];
    assert_eq!(ours.admin.get("/rehearsal").await.ok()["rehearsal"], Value::Null);
    let _ = ours.admin.post("/auth/rehearsal_token", json!({})).await.refused(404);
    let _ = ours.admin.post("/auth/organisation_token", json!({"organisation_id": id})).await.refused(403);
    let _ = ours.admin.get(&format!("/organisations/{id}")).await.refused(404);
    // A token that says so itself is worth nothing.
    let organisation = OrganisationId::new(id.as_i64().unwrap());
    let (person, home) = (ours.organisation.admin, ours.organisation.id);
    let forged = ours.organisation.tokens.access(person.id, organisation, 0, Some(home)).unwrap().token;
    let _ = ours.admin.with_token(forged).get("/auth/user").await.refused(401);

    let viewer = theirs.with_levels(&["runs_read", "jobs_read"]).await;
    let _ = viewer.post("/rehearsal", json!({})).await.refused(403);
    let inside = entered(&viewer).await;
    let _ = inside.patch("/rehearsal", json!({"speed": 60})).await.refused(403);
    let _ = inside.delete("/rehearsal").await.refused(403);
    let levels = inside.get("/auth/user").await.ok()["role"]["access_levels"].clone();
    assert_eq!(levels, json!(["runs_read", "jobs_read"]));
    // Nobody becomes an operator by rehearsing.
    let boss = entered(&theirs.admin).await;
    let _ = boss.get("/operators/organisations").await.refused(403);
    let _ = boss
        .post("/auth/organisation_token", json!({"organisation_id": ours.organisation.id}))
        .await
        .refused(403);

    let haulier =
        theirs.admin.post("/organisations/hauliers", json!({"name": "Haulier of rehearsals"})).await.ok();
    let role = theirs.role("admin").await;
    let email = crate::support::address();
    let user = json!({"email": email, "first_name": "Hugo", "last_name": "Lima", "password": crate::support::PASSWORD,
        "role_id": role, "haulier_id": haulier["id"]});
    let _ = theirs.admin.post("/users", user).await.ok();
    let token =
        theirs.sign_in(&email, crate::support::PASSWORD).await.ok()["token"].as_str().unwrap().to_owned();
    let hugo = theirs.admin.with_token(token);
    assert_eq!(hugo.get("/rehearsal").await.ok()["rehearsal"], Value::Null);
    let _ = hugo.post("/rehearsal", json!({})).await.refused(403);
    let _ = hugo.post("/auth/rehearsal_token", json!({})).await.refused(403);
    let _ = hugo.patch("/rehearsal", json!({"speed": 1})).await.refused(403);
}

/// Accounts are real: from inside a rehearsal nobody is made, invited or changed, and no mail of the platform leaves for it.
#[tokio::test]
async fn accounts_are_not_rehearsed() {
    let control = control().await;
    let _ = control.admin.post("/rehearsal", json!({})).await.ok();
    let inside = entered(&control.admin).await;
    let role = control.role("user").await;
    let email = crate::support::address();
    let user =
        json!({"email": email, "first_name": "Ana", "last_name": "Lopes", "role_id": role, "invite": true});
    for (path, body) in [
        ("/users", user),
        ("/roles", json!({"name": "x", "access_levels": []})),
        ("/organisations/hauliers", json!({"name": "x"})),
        ("/drivers/users", json!({"email": email, "first_name": "A", "last_name": "B"})),
    ] {
        let refusal = inside.post(path, body).await.refused(403);
        assert!(refusal["description"].as_str().unwrap().contains("rehearsal"), "{path}: {refusal}");
    }
    let mails: i64 = sqlx::query_scalar("select count(*) from messages where recipients @> array[$1]")
        .bind(&email)
        .fetch_one(&control.app.control)
        .await
        .unwrap();
    assert_eq!(mails, 0);
    // The own account is.
    let own = inside.patch("/users/me", json!({"first_name": "Amália"})).await.ok();
    assert_eq!(own["first_name"], "Amália");
}

/// Started again it is another organisation with another seed, and the old one is closed; removed, nothing of it is left.
#[tokio::test]
async fn a_rehearsal_starts_again_and_is_removed() {
    let control = control().await;
    let first = control.admin.post("/rehearsal", json!({"seed": 1, "speed": 15})).await.ok();
    let inside = entered(&control.admin).await;
    let second = inside.post("/rehearsal/start_again", json!({"seed": 2})).await.ok();
    assert_eq!((&second["seed"], &second["speed"]), (&json!(2), &json!(15)));
    assert_ne!(first["organisation_id"], second["organisation_id"]);
    let _ = inside.get("/auth/user").await.refused(401);
    let inside = entered(&control.admin).await;
    let _ = inside.delete("/rehearsal").await.ok();
    let _ = inside.get("/auth/user").await.refused(401);
    assert_eq!(control.admin.get("/rehearsal").await.ok()["rehearsal"], Value::Null);

    // What is removed is discarded after a while, by itself.
    sqlx::query("alter table rehearsals disable trigger touch_modified")
        .execute(&control.app.control)
        .await
        .unwrap();
    sqlx::query("update rehearsals set modified = now() - interval '1 hour' where made_from = $1")
        .bind(control.organisation.id)
        .execute(&control.app.control)
        .await
        .unwrap();
    sqlx::query("alter table rehearsals enable trigger touch_modified")
        .execute(&control.app.control)
        .await
        .unwrap();
    let _background = background(&control.app).await;
    for id in [&first["organisation_id"], &second["organisation_id"]] {
        let id = id.as_i64().unwrap();
        let left = async || {
            sqlx::query_scalar::<_, bool>(
                "select exists (select from organisations where id = $1)
                     or exists (select from pg_namespace where nspname = 'org_' || $1)
                     or exists (select from pg_roles where rolname = 'org_' || $1)
                     or exists (select from operator_visits where organisation_id = $1)",
            )
            .bind(id)
            .fetch_one(&control.app.control)
            .await
            .unwrap()
        };
        for _ in 0..200 {
            if !left().await {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        assert!(!left().await, "{id} is left");
    }
}

/// After a week it is removed by itself; and there are no more at the same time than the platform has room for.
#[tokio::test]
async fn rehearsals_end_and_are_few() {
    let none = control_with(config(&[("REHEARSALS", "0")]), routewright_core::Clock::system()).await;
    let refusal = none.admin.post("/rehearsal", json!({})).await.refused(409);
    assert!(refusal["description"].as_str().unwrap().contains("room"), "{refusal}");

    let control = control().await;
    let made = control.admin.post("/rehearsal", json!({})).await.ok();
    let week = moment(&made["remove_at"]) - Utc::now();
    assert!((6..=7).contains(&week.num_days()), "{week}");
    sqlx::query("update rehearsals set remove_at = now() where made_from = $1")
        .bind(control.organisation.id)
        .execute(&control.app.control)
        .await
        .unwrap();
    let _background = background(&control.app).await;
    for _ in 0..200 {
        if control.admin.get("/rehearsal").await.ok()["rehearsal"].is_null() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("it is still there");
}
