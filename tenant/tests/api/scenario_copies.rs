//! Scenarios made from others, the dashboard, the tutorial.

use axum::body::Body;
use http::Request;
use serde_json::{Value, json};

use crate::jobs::{add, job, scenario};
use crate::support::{Tenant, tenant};

/// A scenario of 2026-11-20 with a driven run of two jobs, an unserved job, a unit, a return and proofs.
async fn day(tenant: &Tenant) -> Value {
    let body = json!({"name": "Friday", "scheduled_date": "2026-11-20"});
    let friday = tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
    let driver = tenant.planner.post("/drivers", json!({"uid": "Driver 1"})).await.ok()["id"].clone();
    let mut jobs = Vec::new();
    for uid in ["A", "B", "C"] {
        jobs.push(add(tenant, &friday, job(uid)).await["id"].as_i64().unwrap_or_default());
    }
    let _ = tenant.planner.post("/units", json!({"uid": "U1", "job_id": jobs[0]})).await.ok();
    let _ = tenant.planner.post("/returns", json!({"uid": "R1", "job_id": jobs[1]})).await.ok();
    let mut database = tenant.organisation.database().await;
    let run: i64 = sqlx::query_scalar(
        "insert into runs (uid, token, scenario_id, driver_id, planned_start_time, planned_end_time, actual_start_time,
             start_odometer, dispatched, distance, route)
         values ('Driver 1', $1, $2, $3, '2026-11-20 08:00Z', '2026-11-20 12:00Z', '2026-11-20 08:10Z', 100, true, 5000,
             jsonb_build_object('legs', jsonb_build_array(jsonb_build_object('seq', 1, 'to_job_id', $4::bigint))))
         returning id",
    )
    .bind("x".repeat(40))
    .bind(friday.as_i64())
    .bind(driver.as_i64())
    .bind(jobs[0])
    .fetch_one(&mut database)
    .await
    .expect("a run");
    for (seq, job) in jobs.iter().take(2).enumerate() {
        sqlx::query(
            "update jobs set run_id = $2, seq = $3, eta = '2026-11-20 09:00Z', etd = '2026-11-20 09:05Z' where id = $1",
        )
        .bind(job)
        .bind(run)
        .bind(i32::try_from(seq).unwrap_or_default() + 1)
        .execute(&mut database)
        .await
        .expect("a served job");
    }
    for statement in [
        "insert into job_proofs (job_id, run_id, record_time) select id, run_id, '2026-11-20 09:01Z' from jobs where uid = 'A'",
        "insert into unit_proofs (unit_id, job_id, mode, record_time) select id, job_id, 'deliver', '2026-11-20 09:01Z' from units",
        "insert into return_proofs (return_id, mode, record_time) select id, 'load', '2026-11-20 09:01Z' from returns",
        "insert into run_proofs (run_id, mode, record_time, odometer) select id, 'start', '2026-11-20 08:10Z', 100 from runs",
    ] {
        sqlx::query(statement).execute(&mut database).await.expect("a proof");
    }
    friday
}

async fn duplicate(tenant: &Tenant, scenario: &Value, items: Value, date: &str) -> Value {
    let body =
        json!({"copy_items": items, "scheduled_date": date, "number_of_copies": 1, "scenario_name": "Copy"});
    tenant.planner.post(&format!("/scenarios/{scenario}/duplicate"), body).await.ok()[0]["id"].clone()
}

async fn jobs(tenant: &Tenant, scenario: &Value) -> Vec<Value> {
    let listed = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&sort_by=uid")).await.ok();
    listed["data"].as_array().cloned().unwrap_or_default()
}

