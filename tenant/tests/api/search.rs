//! Search pages, exports and labels.

use calamine::{Data, Reader, Xlsx};
use routewright_testing::Answer;
use serde_json::{Value, json};

use crate::jobs::{add, job};
use crate::support::{Tenant, tenant};

/// Two days; job A of the first is on a run and proved, with a unit and a return.
async fn days(tenant: &Tenant) -> (Value, Value) {
    let friday = tenant
        .planner
        .post("/scenarios", json!({"name": "Friday", "scheduled_date": "2026-11-20"}))
        .await
        .ok()["id"]
        .clone();
    let monday = tenant
        .planner
        .post("/scenarios", json!({"name": "Monday", "scheduled_date": "2026-11-23"}))
        .await
        .ok()["id"]
        .clone();
    let driver = tenant.planner.post("/drivers", json!({"uid": "Maria"})).await.ok()["id"].clone();
    let mut body = job("A");
    body["customer_name"] = "=1+1".into();
    body["phone_number"] = "+351 220 000 001".into();
    body["reference"] = "REF-7".into();
    body["extra_fields"] = json!({"gate": "2"});
    let served = add(tenant, &friday, body).await;
    let _ = add(tenant, &monday, job("B")).await;
    let _ = tenant.planner.post("/jobs", job("C")).await.ok();
    let unit = json!({"uid": "U1", "name": "Crate", "job_id": served["id"]});
    let _ = tenant.planner.post("/units", unit).await.ok();
    let _ = tenant.planner.post("/units", json!({"uid": "U2", "job_id": served["id"]})).await.ok();
    let _ = tenant.planner.post("/units", json!({"uid": "U3"})).await.ok();
    let _ = tenant.planner.post("/returns", json!({"uid": "R1", "job_id": served["id"]})).await.ok();
    let mut database = tenant.organisation.database().await;
    let run: i64 = sqlx::query_scalar(
        "insert into runs (uid, token, scenario_id, driver_id) values ('Run 1', $1, $2, $3) returning id",
    )
    .bind("x".repeat(40))
    .bind(friday.as_i64())
    .bind(driver.as_i64())
    .fetch_one(&mut database)
    .await
    .expect("a run");
    sqlx::query("update jobs set run_id = $1, seq = 1, eta = '2026-11-20 09:00Z', etd = '2026-11-20 09:05Z' where uid = 'A'")
        .bind(run)
        .execute(&mut database)
        .await
        .expect("a served job");
    sqlx::query(
        "insert into job_proofs (job_id, run_id, success, reason_id, record_time)
         select id, run_id, false, (select id from reasons where name = 'Not home'), '2026-11-20 09:30Z' from jobs where uid = 'A'",
    )
    .execute(&mut database)
    .await
    .expect("a proof");
    sqlx::query(
        "insert into unit_proofs (unit_id, mode, record_time) select id, 'deliver', '2026-11-20 09:30Z' from units where uid = 'U1'",
    )
    .execute(&mut database)
    .await
    .expect("a proof");
    (friday, driver)
}

fn sheet(answer: &Answer) -> Vec<Vec<Data>> {
    let mut book: Xlsx<_> =
        calamine::open_workbook_from_rs(std::io::Cursor::new(answer.bytes.to_vec())).expect("xlsx");
    let range = book.worksheet_range_at(0).expect("a sheet").expect("its cells");
    range.rows().map(<[Data]>::to_vec).collect()
}

async fn count(tenant: &Tenant, path: &str) -> Value {
    tenant.admin.get(path).await.ok()["total_count"].clone()
}

