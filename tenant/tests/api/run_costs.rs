//! What runs cost, as an accountant reads it: every part, its currency and status, sums that never mix them, any order.

use serde_json::{Value, json};

use crate::execution::{Ready, ready};
use crate::runs::{driver, run};

/// Ana drove an hour and 40 km at a rate of 39.5; Rui did nothing yet, at 70 francs; Eva has no rate.
async fn runs(ready: &Ready) -> [Value; 3] {
    let admin = &ready.tenant.admin;
    let rate = json!({"name": "Van", "cost_per_run": 1.5, "cost_per_km": 0.5, "cost_per_hour": 18, "cost_per_drop": 0});
    let rate = admin.post("/billing_rates", rate).await.ok();
    let francs = json!({"name": "Special", "cost_per_run": 70, "currency": "CHF"});
    let francs = admin.post("/billing_rates", francs).await.ok();
    let fields = json!({
        "billing_start_time": "2026-11-23T06:30:00Z", "actual_start_time": "2026-11-23T06:30:00Z",
        "actual_end_time": "2026-11-23T07:30:00Z", "start_odometer": 1000, "end_odometer": 1040,
        "billing_rate_id": rate["id"],
    });
    let _ = admin.patch(&format!("/runs/{}", ready.run["id"]), fields).await.ok();
    let mut others = Vec::new();
    for uid in ["Rui", "Eva"] {
        let driver = driver(&ready.tenant, uid, json!({})).await;
        others.push(run(&ready.tenant, &ready.scenario["id"], &driver, json!({})).await);
    }
    let [rui, eva]: [Value; 2] = others.try_into().expect("two runs");
    let _ = admin.patch(&format!("/runs/{}", rui["id"]), json!({"billing_rate_id": francs["id"]})).await.ok();
    let validated = json!({"run_ids": [ready.run["id"]], "force": true});
    let _ = admin.patch("/runs/validate", validated).await.ok();
    [ready.run.clone(), rui, eva]
}

/// W-066: each part, currency and status; sorted by whatever is shown; sums per currency and status, of what is filtered.
#[tokio::test]
async fn sums_never_mix_currencies_or_states() {
    let ready = ready().await;
    let [ana, rui, eva] = runs(&ready).await;
    let admin = &ready.tenant.admin;
    let list = async |query: &str| {
        let listed = admin.get(&format!("/run_cost_calculator?{query}")).await.ok();
        listed["data"].as_array().cloned().expect("rows")
    };
    let rows = list("sort_by=cost&sort_order=asc").await;
    let ids: Vec<&Value> = rows.iter().map(|row| &row["run_id"]).collect();
    assert_eq!(ids, [&ana["id"], &rui["id"], &eva["id"]]);
    let parts =
        ["run_amount", "km_amount", "hour_amount", "drop_amount", "cost"].map(|part| rows[0][part].clone());
    assert_eq!(parts, [json!(1.5), json!(20.0), json!(18.0), json!(0.0), json!(39.5)]);
    let states: Vec<(&Value, &Value)> =
        rows.iter().map(|row| (&row["billing_status"], &row["currency"])).collect();
    let own = rows[0]["currency"].clone();
    assert_eq!(
        states,
        [(&json!("validated"), &own), (&json!("pending"), &json!("CHF")), (&json!("pending"), &own),]
    );
    assert_eq!((&rows[0]["bill_version"], &rows[0]["difference"]), (&json!(1), &Value::Null));
    for order in [
        "uid",
        "date",
        "scenario",
        "driver",
        "vehicle",
        "rate",
        "currency",
        "billing_status",
        "km",
        "hours",
        "drops",
        "cost",
        "validated_at",
    ] {
        assert_eq!(list(&format!("sort_by={order}&sort_order=desc")).await.len(), 3, "{order}");
    }
    for (query, count) in [
        ("currency=CHF".to_owned(), 1),
        (format!("currency={}", own.as_str().expect("a currency")), 2),
        ("rate=van".to_owned(), 1),
        ("client_id=0".to_owned(), 0),
        ("haulier_id=0".to_owned(), 0),
        ("validated=true".to_owned(), 1),
    ] {
        assert_eq!(list(&query).await.len(), count, "{query}");
    }

    let totals = admin.get("/run_cost_calculator/totals?scheduled_date_start=2026-11-23").await.ok();
    let sums: Vec<(&Value, &Value, &Value, &Value, &Value)> = totals
        .as_array()
        .expect("totals")
        .iter()
        .map(|sum| {
            (&sum["currency"], &sum["billing_status"], &sum["runs"], &sum["without_rate"], &sum["cost"])
        })
        .collect();
    let mut expected = [
        (&own, &json!("validated"), &json!(1), &json!(0), &json!(39.5)),
        (&own, &json!("pending"), &json!(1), &json!(1), &json!(0.0)),
        (&json!("CHF"), &json!("pending"), &json!(1), &json!(0), &json!(70.0)),
    ];
    expected.sort_by_key(|sum| sum.0.to_string());
    assert_eq!(sums, expected);
    let none = admin.get("/run_cost_calculator/totals?scheduled_date_start=2026-11-24").await.ok();
    assert_eq!(none, json!([]));
    admin.get("/run_cost_calculator/totals?colour=red").await.refused(400);
    ready.tenant.planner.get("/run_cost_calculator/totals").await.refused(403);

    // A difference is told by its amount.
    let rate = list("rate=van").await[0].clone();
    assert_eq!(rate["cost"], 39.5);
    let rates = admin.get("/billing_rates?name=Van").await.ok();
    let change = json!({"cost_per_run": 2});
    let _ = admin.patch(&format!("/billing_rates/{}", rates["data"][0]["id"]), change).await.ok();
    let row = list("validated=true").await[0].clone();
    assert_eq!((&row["cost"], &row["difference"]), (&json!(39.5), &json!(0.5)));
}
