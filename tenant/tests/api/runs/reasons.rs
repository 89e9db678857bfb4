//! Why a plan was changed after it was dispatched, on the record.

use serde_json::{Value, json};

use crate::execution::ready;

/// S-22, X-270: who changes a dispatched run may say why; the changes are on the record with it.
#[tokio::test]
async fn a_reason_is_kept_with_the_change() {
    let ready = ready().await;
    let reason = ready.tenant.admin.post("/scenario_reasons", json!({"name": "Breakdown"})).await.ok();
    let path = format!("/runs/{}", ready.run["id"]);
    let item = json!([{"run_id": ready.run["id"], "method": "qrcode"}]);
    let _ = ready.planner().post("/runs/dispatch", item).await.ok();
    let wrong = json!({"capacity": "5", "scenario_reason_id": 987_654});
    let refusal = ready.planner().patch(&path, wrong).await.refused(400);
    assert_eq!(refusal["fields"]["scenario_reason_id"], "Value does not exist");
    let change = json!({"capacity": "5", "scenario_reason_id": reason["id"]});
    assert_eq!(ready.planner().patch(&path, change).await.ok()["capacity"], "5");
    let _ = ready.planner().patch(&path, json!({"capacity": "6"})).await.ok();
    let mut database = ready.tenant.organisation.trail().await;
    let kept: Vec<(Value, Value, String)> = sqlx::query_as(
        "select before, after, reason from audit_entries where kind = 'run' and object_id = $1 and reason is not null",
    )
    .bind(ready.run["id"].as_i64())
    .fetch_all(&mut database)
    .await
    .expect("the log");
    assert_eq!(kept, [(json!({"capacity": "0"}), json!({"capacity": "5"}), "Breakdown".to_owned())]);
}

/// S-22: the same where jobs are moved, sent to the pool, turned round or delayed; without a reason nobody is asked.
#[tokio::test]
async fn a_reason_is_kept_with_moved_jobs() {
    let ready = ready().await;
    let (planner, run, jobs) = (ready.planner(), &ready.run["id"], &ready.jobs);
    let id = |job: usize| jobs[job]["id"].clone();
    let reason = ready.tenant.admin.post("/scenario_reasons", json!({"name": "Driver sick"})).await.ok();
    let reason = &reason["id"];
    let to_unserved = "/runs/move_job_to_new/unserved";
    let wrong = json!({"job_ids": [id(0)], "scenario_reason_id": 987_654});
    let refusal = planner.put(to_unserved, wrong).await.refused(400);
    assert_eq!(refusal["fields"]["scenario_reason_id"], "Value does not exist");
    assert_eq!(ready.reload().await["jobs"].as_array().map(Vec::len), Some(3));

    let _ = planner
        .post(&format!("/runs/{run}/delay"), json!({"delay": 10, "scenario_reason_id": reason}))
        .await
        .ok();
    let reverse = format!("/runs/{run}/reverse_sequence");
    let _ = planner.post(&format!("{reverse}?scenario_reason_id={reason}"), json!(null)).await.ok();
    let _ = planner.post(&reverse, json!(null)).await.ok();
    let moved = json!({"job_ids": [id(0)], "scenario_reason_id": reason});
    let _ = planner.put(to_unserved, moved).await.ok();
    let back =
        json!({"moves": [{"run_id": run, "job_ids": [id(0)], "seq": 1}], "scenario_reason_id": reason});
    let _ = planner.put("/runs/bulk_move_jobs", back).await.ok();
    let pool = json!({"job_ids": [id(2)], "scenario_reason_id": reason});
    let _ = planner.put("/jobs/move_to_pool", pool).await.ok();

    let mut database = ready.tenant.organisation.trail().await;
    let kept: Vec<(Value, Value, String, String)> = sqlx::query_as(
        "select before, after, action, reason from audit_entries
         where kind = 'run' and object_id = $1 and reason is not null order by id",
    )
    .bind(run.as_i64())
    .fetch_all(&mut database)
    .await
    .expect("the log");
    assert!(kept.iter().all(|(_, _, _, reason)| reason == "Driver sick"), "{kept:?}");
    let told: Vec<(&str, &Value, &Value)> = kept
        .iter()
        .map(|(before, after, action, _)| {
            let field = if action.ends_with("delay") { "delay" } else { "stops" };
            (action.as_str(), &before[field], &after[field])
        })
        .collect();
    let all = json!([id(0), id(1), id(2)]);
    let (turned, without_first) = (json!([id(2), id(1), id(0)]), json!([id(1), id(2)]));
    let without_last = json!([id(0), id(1)]);
    let expected = [
        ("POST /runs/{id}/delay", &json!(null), &json!(10)),
        ("POST /runs/{id}/reverse_sequence", &all, &turned),
        ("PUT /runs/move_job_to_new/{run_id}", &all, &without_first),
        ("PUT /runs/bulk_move_jobs", &without_first, &all),
        ("PUT /jobs/move_to_pool", &all, &without_last),
    ];
    assert_eq!(told, expected);
}
