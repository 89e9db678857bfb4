//! An organisation keeps its last administrator.

use http::Method;
use serde_json::json;

use crate::support::control;

/// W-085, V-21: the last administrator cannot give the role up, be demoted, moved to a haulier or removed, neither by
/// himself nor by the platform's people; once there is another one it goes.
#[tokio::test]
async fn the_last_administrator_stays() {
    let control = control().await;
    let admin = control.organisation.admin.id;
    let path = format!("/users/{admin}");
    let (planner, keeper) = (control.role("user").await, control.role("admin").await);
    let haulier = control.admin.post("/organisations/hauliers", json!({"name": "Van & Co"})).await.ok();
    let master = control.master().await;
    let enter = json!({"organisation_id": control.organisation.id.get()});
    let entered = master.post("/auth/organisation_token", enter).await.ok();
    let inside = master.with_token(entered["token"].as_str().unwrap());
    for client in [&control.admin, &inside] {
        for change in [json!({"role_id": planner}), json!({"haulier_id": haulier["id"]})] {
            let refusal = client.patch(&path, change).await.refused(409);
            assert!(refusal["description"].as_str().unwrap().contains("last administrator"), "{refusal}");
        }
        let bulk = json!([{"id": admin, "role_id": planner}]);
        let _ = client.patch("/users/bulk", bulk).await.refused(409);
    }
    let _ = inside.delete(&path).await.refused(409);
    let many = json!({"ids": [admin, control.with_password("user").await.0.id]});
    let refusal = inside.call(Method::DELETE, "/users/bulk", Some(many)).await.refused(409);
    assert_eq!(refusal["refused"].as_array().map(Vec::len), Some(1), "{refusal}");
    assert_eq!(refusal["refused"][0]["id"], json!(admin), "{refusal}");
    assert_eq!(control.admin.get("/auth/user").await.ok()["role"]["name"], "admin");

    // What does not take the role from him goes on.
    let _ = control.admin.patch(&path, json!({"first_name": "Ana"})).await.ok();
    let (second, _) = control.with_password("user").await;
    let _ = control.admin.patch(&format!("/users/{}", second.id), json!({"role_id": keeper})).await.ok();
    let _ = inside.patch(&path, json!({"role_id": planner})).await.ok();
    let _ = inside.delete(&format!("/users/{}", second.id)).await.refused(409);
}

/// W-085: nor does the role that the last administrator has lose what makes one.
#[tokio::test]
async fn the_last_administrators_role_keeps_its_levels() {
    let control = control().await;
    let levels =
        json!({"name": "Owner", "access_levels": ["users_read", "users_write", "roles_read", "roles_write"]});
    let role = control.admin.post("/roles", levels).await.ok();
    let (person, _) = control.with_password("user").await;
    let _ = control.admin.patch(&format!("/users/{}", person.id), json!({"role_id": role["id"]})).await.ok();
    let owner = control.admin.with_token(control.organisation.token(person));
    let master = control.master().await;
    let enter = json!({"organisation_id": control.organisation.id.get()});
    let entered = master.post("/auth/organisation_token", enter).await.ok();
    let inside = master.with_token(entered["token"].as_str().unwrap());
    let _ = inside.delete(&format!("/users/{}", control.organisation.admin.id)).await.ok();
    let path = format!("/roles/{}", role["id"]);
    let _ = owner.patch(&path, json!({"access_levels": ["users_read"]})).await.refused(409);
    let _ = inside.patch(&path, json!({"access_levels": ["users_read"]})).await.refused(409);
    let _ = inside.patch(&path, json!({"name": "Owners"})).await.ok();
}
