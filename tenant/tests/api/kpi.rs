//! What runs and days did: the KPI report for the house and for the client, the dashboard's sums.

use calamine::Data;
use serde_json::{Value, json};

use crate::execution::ready;
use crate::exports::{sheets, under};

/// S-14: what runs did, with costs for the house and without for the client.
#[tokio::test]
async fn the_kpi_report_has_two_readers() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let rate = json!({"name": "Van", "cost_per_run": 20, "cost_per_km": 0.5, "cost_per_hour": 18, "cost_per_drop": 0});
    let rate = admin.post("/billing_rates", rate).await.ok();
    let actuals = json!({
        "billing_rate_id": rate["id"], "billing_start_time": "2026-11-23T08:00:00Z",
        "actual_start_time": "2026-11-23T08:00:00Z", "actual_end_time": "2026-11-23T12:00:00Z",
        "start_odometer": 1000, "end_odometer": 1040, "capacity": "boxes:12", "force": true,
    });
    let _ = admin.patch(&format!("/runs/{}", ready.run["id"]), actuals).await.ok();
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 08:10:00", "signature_name": "Maria"})).await;
    let _ = ready.prove(1, json!({"record_time": "2026-11-23 23:00:00", "success": false})).await;
    let days = "start_date=2026-11-23&end_date=2026-11-23";
    let report = admin.get(&format!("/gefco/excel-kpi-internal-report?{days}")).await;
    assert_eq!(
        report.headers["content-type"],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    );
    let found = sheets(&report);
    assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Runs", "Summary", "Costs"]);
    let runs = &found[0].1;
    assert_eq!(runs.len(), 2);
    for (heading, value) in [
        ("jobs", Data::Float(3.0)),
        ("visited", Data::Float(2.0)),
        ("successful", Data::Float(1.0)),
        ("failed", Data::Float(1.0)),
        ("on time %", Data::Float(50.0)),
        ("actual km", Data::Float(40.0)),
        ("actual h", Data::Float(4.0)),
        // Three jobs of two boxes each, twelve fit in.
        ("load factor %", Data::Float(50.0)),
        // 20 + 40 * 0.5 + 4 * 18
        ("cost", Data::Float(112.0)),
        ("cost per km", Data::Float(2.8)),
    ] {
        assert_eq!(under(runs, heading, 1), &value, "{heading}");
    }
    let days_of_summary = &found[1].1;
    assert_eq!((days_of_summary.len(), under(days_of_summary, "cost", 1)), (2, &Data::Float(112.0)));
    assert_eq!(under(days_of_summary, "runs", 1), &Data::Float(1.0));
    // W-066: what is compared, and money, is of one kind; the note says what is left out.
    assert_eq!(under(days_of_summary, "runs with actual km", 1), &Data::Float(1.0));
    assert_eq!(under(days_of_summary, "status", 1).to_string(), "pending");
    let costs = &found[2].1;
    assert_eq!((costs.len(), under(costs, "status", 1).to_string()), (2, "pending".to_owned()));
    assert_eq!((under(costs, "cost", 1), under(costs, "runs", 1)), (&Data::Float(112.0), &Data::Float(1.0)));

    let report = admin.get(&format!("/gefco/excel-kpi-client-report?{days}")).await;
    let found = sheets(&report);
    assert_eq!((found.len(), found[0].1.len()), (1, 4));
    let jobs = &found[0].1;
    let headings: Vec<String> = jobs[0].iter().map(ToString::to_string).collect();
    assert!(
        !headings.iter().any(|heading| heading.contains("cost") || heading.contains("driver")),
        "{headings:?}"
    );
    assert_eq!(under(jobs, "job", 1).to_string(), "J1");
    assert_eq!(
        (under(jobs, "on time", 1).to_string(), under(jobs, "signature name", 1).to_string()),
        ("yes".to_owned(), "Maria".to_owned())
    );
    assert_eq!(
        (under(jobs, "on time", 2).to_string(), under(jobs, "success", 2).to_string()),
        ("no".to_owned(), "no".to_owned())
    );
    assert!(under(jobs, "proof of delivery", 1).to_string().contains("/tracking?tokens="));

    let none = "/gefco/excel-kpi-internal-report?start_date=2026-01-01&end_date=2026-01-02";
    assert_eq!(
        admin.get(none).await.refused(400)["description"],
        "No relevant scenarios found during these dates"
    );
    admin.get("/gefco/excel-kpi-client-report?start_date=2026-01-03&end_date=2026-01-02").await.refused(400);
    admin.get("/gefco/excel-kpi-client-report?start_date=2020-01-03&end_date=2026-01-02").await.refused(400);
    admin.get("/gefco/excel-kpi-client-report").await.refused(400);
    ready.tenant.planner.get(&format!("/gefco/excel-kpi-internal-report?{days}")).await.refused(403);
    ready.tenant.organisation.modules(&["gefco"]).await;
    ready.tenant.app.gate.policies.forget_all();
    admin.get(&format!("/gefco/excel-kpi-internal-report?{days}")).await.refused(403);
}