/// copies of one day, numbered; without runs jobs are unserved.
#[tokio::test]
async fn a_scenario_is_duplicated() {
    let tenant = tenant().await;
    let friday = day(&tenant).await;
    let body = json!({"copy_items": ["jobs"], "scheduled_date": "2026-11-27", "number_of_copies": 2, "scenario_name": "Next"});
    let made = tenant.planner.post(&format!("/scenarios/{friday}/duplicate"), body).await.ok();
    assert_eq!((&made[0]["name"], &made[1]["name"]), (&json!("Next"), &json!("Next (2)")));
    assert_eq!(made[1]["scheduled_date"], "2026-11-27");
    assert_eq!(made[0].as_object().map(serde_json::Map::len), Some(3));
    let copy = tenant.planner.get(&format!("/scenarios/{}", made[0]["id"])).await.ok();
    assert_eq!(
        (&copy["stage"], &copy["jobs_count"], &copy["units_count"]),
        (&json!("planning"), &json!(3), &json!(0))
    );
    let copies = jobs(&tenant, &made[0]["id"]).await;
    assert!(
        copies.iter().all(|job| job["run_id"].is_null() && job["eta"].is_null() && job["visited"] == false)
    );
    let originals = jobs(&tenant, &friday).await;
    assert!(copies.iter().zip(&originals).all(|(copy, original)| {
        copy["uid"] == original["uid"] && copy["tracking_token"] != original["tracking_token"]
    }));
    let path = format!("/scenarios/{friday}/duplicate");
    for (body, field) in [
        (
            json!({"copy_items": [], "scheduled_date": "2026-11-27", "number_of_copies": 0}),
            "number_of_copies",
        ),
        (json!({"copy_items": ["cars"], "scheduled_date": "2026-11-27"}), "copy_items[0]"),
        (json!({"copy_items": []}), "scheduled_date"),
        (json!({"copy_items": [], "scheduled_date": "2026-11-27", "scenario_name": " "}), "scenario_name"),
    ] {
        let refusal = tenant.planner.post(&path, body.clone()).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{body}: {refusal}");
    }
    let body = json!({"copy_items": [], "scheduled_date": "2026-11-27"});
    tenant.planner.post("/scenarios/987654/duplicate", body).await.refused(404);
}

/// X-370, S-21: with runs the plan is copied, its times moved by the days; what was driven stays behind.
#[tokio::test]
async fn runs_are_copied_as_planned() {
    let tenant = tenant().await;
    let friday = day(&tenant).await;
    // Summer time has ended between the two days.
    let earlier = duplicate(&tenant, &friday, json!(["jobs", "runs"]), "2026-10-16").await;
    assert_eq!(tenant.planner.get(&format!("/scenarios/{earlier}")).await.ok()["stage"], "routing");
    let copies = jobs(&tenant, &earlier).await;
    assert_eq!(
        (&copies[0]["seq"], &copies[1]["seq"], &copies[2]["seq"]),
        (&json!(1), &json!(2), &json!(null))
    );
    assert_eq!(copies[0]["eta"], "2026-10-16T08:00:00Z", "nine o'clock in Lisbon on both days");
    let mut database = tenant.organisation.database().await;
    type Plan =
        (i32, bool, Option<chrono::DateTime<chrono::Utc>>, Value, Option<chrono::DateTime<chrono::Utc>>);
    let (distance, dispatched, started, route, planned): Plan = sqlx::query_as(
        "select distance, dispatched, actual_start_time, route, planned_start_time from runs where scenario_id = $1",
    )
    .bind(earlier.as_i64())
    .fetch_one(&mut database)
    .await
    .expect("the copied run");
    assert_eq!((distance, dispatched, started), (5000, false, None));
    assert_eq!(route["legs"][0]["to_job_id"], copies[0]["id"]);
    assert_eq!(planned.map(|at| at.to_rfc3339()), Some("2026-10-16T07:00:00+00:00".to_owned()));
    let empty = duplicate(&tenant, &friday, json!(["runs"]), "2026-11-27").await;
    assert!(jobs(&tenant, &empty).await.is_empty());
    let distance: i32 = sqlx::query_scalar("select distance from runs where scenario_id = $1")
        .bind(empty.as_i64())
        .fetch_one(&mut database)
        .await
        .expect("an empty run");
    assert_eq!(distance, 0);
}

