//! Every body of the route table with a field that nobody can write.

use routewright_core::access::Who;
use routewright_testing::Client;
use serde_json::{Value, json};

use super::fill::Filled;
use super::{calls, changed, digest};

/// Fields that hold whatever the sender puts there, or a format of others (GeoJSON).
const FREE: [&str; 6] = ["extra_fields", "config", "mapping", "rows", "value", "geometry"];

/// Routes that apps of others send to: those send what is not wanted here as well.
const OTHERS: [&str; 1] = ["/positions/owntracks/{token}"];

/// W-032: no writing route answers that it stored a field that it does not have, on whatever level of its body.
#[tokio::test]
async fn no_route_takes_an_unknown_field() {
    let ours = Filled::new("Wombat", None).await;
    let table = routewright_tenant::routes::table().rows();
    let before = digest(&ours).await;
    let (mut faults, mut tried) = (Vec::new(), 0);
    for call in calls::all() {
        let row = call.route(&table).unwrap_or_else(|| panic!("{call:?} is no call of a route"));
        if OTHERS.contains(&row.path) {
            continue;
        }
        let client: Client = match row.access.who {
            Who::User | Who::RunsheetOrUser => ours.admin.clone(),
            Who::Runsheet => ours.driver.clone(),
            Who::Public | Who::Link(_) => ours.admin.nobody(),
        };
        for call in call.with_field("bogus", &FREE) {
            let answer = call.make(&client, &ours.things, None).await;
            let named =
                |fields: &Value| fields.as_object().is_some_and(|f| f.keys().any(|f| f.ends_with("bogus")));
            // Streamed uploads answer each line for itself.
            let refused = answer.status == 400 && named(&answer.json["fields"])
                || answer
                    .text()
                    .lines()
                    .any(|line| serde_json::from_str(line).is_ok_and(|line: Value| named(&line["fields"])));
            tried += 1;
            if !refused {
                let text: String = answer.text().chars().take(200).collect();
                faults.push(format!("{call:?}: {} {text}", answer.status));
            }
        }
    }
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
    assert!(tried > 150, "{tried}");
    assert_eq!(changed(&before, &digest(&ours).await), [""; 0]);
}

/// W-032: what is computed is read-only, and each wrong field is told.
#[tokio::test]
async fn read_only_fields_are_refused_by_name() {
    let ours = Filled::new("Wombat", None).await;
    let job = &ours.things["job"];
    let refused = ours
        .admin
        .patch(&format!("/jobs/{job}"), json!({"eta": "2026-11-23T10:00:00Z", "id": 7, "comments": "x"}))
        .await
        .refused(400);
    let reason = "This field is unknown or read-only";
    assert_eq!(refused["fields"], json!({"eta": reason, "id": reason}));
    assert_eq!(ours.admin.get(&format!("/jobs/{job}")).await.ok()["comments"], "Wombat comments");
}

/// V-25: a run goes to no other scenario or driver by a change, and nothing of such a change is kept.
#[tokio::test]
async fn a_change_of_a_run_says_what_it_cannot_change() {
    let ours = Filled::new("Wombat", None).await;
    let run = &ours.things["run"];
    let path = format!("/runs/{run}");
    let before = ours.admin.get(&path).await.ok();
    let reason = "This field is set when the run is made and cannot be changed";
    for field in ["scenario_id", "driver_id", "config_id"] {
        let refused = ours.admin.patch(&path, json!({field: 999_999, "uid": "Other"})).await.refused(400);
        assert_eq!(refused["fields"], json!({field: reason}), "{field}");
        let bulk = json!([{"id": before["id"], field: 999_999, "uid": "Other"}]);
        let refused = ours.admin.patch("/runs/bulk", bulk).await.refused(400);
        assert!(refused["fields"].to_string().contains(reason), "{field}: {refused}");
    }
    assert_eq!(ours.admin.get(&path).await.ok()["uid"], before["uid"]);
    let same = json!({"scenario_id": before["scenario_id"], "driver_id": before["driver_id"]});
    let _ = ours.admin.patch(&path, same).await.ok();
}
