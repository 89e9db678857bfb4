//! W-087: suspending an organisation and resuming it.

use serde_json::{Value, json};

use crate::support::{PASSWORD, control};

/// Nobody signs in, no open session goes on, no session is renewed; all of it goes on after resuming, with the same tokens.
#[tokio::test]
async fn w_087_nobody_works_in_a_suspended_organisation() {
    let control = control().await;
    let id = control.organisation.id.get();
    let (_, email) = control.with_password("user").await;
    let before = control.sign_in(&email, PASSWORD).await.ok();
    let refresh = json!({"refresh_token": before["refresh_token"]});
    let master = control.master().await;
    let standing = master.get(&format!("/operators/organisations?id={id}")).await.ok()["data"][0].clone();
    assert_eq!(standing["suspended_at"], Value::Null);
    let name = standing["name"].clone();
    let path = format!("/operators/organisations/{id}");

    let suspend = json!({"name": name, "reason": "Unpaid since March"});
    let done = master.post(&format!("{path}/suspend"), suspend.clone()).await.ok();
    assert!(done["suspended_at"].is_string(), "{done}");
    for _ in 0..12 {
        let refusal = control.sign_in(&email, PASSWORD).await.refused(403);
        assert_eq!(refusal["error"], "organisation_suspended");
        assert!(refusal["description"].as_str().is_some_and(|text| text.contains("Nothing is lost")));
        assert!(!refusal.to_string().contains("Unpaid"), "{refusal}");
    }
    // Who does not know the password learns nothing, and it was no wrong one that the others tried.
    let _ = control.sign_in(&email, "Another-Flower 7").await.refused(401);
    assert_eq!(control.admin.get("/auth/user").await.refused(403)["error"], "organisation_suspended");
    let _ = control.nobody.post("/auth/refresh_token", refresh.clone()).await.refused(403);
    let rows = master.get("/operators/organisations?suspended=true&per_page=300").await.ok();
    let row = rows["data"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
    assert_eq!((&row["state"], &row["suspension_reason"]), (&json!("ready"), &json!("Unpaid since March")));
    // Operators look after it meanwhile.
    let inside = master.post("/auth/organisation_token", json!({"organisation_id": id})).await.ok();
    let inside = master.with_token(inside["token"].as_str().unwrap().to_owned());
    let _ = inside.get("/auth/user").await.ok();
    // Once more changes the reason and not the moment.
    let again = json!({"name": name, "reason": "Unpaid"});
    let again = master.post(&format!("{path}/suspend"), again).await.ok();
    assert_eq!(
        (&again["suspended_at"], &again["suspension_reason"]),
        (&done["suspended_at"], &json!("Unpaid"))
    );

    let resumed = master.post(&format!("{path}/resume"), json!({})).await.ok();
    assert_eq!(resumed["suspended_at"], Value::Null);
    let _ = control.admin.get("/auth/user").await.ok();
    let _ = control.nobody.post("/auth/refresh_token", refresh).await.ok();
    let _ = control.sign_in(&email, PASSWORD).await.ok();
    let _ = master.post(&format!("{path}/resume"), json!({})).await.refused(409);

    let record = master.get(&format!("/operators/audit?organisation_id={id}&per_page=300")).await.ok();
    let actions: Vec<&str> =
        record["data"].as_array().unwrap().iter().filter_map(|row| row["action"].as_str()).collect();
    let count = |action: &str| actions.iter().filter(|found| **found == action).count();
    assert_eq!((count("organisation_suspended"), count("organisation_resumed")), (2, 1));
    let suspended =
        record["data"].as_array().unwrap().iter().find(|row| row["action"] == "organisation_suspended");
    assert!(
        suspended.is_some_and(|row| row["user_id"].is_number() && row["new"].to_string().contains("Unpaid"))
    );
}

/// The name is typed again, a reason is given; Master and organisations that are not there are refused, and so is everybody
/// but operators.
#[tokio::test]
async fn w_087_the_wrong_one_is_not_suspended() {
    let control = control().await;
    let id = control.organisation.id.get();
    let master = control.master().await;
    let standing = master.get(&format!("/operators/organisations?id={id}")).await.ok();
    let name = &standing["data"][0]["name"];
    let path = format!("/operators/organisations/{id}/suspend");
    for (body, field) in [
        (json!({"reason": "x"}), "name"),
        (json!({"name": "Another", "reason": "x"}), "name"),
        (json!({"name": name, "reason": "  "}), "reason"),
        (json!({"name": name, "reason": "x".repeat(1001)}), "reason"),
    ] {
        let refusal = master.post(&path, body).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{refusal}");
    }
    let _ = control.admin.get("/auth/user").await.ok();
    let own = json!({"name": name, "reason": "x"});
    let _ = control.admin.post(&path, own.clone()).await.refused(403);
    let _ =
        control.admin.post(&format!("/operators/organisations/{id}/resume"), json!({})).await.refused(403);
    let _ = control.nobody.post(&path, own.clone()).await.refused(401);
    let _ = master.post("/operators/organisations/1/suspend", own).await.refused(404);
    let masters = master.get("/operators/organisations?name=Master").await.ok()["data"][0].clone();
    // So that the screen does not offer it.
    assert_eq!((&masters["is_master"], &standing["data"][0]["is_master"]), (&json!(true), &json!(false)));
    let body = json!({"name": masters["name"], "reason": "x"});
    let path = format!("/operators/organisations/{}/suspend", masters["id"]);
    let refusal = master.post(&path, body).await.refused(400);
    assert_eq!(refusal["description"], "The organisation Master cannot be suspended");
}
