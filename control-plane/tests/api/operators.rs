//! What operators see and do.

use serde_json::json;
use sqlx::Connection as _;

use crate::support::control;

/// Organisations with their schema versions; an operator finishes what is behind.
#[tokio::test]
async fn operators_see_how_organisations_stand() {
    let control = control().await;
    let id = control.organisation.id.get();
    let master = control.master().await;
    let standing = master.get(&format!("/operators/organisations?id={id}")).await.ok()["data"][0].clone();
    assert_eq!((&standing["state"], &standing["placement"]), (&json!("ready"), &json!("default")));
    assert_eq!(standing["schema_version"], standing["current_version"]);
    assert_eq!(standing["users_count"], 2);
    sqlx::query("update organisations set state = 'failed', schema_error = 'disk full' where id = $1")
        .bind(id)
        .execute(&control.app.control)
        .await
        .unwrap();
    control.app.gate.policies.forget(control.organisation.id);
    let _ = control.admin.get("/auth/user").await.refused(503);
    let failed = master.get("/operators/organisations?state=failed&per_page=300").await.ok();
    assert!(failed["data"].as_array().unwrap().iter().any(|row| row["schema_error"] == "disk full"));
    let path = format!("/operators/organisations/{id}/advance");
    let advanced = master.post(&path, json!({})).await.ok();
    assert_eq!((&advanced["state"], &advanced["schema_error"]), (&json!("ready"), &json!(null)));
    control.app.gate.policies.poll().await.unwrap();
    let _ = control.admin.get("/auth/user").await.ok();
    let _ = control.admin.get("/operators/organisations").await.refused(403);
    let _ = control.admin.post(&path, json!({})).await.refused(403);
    let _ = master.post("/operators/organisations/1/advance", json!({})).await.refused(404);
}

/// W-084, W-087: an organisation is deleted by its name, is seen among the deleted, and comes back with everybody in it.
#[tokio::test]
async fn a_deleted_organisation_is_brought_back() {
    let control = control().await;
    let id = control.organisation.id.get();
    let master = control.master().await;
    let path = format!("/organisations/{id}");
    let name = control.admin.get(&path).await.ok()["name"].as_str().unwrap().to_owned();
    let bring_back = format!("/operators/organisations/{id}/undelete");
    let refusal = master.delete(&format!("{path}?name=Another")).await.refused(400);
    assert!(refusal["fields"]["name"].is_string(), "{refusal}");
    let _ = master.post(&bring_back, json!({})).await.refused(404);
    let typed: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    let _ = master.delete(&format!("{path}?name={typed}")).await.ok();
    let _ = control.admin.get("/auth/user").await.refused(401);
    let of_it = format!("/operators/organisations?state=deleting&id={id}");
    assert_eq!(master.get(&of_it).await.ok()["data"][0]["name"], json!(name));

    let _ = control.admin.post(&bring_back, json!({})).await.refused(401);
    let back = master.post(&bring_back, json!({})).await.ok();
    assert_eq!(back["state"], "ready", "{back}");
    control.app.gate.policies.poll().await.unwrap();
    let _ = control.admin.get("/auth/user").await.ok();
    let _ = control.admin.post(&bring_back, json!({})).await.refused(403);
    let entries = master.get(&format!("/operators/audit?organisation_id={id}")).await.ok();
    assert!(
        entries["data"].as_array().unwrap().iter().any(|entry| entry["action"] == "organisation_undeleted")
    );
}

/// Work that was given up is seen and tried again, of the platform and of one organisation.
#[tokio::test]
async fn dead_letters_are_tried_again() {
    let control = control().await;
    let id = control.organisation.id;
    let master = control.master().await;
    let mut owner = control.organisation.placements.connect_owner("default", id).await.unwrap();
    let job: i64 = sqlx::query_scalar(
        "insert into background_jobs (kind, state, attempts, last_error) values ('export', 'dead', 5, 'no disk') returning id",
    )
    .fetch_one(&mut owner)
    .await
    .unwrap();
    let message = "insert into messages (intent, channel, recipients, body_text, state, attempts, error)
         values ($1, 'email', '{a@example.org}', 'secret', 'failed', 10, 'refused') returning id";
    let intent = format!("reset_password:{}", routewright_core::token::random(8));
    let mail: i64 = sqlx::query_scalar(message).bind(&intent).fetch_one(&control.app.control).await.unwrap();

    let path = format!("/operators/dead_letters?organisation_id={id}");
    let letters = master.get(&path).await.ok();
    assert_eq!((&letters[0]["id"], &letters[0]["kind"]), (&json!(job), &json!("job")));
    assert_eq!((&letters[0]["name"], &letters[0]["error"]), (&json!("export"), &json!("no disk")));
    let letters = master.get("/operators/dead_letters").await.ok();
    let letter = letters.as_array().unwrap().iter().find(|letter| letter["id"] == mail).unwrap();
    assert_eq!(letter["name"], "reset_password");
    assert!(!letters.to_string().contains("secret"));

    let body = json!({"organisation_id": id.get(), "kind": "job", "ids": [job, 999_999]});
    assert_eq!(master.post("/operators/dead_letters/retry", body.clone()).await.ok(), json!({"ids": [job]}));
    assert_eq!(master.post("/operators/dead_letters/retry", body.clone()).await.ok(), json!({"ids": []}));
    let state: String = sqlx::query_scalar("select state from background_jobs where id = $1")
        .bind(job)
        .fetch_one(&mut owner)
        .await
        .unwrap();
    assert_eq!(state, "queued");
    owner.close().await.unwrap();
    let body_of_mail = json!({"kind": "message", "ids": [mail]});
    assert_eq!(master.post("/operators/dead_letters/retry", body_of_mail).await.ok(), json!({"ids": [mail]}));
    assert_eq!(master.get(&path).await.ok(), json!([]));
    let _ = control.admin.get("/operators/dead_letters").await.refused(403);
    let _ = control.admin.post("/operators/dead_letters/retry", body).await.refused(403);
    let _ = master.get("/operators/dead_letters?organisation_id=1").await.refused(404);
    let _ = master.get("/operators/dead_letters?colour=red").await.refused(400);
}

/// S-45: the record tells who did what, and never a password.
#[tokio::test]
async fn the_record_tells_who_did_what() {
    let control = control().await;
    let id = control.organisation.id.get();
    let person = control.organisation.planner.id;
    let change = json!({"last_name": "Recorded", "new_password": "Hidden-Flower 5"});
    let request = http::Request::patch(format!("/users/{person}"))
        .header("content-type", "application/json")
        .header("x-request-id", "request-of-a-test")
        .body(change.to_string().into())
        .unwrap();
    let _ = control.admin.send(request).await.ok();
    let master = control.master().await;
    let path = format!("/operators/audit?organisation_id={id}&subject_exact=user:{person}");
    let record = master.get(&path).await.ok();
    let row = &record["data"][0];
    assert_eq!(row["action"], "user_changed_with_password");
    assert_eq!(
        (&row["user_id"], &row["request_id"]),
        (&json!(control.organisation.admin.id), &json!("request-of-a-test"))
    );
    assert_eq!((&row["old"]["last_name"], &row["new"]["last_name"]), (&json!("user"), &json!("Recorded")));
    assert!(!record.to_string().contains("Hidden-Flower") && !record.to_string().contains("argon2"));
    let _ = control.admin.get("/operators/audit").await.refused(403);
}
