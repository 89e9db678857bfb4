//! What a run was in truth: status, validation, cost and fuel.

use serde_json::{Value, json};

use chrono::{DateTime, Utc};
use routewright_core::Clock;

use super::{driver, run};
use crate::execution::ready;
use crate::jobs::scenario;
use crate::support::{Tenant, tenant, tenant_at};

/// An organisation in the evening of the day on which its runs are driven.
async fn evening() -> Tenant {
    tenant_at(Clock::fixed("2026-11-23T18:00:00Z".parse::<DateTime<Utc>>().expect("a moment"))).await
}

/// S-01, S-02, S-45: actuals make the status, a validation is taken back before anything it bills is changed, everything is
/// kept in the log; rates are shown to those who may see them.
#[tokio::test]
async fn actuals_validation_and_cost() {
    let tenant = evening().await;
    let scenario = scenario(&tenant).await;
    let rate = json!({"name": "Van", "cost_per_run": 20, "cost_per_km": 0.5, "cost_per_hour": 18});
    let rate = tenant.admin.post("/billing_rates", rate).await.ok();
    let van = json!({"uid": "Van 1", "fuel_consumption": 8, "billing_rate_id": rate["id"]});
    let van = tenant.admin.post("/vehicles", van).await.ok();
    let ana = driver(&tenant, "Ana", json!({"vehicle_id": van["id"]})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    assert_eq!(made["vehicle"]["uid"], "Van 1");
    assert!(
        made["vehicle"]["billing_rate"].is_null() && made["estimated_cost"].is_null(),
        "the planner sees no rates"
    );
    let path = format!("/runs/{}", made["id"]);
    let _ = tenant.planner.patch(&path, json!({"billing_rate_id": rate["id"]})).await.refused(403);
    let start = json!({"actual_start_time": "2026-11-23T08:00:00Z", "billing_start_time": "2026-11-23T08:00:00Z",
        "start_odometer": 1000.5});
    assert_eq!(tenant.planner.patch(&path, start).await.ok()["status"], "driving");
    let early = tenant
        .admin
        .patch(&path, json!({"validated_by_id": tenant.organisation.admin.id}))
        .await
        .refused(400);
    assert_eq!(early["fields"]["actual_end_time"], "A validated run needs this value");
    let ended = json!({"actual_end_time": "2026-11-23T12:00:00Z", "end_odometer": 1050.5});
    let closed = tenant.planner.post(&format!("{path}/finish"), ended.clone()).await.ok();
    assert_eq!(
        (&closed["status"], &closed["billing_km"], &closed["billing_time"]),
        (&json!("closed"), &json!(50.0), &json!(4.0))
    );
    assert_eq!(
        (&closed["actual_fuel_consumption"], &closed["actual_co2_emissions"]),
        (&json!(4.0), &json!(10560.0))
    );
    assert_eq!(
        tenant.planner.post(&format!("{path}/finish"), ended).await.refused(400)["description"],
        "Run already finished"
    );
    let validated =
        tenant.admin.patch(&path, json!({"validated_by_id": tenant.organisation.admin.id})).await.ok();
    assert!(validated["validated_at"].is_string());
    assert_eq!(
        (&validated["estimated_cost"], &validated["vehicle_billing_rate"]),
        (&json!(117.0), &json!("Van"))
    );
    // A rate that changes later does not change what was validated.
    let _ =
        tenant.admin.patch(&format!("/billing_rates/{}", rate["id"]), json!({"cost_per_run": 99})).await.ok();
    assert_eq!(tenant.admin.get(&path).await.ok()["estimated_cost"], 117.0);
    tenant.planner.patch(&path, json!({"end_odometer": 1060})).await.refused(409);
    let voided = tenant.admin.patch(&path, json!({"validated_by_id": null})).await.ok();
    assert!(voided["validated_at"].is_null() && voided["validated_by_id"].is_null());
    let _ = tenant.planner.patch(&path, json!({"end_odometer": 1060})).await.ok();
    let mut database = tenant.organisation.trail().await;
    let kept: Vec<(Value, Value)> = sqlx::query_as(
        "select before -> 'end_odometer', after -> 'end_odometer' from audit_entries
         where kind = 'run' and change = 'changed' and after ? 'end_odometer' order by id",
    )
    .fetch_all(&mut database)
    .await
    .expect("the log");
    assert_eq!(kept, [(Value::Null, json!(1050.5)), (json!(1050.5), json!(1060.0))]);
}

/// what a run burnt is unknown without both odometers, or without its vehicle.
#[tokio::test]
async fn fuel_needs_both_odometers() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let van = json!({"uid": "Van 1", "fuel_consumption": 8, "co2_per_litre": 2500});
    let van = tenant.admin.post("/vehicles", van).await.ok();
    let ana = driver(&tenant, "Ana", json!({"vehicle_id": van["id"]})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let path = format!("/runs/{}", made["id"]);
    let burnt = |run: &Value| (run["actual_fuel_consumption"].clone(), run["actual_co2_emissions"].clone());
    let nothing = (Value::Null, Value::Null);
    assert_eq!(burnt(&made), nothing);
    let half = tenant.planner.patch(&path, json!({"start_odometer": 100})).await.ok();
    assert_eq!(burnt(&half), nothing);
    let both = tenant.planner.patch(&path, json!({"end_odometer": 150})).await.ok();
    assert_eq!(burnt(&both), (json!(4.0), json!(10_000.0)));
    let again = tenant.planner.patch(&path, json!({"start_odometer": null})).await.ok();
    assert_eq!(burnt(&again), nothing);
    let walked = json!({"start_odometer": 100, "vehicle_id": null});
    assert_eq!(burnt(&tenant.planner.patch(&path, walked).await.ok()), nothing);
    assert_eq!(burnt(&tenant.planner.get(&path).await.ok()), nothing);
}

/// W-064: recorded values that cannot be true are refused with field and reason; unusual ones are asked about, on every path
/// of the office, and taken when they are meant. What was recorded before is no matter.
#[tokio::test]
async fn actuals_are_sane() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let path = format!("/runs/{}", ready.run["id"]);
    let driven = json!({"actual_start_time": "2026-11-23T06:00:00Z", "billing_start_time": "2026-11-23T06:00:00Z",
        "start_odometer": 1000});
    let _ = admin.patch(&path, driven).await.ok();
    for (change, field, text) in [
        (
            json!({"additional_billing_kms": -100}),
            "additional_billing_kms",
            "Kilometres can be taken off once both odometers are there",
        ),
        (
            json!({"end_odometer": 1040, "additional_billing_kms": -40.01}),
            "additional_billing_kms",
            "-40.01 km would make the billed distance negative",
        ),
        (
            json!({"end_odometer": 31_000}),
            "end_odometer",
            "The run drove 30000.0 km, more than 20000 is not possible",
        ),
        (
            json!({"additional_billing_kms": 90_000}),
            "additional_billing_kms",
            "90000.0 km are billed beyond the odometers, more than 20000 is not possible",
        ),
        (
            json!({"actual_start_time": "2016-01-04T08:00:00Z"}),
            "actual_start_time",
            "Actual start time is not on the run's day, 23/11/2026",
        ),
        (
            json!({"billing_start_time": "2016-01-04T08:00:00Z"}),
            "billing_start_time",
            "Billing start time is not on the run's day, 23/11/2026",
        ),
        (
            json!({"actual_end_time": "2026-11-27T08:00:00Z"}),
            "actual_end_time",
            "Actual end time lies in the future",
        ),
        (
            json!({"actual_end_time": "2026-11-23T07:00:00Z", "billing_start_time": "2026-11-23T07:30:00Z"}),
            "billing_start_time",
            "Billing start time should be before actual end time",
        ),
        (
            json!({"min_billing_hours": 200}),
            "min_billing_hours",
            "200.0 h are billed at least, more than 168 is not possible",
        ),
    ] {
        for force in [false, true] {
            let mut change = change.clone();
            change["force"] = force.into();
            let refusal = admin.patch(&path, change.clone()).await.refused(400);
            assert_eq!(refusal["fields"][field], text, "{change}");
        }
    }
    for (change, field) in [
        (json!({"end_odometer": 5000}), "end_odometer"),
        (json!({"additional_billing_kms": 501}), "additional_billing_kms"),
        (json!({"actual_start_time": "2026-11-20T08:00:00Z"}), "actual_start_time"),
        (json!({"actual_end_time": "2026-11-23T09:00:00Z"}), "actual_end_time"),
        (json!({"min_billing_hours": 30}), "min_billing_hours"),
    ] {
        let refusal = admin.patch(&path, change.clone()).await.refused(409);
        assert_eq!(refusal["error"], "ACTUALS_UNUSUAL", "{change}");
        assert!(refusal["fields"][field].is_string(), "{change}: {refusal}");
    }
    let end = json!({"actual_end_time": "2026-11-23T07:30:00Z", "end_odometer": 5000});
    let finish = format!("{path}/finish");
    assert_eq!(admin.post(&finish, end.clone()).await.refused(409)["error"], "ACTUALS_UNUSUAL");
    let mut meant = end;
    meant["force"] = true.into();
    assert_eq!(admin.post(&finish, meant).await.ok()["end_odometer"], 5000.0);
    // Who changes something else is not asked again.
    let _ = admin.patch(&path, json!({"min_billing_hours": 4})).await.ok();
}