/// X-371, S-21: proofs bring jobs, runs and actuals with them.
#[tokio::test]
async fn proofs_are_copied_with_what_they_prove() {
    let tenant = tenant().await;
    let friday = day(&tenant).await;
    let copy = duplicate(&tenant, &friday, json!(["proofs", "units", "returns"]), "2026-11-21").await;
    let scenario = tenant.planner.get(&format!("/scenarios/{copy}")).await.ok();
    assert_eq!((&scenario["stage"], &scenario["has_proofs"]), (&json!("tracking"), &json!(true)));
    let copies = jobs(&tenant, &copy).await;
    assert_eq!(
        (&copies[0]["visited"], &copies[0]["proof_time"]),
        (&json!(true), &json!("2026-11-21T09:01:00Z"))
    );
    let detail = tenant.planner.get(&format!("/jobs/{}", copies[0]["id"])).await.ok();
    assert_eq!(detail["units"][0]["unit_proofs"][0]["record_time"], "2026-11-21 09:01:00");
    let detail = tenant.planner.get(&format!("/jobs/{}", copies[1]["id"])).await.ok();
    assert_eq!(detail["returns"][0]["return_proofs"][0]["mode"], "load");
    let mut database = tenant.organisation.database().await;
    let (dispatched, odometer, proofs): (bool, f64, i64) = sqlx::query_as(
        "select dispatched, start_odometer::float8, (select count(*) from run_proofs p where p.run_id = runs.id)
         from runs where scenario_id = $1",
    )
    .bind(copy.as_i64())
    .fetch_one(&mut database)
    .await
    .expect("the copied run");
    assert_eq!((dispatched, odometer, proofs), (true, 100.0, 1));
    let dashboard = tenant.planner.get("/dashboard/scenarios?search=copy").await.ok();
    let shown = &dashboard["data"][0];
    assert_eq!(
        (&shown["runs_count"], &shown["dispatched_count"], &shown["visited_count"], &shown["jobs_count"]),
        (&json!(1), &json!(1), &json!(1), &json!(3))
    );
    assert!(shown["organisation"]["name"].as_str().is_some_and(|name| name.starts_with("Test")));
}

/// one scenario per chosen weekday; all or none.
#[tokio::test]
async fn fixed_runs_recur_on_weekdays() {
    let tenant = tenant().await;
    let friday = day(&tenant).await;
    let path = format!("/scenarios/{friday}/create_fixed_runs");
    let body = |from: &str, to: &str, days: Value| json!({"copy_items": ["jobs", "runs"], "from_date": from, "to_date": to, "days": days, "number_of_copies": 1, "scenario_name": "Round"});
    let made =
        tenant.planner.post(&path, body("2026-12-01", "2026-12-14", json!(["monday", "friday"]))).await.ok();
    let names: Vec<&str> =
        made.as_array().into_iter().flatten().filter_map(|made| made["name"].as_str()).collect();
    assert_eq!(names, ["Round 2026-12-04", "Round 2026-12-07", "Round 2026-12-11", "Round 2026-12-14"]);
    let none = tenant.planner.post(&path, body("2026-12-01", "2026-12-02", json!(["sunday"]))).await.ok();
    assert_eq!(none, json!([]));
    for (body, field) in [
        (body("2026-12-02", "2026-12-01", json!(["monday"])), "to_date"),
        (body("2026-12-01", "2026-12-02", json!([])), "days"),
        (body("2026-12-01", "2026-12-02", json!(["montag"])), "days"),
        (body("2026-01-01", "2036-01-01", json!(["monday", "tuesday"])), "to_date"),
    ] {
        let refusal = tenant.planner.post(&path, body.clone()).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{body}: {refusal}");
    }
    assert_eq!(tenant.planner.get("/scenarios?search=round").await.ok()["total_count"], 4);
    let select = tenant.planner.get("/scenarios_select?search=round&per_page=20&sort_by=id").await.ok();
    assert_eq!(
        select["data"][0],
        json!({"id": made[0]["id"], "name": "Round 2026-12-04", "scheduled_date": "2026-12-04"})
    );
}

