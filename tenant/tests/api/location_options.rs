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
