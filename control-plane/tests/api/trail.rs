//! The platform's record, and what of it stands in the organisations' own audit trails.

use chrono::{TimeDelta, Utc};
use routewright_control_plane::trail;
use routewright_core::Clock;
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::support::{PASSWORD, control, control_at};

async fn told(database: &mut PgConnection, kind: &str) -> Vec<(String, String, Option<i64>)> {
    sqlx::query_as("select actor_kind, action, actor_id from audit_entries where kind = $1 and platform_id is not null order by id")
        .bind(kind)
        .fetch_all(database)
        .await
        .unwrap()
}

/// W-083: an operator who enters and leaves is in the organisation's trail once each, however often the page is loaded; a visit
/// that nobody ended ends with its token.
#[tokio::test]
async fn operators_come_and_go_on_the_record() {
    let clock = Clock::fixed(Utc::now());
    let control = control_at(clock.clone()).await;
    let id = control.organisation.id.get();
    let master = control.master().await;
    let enter = json!({"organisation_id": id});
    let entered = master.post("/auth/organisation_token", enter.clone()).await.ok();
    let _ = master.post("/auth/organisation_token", enter.clone()).await.ok();
    clock.advance(TimeDelta::minutes(20));
    let again = master.post("/auth/organisation_token", enter.clone()).await.ok();
    let subject = format!("organisation:{id}");
    assert_eq!(control.record(&subject).await, ["organisation_entered"]);
    let inside =
        master.with_token(again["token"].as_str().unwrap_or_else(|| entered["token"].as_str().unwrap()));
    let _ = inside.delete("/auth/organisation_token").await.ok();
    assert_eq!(control.record(&subject).await, ["organisation_entered", "organisation_left"]);

    let _ = master.post("/auth/organisation_token", enter).await.ok();
    clock.advance(TimeDelta::minutes(31));
    while trail::hand_over(&control.app).await.unwrap() > 0 {}
    let expected = ["organisation_entered", "organisation_left", "organisation_entered", "organisation_left"];
    assert_eq!(control.record(&subject).await, expected);
    let mut database = control.organisation.database().await;
    let told = told(&mut database, "organisation").await;
    let actions: Vec<&str> = told.iter().map(|(_, action, _)| action.as_str()).collect();
    assert_eq!(actions, expected);
    assert!(told.iter().all(|(kind, _, user)| kind == "operator" && user.is_some()), "{told:?}");
}

/// W-083: users, roles and settings that are changed, and who signed in, are in the organisation's own trail, once.
#[tokio::test]
async fn the_record_is_copied_into_the_organisations_trail() {
    let control = control().await;
    let (person, email) = control.with_password("user").await;
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    let _ = control.admin.patch("/organisations/settings", json!({"job_duration": 7})).await.ok();
    let _ =
        control.admin.post("/roles", json!({"name": "Loader", "access_levels": ["jobs_read"]})).await.ok();
    while trail::hand_over(&control.app).await.unwrap() > 0 {}
    trail::hand_over(&control.app).await.unwrap();
    let mut database = control.organisation.database().await;
    let signed = told(&mut database, "sign_in").await;
    assert_eq!(signed, [("user".to_owned(), "signed_in".to_owned(), Some(person.id))]);
    let admin = Some(control.organisation.admin.id);
    assert_eq!(told(&mut database, "role").await, [("user".to_owned(), "role_created".to_owned(), admin)]);
    let (before, after): (Value, Value) =
        sqlx::query_as("select before, after from audit_entries where action = 'settings_changed'")
            .fetch_one(&mut database)
            .await
            .unwrap();
    assert_eq!((before, after), (json!({}), json!({"job_duration": 7})));
}

/// Entries older than the organisation keeps them are removed by the owner of its schema; others stay.
#[tokio::test]
async fn old_entries_are_cut() {
    let control = control().await;
    let _ = control
        .admin
        .patch("/organisations/settings", json!({"audit_retention_days": 29}))
        .await
        .refused(400);
    let _ = control.admin.patch("/organisations/settings", json!({"audit_retention_days": 30})).await.ok();
    let mut owner =
        control.organisation.placements.connect_owner("default", control.organisation.id).await.unwrap();
    sqlx::query(
        "insert into audit_entries (at, change, kind, object_name) values
             (now() - interval '31 days', 'created', 'tag', 'old'), (now() - interval '29 days', 'created', 'tag', 'young')",
    )
    .execute(&mut owner)
    .await
    .unwrap();
    trail::cut(&control.app).await.unwrap();
    let left: Vec<String> = sqlx::query_scalar("select object_name from audit_entries where kind = 'tag'")
        .fetch_all(&mut owner)
        .await
        .unwrap();
    assert_eq!(left, ["young"]);
}
