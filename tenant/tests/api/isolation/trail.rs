//! The audit trail, held against the whole route table.

use routewright_core::access::Who;
use routewright_testing::Client;
use routewright_testing::calls::Call;
use serde_json::Value;
use sqlx::PgConnection;

use super::calls;
use super::fill::Filled;

/// What the trail holds after an entry: kind and id or name of each object, by request.
async fn since(
    database: &mut PgConnection,
    id: i64,
) -> Vec<(String, Option<i64>, Option<String>, Option<String>)> {
    unfold(database).await;
    sqlx::query_as(
        "select kind, object_id, case when object_id is null then object_name end, request_id
         from audit_entries where id > $1 order by id",
    )
    .bind(id)
    .fetch_all(database)
    .await
    .unwrap()
}

/// What was done so far is in the trail.
async fn unfold(database: &mut PgConnection) {
    sqlx::query("select audit_unfold()").execute(database).await.unwrap();
}

async fn newest(database: &mut PgConnection) -> i64 {
    unfold(database).await;
    sqlx::query_scalar("select coalesce(max(id), 0) from audit_entries").fetch_one(database).await.unwrap()
}

/// W-083: every route that writes leaves one entry for each object when it has succeeded, and none when it was refused.
#[tokio::test]
async fn every_writing_route_leaves_its_entries() {
    let ours = Filled::new("Wombat", None).await;
    let mut database = ours.tenant.organisation.database().await;
    let table = routewright_tenant::routes::table().rows();
    let calls = calls::all();
    let writes = calls.iter().filter(|call| call.method != "GET" && call.method != "DELETE");
    let deletes = calls.iter().rev().filter(|call| call.method == "DELETE");
    let (mut faults, mut succeeded, mut refused) = (Vec::new(), 0, 0);
    for call in writes.chain(deletes) {
        let row = call.route(&table).unwrap();
        let client: Client = match row.access.who {
            Who::User | Who::RunsheetOrUser => ours.admin.clone(),
            Who::Runsheet => ours.driver.clone(),
            Who::Public | Who::Link(_) => ours.admin.nobody(),
        };
        let before = newest(&mut database).await;
        let answer = Call::make(call, &client, &ours.things, None).await;
        let left = since(&mut database, before).await;
        let request = answer.headers.get("x-request-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
        let quiet = routewright_tenant::routes::TELLING.quiet.contains(&row.path);
        // A stream of lines tells of each what became of it.
        let none_taken = row.path == "/jobs/bulk_upload" && answer.text().contains(r#""uploaded":0"#);
        if answer.status.as_u16() >= 400 || none_taken {
            refused += 1;
            if !left.is_empty() {
                faults.push(format!("{} {} was refused and left {left:?}", row.method, row.path));
            }
            continue;
        }
        succeeded += 1;
        if left.is_empty() != quiet {
            faults.push(format!("{} {} left {left:?}", row.method, row.path));
        }
        for (at, entry) in left.iter().enumerate() {
            if left[..at].contains(entry) {
                faults.push(format!("{} {} left two entries of {entry:?}", row.method, row.path));
            }
            if entry.3 != request {
                faults.push(format!(
                    "{} {} left {entry:?} of another request than {request:?}",
                    row.method, row.path
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{} of {succeeded}:\n{}", faults.len(), faults.join("\n"));
    assert!(succeeded > 120 && refused > 5, "{succeeded} {refused}");
}

/// W-083: what hands people's data out is in the trail too.
#[tokio::test]
async fn what_hands_data_out_leaves_an_entry() {
    let ours = Filled::new("Wombat", None).await;
    let mut database = ours.tenant.organisation.database().await;
    let table = routewright_tenant::routes::table().rows();
    for path in routewright_tenant::routes::TELLING.handing_out {
        assert!(table.iter().any(|row| row.path == *path && row.method == "GET"), "{path}");
    }
    for call in calls::all().iter().filter(|call| call.method == "GET") {
        let row = call.route(&table).unwrap();
        let told = routewright_tenant::routes::TELLING.handing_out.contains(&row.path);
        if row.access.who != Who::User {
            continue;
        }
        let before = newest(&mut database).await;
        let answer = Call::make(call, &ours.admin, &ours.things, None).await;
        let left = since(&mut database, before).await;
        if told && answer.status.as_u16() < 300 {
            let done: Value = sqlx::query_scalar(
                "select jsonb_build_array(action, actor_kind) from audit_entries where id > $1 and change = 'done'",
            )
            .bind(before)
            .fetch_one(&mut database)
            .await
            .unwrap();
            assert_eq!(done, serde_json::json!([format!("GET {}", row.path), "user"]));
        } else if !told && row.path != "/run_cost_calculator/export" && !left.is_empty() {
            panic!("GET {} left {left:?}", row.path);
        }
    }
}

/// Tables that nobody knows as things, and why. The others are watched: a migration that makes one adds it to
/// `audit_watched`, or to `audit_parts` where its rows are a list of another thing.
const UNWATCHED: [(&str, &str); 29] = [
    ("_sqlx_migrations", "what the schema itself is"),
    ("audit_entries", "the trail"),
    ("audit_journal", "the trail"),
    ("audit_parts", "what the trail watches"),
    ("audit_watched", "what the trail watches"),
    ("background_jobs", "work in the background; what it does is watched"),
    ("bin", "copies of what was deleted, which is watched"),
    ("ended_runsheets", "copied from runs that are deleted"),
    ("events", "what sockets were told of changes that are watched"),
    ("gps_points", "what phones measure, every few seconds"),
    ("idempotency_keys", "submits that came twice"),
    ("import_mappings", "memory of a form"),
    ("job_pin_tries", "how often a phone was told a wrong PIN"),
    ("looked_up_addresses", "a cache of the address search"),
    ("plan_changes", "what undo knows of changes that are watched"),
    ("plan_log", "what screens are told of changes that are watched"),
    ("plan_touched", "notes of a running transaction for plan_log"),
    ("plan_versions", "a counter of plan_log"),
    ("proof_checks", "links, made with the first proof, which is watched"),
    ("proof_seal_starts", "since when there are seals"),
    ("proof_seals", "fingerprints of what is watched"),
    ("rehearsal", "how far the planning of a rehearsed day is"),
    ("rehearsal_acts", "what simulated drivers will do; what they do is watched"),
    ("rehearsal_drivers", "where simulated drivers are"),
    ("run_contacts", "when a phone was last heard of"),
    ("runsheet_jobs", "what a phone has been shown"),
    ("tracking_asks", "how often a customer's page was asked for something"),
    ("tracking_device_contacts", "when a device was last heard of"),
    ("udf_runs", "a log of its own, of actions that are watched"),
];

/// Every table of an organisation is watched by the trail, or it is said why not; of those that are, every column is watched
/// or said not to be.
#[tokio::test]
async fn every_table_is_watched_or_said_not_to_be() {
    let tenant = crate::support::tenant().await;
    let mut database = tenant.organisation.database().await;
    let unwatched: Vec<&str> = UNWATCHED.map(|(table, _)| table).into();
    let forgotten: Vec<String> = sqlx::query_scalar(
        "select c.relname::text from pg_class c
         where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all ($1)
             and not exists (
                 select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'audit_inserted' and t.tgenabled = 'O'
             )",
    )
    .bind(unwatched)
    .fetch_all(&mut database)
    .await
    .unwrap();
    assert_eq!(forgotten, [""; 0]);
    let columns: Vec<String> = sqlx::query_scalar(
        "select w.table_name || '.' || a.attname from audit_watched w
         join pg_attribute a on a.attrelid = w.table_name::regclass and a.attnum > 0 and not a.attisdropped
         where a.attname <> all (w.columns || w.unwatched || array['id', 'created', 'modified'])",
    )
    .fetch_all(&mut database)
    .await
    .unwrap();
    assert_eq!(columns, [""; 0]);
}