/// templates are a plain resource whose references exist.
#[tokio::test]
async fn templates_are_kept() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let body = json!({"name": "Weekday", "copy_of_scenario_id": scenario, "copy_items": ["jobs", "territory_groups"], "days": ["monday"]});
    let template = tenant.planner.post("/scenarios/templates", body).await.ok();
    assert_eq!(
        (&template["name_pattern"], &template["copy_items"]),
        (&json!("{date} {template}"), &json!(["jobs", "territory_groups"]))
    );
    let path = format!("/scenarios/templates/{}", template["id"]);
    let cleared = tenant.planner.patch(&path, json!({"days": null, "name_pattern": null})).await.ok();
    assert_eq!((&cleared["days"], &cleared["name_pattern"]), (&json!([]), &json!("{date} {template}")));
    for (body, field) in [
        (json!({}), "name"),
        (json!({"name": "X", "days": ["montag"]}), "days"),
        (json!({"name": "X", "copy_items": ["cars"]}), "copy_items[0]"),
        (json!({"name": "X", "default_active_driver_ids": [987_654]}), "default_active_driver_ids"),
        (json!({"name": "X", "job_ids": [987_654]}), "job_ids"),
        (json!({"name": "X", "copy_of_scenario_id": 987_654}), "copy_of_scenario_id"),
    ] {
        let refusal = tenant.planner.post("/scenarios/templates", body.clone()).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{body}: {refusal}");
    }
    let _ = tenant.planner.delete(&path).await.ok();
    assert_eq!(tenant.planner.get("/scenarios/templates").await.ok()["total_count"], 0);
}

/// A-457, V-05: fifteen jobs around a place, the same each time; calling it again replaces them. A marked submit is made in
/// the transaction of its mark: a second connection is not waited for.
#[tokio::test]
async fn the_tutorial_makes_jobs() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let body = json!({"lat": 41.15, "lon": -8.61, "scenario_id": scenario});
    let marked = Request::post("/tutorial/create_jobs")
        .header("content-type", "application/json")
        .header("idempotency-key", "tutorial");
    let first = tenant.planner.send(marked.body(Body::from(body.to_string())).expect("a request")).await;
    assert_eq!(first.status, 201);
    let first = first.ok();
    let made = first["jobs"].as_array().cloned().unwrap_or_default();
    assert_eq!(made.len(), 15);
    assert_eq!((&made[0]["uid"], &made[14]["uid"]), (&json!("Job 1"), &json!("Job 15")));
    assert_eq!(made.iter().filter(|job| !job["arrive_after"].is_null()).count(), 5);
    for job in &made {
        let north = (job["location"]["lat"].as_f64().unwrap_or_default() - 41.15) * 111.195;
        let east = (job["location"]["lon"].as_f64().unwrap_or_default() + 8.61)
            * 111.195
            * 41.15_f64.to_radians().cos();
        let km = north.hypot(east);
        assert!((0.95..=8.1).contains(&km), "{km} km: {job}");
        assert_eq!((&job["tags"][0]["name"], &job["size"]), (&json!("Tutorial"), &json!("1")));
        assert!(job["customer_email"].as_str().is_some_and(|email| email.ends_with("@example.org")));
    }
    let second = tenant.planner.post("/tutorial/create_jobs", body).await.ok();
    assert_eq!(second["jobs"][3]["location"], first["jobs"][3]["location"]);
    assert_eq!(tenant.planner.get(&format!("/jobs?scenario_ids={scenario}")).await.ok()["total_count"], 15);
    let body = json!({"lat": 99, "lon": 0, "scenario_id": scenario});
    assert!(
        tenant.planner.post("/tutorial/create_jobs", body).await.refused(400)["fields"]["lat"].is_string()
    );
    let body = json!({"lat": 0, "lon": 0, "scenario_id": 987_654});
    tenant.planner.post("/tutorial/create_jobs", body).await.refused(404);
}