/// W-065: the vehicle's rate is named beside the one in force.
#[tokio::test]
async fn the_vehicles_rate_is_its_own() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let admin = &tenant.admin;
    let of_van = admin.post("/billing_rates", json!({"name": "Van", "cost_per_run": 20})).await.ok();
    let special = json!({"name": "Special", "cost_per_run": 70, "currency": "CHF"});
    let special = admin.post("/billing_rates", special).await.ok();
    let van = admin.post("/vehicles", json!({"uid": "Van 1", "billing_rate_id": of_van["id"]})).await.ok();
    let ana = driver(&tenant, "Ana", json!({"vehicle_id": van["id"]})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let path = format!("/runs/{}", made["id"]);
    let rates = |run: &Value| {
        ["vehicle_billing_rate", "billing_rate_in_force", "cost_currency"].map(|field| run[field].clone())
    };
    assert_eq!(rates(&admin.get(&path).await.ok()), [json!("Van"), json!("Van"), Value::Null]);
    let run = admin.patch(&path, json!({"billing_rate_id": special["id"]})).await.ok();
    assert_eq!(rates(&run), [json!("Van"), json!("Special"), json!("CHF")]);
    assert_eq!(run["estimated_cost"], 70.0);
    assert_eq!(rates(&tenant.planner.get(&path).await.ok()), [Value::Null, Value::Null, Value::Null]);
}
