//! Imports into the pool.

use serde_json::{Value, json};

use crate::support::tenant;

/// W-022: the same file, imported into the pool by two at once, is there once, as it is when one comes after the other.
#[tokio::test]
async fn two_imports_at_once_are_as_one_after_the_other() {
    let tenant = tenant().await;
    let rows: Vec<Value> = (0..40)
        .map(|n| json!({"uid": format!("J{n}"), "address": format!("Rua {n}"), "lat": 41.1, "lon": -8.6, "unit.uid": format!("U{n}")}))
        .collect();
    let upload = json!({"rows": rows});
    let (one, two, three) = tokio::join!(
        tenant.planner.post("/jobs/template_upload", upload.clone()),
        tenant.admin.post("/jobs/template_upload", upload.clone()),
        tenant.planner.post("/jobs/template_upload", upload)
    );
    let answers = [one.ok(), two.ok(), three.ok()];
    let mut created: Vec<i64> = answers.iter().filter_map(|told| told["created"].as_i64()).collect();
    created.sort_unstable();
    assert_eq!(created, [0, 0, 40], "{answers:?}");
    assert_eq!(tenant.planner.get("/jobs/pool").await.ok()["total_count"], 40);
    assert_eq!(tenant.planner.get("/units").await.ok()["total_count"], 40);
}