/// X-516, G-13, S-26: a template gives what is not said; jobs come from the pool, drivers get runs; all or nothing.
#[tokio::test]
async fn a_scenario_is_made_from_a_template() {
    let tenant = tenant().await;
    let friday = day(&tenant).await;
    let pooled = tenant.planner.post("/jobs", job("P")).await.ok()["id"].clone();
    let driver = tenant.planner.get("/drivers").await.ok()["data"][0]["id"].clone();
    let body = json!({"name": "Weekday", "name_pattern": "{template} of {date}", "copy_of_scenario_id": friday,
        "copy_items": ["jobs"], "job_ids": [pooled], "default_active_driver_ids": [driver]});
    let template = tenant.planner.post("/scenarios/templates", body).await.ok()["id"].clone();
    let body = json!({"scheduled_date": "2026-11-27", "template_id": template, "driver_ids": [driver]});
    let made = tenant.planner.post("/scenarios/advanced", body.clone()).await;
    assert_eq!(made.status, 201);
    let made = made.ok();
    assert_eq!((&made["name"], &made["template_id"]), (&json!("Weekday of 2026-11-27"), &template));
    assert_eq!((&made["jobs_count"], &made["default_active_driver_ids"]), (&json!(4), &json!([driver])));
    let runs = tenant.planner.get(&format!("/runs?scenario_id={}", made["id"])).await.ok();
    assert_eq!((&runs["total_count"], &runs["data"][0]["driver"]["uid"]), (&json!(1), &json!("Driver 1")));
    let again = tenant.planner.post("/scenarios/advanced", body).await.ok();
    assert_eq!(again["jobs_count"], 3, "the job of the pool is taken");
    let plain = json!({"name": "Plain", "scheduled_date": "2026-11-28", "template_id": template, "copy_items": [], "job_ids": []});
    let plain = tenant.planner.post("/scenarios/advanced", plain).await.ok();
    assert_eq!((&plain["name"], &plain["jobs_count"]), (&json!("Plain"), &json!(0)), "what is given wins");
    let before = tenant.planner.get("/scenarios").await.ok()["total_count"].clone();
    for (body, status) in [
        (json!({"scheduled_date": "2026-11-28"}), 400),
        (json!({"name": "X"}), 400),
        (json!({"name": "X", "scheduled_date": "2026-11-28", "driver_ids": [987_654]}), 400),
        (json!({"name": "X", "scheduled_date": "2026-11-28", "job_ids": [pooled]}), 409),
        (json!({"name": "X", "scheduled_date": "2026-11-28", "territory_group_ids": [987_654]}), 400),
        (json!({"name": "X", "scheduled_date": "2026-11-28", "template_id": 987_654}), 404),
        (json!({"name": "X", "scheduled_date": "2026-11-28", "copy_from_scenario_id": 987_654}), 404),
    ] {
        let _ = tenant.planner.post("/scenarios/advanced", body).await.refused(status);
    }
    assert_eq!(tenant.planner.get("/scenarios").await.ok()["total_count"], before);
}

/// W-007: copies, recurring copies and scenarios made of others refuse two runs of a driver over the same hours, unless they
/// are meant; nothing is left of what is refused.
#[tokio::test]
async fn copies_ask_about_a_driver_with_two_runs() {
    let tenant = tenant().await;
    let friday = day(&tenant).await;
    let driver = tenant.planner.get("/drivers").await.ok()["data"][0]["id"].clone();
    let advanced = json!({"name": "Both", "scheduled_date": "2026-11-27", "copy_from_scenario_id": friday,
        "copy_items": ["runs"], "driver_ids": [driver]});
    let second = json!({"scenario_id": friday, "driver_id": driver, "force": true});
    let _ = tenant.planner.post("/runs", second).await.ok();
    let plain = json!({"copy_items": ["runs"], "scheduled_date": "2026-11-27"});
    let fixed = json!({"copy_items": ["runs"], "from_date": "2026-11-27", "to_date": "2026-11-27", "days": ["friday"]});
    let copies = [
        (format!("/scenarios/{friday}/duplicate"), plain),
        (format!("/scenarios/{friday}/create_fixed_runs"), fixed),
        ("/scenarios/advanced".to_owned(), advanced),
    ];
    for (path, mut body) in copies {
        let before = tenant.planner.get("/scenarios").await.ok()["total_count"].clone();
        let refusal = tenant.planner.post(&path, body.clone()).await.refused(409);
        assert_eq!(refusal["error"], "DRIVER_BUSY", "{path}");
        let text = refusal["description"].as_str().unwrap_or_default();
        assert!(text.starts_with("Driver 1 would have run Driver 1 from "), "{path}: {text}");
        assert_eq!(tenant.planner.get("/scenarios").await.ok()["total_count"], before, "{path}");
        body["force"] = true.into();
        let _ = tenant.planner.post(&path, body).await.ok();
    }
}