/// `GET /kpi/days`: a trial of the day counts for nothing, whether it was copied before or after the dispatch; costs of two
/// currencies are two sums.
#[tokio::test]
async fn a_day_counts_its_real_plan_and_each_currency_by_itself() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let path = "/kpi/days?start_date=2026-11-23&end_date=2026-11-23";
    let scenario = &ready.run["scenario_id"];
    let dispatch = json!([{"run_id": ready.run["id"], "method": "qrcode"}]);
    let _ = admin.post("/runs/dispatch", dispatch).await.ok();
    let before = admin.get(path).await.ok();
    let all =
        json!({"copy_items": ["jobs", "runs", "proofs"], "scheduled_date": "2026-11-23", "force": true});
    let trial = json!({"copy_items": ["jobs", "runs"], "scheduled_date": "2026-11-23", "force": true});
    for copy in [all, trial] {
        let _ = admin.post(&format!("/scenarios/{scenario}/duplicate"), copy).await.ok();
    }
    let _ = admin.post("/scenarios", json!({"name": "Empty", "scheduled_date": "2026-11-23"})).await.ok();
    assert_eq!(admin.get(path).await.ok(), before);
    // What a figure leads to is what it counts.
    assert_eq!(before[0]["scenario_ids"], json!([scenario]));
    let day = "scheduled_date_start=2026-11-23&scheduled_date_end=2026-11-23";
    for (list, counted) in
        [("/search/jobs", "jobs"), ("/search/runs", "runs"), ("/jobs", "jobs"), ("/runs", "runs")]
    {
        let served = if counted == "jobs" { "&served=true" } else { "" };
        let behind = admin.get(&format!("{list}?{day}&scenario_ids={scenario}{served}")).await.ok();
        assert_eq!(behind["total_count"], before[0][counted], "{list}");
        let all = admin.get(&format!("{list}?{day}{served}")).await.ok();
        assert!(all["total_count"].as_i64() > behind["total_count"].as_i64(), "{list}: copies are there too");
    }

    for (currency, cost) in [("EUR", 20), ("USD", 30)] {
        let rate = json!({"name": currency, "currency": currency, "cost_per_run": cost, "cost_per_km": 0, "cost_per_hour": 0,
            "cost_per_drop": 0});
        let rate = admin.post("/billing_rates", rate).await.ok();
        let run = if currency == "EUR" {
            ready.run["id"].clone()
        } else {
            let driver = json!({"uid": "Second", "location": {"address": "Rua 1", "lat": 41.15, "lon": -8.61},
                "shift_start": "08:00", "shift_end": "18:00"});
            let driver = admin.post("/drivers", driver).await.ok();
            let run = json!({"scenario_id": scenario, "driver_id": driver["id"]});
            admin.post("/runs", run).await.ok()["id"].clone()
        };
        let _ = admin.patch(&format!("/runs/{run}"), json!({"billing_rate_id": rate["id"]})).await.ok();
    }
    let day = admin.get(path).await.ok()[0].clone();
    let costs: Vec<(&str, f64)> = day["costs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["currency"].as_str().unwrap(), one["cost"].as_f64().unwrap()))
        .collect();
    assert_eq!(costs, [("EUR", 20.0), ("USD", 30.0)]);
}

