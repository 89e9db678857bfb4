//! Costs of runs, exports that are made in the background, and the report of progress.

use std::time::Duration;

use calamine::{Data, Reader, Xlsx};
use routewright_testing::{Answer, Client};
use serde_json::{Value, json};

use crate::execution::{Ready, ready};
use crate::files::picture;
use crate::jobs::scenario;
use crate::realtime::replica;
use crate::support::tenant;
use crate::worker::ONE_AT_A_TIME;

/// Rows of the sheets of a workbook, with the sheets' names.
pub(crate) fn sheets(answer: &Answer) -> Vec<(String, Vec<Vec<Data>>)> {
    let bytes = std::io::Cursor::new(answer.bytes.to_vec());
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(bytes).expect("a workbook");
    let names = book.sheet_names();
    names
        .into_iter()
        .map(|name| {
            let range = book.worksheet_range(&name).expect("a sheet");
            (name, range.rows().map(<[Data]>::to_vec).collect())
        })
        .collect()
}

/// The value under a heading, in the given row.
pub(crate) fn under<'a>(rows: &'a [Vec<Data>], heading: &str, row: usize) -> &'a Data {
    let headings: Vec<String> = rows[0].iter().map(ToString::to_string).collect();
    let column = headings.iter().position(|found| found == heading);
    &rows[row][column.unwrap_or_else(|| panic!("{heading} in {headings:?}"))]
}

