//! Tags, the model of a plain resource.

use serde_json::json;

use crate::support::tenant;

/// P-184, P-231: the generic calls, the envelope and the texts of faults.
#[tokio::test]
async fn a_tag_is_made_found_changed_and_deleted() {
    let tenant = tenant().await;
    let tag = tenant.admin.post("/tags", json!({"name": "Fragile"})).await.ok();
    assert_eq!(tag["color"], "#34495e");
    let path = format!("/tags/{}", tag["id"]);
    assert_eq!(tenant.planner.get(&path).await.ok()["name"], "Fragile");
    assert_eq!(tenant.admin.patch(&path, json!({"color": "#ff0000"})).await.ok()["color"], "#ff0000");
    let page = tenant.planner.get("/tags?search=frag&per_page=10").await.ok();
    assert_eq!(
        (&page["total_count"], &page["per_page"], &page["total_pages"]),
        (&json!(1), &json!(10), &json!(1))
    );
    tenant.planner.delete(&path).await.refused(403);
    assert_eq!(tenant.admin.delete(&path).await.ok(), json!({"id": tag["id"]}));
    assert_eq!(tenant.planner.get(&path).await.refused(404)["description"], "Tag not found");
}

#[tokio::test]
async fn faults_name_their_field_and_change_nothing() {
    let tenant = tenant().await;
    let _ = tenant.admin.post("/tags", json!({"name": "Cold"})).await.ok();
    for (body, field) in [
        (json!({}), "name"),
        (json!({"name": "   "}), "name"),
        (json!({"name": "x".repeat(5000)}), "name"),
        (json!({"name": "a\u{0}b"}), "name"),
        (json!({"name": "cold"}), "name"),
        (json!({"name": 7}), "name"),
        (json!({"name": "Warm", "color": "red"}), "color"),
    ] {
        let refusal = tenant.admin.post("/tags", body.clone()).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{body}: {refusal}");
    }
    assert_eq!(tenant.admin.get("/tags").await.ok()["total_count"], 1);
    let filters = tenant.planner.get("/tags?colour=red").await.refused(400);
    assert_eq!(filters["description"]["filters"], "unknown filter `colour`");
    tenant.planner.get("/tags?per_page=301").await.refused(400);
    tenant.planner.nobody().get("/tags").await.refused(401);
    let _ = tenant.planner.get("/tags/not-a-number").await.refused(404);
}

/// A submit that is sent twice with the same key is done once.
#[tokio::test]
async fn a_repeated_submit_is_answered_with_the_first_one() {
    let tenant = tenant().await;
    let request = || {
        http::Request::post("/tags")
            .header("content-type", "application/json")
            .header("idempotency-key", "form-1")
            .body(axum::body::Body::from(json!({"name": "Once"}).to_string()))
            .expect("a request")
    };
    let (first, second) = tokio::join!(tenant.admin.send(request()), tenant.admin.send(request()));
    assert_eq!(first.ok()["id"], second.ok()["id"]);
    assert_eq!(tenant.admin.get("/tags").await.ok()["total_count"], 1);
}
