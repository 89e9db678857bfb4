//! Roles.

use serde_json::json;

use crate::support::{control, name, reason};

/// ..A-177, A-446, A-450: the six calls.
#[tokio::test]
async fn an_administrator_keeps_roles() {
    let control = control().await;
    let own = control.organisation.id.get();
    let body = json!({"name": "Supervisors", "access_levels": ["runs_write", "jobs_read", "jobs_read"], "organisation_id": own});
    let made = control.admin.post("/roles", body).await;
    assert_eq!(made.status, 201);
    let role = made.ok();
    assert_eq!(role["access_levels"], json!(["jobs_read", "runs_write"]));
    assert_eq!((&role["organisation_id"], &role["built_in"]), (&json!(own), &json!(false)));
    let path = format!("/roles/{}", role["id"]);
    let change = json!({"name": "Supervision", "access_levels": ["jobs_read"], "organisation_id": own});
    let changed = control.admin.patch(&path, change).await.ok();
    assert_eq!((&changed["name"], &changed["access_levels"]), (&json!("Supervision"), &json!(["jobs_read"])));
    let bulk = json!([{"id": role["id"], "name": "Supervision 2"}]);
    assert_eq!(control.admin.patch("/roles/bulk", bulk).await.ok()[0]["access_levels"], json!(["jobs_read"]));
    assert_eq!(control.admin.get("/roles?search=superv").await.ok()["total_count"], 1);
    assert_eq!(control.admin.get(&path).await.ok()["name"], "Supervision 2");
    assert_eq!(control.admin.delete(&path).await.ok(), json!({"id": role["id"]}));
    let _ = control.admin.get(&path).await.refused(404);
    assert_eq!(
        control.record(&format!("role:{}", role["id"])).await,
        ["role_created", "role_changed", "role_changed", "role_deleted"]
    );
    let _ = control.planner.get("/roles").await.refused(403);
}

/// S-36, R-17: every organisation has admin, user and driver, which stay as they are.
#[tokio::test]
async fn built_in_roles_stay() {
    let control = control().await;
    let roles = control.admin.get("/roles?sort_by=id").await.ok();
    let names: Vec<&str> =
        roles["data"].as_array().unwrap().iter().map(|role| role["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["admin", "user", "driver"]);
    for name in names {
        let path = format!("/roles/{}", control.role(name).await);
        for change in [json!({"name": "x"}), json!({"access_levels": []})] {
            let refusal = control.admin.patch(&path, change).await.refused(400);
            assert_eq!(refusal["description"], "Built-in roles cannot be changed");
        }
        let _ = control.admin.delete(&path).await.refused(400);
    }
}

/// 400 while users hold it; deleted users hold nothing.
#[tokio::test]
async fn a_role_in_use_is_not_deleted() {
    let control = control().await;
    let person = control.organisation.person_with(&["jobs_read"]).await;
    let path = format!("/roles/{}", person.role_id);
    let refusal = control.admin.delete(&path).await.refused(400);
    assert_eq!(refusal["description"], "Role is still held by users");
    let _ = control.admin.delete(&format!("/users/{}", person.id)).await.ok();
    let _ = control.admin.delete(&path).await.ok();
}

/// Contract §2.4: a role has only levels that its maker holds, and stays out of reach of who holds less.
#[tokio::test]
async fn nobody_makes_a_role_above_their_own() {
    let control = control().await;
    let keeper = control.with_levels(&["roles_read", "roles_write", "jobs_read", "live_overview_read"]).await;
    let with = |levels: &[&str]| json!({"name": name("Role"), "access_levels": levels});
    let _ = keeper.post("/roles", with(&["jobs_read", "jobs_write"])).await.refused(403);
    let made = keeper.post("/roles", with(&["jobs_read", "live_overview_login"])).await.ok();
    let path = format!("/roles/{}", made["id"]);
    let _ = keeper.patch(&path, json!({"access_levels": ["users_write"]})).await.refused(403);
    let above = control.admin.post("/roles", with(&["users_write"])).await.ok();
    let above = format!("/roles/{}", above["id"]);
    let _ = keeper.patch(&above, json!({"access_levels": []})).await.refused(403);
    let _ = keeper.delete(&above).await.refused(403);
    let _ = keeper.delete(&path).await.ok();
}

#[tokio::test]
async fn a_role_form_is_checked() {
    let control = control().await;
    let _ = control.admin.post("/roles", json!({"name": "Twice", "access_levels": []})).await.ok();
    for (body, field, text) in [
        (json!({}), "name", "Name is required"),
        (json!({"name": "  "}), "name", "Name is required"),
        (json!({"name": "x".repeat(5000)}), "name", "Value is too long"),
        (json!({"name": "Twice"}), "name", "A role with this name already exists"),
        (json!({"name": "A", "access_levels": ["fly"]}), "access_levels", "`fly` is not an access level"),
        (json!({"name": "A", "access_levels": null}), "access_levels", "This item is required"),
    ] {
        let refusal = control.admin.post("/roles", body.clone()).await.refused(400);
        assert_eq!(reason(&refusal, field), text, "{body}");
    }
    let role = control.admin.get("/roles?name_exact=Twice").await.ok()["data"][0]["id"].clone();
    let refusal =
        control.admin.patch(&format!("/roles/{role}"), json!({"organisation_id": 5})).await.refused(400);
    assert_eq!(reason(&refusal, "organisation_id"), "A role cannot move to another organisation");
}

/// Other organisations' roles are not there; Master users reach them all.
#[tokio::test]
async fn roles_of_others_are_not_there() {
    let control = control().await;
    let other = crate::support::control().await;
    let theirs = other.admin.post("/roles", json!({"name": name("Theirs")})).await.ok();
    let path = format!("/roles/{}", theirs["id"]);
    let _ = control.admin.get(&path).await.refused(404);
    let _ = control.admin.patch(&path, json!({"name": "Mine"})).await.refused(404);
    let _ = control.admin.delete(&path).await.refused(404);
    let there = json!({"name": name("There"), "organisation_id": other.organisation.id.get()});
    let _ = control.admin.post("/roles", there.clone()).await.refused(403);
    let master = control.master().await;
    assert_eq!(master.post("/roles", there).await.ok()["organisation_id"], other.organisation.id.get());
    // a haulier's people have the roles of the organisation above.
    let haulier = control.admin.post("/organisations/hauliers", json!({"name": name("Haulier")})).await.ok();
    let theirs = format!("/roles?organisation_id={}", haulier["id"]);
    assert_eq!(control.admin.get(&theirs).await.ok()["total_count"], 3);
    assert_eq!(other.admin.get(&theirs).await.ok()["total_count"], 0);
    // the list of roles in Add Users.
    let filtered = format!("/roles?organisation_id={}&per_page=20&search=", other.organisation.id.get());
    assert_eq!(master.get(&filtered).await.ok()["total_count"], 5);
}
