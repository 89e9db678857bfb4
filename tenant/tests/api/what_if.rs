//! What a change of a plan would do is said before it is done.

use serde_json::{Value, json};

use crate::moves::{put_on, two_runs};
use crate::support::tenant;

/// Issue 13.3: what a move or a delay would do is said beforehand, of runs on the road too, and nothing is changed or told by
/// saying it. The change itself does the same then.
#[tokio::test]
async fn what_a_change_would_do_is_said_beforehand() {
    let tenant = tenant().await;
    let (scenario, [ana, rui], jobs) = two_runs(&tenant).await;
    let _ = put_on(&tenant, &ana, &[&jobs[0], &jobs[1]], json!({})).await;
    let _ = put_on(&tenant, &rui, &[&jobs[2]], json!({})).await;
    let driven = json!({"actual_start_time": "2026-11-23T08:00:00Z", "start_odometer": 1, "force": true});
    let _ = tenant.planner.patch(&format!("/runs/{}", ana["id"]), driven).await.ok();
    let standing = async || {
        let mut database = tenant.organisation.trail().await;
        let told: (i64, i64, i64, i64) = sqlx::query_as(
            "select (select count(*) from events), (select count(*) from plan_log), (select count(*) from plan_changes),
                 (select count(*) from audit_entries)",
        )
        .fetch_one(&mut database)
        .await
        .unwrap();
        let runs = tenant.planner.get(&format!("/runs?scenario_id={scenario}&route=true")).await.ok();
        let jobs = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&per_page=100")).await.ok();
        (told, runs["data"].clone(), jobs["data"].clone())
    };
    let before = standing().await;
    let to = |run: &Value| format!("/runs/move_job_to_new/{}", run["id"]);
    let reduced = |answer: &Value| -> Vec<Value> {
        let jobs = |run: &Value| -> Vec<Value> {
            let jobs = run["jobs"].as_array().into_iter().flatten();
            jobs.map(|job| json!([job["uid"], job["eta"], job["updated_eta"]])).collect()
        };
        let runs = answer["updated_runs"].as_array().into_iter().flatten();
        runs.map(|run| json!([run["id"], jobs(run)])).collect()
    };
    let onto_driven = json!({"job_ids": [jobs[2]["id"]], "seq": 1});
    let off_driven = json!({"moves": [{"job_ids": [jobs[1]["id"]], "run_id": rui["id"]}]});
    let unserved = json!({"job_ids": [jobs[0]["id"]]});
    let later = json!({"delay": 25});
    let calls = [
        ("PUT", to(&ana), onto_driven),
        ("PUT", "/runs/bulk_move_jobs".to_owned(), off_driven),
        ("PUT", "/runs/move_job_to_new/unserved".to_owned(), unserved),
        ("POST", format!("/runs/{}/delay", ana["id"]), later.clone()),
        ("POST", format!("/runs/{}/delay", rui["id"]), later),
    ];
    for (method, path, body) in &calls {
        let mut dry = body.clone();
        dry["dry_run"] = json!(true);
        let said = tenant.planner.call(method.parse().unwrap(), path, Some(dry)).await.ok();
        assert_eq!(standing().await, before, "{path} changed something");
        if path.ends_with("/delay") {
            assert!(said["jobs"][0]["uid"].is_string(), "{said}");
        } else {
            assert!(!reduced(&said).is_empty(), "{said}");
        }
    }
    // A refusal is one beforehand as well.
    let nowhere = json!({"job_ids": [jobs[2]["id"]], "dry_run": true, "seq": 0});
    tenant.planner.put(&to(&ana), nowhere).await.refused(400);
    let (_, path, body) = &calls[0];
    let mut dry = body.clone();
    dry["dry_run"] = json!(true);
    let said = reduced(&tenant.planner.put(path, dry).await.ok());
    let done = tenant.planner.put(path, body.clone()).await.ok();
    assert_eq!(said, reduced(&done));
    let delay = format!("/runs/{}/delay", ana["id"]);
    let said = tenant.planner.post(&delay, json!({"delay": 25, "dry_run": true})).await.ok();
    let done = tenant.planner.post(&delay, json!({"delay": 25})).await.ok();
    let one = |run: &Value| reduced(&json!({"updated_runs": [run]}));
    assert_eq!(one(&said), one(&done));
}

/// Issue 13.3: a submit that only asks what would be is asked again when it comes twice.
#[tokio::test]
async fn a_marked_question_is_answered_each_time() {
    let tenant = tenant().await;
    let (_, [ana, _], jobs) = two_runs(&tenant).await;
    let _ = put_on(&tenant, &ana, &[&jobs[0]], json!({})).await;
    let ask = async || {
        let request = http::Request::post(format!("/runs/{}/delay", ana["id"]))
            .header("content-type", "application/json")
            .header("idempotency-key", "the same");
        let body = json!({"delay": 5, "dry_run": true}).to_string();
        tenant.planner.send(request.body(axum::body::Body::from(body)).unwrap()).await.ok()
    };
    assert_eq!(ask().await["planned_start_time"], ask().await["planned_start_time"]);
}
