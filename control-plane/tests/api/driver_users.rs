//! Driver users.

use serde_json::json;

use crate::support::{PASSWORD, address, control, reason};

/// ..A-210, A-439, C-27: the six calls; a driver user is a user with the role `driver`.
#[tokio::test]
async fn a_keeper_of_drivers_keeps_driver_users() {
    let control = control().await;
    let keeper = control.with_levels(&["driver_users_read", "driver_users_write"]).await;
    let email = address();
    let body =
        json!({"email": email, "first_name": "Dora", "last_name": "Dias", "phone_number": "+351220000004"});
    let made = keeper.post("/drivers/users", body).await;
    assert_eq!(made.status, 201);
    let driver = made.ok();
    assert_eq!(driver["organisation_id"], control.organisation.id.get());
    let path = format!("/drivers/users/{}", driver["id"]);
    // Without a password nobody signs in; with one, the driver does.
    let _ = control.sign_in(&email, "").await.refused(400);
    let _ = keeper.patch(&path, json!({"new_password": PASSWORD})).await.ok();
    let user = control.sign_in(&email, PASSWORD).await.ok();
    assert_eq!((&user["role"]["name"], &user["role"]["access_levels"]), (&json!("driver"), &json!([])));
    let changed =
        keeper.patch(&path, json!({"last_name": "Dinis", "role_id": control.role("admin").await})).await.ok();
    assert_eq!(changed["last_name"], "Dinis");
    assert_eq!(control.sign_in(&email, PASSWORD).await.ok()["role"]["name"], "driver");
    let bulk = json!([{"id": driver["id"], "first_name": "Dolores"}]);
    assert_eq!(keeper.patch("/drivers/users/bulk", bulk).await.ok()[0]["first_name"], "Dolores");
    let found = keeper.get("/drivers/users?search=dolores").await.ok();
    assert_eq!((&found["total_count"], &found["data"][0]["id"]), (&json!(1), &driver["id"]));
    assert_eq!(keeper.get("/drivers/users").await.ok()["total_count"], 1);
    assert_eq!(keeper.delete(&path).await.ok(), json!({"id": driver["id"]}));
    let _ = keeper.get(&path).await.refused(404);
    let _ = control.sign_in(&email, PASSWORD).await.refused(401);
}

/// Other users are not reached on this path, nor other organisations' drivers.
#[tokio::test]
async fn only_driver_users_are_there() {
    let control = control().await;
    let other = crate::support::control().await;
    let keeper = control.with_levels(&["driver_users_read", "driver_users_write"]).await;
    let theirs = json!({"email": address(), "first_name": "A", "last_name": "B"});
    let theirs = other.admin.post("/drivers/users", theirs).await.ok()["id"].as_i64().unwrap();
    for id in [control.organisation.planner.id, control.organisation.admin.id, theirs] {
        let path = format!("/drivers/users/{id}");
        assert_eq!(keeper.get(&path).await.refused(404)["description"], "Driver user not found");
        let _ = keeper.patch(&path, json!({"new_password": PASSWORD})).await.refused(404);
        let _ = keeper.delete(&path).await.refused(404);
    }
    let refusal = keeper.post("/drivers/users", json!({"email": "x"})).await.refused(400);
    for (field, text) in [
        ("email", "Invalid email address"),
        ("first_name", "First name is required"),
        ("last_name", "Last name is required"),
    ] {
        assert_eq!(reason(&refusal, field), text);
    }
    let _ = control.planner.get("/drivers/users").await.ok();
    let _ = control.planner.post("/drivers/users", json!({})).await.refused(403);
}
