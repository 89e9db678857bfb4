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
    let mut database = ready.tenant.organisation.database().await;
    let kept: Vec<(String, Value, Value, Option<String>)> = sqlx::query_as(
        "select field, old, new, reason from audit_log where subject = 'run' and subject_id = $1 order by id",
    )
    .bind(ready.run["id"].as_i64())
    .fetch_all(&mut database)
    .await
    .expect("the log");
    assert_eq!(kept, [("capacity".into(), json!("0"), json!("5"), Some("Breakdown".into()))]);
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

    let mut database = ready.tenant.organisation.database().await;
    let kept: Vec<(String, Value, Value, String)> = sqlx::query_as(
        "select field, coalesce(old, 'null'), new, reason from audit_log where subject = 'run' and subject_id = $1 order by id",
    )
    .bind(run.as_i64())
    .fetch_all(&mut database)
    .await
    .expect("the log");
    let told = |field: &str, old: Value, new: Value| (field.to_owned(), old, new, "Driver sick".to_owned());
    let expected = [
        told("delay", json!(null), json!(10)),
        told("reverse", json!([id(0), id(1), id(2)]), json!([id(2), id(1), id(0)])),
        told("move", json!([id(0), id(1), id(2)]), json!([id(1), id(2)])),
        told("bulk_move", json!([id(1), id(2)]), json!([id(0), id(1), id(2)])),
        told("to_pool", json!([id(0), id(1), id(2)]), json!([id(0), id(1)])),
    ];
    assert_eq!(kept, expected);
}
