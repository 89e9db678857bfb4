//! Validation of finished runs.

use serde_json::{Value, json};

use crate::execution::{Ready, ready};

/// Actuals of a run that took as long and drove as far as given: seconds and kilometres.
fn actuals(seconds: i64, km: f64) -> Value {
    let start = "2026-11-23T08:00:00Z".parse::<chrono::DateTime<chrono::Utc>>().expect("a moment");
    json!({
        "billing_start_time": start, "actual_start_time": start,
        "actual_end_time": start + chrono::Duration::seconds(seconds), "start_odometer": 1000,
        "end_odometer": 1000.0 + km, "force": true,
    })
}

/// Plans the run to take an hour and drive 40 km, and records what is given.
async fn driven(ready: &Ready, fields: Value) -> String {
    let mut database = ready.tenant.organisation.database().await;
    sqlx::query("update runs set distance = 40000, total_driving_time = 3000, total_job_duration = 600")
        .execute(&mut database)
        .await
        .expect("a plan");
    let path = format!("/runs/{}", ready.run["id"]);
    let _ = ready.tenant.admin.patch(&path, fields).await.ok();
    path
}

async fn validate(ready: &Ready) -> Value {
    ready.tenant.admin.patch("/runs/validate", json!([ready.run["id"]])).await.ok()
}

/// S-01: every value that validation needs is named while it is missing; nothing is validated.
#[tokio::test]
async fn a_run_needs_its_actuals() {
    let ready = ready().await;
    let all = actuals(3600, 40.0);
    let path = driven(&ready, json!({})).await;
    let five =
        ["billing_start_time", "actual_start_time", "actual_end_time", "start_odometer", "end_odometer"];
    let checked = validate(&ready).await;
    assert_eq!(checked["validated"], json!([]));
    assert_eq!(checked["failed"], json!([{"id": ready.run["id"], "uid": "Ana", "missing": five}]));
    for missing in five {
        let mut given = all.clone();
        given[missing] = Value::Null;
        let _ = ready.tenant.admin.patch(&path, given).await.ok();
        let checked = validate(&ready).await;
        assert_eq!(checked["failed"][0]["missing"], json!([missing]));
        assert_eq!(ready.reload().await["validated_at"], Value::Null);
    }
}

/// validating writes who and when, once, on both paths, is logged and told.
#[tokio::test]
async fn validating_says_who_and_when() {
    let ready = ready().await;
    let path = driven(&ready, actuals(3600, 40.0)).await;
    let checked = ready
        .tenant
        .admin
        .patch("/run_cost_calculator/validate", json!({"run_ids": [ready.run["id"], ready.run["id"]]}))
        .await
        .ok();
    let admin = ready.tenant.organisation.admin.id;
    let expected = json!([{
        "id": ready.run["id"], "validated_at": "2026-11-23T08:00:00Z", "validated_by_id": admin, "time_ok": true,
        "distance_ok": true,
    }]);
    assert_eq!((&checked["validated"], &checked["failed"]), (&expected, &json!([])));
    let run = ready.reload().await;
    assert_eq!(
        (&run["validated_by_id"], &run["validated_at"]),
        (&json!(admin), &json!("2026-11-23T08:00:00Z"))
    );
    let told = ready.events("broadcast_run_update").await;
    assert_eq!(told.last().expect("an event")["run"]["validated_at"], "2026-11-23T08:00:00Z");
    let mut database = ready.tenant.organisation.trail().await;
    let logged: Vec<(Option<i64>, Value)> = sqlx::query_as(
        "select actor_id, after -> 'validated_by_id' from audit_entries where kind = 'run' and after ? 'validated_by_id' order by id",
    )
    .fetch_all(&mut database)
    .await
    .expect("the log");
    assert_eq!(logged, [(Some(admin), json!(admin))]);

    // Validated again later, it stays as it is.
    ready.clock.advance(chrono::Duration::minutes(9));
    assert_eq!(validate(&ready).await["validated"], expected);
    // W-063: what was driven stays as it was billed, until the validation is taken back.
    ready.tenant.admin.patch(&path, json!({"end_odometer": 1041})).await.refused(409);
    let _ = ready.tenant.admin.patch(&path, json!({"validated_by_id": null})).await.ok();
    let run = ready.reload().await;
    assert_eq!((&run["validated_by_id"], &run["validated_at"]), (&Value::Null, &Value::Null));
    // What is not billed may change.
    let _ = validate(&ready).await;
    let _ = ready.tenant.admin.patch(&path, json!({"route_colour": "#102030"})).await.ok();
    assert_eq!(ready.reload().await["validated_at"], "2026-11-23T08:09:00Z");
}

