//! Address search.

use serde_json::json;

use crate::support::tenant;

/// P-452, P-453, A-458: known places first; typed coordinates are a place; the chosen option becomes a full location.
#[tokio::test]
async fn known_places_and_coordinates_are_found() {
    let tenant = tenant().await;
    let depot = json!({"name": "Depot", "address": "Rua do Freixo 1, Porto", "lat": 41.15, "lon": -8.58});
    let _ = tenant.planner.post("/locations", depot).await.ok();
    let client = json!({"uid": "C", "name": "Padaria", "location": {"address": "Rua do Freixo 9, Porto", "lat": 41.16, "lon": -8.59}});
    let _ = tenant.planner.post("/clients", client).await.ok();
    let options = tenant.planner.get("/location_options?text=freixo&limit=5").await.ok();
    assert_eq!(options[0]["label"], "Depot, Rua do Freixo 1, Porto");
    assert_eq!(options[1]["label"], "Padaria, Rua do Freixo 9, Porto");
    let id = options[1]["id"].as_str().unwrap_or_default();
    let place = tenant.planner.get(&format!("/location_options/{id}")).await.ok();
    assert_eq!(place, json!({"address": "Rua do Freixo 9, Porto", "lat": 41.16, "lon": -8.59}));
    let options = tenant.planner.get("/location_options?text=41.15,%20-8.61").await.ok();
    let id = options[0]["id"].as_str().unwrap_or_default();
    let place = tenant.planner.get(&format!("/location_options/{id}")).await.ok();
    assert_eq!((&place["lat"], &place["lon"]), (&json!(41.15), &json!(-8.61)));
    assert_eq!(tenant.planner.get("/location_options?text=nowhere").await.ok(), json!([]));
    for wrong in ["text=a", "text=ab&limit=0", "text=ab&lat=1", "text=ab&lat=99&lon=1", "limit=5"] {
        tenant.planner.get(&format!("/location_options?{wrong}")).await.refused(400);
    }
    for unknown in ["l987654", "x1", "pAAAA", "l", "cx"] {
        tenant.planner.get(&format!("/location_options/{unknown}")).await.refused(404);
    }
    tenant.planner.nobody().get("/location_options?text=ab").await.refused(401);
    let narrow = tenant.organisation.person_with(&["jobs_read"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    let narrow = tenant.planner.with_token(tenant.organisation.token(narrow));
    assert_eq!(
        narrow.get("/location_options?text=freixo").await.ok(),
        json!([]),
        "no levels, no known places"
    );
}

/// W-031: without an address server, what jobs were made for is found too, once each, and a point on the map is called by the
/// nearest place that is known there.
#[tokio::test]
async fn places_of_jobs_are_known_too() {
    let tenant = tenant().await;
    let client = json!({"uid": "C", "name": "Padaria", "location": {"address": "Rua do Freixo 9, Porto", "lat": 41.16, "lon": -8.59}});
    let _ = tenant.planner.post("/clients", client).await.ok();
    for (uid, address, lat) in [
        ("A", "Rua das Flores 3, Porto", 41.15),
        ("B", "rua das flores 3, porto", 41.15),
        ("C", "Rua do Freixo 9, Porto", 41.16),
    ] {
        let body = json!({"uid": uid, "location": {"address": address, "lat": lat, "lon": -8.59}});
        let _ = tenant.planner.post("/jobs", body).await.ok();
    }
    let options = tenant.planner.get("/location_options?text=flores").await.ok();
    assert_eq!(options.as_array().map(Vec::len), Some(1), "{options}");
    let id = options[0]["id"].as_str().unwrap_or_default().to_owned();
    let place = tenant.planner.get(&format!("/location_options/{id}")).await.ok();
    assert_eq!((&place["lat"], &place["lon"]), (&json!(41.15), &json!(-8.59)));
    let options = tenant.planner.get("/location_options?text=freixo").await.ok();
    assert_eq!(
        options,
        json!([{"id": options[0]["id"], "label": "Padaria, Rua do Freixo 9, Porto", "confidence": 1.0,
            "kind": "unknown", "source": "organisation"}])
    );

    let at = async |lat: f64, lon: f64| {
        tenant.planner.get(&format!("/location_options/at?lat={lat}&lon={lon}")).await
    };
    let near = at(41.1605, -8.59).await.ok();
    assert_eq!(
        near,
        json!({"label": "Padaria, Rua do Freixo 9, Porto", "address": "Rua do Freixo 9, Porto", "lat": 41.16,
            "lon": -8.59, "metres": 56, "source": "organisation"})
    );
    assert_eq!(
        at(41.15, -8.5901).await.ok()["label"].as_str().map(str::to_lowercase).as_deref(),
        Some("rua das flores 3, porto")
    );
    at(41.17, -8.59).await.refused(404);
    at(91.0, -8.59).await.refused(400);
    tenant.planner.get("/location_options/at?lat=41").await.refused(400);
    tenant.planner.nobody().get("/location_options/at?lat=41&lon=-8").await.refused(401);

    let narrow = tenant.organisation.person_with(&["runs_read"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    let narrow = tenant.planner.with_token(tenant.organisation.token(narrow));
    assert_eq!(narrow.get("/location_options?text=flores").await.ok(), json!([]));
    narrow.get(&format!("/location_options/{id}")).await.refused(404);
    narrow.get("/location_options/at?lat=41.15&lon=-8.59").await.refused(404);
}
