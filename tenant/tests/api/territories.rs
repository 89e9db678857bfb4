//! Territories, their groups, and where jobs lie.

use serde_json::{Value, json};

use crate::jobs::{job, scenario};
use crate::support::tenant;

fn square(name: &str, west: f64, south: f64) -> Value {
    let (east, north) = (west + 0.1, south + 0.1);
    json!({"name": name, "geometry": {"type": "Polygon",
        "coordinates": [[[west, south], [east, south], [east, north], [west, north], [west, south]]]}})
}

/// the six calls; drivers of a territory; faults of a drawing are told.
#[tokio::test]
async fn a_territory_is_drawn_and_served() {
    let tenant = tenant().await;
    let driver = tenant.admin.post("/drivers", json!({"uid": "Driver 1"})).await.ok()["id"].clone();
    let mut body = square("West", -8.7, 41.1);
    body["driver_ids"] = json!([driver]);
    body["colour"] = "#3cb44b".into();
    let west = tenant.admin.post("/territories", body).await.ok();
    assert_eq!((&west["driver_ids"], &west["geometry"]["type"]), (&json!([driver]), &json!("Polygon")));
    let path = format!("/territories/{}", west["id"]);
    let renamed = tenant.admin.patch(&path, json!({"name": "Far west"})).await.ok();
    assert_eq!((&renamed["name"], &renamed["driver_ids"]), (&json!("Far west"), &json!([driver])));
    assert_eq!(tenant.admin.patch(&path, json!({"driver_ids": []})).await.ok()["driver_ids"], json!([]));
    for (body, field) in [
        (json!({"geometry": square("", 0.0, 0.0)["geometry"]}), "name"),
        (json!({"name": "X"}), "geometry"),
        (json!({"name": "X", "geometry": {"type": "Point", "coordinates": [0, 0]}}), "geometry"),
        (
            json!({"name": "X", "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]]}}),
            "geometry",
        ),
        (json!({"name": "X", "geometry": square("", 0.0, 0.0)["geometry"], "colour": "red"}), "colour"),
        (
            json!({"name": "X", "geometry": square("", 0.0, 0.0)["geometry"], "driver_ids": [987_654]}),
            "driver_ids",
        ),
    ] {
        let refusal = tenant.admin.post("/territories", body.clone()).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{body}: {refusal}");
    }
    assert_eq!(tenant.admin.get("/territories?search=west").await.ok()["total_count"], 1);
    tenant.planner.post("/territories", square("Y", 0.0, 0.0)).await.refused(403);
    let _ = tenant.admin.delete(&path).await.ok();
    tenant.admin.get(&path).await.refused(404);
}

/// groups take, replace and lose territories; their outline follows.
#[tokio::test]
async fn a_group_has_the_outline_of_its_territories() {
    let tenant = tenant().await;
    let make = async |name: &str, west: f64| {
        tenant.admin.post("/territories", square(name, west, 41.1)).await.ok()["id"].clone()
    };
    let (west, east, far) = (make("West", -8.7).await, make("East", -8.6).await, make("Far", -8.0).await);
    let ring = json!([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]);
    let group =
        tenant.admin.post("/territory_groups", json!({"name": "Porto", "coordinates": [ring]})).await.ok();
    assert_eq!((&group["coordinates"], &group["territories"]), (&json!([ring]), &json!([])));
    let path = format!("/territory_groups/{}", group["id"]);
    let body = json!({"territory_ids": [west, east]});
    let group = tenant.admin.put(&format!("{path}/territories"), body).await.ok();
    assert_eq!(group["coordinates"].as_array().map(Vec::len), Some(1), "neighbours have one outline");
    let body = json!({"territory_ids": [far, west]});
    let group = tenant.admin.post(&format!("{path}/assign_territory"), body).await.ok();
    assert_eq!(group["territories"].as_array().map(Vec::len), Some(3));
    assert_eq!(group["coordinates"].as_array().map(Vec::len), Some(2));
    let body = json!({"territory_ids": [west, east]});
    let group = tenant.admin.post(&format!("{path}/remove_territory"), body).await.ok();
    assert_eq!(group["territories"], json!([{"id": far, "name": "Far"}]));
    let refusal = tenant
        .admin
        .put(&format!("{path}/territories"), json!({"territory_ids": [987_654]}))
        .await
        .refused(400);
    assert_eq!(refusal["fields"]["territory_ids"], "Territory not found");
    let crossed = json!([[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]]);
    let refusal = tenant.admin.patch(&path, json!({"coordinates": crossed})).await.refused(400);
    assert_eq!(refusal["fields"]["coordinates"], "A ring must not cross itself");
    let scenario = scenario(&tenant).await;
    let body = json!({"territory_group_ids": [group["id"]]});
    let scenario = tenant.planner.put(&format!("/scenarios/{scenario}/territory_groups"), body).await.ok();
    assert_eq!(scenario["territory_group_ids"], json!([group["id"]]));
}

/// P-070, S-20: a job may lie in several territories; a border belongs to its territory.
#[tokio::test]
async fn a_job_knows_its_territories() {
    let tenant = tenant().await;
    let mut ids = Vec::new();
    for (name, west, south) in [("A", -8.65, 41.1), ("B", -8.61, 41.05), ("C", -8.5, 41.1)] {
        ids.push(tenant.admin.post("/territories", square(name, west, south)).await.ok()["id"].clone());
    }
    let made = tenant.planner.post("/jobs", job("A")).await.ok();
    let detail = tenant.planner.get(&format!("/jobs/{}", made["id"])).await.ok();
    assert_eq!(detail["territory_ids"], json!([ids[0], ids[1]]));
}