/// jobs are found over all days by text, day, scenario, driver, tag and status.
#[tokio::test]
async fn jobs_are_searched() {
    let tenant = tenant().await;
    let (friday, driver) = days(&tenant).await;
    let found = tenant.planner.get("/search/jobs?search=ref-7").await.ok();
    let shown = &found["data"][0];
    assert_eq!((&shown["uid"], &shown["scenario"]["name"]), (&json!("A"), &json!("Friday")));
    assert_eq!((&shown["run"]["uid"], &shown["driver"]["uid"]), (&json!("Run 1"), &json!("Maria")));
    let tag = tenant.admin.post("/tags", json!({"name": "Cold"})).await.ok()["id"].clone();
    let _ = tenant
        .planner
        .post(&format!("/jobs/{}/assign_tags", shown["id"]), json!({"tag_ids": [tag]}))
        .await
        .ok();
    for (query, expected) in [
        ("".to_owned(), 3),
        ("?scheduled_date_start=2026-11-21".to_owned(), 1),
        ("?scheduled_date_end=2026-11-20".to_owned(), 1),
        (format!("?scenario_ids={friday}"), 1),
        (format!("?driver_id={driver}"), 1),
        (format!("?tag_ids={tag}"), 1),
        ("?tag_ids=987654".to_owned(), 0),
        ("?status=pool".to_owned(), 1),
        ("?status=unserved".to_owned(), 1),
        ("?status=unsuccessful".to_owned(), 1),
        ("?status=successful".to_owned(), 0),
        ("?sort_by=scenario.scheduled_date&sort_order=desc".to_owned(), 3),
    ] {
        assert_eq!(count(&tenant, &format!("/search/jobs{query}")).await, expected, "{query}");
    }
    assert_eq!(count(&tenant, &format!("/jobs?tag_ids={tag}")).await, 1);
    tenant.planner.get("/search/jobs?status=lost").await.refused(400);
    let pods = tenant.admin.get("/jobs/search_pod?success=false").await.ok();
    assert_eq!(pods["total_count"], 1);
    let pod = &pods["data"][0];
    assert_eq!(
        (&pod["uid"], &pod["reason"], &pod["run_uid"], &pod["has_signature"], &pod["photos_count"]),
        (&json!("A"), &json!("Not home"), &json!("Run 1"), &json!(false), &json!(0))
    );
    assert_eq!(count(&tenant, "/jobs/search_pod?proof_time_start=2026-11-21").await, 0);
}

