//! Plans in traffic that changes by the hour.

use routewright_testing::Client;
use serde_json::{Value, json};

use crate::jobs::{add, scenario};
use crate::moves::{assert_timed, job_at, put_on};
use crate::runs::{driver, run};
use crate::streets::tenant_in_traffic;
use crate::support::Tenant;

/// From five to seven every evening all streets are four times as slow.
const JAM: &str = r#"{
    "metrics": [{ "name": "jam", "speed": { "motorway": 0.25, "trunk": 0.25, "primary": 0.25, "secondary": 0.25, "tertiary": 0.25, "other": 0.25 } }],
    "week": [{ "days": [1, 2, 3, 4, 5, 6, 7], "hours": [17, 19], "metric": "jam" }]
}"#;

fn first_leg(run: &Value) -> i64 {
    run["route"]["legs"][0]["duration"].as_i64().expect("seconds")
}

async fn violations(planner: &Client, scenario: &Value) -> String {
    planner.get(&format!("/scenarios/{scenario}/constraints_check")).await.ok()["violations"].to_string()
}

/// Jobs by uid with their run and the reason why they have none.
async fn placed(tenant: &Tenant, scenario: &Value) -> Vec<(String, bool, Value)> {
    let jobs = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}")).await.ok();
    let mut jobs: Vec<_> = jobs["data"]
        .as_array()
        .expect("jobs")
        .iter()
        .map(|job| {
            let uid = job["uid"].as_str().unwrap_or_default().to_owned();
            (uid, job["run_id"].is_number(), job["unserved_reason"].clone())
        })
        .collect();
    jobs.sort_by(|a, b| a.0.cmp(&b.0));
    jobs
}

/// Issue 12.2: each way takes as long as traffic lets it at the hour in which it is driven: so many minutes are enough at midday and
/// not in the evening, where a job is moved by hand as where the day is planned; who leaves before the jam is in time.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_late_in_the_evening_and_not_at_midday() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hours.json");
    std::fs::write(&file, JAM).expect("a file");
    let tenant = tenant_in_traffic(folder.path(), Some(&file)).await;
    let planner = &tenant.planner;
    let scenario = scenario(&tenant).await;
    let shift = |start: &str, end: &str| json!({"shift_start": start, "shift_end": end});
    let noon = driver(&tenant, "Noon", shift("12:00", "16:00")).await;
    let evening = driver(&tenant, "Evening", shift("17:00", "22:00")).await;
    let at_noon = run(&tenant, &scenario, &noon, json!({})).await;
    let in_the_evening = run(&tenant, &scenario, &evening, json!({})).await;
    let job = |uid: &str, after: Value, by: Value| {
        job_at(uid, 41.1496, -8.6109, json!({"duration": 5, "arrive_after": after, "leave_by": by}))
    };

    let probe = add(&tenant, &scenario, job("PROBE", Value::Null, Value::Null)).await;
    let moved = put_on(&tenant, &at_noon, &[&probe], json!({})).await;
    let free = first_leg(&moved["updated_runs"][0]);
    assert!((120..1200).contains(&free), "{free}");
    let _ = planner.delete(&format!("/jobs/{}", probe["id"])).await.ok();
    let by = |hour: i64| json!(format!("{hour}:{:02}", free / 60 + 2));

    let midday = add(&tenant, &scenario, job("MIDDAY", Value::Null, by(12))).await;
    let late = add(&tenant, &scenario, job("LATE", json!("17:00"), by(17))).await;
    let current = planner.get(&format!("/runs/{}", at_noon["id"])).await.ok();
    let moved = put_on(&tenant, &current, &[&midday], json!({})).await;
    assert_timed(&moved["updated_runs"][0]);
    assert_eq!(first_leg(&moved["updated_runs"][0]), free);
    let told = violations(planner, &scenario).await;
    assert!(!told.contains("MIDDAY"), "{told}");
    let moved = put_on(&tenant, &in_the_evening, &[&late], json!({})).await;
    assert_timed(&moved["updated_runs"][0]);
    let slow = first_leg(&moved["updated_runs"][0]);
    assert!((free * 3..free * 5).contains(&slow), "{free} s at midday, {slow} s in the evening");
    let told = violations(planner, &scenario).await;
    assert!(told.contains("LATE") && !told.contains("MIDDAY"), "{told}");

    // So does the optimiser find: nobody can be there in time.
    let drivers = json!({"driver_ids": [noon["id"], evening["id"]], "options": {"max_seconds": 1}});
    let optimise = format!("/optimise/scenarios/{scenario}");
    let answer = planner.post(&optimise, drivers.clone()).await.ok();
    assert_eq!(answer["summary"]["roads_source"], "streets", "{answer}");
    let found = placed(&tenant, &scenario).await;
    assert_eq!(found[1], ("MIDDAY".to_owned(), true, Value::Null));
    // At noon it is too early, in the evening too late.
    let reason = found[0].2.as_str().unwrap_or_default();
    assert!(!found[0].1 && ["shift", "time_window"].contains(&reason), "{found:?}");

    // Who may leave earlier leaves before the jam.
    let earlier = json!({"shift_start": "16:30"});
    let _ = planner.patch(&format!("/drivers/{}", evening["id"]), earlier.clone()).await.ok();
    let _ = planner.post(&optimise, drivers).await.ok();
    let expected = ["LATE", "MIDDAY"].map(|uid| (uid.to_owned(), true, Value::Null));
    assert_eq!(placed(&tenant, &scenario).await, expected);
    assert_eq!(violations(planner, &scenario).await, "[]");
}