/// The dashboard's home: each day in sums, costs for those who may see rates; fuel in the organisation's unit (W-067).
#[tokio::test]
async fn each_day_has_its_figures() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let rate =
        json!({"name": "Van", "cost_per_run": 20, "cost_per_km": 0, "cost_per_hour": 0, "cost_per_drop": 1});
    let rate = admin.post("/billing_rates", rate).await.ok();
    let vehicle = admin.post("/vehicles", json!({"uid": "VAN-9", "fuel_consumption": 10})).await.ok();
    let actuals = json!({
        "billing_rate_id": rate["id"], "vehicle_id": vehicle["id"], "billing_start_time": "2026-11-23T08:00:00Z",
        "actual_start_time": "2026-11-23T08:00:00Z", "actual_end_time": "2026-11-23T12:00:00Z",
        "start_odometer": 1000, "end_odometer": 1100, "capacity": "boxes:12", "force": true,
    });
    let _ = admin.patch(&format!("/runs/{}", ready.run["id"]), actuals).await.ok();
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 08:10:00", "signature_name": "Maria"})).await;
    let _ = ready.prove(1, json!({"record_time": "2026-11-23 23:00:00", "success": false})).await;
    let body = json!({"uid": "Left", "location": {"address": "Rua 1", "lat": 41.15, "lon": -8.61},
        "scenario_id": ready.run["scenario_id"]});
    let _ = admin.post("/jobs", body).await.ok();
    let days = admin.get("/kpi/days?start_date=2026-11-01&end_date=2026-11-30").await.ok();
    assert_eq!(days.as_array().map(Vec::len), Some(1), "{days}");
    let day = &days[0];
    for (field, value) in [
        ("date", json!("2026-11-23")),
        ("runs", json!(1)),
        ("jobs", json!(3)),
        ("unserved", json!(1)),
        ("visited", json!(2)),
        ("successful", json!(1)),
        ("on_time", json!(1)),
        ("load_factor", json!(50.0)),
    ] {
        assert_eq!(day[field], value, "{field}: {day}");
    }
    assert_eq!((&day["costs"][0]["currency"], &day["costs"][0]["jobs"]), (&json!("AUD"), &json!(3)));
    assert!(day["costs"][0]["cost"].as_f64().is_some_and(|cost| cost > 20.0), "{day}");
    assert!(day["distance"].as_i64().is_some_and(|metres| metres > 0), "{day}");
    let planners = ready.tenant.planner.get("/kpi/days?start_date=2026-11-23&end_date=2026-11-23").await.ok();
    assert_eq!((&planners[0]["jobs"], &planners[0]["costs"]), (&json!(3), &Value::Null));
    for (days, field) in [
        ("start_date=2026-11-24&end_date=2026-11-23", "start_date"),
        ("start_date=2020-11-23&end_date=2026-11-23", "end_date"),
    ] {
        let refusal = admin.get(&format!("/kpi/days?{days}")).await.refused(400);
        assert!(refusal.to_string().contains(field), "{refusal}");
    }

    // Hundred kilometres at ten litres.
    let report = "/gefco/excel-kpi-internal-report?start_date=2026-11-23&end_date=2026-11-23";
    for (unit, heading, amount) in [
        ("l_per_100_km", "fuel l", 10.0),
        ("mpg_us", "fuel gal (US)", 2.641_72),
        ("mpg_uk", "fuel gal (UK)", 2.199_69),
    ] {
        ready.tenant.organisation.settings(&json!({"fuel_consumption_unit": unit})).await;
        ready.tenant.app.gate.policies.forget_all();
        let found = sheets(&admin.get(report).await);
        for (sheet, rows) in &found[..2] {
            let Data::Float(shown) = under(rows, heading, 1) else { panic!("{sheet}: no amount") };
            assert!((shown - amount).abs() < 0.01, "{sheet}: {shown}");
        }
    }
}