/// Waits for the end of an export, for as long as a busy machine may need.
async fn made(client: &Client, export: &Value) -> Value {
    for _ in 0..2400 {
        let found = client.get(&format!("/excel_exports/{}", export["export_id"])).await.ok();
        if found["status"] != "pending" {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the export is not made");
}

/// The run took four hours and drove 43.3 km at 20 + 0.5 per km + 18 per hour.
async fn billed(ready: &Ready) {
    let admin = &ready.tenant.admin;
    let rate = json!({"name": "Van", "cost_per_run": 20, "cost_per_km": 0.5, "cost_per_hour": 18, "cost_per_drop": 0});
    let rate = admin.post("/billing_rates", rate).await.ok();
    let actuals = json!({
        "billing_rate_id": rate["id"], "billing_start_time": "2026-11-23T08:00:00Z",
        "actual_start_time": "2026-11-23T08:00:00Z", "actual_end_time": "2026-11-23T12:00:00Z",
        "start_odometer": 1000.5, "end_odometer": 1043.8, "force": true,
    });
    let _ = admin.patch(&format!("/runs/{}", ready.run["id"]), actuals).await.ok();
}

/// contract §5.10: what runs cost, with the filters of the page; not for whoever sees no rates.
#[tokio::test]
async fn costs_are_listed() {
    let ready = ready().await;
    billed(&ready).await;
    let admin = &ready.tenant.admin;
    let listed = admin
        .get("/run_cost_calculator?scheduled_date_start=2026-11-23&scheduled_date_end=2026-11-23")
        .await
        .ok();
    assert_eq!((&listed["total_count"], &listed["per_page"]), (&json!(1), &json!(25)));
    let row = &listed["data"][0];
    assert_eq!(
        (&row["run_id"], &row["uid"], &row["driver"]),
        (&ready.run["id"], &json!("Ana"), &json!("Ana"))
    );
    assert_eq!(
        (&row["date"], &row["scenario"], &row["rate"]),
        (&json!("2026-11-23"), &json!("Monday"), &json!("Van"))
    );
    assert_eq!((&row["km"], &row["hours"], &row["status"]), (&json!(43.3), &json!(4.0), &json!("closed")));
    // 20 + 43.3 * 0.5 + 4 * 18 = 113.65
    assert_eq!((&row["cost"], &row["validated_at"]), (&json!(113.65), &Value::Null));
    for (query, count) in [
        ("driver_id=0", 0),
        ("validated=false", 1),
        ("validated=true", 0),
        ("search=mond", 1),
        ("search=tues", 0),
        ("date_start=2026-11-24", 0),
        ("sort_by=date&sort_order=asc", 1),
    ] {
        let listed = admin.get(&format!("/run_cost_calculator?{query}")).await.ok();
        assert_eq!(listed["total_count"], count, "{query}");
    }
    assert!(
        admin.get("/run_cost_calculator?colour=red").await.refused(400)["description"]["filters"].is_string()
    );
    ready.tenant.planner.get("/run_cost_calculator").await.refused(403);
    ready.tenant.planner.get("/run_cost_calculator/export").await.refused(403);
}

/// S-30: ordered, made by a worker, told by mail, for a week and for those who may see it;
/// afterwards the file is gone. W-070: nobody reads it without signing in.
#[tokio::test]
async fn an_export_is_made_in_the_background() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let ready = ready().await;
    billed(&ready).await;
    let (admin, planner) = (&ready.tenant.admin, &ready.tenant.planner);
    let answer = admin.get("/run_cost_calculator/export?scheduled_date_start=2026-11-23&kind=excel").await;
    assert_eq!(answer.status, 202);
    let ordered = answer.ok();
    admin.get("/run_cost_calculator/export?colour=red").await.refused(400);
    admin.get("/run_cost_calculator/export?kind=pdf").await.refused(400);
    let pending = admin.get(&format!("/excel_exports/{}", ordered["export_id"])).await.ok();
    assert_eq!((&pending["status"], &pending["source"]), (&json!("pending"), &json!("run_cost_calculator")));
    assert_eq!(
        (&pending["link"], &pending["created_by"]),
        (&Value::Null, &json!(ready.tenant.organisation.admin.id))
    );

    let worker = replica(2).await;
    let export = made(admin, &ordered).await;
    assert_eq!((&export["status"], &export["error"]), (&json!("ready"), &Value::Null), "{export}");
    let link = export["link"].as_str().expect("a link");
    let file = admin.get(link).await;
    let (name, rows) = sheets(&file).remove(0);
    assert_eq!((name.as_str(), rows.len()), ("Run costs", 2));
    assert_eq!(under(&rows, "run", 1).to_string(), "Ana");
    assert_eq!(under(&rows, "cost", 1), &Data::Float(113.65));
    assert_eq!(under(&rows, "distance (km)", 1), &Data::Float(43.3));

    admin.nobody().get(link).await.refused(401);
    let uid: String = {
        let mut database = ready.tenant.organisation.database().await;
        sqlx::query_scalar("select uid from files where id = $1")
            .bind(export["file_id"].as_i64())
            .fetch_one(&mut database)
            .await
            .expect("a file")
    };
    admin.nobody().get(&format!("/files/uid/{uid}")).await.refused(404);
    // The mail leads to the page of exports, which asks to sign in.
    let email: String = sqlx::query_scalar("select email from users where id = $1")
        .bind(ready.tenant.organisation.admin.id)
        .fetch_one(&ready.tenant.organisation.control)
        .await
        .expect("an address");
    let mails = ready.mails(&email).await;
    assert_eq!((mails.len(), mails[0].0.as_str()), (1, "Your export run-costs.xlsx is ready"));
    assert!(mails[0].1.contains("/dashboard/exports/exports"), "{}", mails[0].1);
    assert!(!mails[0].1.contains("/files/"), "{}", mails[0].1);

    // Others neither see the costs nor the file.
    planner.get(&format!("/excel_exports/{}", export["id"])).await.refused(404);
    planner.get(link).await.refused(404);
    assert_eq!(planner.get("/excel_exports").await.ok()["total_count"], 0);
    planner.get(&format!("/files/{}", export["file_id"])).await.refused(404);
    planner.get(&format!("/files/get_temp_link/{}", export["file_id"])).await.refused(404);
    let _ = admin.get(&format!("/files/{}", export["file_id"])).await.ok();

    // A week later it is gone; the next sweep sees to that.
    drop(worker);
    let mut database = ready.tenant.organisation.database().await;
    sqlx::query("update excel_exports set expires_at = now() - interval '1 minute'")
        .execute(&mut database)
        .await
        .expect("an expired export");
    let worker = replica(1).await;
    let mut found = json!(null);
    for _ in 0..2400 {
        found = admin.get(&format!("/excel_exports/{}", export["id"])).await.ok();
        if found["link"].is_null() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!((&found["link"], &found["file_id"]), (&Value::Null, &Value::Null));
    admin.get(link).await.refused(404);
    drop(worker);
}

/// S-30: any source can be ordered; what cannot be made says why, and nothing is made for whoever may not have it any more.
#[tokio::test]
async fn orders_say_what_became_of_them() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let ready = ready().await;
    let organisation = &ready.tenant.organisation;
    let admin = &ready.tenant.admin;
    let order = async |client: &Client, body: Value| client.post("/excel_exports", body).await;
    let mut orders = Vec::new();
    for source in ["jobs", "units", "runs", "returns", "run_cost_calculator"] {
        orders.push((
            source,
            order(admin, json!({"source": source, "kind": "csv", "filters": {"page": "9"}})).await.ok(),
        ));
    }
    let filters = json!({"scenario_id": ready.scenario["id"].to_string()});
    orders.push(("proofs", order(admin, json!({"source": "proofs", "filters": filters})).await.ok()));
    for wrong in [
        json!({"source": "secrets"}),
        json!({"source": "jobs", "kind": "pdf"}),
        json!({"source": "jobs", "filters": {"colour": "red"}}),
        json!({"source": "run_cost_calculator", "filters": {"colour": "red"}}),
        json!({"source": "proofs"}),
    ] {
        order(admin, wrong).await.refused(400);
    }
    order(&ready.tenant.planner, json!({"source": "run_cost_calculator"})).await.refused(403);
    // Somebody who orders and then loses the level.
    let reader = organisation.person_with(&["excel_export", "job_search_view"]).await;
    ready.tenant.app.gate.policies.forget_all();
    let client = admin.with_token(organisation.token(reader));
    order(&client, json!({"source": "units"})).await.refused(403);
    let lost = order(&client, json!({"source": "jobs"})).await.ok();
    sqlx::query("update roles set access_levels = '{excel_export}' where id = $1")
        .bind(reader.role_id)
        .execute(&organisation.control)
        .await
        .expect("a role");

    let worker = replica(2).await;
    for (source, ordered) in orders {
        let export = made(admin, &ordered).await;
        assert_eq!(
            (&export["status"], &export["error"]),
            (&json!("ready"), &Value::Null),
            "{source}: {export}"
        );
        let file = admin.get(export["link"].as_str().expect("a link")).await;
        let text = file.text();
        match source {
            "jobs" => assert!(text.contains("J1") && text.contains("J3"), "{text}"),
            "runs" | "run_cost_calculator" => assert!(text.contains("Ana"), "{text}"),
            "proofs" => assert_eq!(sheets(&file).len(), 5),
            _ => assert!(text.starts_with('\u{feff}'), "{source}: {text}"),
        }
    }
    let export = made(admin, &lost).await;
    assert_eq!(
        (&export["status"], &export["error"], &export["link"]),
        (&json!("failed"), &json!("User is not authorized to perform this action"), &Value::Null)
    );
    drop(worker);
}

/// S-30: over 5,000 rows a search is exported in the background.
#[tokio::test]
async fn a_large_search_is_exported_later() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut database = tenant.organisation.database().await;
    let add = async |database: &mut sqlx::PgConnection, from: i64, to: i64| {
        // Tokens are of the product's letters; nobody opens these jobs.
        sqlx::query(
            "insert into jobs (uid, scenario_id, tracking_token, address, lat, lon)
             select 'L' || n, $1, translate(lpad(n::text, 12, '0'), '01', 'AB'), 'Rua', 41.1, -8.6
             from generate_series($2::bigint, $3::bigint) n",
        )
        .bind(scenario.as_i64())
        .bind(from)
        .bind(to)
        .execute(database)
        .await
        .expect("jobs");
    };
    add(&mut database, 1, 5000).await;
    let answer = tenant.planner.get("/search/jobs/export?kind=csv").await;
    assert_eq!((answer.status.as_u16(), answer.text().lines().count()), (200, 5001));
    add(&mut database, 5001, 5001).await;
    let answer = tenant.planner.get("/search/jobs/export?kind=csv&uid=L").await;
    assert_eq!(answer.status, 202);
    let id = answer.ok()["export_id"].clone();
    let export = tenant.planner.get(&format!("/excel_exports/{id}")).await.ok();
    assert_eq!(
        (&export["source"], &export["kind"], &export["status"]),
        (&json!("jobs"), &json!("csv"), &json!("pending"))
    );
}