/// In the evening the large streets stand, the small ones are free.
const FULL: &str = r#"{
    "metrics": [{ "name": "full", "speed": { "motorway": 0.06, "trunk": 0.06, "primary": 0.06, "secondary": 0.06 } }],
    "week": [{ "days": [1, 2, 3, 4, 5, 6, 7], "hours": [17, 22], "metric": "full" }]
}"#;

/// Issue 12.2: a run takes the ways that are quickest when it departs: in the evening it goes round the streets that stand then, and
/// the plan that the optimiser makes is timed with the same ways.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_round_the_jam_of_its_hour() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hours.json");
    std::fs::write(&file, FULL).expect("a file");
    let tenant = tenant_in_traffic(folder.path(), Some(&file)).await;
    let planner = &tenant.planner;
    let scenario = scenario(&tenant).await;
    let shift = |start: &str, end: &str| json!({"shift_start": start, "shift_end": end});
    let mut ways = Vec::new();
    let mut drivers = Vec::new();
    for (name, start, end) in [("Noon", "12:00", "16:00"), ("Evening", "17:00", "22:00")] {
        let driver = driver(&tenant, name, shift(start, end)).await;
        let run = run(&tenant, &scenario, &driver, json!({})).await;
        let job = job_at(&format!("J {name}"), 41.1785, -8.65, json!({"duration": 5}));
        let job = add(&tenant, &scenario, job).await;
        let moved = put_on(&tenant, &run, &[&job], json!({})).await;
        assert_timed(&moved["updated_runs"][0]);
        ways.push(moved["updated_runs"][0]["route"].clone());
        drivers.push(driver["id"].clone());
    }
    let metres = |way: &Value| way["legs"][0]["distance"].as_i64().expect("metres");
    assert_ne!(ways[0]["legs"][0]["geometry"], ways[1]["legs"][0]["geometry"]);
    assert!(metres(&ways[1]) != metres(&ways[0]), "{} m and {} m", metres(&ways[0]), metres(&ways[1]));

    let body = json!({"driver_ids": drivers, "options": {"max_seconds": 1}});
    let _ = planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    assert_eq!(violations(planner, &scenario).await, "[]");
    let found = placed(&tenant, &scenario).await;
    assert!(found.iter().all(|(_, on_a_run, _)| *on_a_run), "{found:?}");
}