/// units, returns and containers are found by what their job is.
#[tokio::test]
async fn attachments_are_searched() {
    let tenant = tenant().await;
    let (friday, driver) = days(&tenant).await;
    let cage = tenant.admin.post("/containers", json!({"uid": "CAGE"})).await.ok();
    let unit = tenant.admin.get("/search/units?search=u1").await.ok()["data"][0]["id"].clone();
    let _ = tenant.admin.patch(&format!("/units/{unit}"), json!({"container_id": cage["id"]})).await.ok();
    for (query, expected) in [
        ("units?search=rua%20a".to_owned(), 2),
        ("units?scheduled_date=2026-11-20".to_owned(), 2),
        (format!("units?driver_id={driver}"), 2),
        ("units?is_in_pool=true".to_owned(), 1),
        (format!("returns?scenario_ids={friday}"), 1),
        ("returns?search=%3D1%2B1".to_owned(), 1),
        ("containers?search=crate".to_owned(), 1),
        (format!("containers?scenario_id={friday}"), 1),
        (format!("containers?driver_ids={driver}"), 1),
        ("containers?scheduled_date_start=2026-11-21".to_owned(), 0),
    ] {
        assert_eq!(count(&tenant, &format!("/search/{query}")).await, expected, "{query}");
    }
    let viewer = tenant.organisation.person_with(&["unit_search_view"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    let viewer = tenant.planner.with_token(tenant.organisation.token(viewer));
    let _ = viewer.get("/search/units").await.ok();
    viewer.get("/search/units/export").await.refused(403);
    viewer.get("/search/jobs").await.refused(403);
}

/// what a search finds becomes a file in which nothing is a formula.
#[tokio::test]
async fn jobs_are_exported() {
    let tenant = tenant().await;
    let (friday, _) = days(&tenant).await;
    let csv =
        tenant.planner.get(&format!("/search/jobs/export?scenario_ids={friday}&export=true&kind=csv")).await;
    assert_eq!(csv.headers["content-type"], "text/csv; charset=utf-8");
    let text = csv.text();
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let head = lines.next().unwrap_or_default();
    assert!(head.starts_with("uid,scenario,date,run,driver,seq,customer_name,address,"), "{head}");
    assert!(head.ends_with(",reference,gate"), "{head}");
    let row = lines.next().unwrap_or_default();
    assert!(row.starts_with("A,Friday,2026-11-20,Run 1,Maria,1,'=1+1,"), "{row}");
    assert!(row.contains("Not home") && row.contains("'+351 220 000 001"), "{row}");
    assert_eq!(lines.next(), None);
    let excel = tenant.planner.get("/search/jobs/export").await;
    assert_eq!(sheet(&excel).len(), 4);
    let id = tenant.planner.get("/jobs?uid_exact=B").await.ok()["data"][0]["id"].clone();
    let chosen = tenant.planner.post("/jobs/excel_export", json!({"job_ids": [id]})).await;
    assert_eq!(
        chosen.headers["content-disposition"].to_str().ok().map(|name| name.contains("jobs.xlsx")),
        Some(true)
    );
    let rows = sheet(&chosen);
    assert_eq!((rows.len(), &rows[1][0]), (2, &Data::String("B".to_owned())));
    tenant.planner.post("/jobs/excel_export", json!({"job_ids": []})).await.refused(400);
    tenant.planner.get("/search/jobs/export?kind=pdf").await.refused(400);
    tenant.planner.get("/search/jobs/export?colour=red").await.refused(400);
}

/// units and returns with the date of each mode.
#[tokio::test]
async fn attachments_are_exported() {
    let tenant = tenant().await;
    let _ = days(&tenant).await;
    let csv = tenant.planner.get("/search/units/export?search=u1&kind=csv").await;
    let text = csv.text();
    let row = text.lines().nth(1).unwrap_or_default();
    assert!(row.starts_with("U1,Crate,,,A,'=1+1,,"), "{row}");
    assert!(row.contains("2026-11-20 09:30"), "the clock of Lisbon in winter: {row}");
    let csv = tenant.planner.get("/search/returns/export?kind=csv").await;
    assert!(csv.text().lines().nth(1).is_some_and(|row| row.starts_with("R1,,,A,")), "{}", csv.text());
}

/// P-432, P-433, P-434, P-435: labels of chosen items or of all of a job.
#[tokio::test]
async fn labels_are_printed() {
    let tenant = tenant().await;
    let _ = days(&tenant).await;
    let units = tenant.planner.get("/units?sort_by=id").await.ok();
    let (first, job) = (units["data"][0]["id"].clone(), units["data"][0]["job_id"].clone());
    let all = tenant.planner.get(&format!("/bulk_labels/units?job_id={job}")).await;
    assert_eq!(all.headers["content-type"], "application/pdf");
    assert!(all.headers["content-disposition"].to_str().is_ok_and(|name| name.contains("units-labels.pdf")));
    let pages = |answer: &Answer| {
        answer.text().matches("/Type /Page\n").count() + answer.text().matches("/Type/Page/").count()
    };
    assert!(all.bytes.starts_with(b"%PDF"));
    let one = tenant.planner.get(&format!("/bulk_labels/units?obj_ids={first}&job_id={job}")).await;
    assert!(
        one.bytes.starts_with(b"%PDF") && one.bytes.len() < all.bytes.len(),
        "{} {}",
        pages(&one),
        pages(&all)
    );
    let returns = tenant.planner.get(&format!("/bulk_labels/returns?job_id={job}")).await;
    assert!(
        returns.headers["content-disposition"].to_str().is_ok_and(|name| name.contains("returns-labels.pdf"))
    );
    tenant.planner.get("/bulk_labels/units?obj_ids=987654").await.refused(404);
    tenant.planner.get("/bulk_labels/units").await.refused(400);
    tenant.planner.get("/bulk_labels/units?obj_ids=x").await.refused(400);
}

/// W-091: jobs are found and put in order by their day, drivers and runs by what their lists show.
#[tokio::test]
async fn lists_are_narrowed_and_sorted_by_what_they_show() {
    let tenant = tenant().await;
    let (friday, _) = days(&tenant).await;
    let all = tenant.admin.get("/jobs").await.ok()["total_count"].clone();
    let scenario = tenant.admin.get(&format!("/scenarios/{friday}")).await.ok();
    let day = scenario["scheduled_date"].as_str().expect("a day").to_owned();
    let found =
        tenant.admin.get(&format!("/jobs?scheduled_date_start={day}&scheduled_date_end={day}")).await.ok();
    assert_ne!(found["total_count"], all);
    let jobs = found["data"].as_array().expect("jobs");
    assert!(!jobs.is_empty() && jobs.iter().all(|job| job["scenario_id"] == json!(friday)), "{found}");
    for path in [
        "/jobs?sort_by=scheduled_date",
        "/jobs?sort_by=scenario&sort_order=desc",
        "/jobs?sort_by=run",
        "/jobs?driver_id=1",
        "/drivers?sort_by=address",
        "/drivers?sort_by=deleted_at",
        "/runs?sort_by=vehicle",
        "/runs?sort_by=validated_at&sort_order=desc",
        "/runs?sort_by=scenario",
    ] {
        let _ = tenant.admin.get(path).await.ok();
    }
}

/// proofs as a sheet per collection, or a zip of CSV files.
#[tokio::test]
async fn proofs_are_exported() {
    let tenant = tenant().await;
    let (friday, _) = days(&tenant).await;
    let excel = tenant.admin.get(&format!("/export_proofs?scenario_id={friday}")).await;
    let mut book: Xlsx<_> =
        calamine::open_workbook_from_rs(std::io::Cursor::new(excel.bytes.to_vec())).expect("xlsx");
    assert_eq!(
        book.sheet_names(),
        ["Job proofs", "Unit proofs", "Return proofs", "Container proofs", "Run proofs"]
    );
    let jobs = book.worksheet_range("Job proofs").expect("a sheet");
    let row: Vec<&Data> = jobs.rows().nth(1).into_iter().flatten().collect();
    // W-070: no heading comes twice.
    for sheet in book.sheet_names() {
        let table = book.worksheet_range(&sheet).expect("a sheet");
        let headings: Vec<String> =
            table.rows().next().into_iter().flatten().map(ToString::to_string).collect();
        let once: std::collections::BTreeSet<&String> = headings.iter().collect();
        assert_eq!(once.len(), headings.len(), "{sheet}: {headings:?}");
    }
    assert_eq!((row[0], row[7]), (&Data::String("A".to_owned()), &Data::String("Not home".to_owned())));
    assert_eq!(book.worksheet_range("Unit proofs").expect("a sheet").height(), 2);
    let dates = "/export_proofs?start_date=2026-11-23&end_date=2026-11-23&kind=csv";
    let zip = tenant.admin.get(dates).await;
    assert_eq!(zip.headers["content-type"], "application/zip");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(zip.bytes.to_vec())).expect("a zip");
    let table = std::io::read_to_string(archive.by_name("job_proofs.csv").expect("a file")).expect("text");
    assert_eq!(table.lines().count(), 1, "{table}");
    tenant.admin.get("/export_proofs").await.refused(400);
    tenant.admin.get("/export_proofs?scenario_id=1&kind=pdf").await.refused(400);
    assert_eq!(tenant.admin.get("/excel_exports").await.ok()["total_count"], 0);
    tenant.admin.get("/excel_exports/1").await.refused(404);
}

/// runs are found by day, driver and derived status, and exported in the organisation's units.
#[tokio::test]
async fn runs_are_searched_and_exported() {
    let tenant = tenant().await;
    let (friday, driver) = days(&tenant).await;
    let found = tenant.planner.get("/search/runs?search=maria").await.ok();
    let shown = &found["data"][0];
    assert_eq!((&shown["uid"], &shown["scenario"]["name"]), (&json!("Run 1"), &json!("Friday")));
    assert_eq!((&shown["driver"]["uid"], &shown["status"]), (&json!("Maria"), &json!("pending")));
    for (query, expected) in [
        (format!("?scenario_ids={friday}"), 1),
        (format!("?driver_id={driver}"), 1),
        ("?scheduled_date_start=2026-11-21".to_owned(), 0),
        ("?status=pending".to_owned(), 1),
        ("?status=driving".to_owned(), 0),
        ("?sort_by=scenario.scheduled_date".to_owned(), 1),
    ] {
        assert_eq!(count(&tenant, &format!("/search/runs{query}")).await, expected, "{query}");
    }
    let mut database = tenant.organisation.database().await;
    for (statement, status) in [
        ("update runs set start_odometer = 10", "driving"),
        (
            "update runs set actual_start_time = '2026-11-20 08:00Z', actual_end_time = '2026-11-20 12:00Z'",
            "driving",
        ),
        ("update runs set end_odometer = 26.09344", "closed"),
        ("update runs set start_odometer = null", "started"),
    ] {
        sqlx::query(statement).execute(&mut database).await.expect("a change");
        for asked in ["pending", "started", "driving", "closed"] {
            let expected = i32::from(asked == status);
            assert_eq!(
                count(&tenant, &format!("/search/runs?status={asked}")).await,
                expected,
                "{statement}: {asked}"
            );
        }
        assert_eq!(tenant.planner.get("/search/runs").await.ok()["data"][0]["status"], status);
    }
    tenant.planner.get("/search/runs?status=lost").await.refused(400);
    tenant.organisation.settings(&json!({"distance_unit": "mi"})).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    let csv = tenant.planner.get("/search/runs/export?kind=csv&export=true").await;
    let text = csv.text();
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    assert!(lines.next().is_some_and(
        |head| head.starts_with("uid,scenario,date,status,driver,") && head.contains("end_odometer (mi)")
    ));
    let row = lines.next().unwrap_or_default();
    assert!(row.starts_with("Run 1,Friday,2026-11-20,started,Maria,") && row.contains("16.21"), "{row}");
}
