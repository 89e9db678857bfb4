//! What runs cost, as an accountant reads it: every part, its currency and status, sums that never mix them, any order.

use routewright_testing::Client;
use serde_json::{Value, json};

use crate::documents::text;
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
    assert_eq!(list("difference=true").await, [row]);
    assert_eq!(list("difference=false").await.len(), 2);
    let refusal = admin.get("/run_cost_calculator?difference=perhaps").await.refused(400);
    assert!(refusal["description"]["filters"].is_string(), "{refusal}");
}

/// W-066: the filter finds the runs whose row tells a difference, whatever it is of.
#[tokio::test]
async fn differences_are_found() {
    let ready = ready().await;
    let [ana, ..] = runs(&ready).await;
    let admin = &ready.tenant.admin;
    let path = format!("/runs/{}", ana["id"]);
    let rate = admin.get("/billing_rates?name=Van").await.ok()["data"][0]["id"].clone();
    let rate = format!("/billing_rates/{rate}");
    let found = async || admin.get("/run_cost_calculator?difference=true").await.ok()["total_count"].clone();
    assert_eq!(found().await, 0);
    for (what, there, back) in [
        (&rate, json!({"name": "Lorry"}), json!({"name": "Van"})),
        (&rate, json!({"currency": "CHF"}), json!({"currency": null})),
        (&rate, json!({"cost_per_hour": 18.01}), json!({"cost_per_hour": 18})),
        (&rate, json!({"cost_per_drop": 1}), json!({"cost_per_drop": 0})),
    ] {
        let _ = admin.patch(what, there.clone()).await.ok();
        assert_eq!(found().await, 1, "{there}");
        assert!(!bill_is_current(&ready, &path).await, "{there}");
        let _ = admin.patch(what, back.clone()).await.ok();
        assert_eq!(found().await, 0, "{back}");
        assert!(bill_is_current(&ready, &path).await, "{back}");
    }
    let _ = ready.prove(0, json!({})).await;
    assert_eq!(found().await, 1, "a late proof is one more drop");
    assert!(!bill_is_current(&ready, &path).await);
}

async fn bill_is_current(ready: &Ready, path: &str) -> bool {
    ready.tenant.admin.get(&format!("{path}/bill")).await.ok()["differences"] == json!([])
}

async fn pdf(client: &Client, path: &str) -> Vec<u8> {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.bytes.to_vec()
}

/// W-066: a client's statement has the validated runs with its stops, each at its share, with links to the proofs; a
/// haulier's has its runs. What is not validated is counted, not billed.
#[tokio::test]
async fn a_statement_of_a_period_is_made() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let client = json!({"uid": "C-7", "name": "Mercearia Sol",
        "location": {"address": "Rua C, Porto", "lat": 41.15, "lon": -8.61}});
    let client = admin.post("/clients", client).await.ok();
    let of_client = json!({"client_id": client["id"]});
    let _ = admin.patch(&format!("/jobs/{}", ready.jobs[0]["id"]), of_client).await.ok();
    let _ = ready.prove(0, json!({})).await;
    let days = "scheduled_date_start=2026-11-23&scheduled_date_end=2026-11-23";
    let statement = format!("/run_cost_calculator/statement?client_id={}&{days}", client["id"]);
    let none = text(&pdf(admin, &statement).await);
    assert!(
        none.contains("No run of the period is validated") && none.contains("1 run of the period"),
        "{none}"
    );
    let _ = runs(&ready).await;
    let words = text(&pdf(admin, &statement).await);
    for expected in
        ["Statement", "Mercearia Sol (C-7)", "2026/11/23", "Ana", "Van", "1 of 3", "J1", "Delivered"]
    {
        assert!(words.contains(expected), "{expected}: {words}");
    }
    // A third of 1.50, 20.00 and 18.00.
    for expected in ["0.50", "6.67", "6.00", "13.17"] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
    assert!(!words.contains("J2") && words.contains("share of the stops"), "{words}");
    for (query, field) in [
        (days.to_owned(), "client_id"),
        (format!("client_id=1&haulier_id=1&{days}"), "client_id"),
        ("client_id=1&scheduled_date_start=2026-11-23".to_owned(), "scheduled_date_end"),
        (
            "client_id=1&scheduled_date_start=2026-11-23&scheduled_date_end=2026-11-22".to_owned(),
            "scheduled_date_end",
        ),
    ] {
        let refusal = admin.get(&format!("/run_cost_calculator/statement?{query}")).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{query}: {refusal}");
    }
    admin.get(&format!("/run_cost_calculator/statement?client_id=999999999&{days}")).await.refused(404);
    admin.get(&format!("/run_cost_calculator/statement?haulier_id=1&{days}")).await.refused(404);
    ready.tenant.planner.get(&statement).await.refused(403);

    let haulier: i64 = sqlx::query_scalar(
        "insert into organisations (name, parent_organisation_id, timezone, state)
         values ($1, $2, 'Europe/Lisbon', 'ready') returning id",
    )
    .bind("Transportes Lima")
    .bind(ready.tenant.organisation.id)
    .fetch_one(&ready.tenant.organisation.control)
    .await
    .expect("a haulier");
    ready.tenant.app.gate.policies.forget(ready.tenant.organisation.id);
    let driver = ready.run["driver"]["id"].clone();
    let _ = admin.patch(&format!("/drivers/{driver}"), json!({"haulier_id": haulier})).await.ok();
    let listed = admin.get(&format!("/run_cost_calculator?haulier_id={haulier}")).await.ok();
    assert_eq!(listed["data"][0]["haulier_id"], haulier);
    let statement = format!("/run_cost_calculator/statement?haulier_id={haulier}&{days}");
    let words = text(&pdf(admin, &statement).await);
    for expected in ["Transportes Lima", "HAULIER", "39.50", "J1"] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
}