/// up to and exactly 15 % pass, a second or ten metres more does not; additional kilometres count.
#[tokio::test]
async fn exactly_fifteen_percent_pass() {
    for (seconds, km, additional, time_ok, distance_ok) in [
        (3600, 40.0, 0.0, true, true),
        (600, 3.0, 0.0, true, true),
        (4140, 46.0, 0.0, true, true),
        (4141, 46.01, 0.0, false, false),
        (4140, 40.0, 6.0, true, true),
        (4140, 40.0, 6.01, true, false),
        (4141, 47.0, -1.0, false, true),
    ] {
        let ready = ready().await;
        let mut fields = actuals(seconds, km);
        fields["additional_billing_kms"] = additional.into();
        driven(&ready, fields).await;
        let checked = validate(&ready).await;
        let found = &checked["validated"][0];
        let expected = (&json!(time_ok), &json!(distance_ok));
        assert_eq!(
            (&found["time_ok"], &found["distance_ok"]),
            expected,
            "{seconds} s, {km} + {additional} km"
        );
    }
}

/// X-023, G-19: supervisors validate; the planner, who sees no rates, does not. Malformed lists and strange runs.
#[tokio::test]
async fn only_supervisors_validate() {
    let ready = ready().await;
    driven(&ready, actuals(3600, 40.0)).await;
    for path in ["/runs/validate", "/run_cost_calculator/validate"] {
        ready.tenant.planner.patch(path, json!([ready.run["id"]])).await.refused(403);
        ready.tenant.admin.patch(path, json!({"ids": [1]})).await.refused(400);
        ready.tenant.admin.patch(path, json!("all")).await.refused(400);
    }
    // All or nothing: a run that is not there refuses the list.
    let list = json!([ready.run["id"], 999_999]);
    ready.tenant.admin.patch("/runs/validate", list).await.refused(404);
    assert_eq!(ready.reload().await["validated_at"], Value::Null);
    let empty = ready.tenant.admin.patch("/runs/validate", json!([])).await.ok();
    assert_eq!(empty, json!({"validated": [], "failed": []}));
}

/// X-621, S-02: what is billed is the rate at the time of validation, whatever becomes of the rate.
#[tokio::test]
async fn a_validated_run_keeps_its_rate() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let rate = json!({"name": "Van", "cost_per_run": 20, "cost_per_km": 0.5, "cost_per_hour": 18, "cost_per_drop": 0});
    let rate = admin.post("/billing_rates", rate).await.ok();
    let mut fields = actuals(3600, 40.0);
    fields["billing_rate_id"] = rate["id"].clone();
    let path = driven(&ready, fields).await;
    let cost = async || admin.get(&path).await.ok()["estimated_cost"].clone();
    assert_eq!(cost().await, 58.0);
    let _ = validate(&ready).await;
    let change = json!({"cost_per_run": 1000});
    let _ = admin.patch(&format!("/billing_rates/{}", rate["id"]), change).await.ok();
    assert_eq!(cost().await, 58.0);
    let _ = admin.patch(&path, json!({"validated_by_id": null})).await.ok();
    assert_eq!(cost().await, 1038.0, "void again, the rate of today applies");
}

/// S-16: started, finished and validated runs are events, each once, without the key of the run sheet.
#[tokio::test]
async fn actions_hear_of_runs() {
    let ready = ready().await;
    for event in ["run_started", "run_finished", "run_validated", "run_dispatched"] {
        let config = json!({"to": "office@example.org", "subject": event, "text": "x"});
        let body = json!({"name": event, "event": event, "action": "email", "config": config});
        let _ = ready.tenant.admin.post("/udf/actions", body).await.ok();
    }
    let item = json!([{"run_id": ready.run["id"], "method": "qrcode"}]);
    let _ = ready.tenant.planner.post("/runs/dispatch", item).await.ok();
    driven(&ready, actuals(3600, 40.0)).await;
    let _ = validate(&ready).await;
    let _ = validate(&ready).await;
    let subjects: Vec<String> =
        ready.mails("office@example.org").await.into_iter().map(|mail| mail.0).collect();
    assert_eq!(subjects, ["run_dispatched", "run_started", "run_finished", "run_validated"]);
    let runs = ready.tenant.admin.get("/udf/runs").await.ok().to_string();
    assert!(
        runs.contains("\"uid\":\"Ana\"") && !runs.contains(ready.run["token"].as_str().expect("a token"))
    );
}
