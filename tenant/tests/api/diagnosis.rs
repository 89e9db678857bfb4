//! Why jobs have no good place, what would give them one, and what an optimisation made of the plan.

use serde_json::{Value, json};

use crate::jobs::{add, scenario};
use crate::moves::{job_at, put_on};
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant};

/// Ana's van is full with A (40 of 70 boxes) and cannot take B (36 boxes) any more.
async fn full_van(tenant: &Tenant) -> (Value, Value, Vec<Value>) {
    let scenario = scenario(tenant).await;
    let ana = driver(tenant, "Ana Sousa", json!({"capacity": "boxes:70"})).await;
    let first = run(tenant, &scenario, &ana, json!({})).await;
    let mut jobs = Vec::new();
    for (uid, size) in [("A", "boxes:40"), ("B", "boxes:36")] {
        let body = job_at(uid, 41.17, -8.63, json!({"size": size}));
        jobs.push(add(tenant, &scenario, body).await);
    }
    let _ = put_on(tenant, &first, &[&jobs[0]], json!({})).await;
    (scenario, first, jobs)
}

async fn diagnose(tenant: &Tenant, scenario: &Value, job: &Value) -> Value {
    tenant.planner.get(&format!("/scenarios/{scenario}/diagnosis/{}", job["id"])).await.ok()
}

fn remedy<'a>(diagnosis: &'a Value, kind: &str) -> &'a Value {
    let remedies = diagnosis["remedies"].as_array().expect("remedies");
    remedies.iter().find(|remedy| remedy["kind"] == kind).unwrap_or(&Value::Null)
}

/// W-002, W-100, W-107: the blocking rule with its figures; a driver without a run is offered, and applying serves the job.
#[tokio::test]
async fn a_full_van_is_told_and_another_driver_offered() {
    let tenant = tenant().await;
    let (scenario, first, jobs) = full_van(&tenant).await;
    let found = diagnose(&tenant, &scenario, &jobs[1]).await;
    assert_eq!((&found["state"], &found["reason"]), (&json!("unserved"), &json!("capacity")));
    assert_eq!(found["text"], "Ana Sousa: 76 of 70 boxes");
    assert_eq!(found["runs"][0]["run_id"], first["id"]);
    assert_eq!(found["remedies"], json!([]), "nobody else is there");

    let rui = driver(&tenant, "Rui", json!({"capacity": "boxes:70"})).await;
    let found = diagnose(&tenant, &scenario, &jobs[1]).await;
    let offered = remedy(&found, "add_driver");
    assert_eq!((&offered["driver_id"], &offered["run_id"]), (&rui["id"], &Value::Null));
    assert!(offered["added_distance"].as_i64().is_some_and(|metres| metres > 1000), "{offered}");
    let body = json!({"job_id": jobs[1]["id"], "kind": "add_driver", "version": found["version"]});
    let path = format!("/scenarios/{scenario}/remedies");
    let done = tenant.planner.post(&path, body.clone()).await.ok();
    assert_eq!(done["updated_runs"][0]["jobs"][0]["uid"], "B");
    assert_eq!(done["remedy"]["run_id"], done["updated_runs"][0]["id"]);
    assert_eq!(diagnose(&tenant, &scenario, &jobs[1]).await["state"], "served");
    // The plan is another by now: what was offered is not done a second time.
    let refusal = tenant.planner.post(&path, body).await.refused(409);
    assert_eq!(refusal["error"], "PLAN_CHANGED");
}

/// W-100, W-101: a job that is reached after its window and a run that ends after its shift: as many minutes as are needed,
/// and not one more.
#[tokio::test]
async fn minutes_that_are_missing_are_offered_and_given() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({"shift_start": "08:00", "shift_end": "08:30"})).await;
    let first = run(&tenant, &scenario, &ana, json!({})).await;
    let far = add(&tenant, &scenario, job_at("FAR", 41.30, -8.63, json!({"duration": 10}))).await;
    let early =
        add(&tenant, &scenario, job_at("EARLY", 41.17, -8.63, json!({"duration": 1, "leave_by": "08:01"})))
            .await;
    let found = diagnose(&tenant, &scenario, &early).await;
    let offered = remedy(&found, "widen_window");
    let leave_by = offered["leave_by"].as_str().expect("a time").to_owned();
    assert!(leave_by.as_str() > "08:01", "{offered}");

    let found = diagnose(&tenant, &scenario, &far).await;
    assert_eq!(found["reason"], "outside_shift");
    let text = found["text"].as_str().expect("a text");
    assert!(text.starts_with("Ana: ends ") && text.ends_with(", shift ends 08:30"), "{text}");
    let offered = remedy(&found, "extend_shift");
    let until = offered["shift_end"].as_str().expect("a time").to_owned();
    let body = json!({"job_id": far["id"], "kind": "extend_shift"});
    let done = tenant.planner.post(&format!("/scenarios/{scenario}/remedies"), body).await.ok();
    let changed = &done["updated_runs"][0];
    assert_eq!((&changed["shift_end"], &changed["jobs"][0]["uid"]), (&json!(until), &json!("FAR")));
    let check = tenant.planner.get(&format!("/scenarios/{scenario}/constraints_check")).await.ok();
    assert_eq!(check["violations"], json!([]));

    // The same on a run: late, as planned by hand.
    let _ = put_on(&tenant, &first, &[&early], json!({"seq": 2})).await;
    let all = tenant.planner.get(&format!("/scenarios/{scenario}/diagnosis")).await.ok();
    assert_eq!((&all["total"], &all["left_out"]), (&json!(1), &json!(0)));
    assert_eq!((&all["jobs"][0]["job_uid"], &all["jobs"][0]["state"]), (&json!("EARLY"), &json!("late")));
    let check = tenant.planner.get(&format!("/scenarios/{scenario}/constraints_check")).await.ok();
    let messages = check["violations"].to_string();
    assert!(
        messages.contains("Job EARLY is reached at ") && messages.contains(" after 08:01"),
        "W-015: {messages}"
    );
}