/// X-053, S-08: a line per run with what was done and what is late, sums, and what went wrong with its photos.
#[tokio::test]
async fn progress_is_reported() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let path = format!("/scenarios/{}/progress_report", ready.scenario["id"]);
    let before = planner.get(&path).await.ok();
    assert_eq!(
        (&before["scenario"]["name"], &before["generated_at"]),
        (&json!("Monday"), &json!("2026-11-23T08:00:00Z"))
    );
    let run = &before["runs"][0];
    assert_eq!((&run["uid"], &run["status"], &run["jobs"]), (&json!("Ana"), &json!("pending"), &json!(3)));
    assert_eq!((&run["visited"], &run["late"], &before["exceptions"]), (&json!(0), &json!(0), &json!([])));
    assert_eq!(run["distance"], ready.run["distance"]);

    let loose = json!({"uid": "X", "scenario_id": ready.scenario["id"], "location": {"address": "Rua X", "lat": 41.1, "lon": -8.6}});
    let _ = planner.post("/jobs", loose).await.ok();
    let early = json!({"leave_by": "07:30"});
    let _ = planner.patch(&format!("/jobs/{}", ready.jobs[1]["id"]), early).await.ok();
    let driver = ready.driver().await;
    let start = json!({"odometer": 10, "actual_start_time": "2026-11-23T07:00:00Z"});
    let _ = driver.put("/v2/runsheet/start_route", start).await.ok();
    let point = json!([{"lat": 41.2, "lon": -8.7, "recorded_at": "2026-11-23T07:59:00Z"}]);
    let _ = driver.post("/v2/runsheet/gps_points", point).await.ok();
    let reasons = planner
        .nobody()
        .get(&format!("/jobs_tracking/{}/reasons", ready.jobs[0]["tracking_token"].as_str().unwrap()))
        .await
        .ok();
    let reason = |name: &str| {
        reasons.as_array().unwrap().iter().find(|reason| reason["name"] == name).unwrap()["id"].clone()
    };
    let _ = ready
        .prove(0, json!({"record_time": "2026-11-23 07:10:00", "reason_id": reason("Delivered - OK")}))
        .await;
    let photo = picture(&ready.tenant).await;
    let failed = json!({
        "job_id": ready.jobs[1]["id"], "success": false, "reason_id": reason("Not home"), "comments": "Nobody",
        "photo_ids": [photo["id"]], "record_time": "2026-11-23 07:40:00",
    });
    let _ = planner.post("/job_proofs", failed).await.ok();
    let report = planner.get(&path).await.ok();
    let run = &report["runs"][0];
    assert_eq!((&run["status"], &run["visited"]), (&json!("driving"), &json!(2)));
    assert_eq!((&run["successful"], &run["unsuccessful"], &run["late"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(
        (&run["actual_start_time"], &run["last_position_at"]),
        (&json!("2026-11-23T07:00:00Z"), &json!("2026-11-23T07:59:00Z"))
    );
    let totals = &report["totals"];
    assert_eq!((&totals["runs"], &totals["jobs"], &totals["unserved"]), (&json!(1), &json!(3), &json!(1)));
    assert_eq!((&totals["visited"], &totals["late"], &totals["closed"]), (&json!(2), &json!(1), &json!(0)));
    assert_eq!(report["exceptions"].as_array().map(Vec::len), Some(1));
    let exception = &report["exceptions"][0];
    assert_eq!((&exception["job_uid"], &exception["reason"]), (&json!("J2"), &json!("Not home")));
    assert_eq!(
        (&exception["comments"], &exception["customer_name"]),
        (&json!("Nobody"), &json!("Customer J2"))
    );
    assert_eq!((&exception["photos"][0]["link"], &exception["run_uid"]), (&photo["link"], &json!("Ana")));

    planner.get("/scenarios/999999/progress_report").await.refused(404);
    let blind = ready.tenant.organisation.person_with(&["runs_read"]).await;
    ready.tenant.app.gate.policies.forget_all();
    planner.with_token(ready.tenant.organisation.token(blind)).get(&path).await.refused(403);
}
