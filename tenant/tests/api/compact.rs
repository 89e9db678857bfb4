//! Compact runs as an option of optimising.

use serde_json::json;

use crate::jobs::{add, scenario};
use crate::moves::job_at;
use crate::optimise::ids;
use crate::runs::driver;
use crate::support::tenant;

/// P-029, P-443: what compact runs cost is told in the answer and kept with the task, both plans in figures; without the wish
/// there is nothing to tell, and another value than yes or no is refused.
#[tokio::test]
async fn compact_runs_tell_their_price() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let drivers = [driver(&tenant, "Ana", json!({})).await, driver(&tenant, "Rui", json!({})).await];
    for n in 0..12 {
        let (lat, lon) = (41.10 + f64::from(n % 4) * 0.02, -8.70 + f64::from(n / 4) * 0.04);
        let _ = add(&tenant, &scenario, job_at(&format!("J{n}"), lat, lon, json!({}))).await;
    }
    let path = format!("/optimise/scenarios/{scenario}");
    let body = |options: serde_json::Value| json!({"driver_ids": ids(&drivers), "options": options});
    let _ = tenant.planner.post(&path, body(json!({"compact": "very"}))).await.refused(400);
    let plain = tenant.planner.post(&path, body(json!({"max_seconds": 1}))).await.ok();
    assert!(plain["summary"]["compact"].is_null());
    // Balanced runs are used both, so that there are two areas.
    let wanted = json!({"compact": true, "max_seconds": 1, "objective": "balanced"});
    let answer = tenant.planner.post(&path, body(wanted)).await.ok();
    assert_eq!(answer["improved"], true);
    let told = &answer["summary"]["compact"];
    for plan in ["with", "without"] {
        assert_eq!(told[plan]["served"], 12, "{told}");
        assert!(told[plan]["distance"].as_i64() > Some(0) && told[plan]["working_time"].as_i64() > Some(0));
        assert!(told[plan]["strays"].is_u64());
    }
    assert!(told["with"]["strays"].as_u64() <= told["without"]["strays"].as_u64());
    // What was searched is what stands: the figures are those of the plan that was stored.
    for figure in ["runs", "distance", "driving_time", "working_time"] {
        assert_eq!(told["with"][figure], answer["summary"]["after"][figure], "{figure}");
    }
    let task = tenant.planner.get(&format!("/optimise/background/scenarios/{scenario}")).await.ok();
    assert_eq!(task["summary"]["compact"], *told);
}