/// W-002: where no run will do, the job goes to the next day's plan; both plans are told.
#[tokio::test]
async fn a_job_goes_to_the_next_day() {
    let tenant = tenant().await;
    let (scenario, _, jobs) = full_van(&tenant).await;
    let today = tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok();
    let date: chrono::NaiveDate = today["scheduled_date"].as_str().expect("a date").parse().expect("a date");
    let body = json!({"name": "Tomorrow", "scheduled_date": date.succ_opt().expect("a day").to_string()});
    let tomorrow = tenant.planner.post("/scenarios", body).await.ok();
    let found = diagnose(&tenant, &scenario, &jobs[1]).await;
    assert_eq!(remedy(&found, "next_day")["scenario_id"], tomorrow["id"]);
    let body = json!({"job_id": jobs[1]["id"], "kind": "next_day", "version": found["version"]});
    let done = tenant.planner.post(&format!("/scenarios/{scenario}/remedies"), body).await.ok();
    assert_eq!(done["moved_job_ids"], json!([jobs[1]["id"]]));
    let moved = tenant.planner.get(&format!("/jobs/{}", jobs[1]["id"])).await.ok();
    assert_eq!(moved["scenario_id"], tomorrow["id"]);
}

/// W-002, W-100: the answer of an optimisation carries the plan before and after; the task keeps it with the unserved jobs.
#[tokio::test]
async fn an_optimisation_ends_with_a_summary() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({"capacity": "boxes:70"})).await;
    for (uid, size) in [("A", "boxes:40"), ("B", "boxes:36")] {
        let _ = add(&tenant, &scenario, job_at(uid, 41.17, -8.63, json!({"size": size}))).await;
    }
    let body = json!({"driver_ids": [ana["id"]], "options": {"max_seconds": 1}});
    let answer = tenant.planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    let (before, after) = (&answer["summary"]["before"], &answer["summary"]["after"]);
    assert_eq!(
        (&before["served"], &before["unserved"], &before["distance"]),
        (&json!(0), &json!(2), &json!(0))
    );
    assert_eq!((&after["served"], &after["unserved"], &after["runs"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(after["distance"], answer["data"]["runs"][0]["distance"]);
    assert_eq!(after["load"], json!([{"key": "boxes", "value": 40.0, "limit": 70.0}]));
    assert_eq!(answer["summary"]["roads_source"], "great_circle");
    let task = tenant.planner.get(&format!("/optimise/background/scenarios/{scenario}")).await.ok();
    assert_eq!(task["unservedJobs"], answer["unservedJobs"]);
    assert_eq!(task["unservedJobs"][0]["reason"], "capacity");
    assert_eq!(task["summary"], answer["summary"]);
}

/// W-002: many jobs at once are told what each is told alone, and what was not tried is counted: a ninth full run, drivers
/// beyond the fiftieth.
#[tokio::test]
async fn what_is_left_untried_is_told() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    for n in 0..9 {
        let full = driver(&tenant, &format!("Full {n}"), json!({"capacity": "boxes:10"})).await;
        let full = run(&tenant, &scenario, &full, json!({})).await;
        let body = job_at(&format!("F{n}"), 41.17, -8.63 + f64::from(n) * 0.001, json!({"size": "boxes:10"}));
        let _ = put_on(&tenant, &full, &[&add(&tenant, &scenario, body).await], json!({})).await;
    }
    let mut left = Vec::new();
    for uid in ["X", "Y"] {
        left.push(add(&tenant, &scenario, job_at(uid, 41.17, -8.63, json!({"size": "boxes:10"}))).await);
    }
    let all = tenant.planner.get(&format!("/scenarios/{scenario}/diagnosis")).await.ok();
    assert_eq!(
        (&all["total"], &all["left_out"], &all["drivers_left_out"]),
        (&json!(2), &json!(0), &json!(0))
    );
    for (job, told) in left.iter().zip(all["jobs"].as_array().expect("jobs")) {
        assert_eq!(told["untried_runs"], 1);
        let alone = diagnose(&tenant, &scenario, job).await;
        for field in ["job_uid", "state", "reason", "text", "remedies", "untried_runs"] {
            assert_eq!(told[field], alone[field], "{field}");
        }
        assert_eq!(alone["runs"].as_array().map(Vec::len), Some(9));
    }
    for n in 0..53 {
        let _ = driver(&tenant, &format!("Spare {n}"), json!({"capacity": "boxes:1"})).await;
    }
    let all = tenant.planner.get(&format!("/scenarios/{scenario}/diagnosis")).await.ok();
    assert_eq!(all["drivers_left_out"], 3);
}
