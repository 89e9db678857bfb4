//! The log of the plan names columns by hand (migration 14): here the tables are held against it, column by column, so that
//! none is added that changes unseen.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, FromRow};

use crate::execution::ready;
use crate::support::{Tenant, tenant};

/// Names in the log, each with the columns that it stands for.
type Named = &'static [(&'static str, &'static [&'static str])];

/// What a change of a column is in the log, table by table, where it is not a field of the same name that people write.
const OTHERWISE: [(&str, Named); 3] = [
    (
        "jobs",
        &[
            ("placed", &["run_id", "seq"]),
            // Another scenario's, or the pool's: removed here.
            ("removed", &["scenario_id"]),
            ("location", &["address", "lat", "lon"]),
            // Worked out, or noted by the service: nobody's writing is lost when it is written over.
            (
                "shown",
                &[
                    "tracking_token",
                    "timezone",
                    "location_id",
                    "eta",
                    "etd",
                    "updated_eta",
                    "wait_seconds",
                    "unserved_reason",
                    "last_tracking_sent_at",
                    "customer_instructions",
                    "customer_safe_place",
                    "eta_alerted_at",
                    "eta_alerted_minutes",
                    "created",
                ],
            ),
        ],
    ),
    (
        "runs",
        &[
            ("start_location", &["start_address", "start_lat", "start_lon"]),
            ("end_location", &["end_address", "end_lat", "end_lon"]),
            (
                "shown",
                &[
                    "token",
                    "driver_id",
                    "start_location_id",
                    "end_location_id",
                    "distance",
                    "total_driving_time",
                    "total_job_duration",
                    "fuel_consumption",
                    "actual_fuel_consumption",
                    "co2_emissions",
                    "actual_co2_emissions",
                    "route",
                    "roads_source",
                    "dispatched_at",
                    "validated_at",
                    "rate_name",
                    "rate_cost_per_run",
                    "rate_cost_per_km",
                    "rate_cost_per_hour",
                    "rate_cost_per_drop",
                    "rate_currency",
                    "bill_id",
                    "departure_fixed",
                    "created",
                    // Whoever writes them is held against every new time of the run.
                    "planned_start_time",
                    "planned_end_time",
                    // Never changes: a run stays in its scenario.
                    "scenario_id",
                ],
            ),
        ],
    ),
    (
        "scenarios",
        &[
            ("scenario", &["name", "stage", "scheduled_date", "starred", "default_active_driver_ids"]),
            // Locks, links and where it came from: no screen shows them.
            ("nothing", &["ws_token", "template_id", "version", "created"]),
        ],
    ),
];

/// Tables whose rows refer to jobs, runs, scenarios, units or returns and are not part of what a plan shows.
const NOT_SHOWN: [(&str, &str); 14] = [
    ("checklist_submissions", "read run by run"),
    ("files", "an upload is shown by the proof that names it"),
    ("gps_points", "positions have an event of their own; the estimates they change are columns of jobs"),
    ("job_pin_tries", "how often a phone was told a wrong PIN"),
    ("messages", "mails and text messages"),
    ("partner_messages", "what partners are sent"),
    ("plan_changes", "the history of the plan"),
    ("reschedule_requests", "an open one shows as a tag of the job"),
    ("evidence", "what could not be stored is listed by itself, and proofs that are made of it tell"),
    ("proof_checks", "links to what is shown"),
    ("run_contacts", "what a phone says of itself, and what its driver knows of the plan"),
    ("scenario_templates", "what other days are made from"),
    ("tracking_asks", "how often the page of a delivery asked for other times"),
    ("tracking_sends", "the last one is a column of jobs"),
];

/// What of the others never happens to a table: keys alone are put in and taken out, proofs stay (an office may correct all
/// but those of runs), and a task ends with its scenario.
const NEVER: [(&str, &str); 8] = [
    ("job_tags", "update"),
    ("scenario_territory_groups", "update"),
    ("job_proofs", "delete"),
    ("unit_proofs", "delete"),
    ("return_proofs", "delete"),
    ("run_proofs", "delete"),
    ("run_proofs", "update"),
    ("optimisation_tasks", "delete"),
];

/// The API document; another test holds it against the routes.
const API: &str = include_str!("../../../../platform/web/openapi.json");

#[derive(FromRow)]
struct Column {
    name: String,
    kind: String,
}

/// Columns of a table but its key and the time of its change.
async fn columns(database: &mut PgConnection, table: &str) -> Vec<Column> {
    sqlx::query_as(
        "select a.attname as name, format_type(a.atttypid, a.atttypmod) as kind from pg_attribute a
         where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
             and a.attname not in ('id', 'modified') order by a.attnum",
    )
    .bind(table)
    .fetch_all(database)
    .await
    .expect("columns")
}

/// Another value of a column's kind.
fn other(column: &Column) -> String {
    let name = &column.name;
    match column.kind.as_str() {
        "text" => format!("coalesce({name}, '') || 'x'"),
        "boolean" => format!("not coalesce({name}, false)"),
        "jsonb" => r#"'{"other": "1"}'"#.to_owned(),
        "date" => format!("coalesce({name}, '2026-01-01') + 1"),
        "time without time zone" => format!("coalesce({name}, '01:00') + interval '1 minute'"),
        "timestamp with time zone" => format!("coalesce({name}, now()) + interval '1 minute'"),
        "bigint[]" => format!("{name} || 7::bigint"),
        _ => format!("coalesce({name}, 0) + 1"),
    }
}

/// What the log says of one change of a row: its fields, or the kind of the change.
async fn logged(database: &mut PgConnection, table: &str, column: &Column, id: i64) -> BTreeSet<String> {
    sqlx::raw_sql("begin").execute(&mut *database).await.expect("a transaction");
    let change = format!("update {table} set {} = {} where id = {id}", column.name, other(column));
    sqlx::raw_sql(AssertSqlSafe(change)).execute(&mut *database).await.expect("a change");
    sqlx::raw_sql("set constraints plan_stepped immediate").execute(&mut *database).await.expect("a step");
    let rows: Vec<Value> = sqlx::query_scalar(
        "select to_jsonb(l) from plan_log l where l.xmin::text::xid8 = pg_current_xact_id()",
    )
    .fetch_all(&mut *database)
    .await
    .expect("the log");
    sqlx::raw_sql("rollback").execute(&mut *database).await.expect("the end of it");
    let fields = format!("{}_fields", table.trim_end_matches('s').replace("scenario", "job"));
    let mut found = BTreeSet::new();
    for row in rows {
        for field in row[&fields].as_array().into_iter().flatten().filter_map(Value::as_str) {
            found.insert(field.to_owned());
        }
        for kind in ["placed", "shown", "removed"] {
            let ids = row[format!("{table}_{kind}")].as_array();
            if ids.is_some_and(|ids| ids.contains(&json!(id))) {
                found.insert(kind.to_owned());
            }
        }
        if row["scenario"] == true {
            found.insert("scenario".to_owned());
        }
    }
    found
}

/// Lets any value into any column.
async fn let_everything_in(tenant: &Tenant) {
    let schema = format!("org_{}", tenant.organisation.id);
    let statements: Vec<String> = sqlx::query_scalar(
        "select format('alter table %s drop constraint %I', conrelid::regclass, conname) from pg_constraint
         where connamespace = $1::regnamespace and contype in ('f', 'c') and conparentid = 0",
    )
    .bind(&schema)
    .fetch_all(&tenant.organisation.control)
    .await
    .expect("constraints");
    for statement in statements {
        sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&tenant.organisation.control)
            .await
            .expect("fewer constraints");
    }
}

/// W-001, S-45: every column of jobs, runs and scenarios is in the log: as the field that people write, so that two who write
/// it are told of each other, or as one that is worked out, which is said here.
#[tokio::test]
async fn every_column_of_a_plan_is_logged() {
    let ready = ready().await;
    let_everything_in(&ready.tenant).await;
    let mut database = ready.tenant.organisation.database().await;
    let of = |thing: &Value| thing["id"].as_i64().expect("an id");
    let ids = BTreeMap::from([
        ("jobs", of(&ready.jobs[0])),
        ("runs", of(&ready.run)),
        ("scenarios", of(&ready.scenario)),
    ]);
    let mut faults = Vec::new();
    for (table, otherwise) in OTHERWISE {
        let columns = columns(&mut database, table).await;
        for stale in otherwise.iter().flat_map(|(_, names)| names.iter()) {
            assert!(columns.iter().any(|column| column.name == *stale), "{table} has no {stale}");
        }
        for column in &columns {
            let listed = otherwise.iter().find(|(_, names)| names.contains(&column.name.as_str()));
            let expected = listed.map_or(column.name.as_str(), |(kind, _)| kind);
            let found = logged(&mut database, table, column, ids[table]).await;
            let right = if expected == "nothing" { found.is_empty() } else { found.contains(expected) };
            if !right {
                faults.push(format!("{table}.{}: {expected} expected, the log says {found:?}", column.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// W-001, S-45: what can be sent to change a job or a run is a field of the log, so that no write of it is taken for harmless.
#[tokio::test]
async fn every_field_that_can_be_written_is_logged() {
    let ready = ready().await;
    let mut database = ready.tenant.organisation.database().await;
    let api: Value = serde_json::from_str(API).expect("the API document");
    for (path, function, except) in [
        // Of the service's own: the scenario cannot be changed.
        ("/jobs/{id}", "jobs_touched", vec!["scenario_id"]),
        // Only when it is made, or not stored; the planned times are held against every new time of the run.
        (
            "/runs/{id}",
            "runs_touched",
            vec![
                "scenario_id",
                "driver_id",
                "config_id",
                "scenario_reason_id",
                "force",
                "planned_start_time",
                "planned_end_time",
            ],
        ),
    ] {
        let source: String = sqlx::query_scalar(
            "select prosrc from pg_proc where proname = $1 and pronamespace = current_schema()::regnamespace",
        )
        .bind(function)
        .fetch_one(&mut database)
        .await
        .expect("the trigger");
        let mut body = &api["paths"][path]["patch"]["requestBody"]["content"]["application/json"]["schema"];
        while let Some(name) = body["$ref"].as_str() {
            body = api.pointer(name.trim_start_matches('#')).expect("a schema");
        }
        let fields = body["properties"].as_object().unwrap_or_else(|| panic!("{path}: {body}"));
        let missing: Vec<&String> = fields
            .keys()
            .filter(|field| {
                !except.contains(&field.as_str()) && !source.contains(&format!("then '{field}' end"))
            })
            .collect();
        assert!(missing.is_empty(), "{path} takes {missing:?}, which {function} does not name");
    }
}

/// W-001: whatever hangs on jobs, runs, scenarios and their items tells of its changes, or is named here with why not.
#[tokio::test]
async fn every_table_that_a_plan_shows_tells_of_its_changes() {
    let ready = ready().await;
    let mut database = ready.tenant.organisation.database().await;
    let found: Vec<(String, Vec<String>)> = sqlx::query_as(
        "with parts as (
             select distinct conrelid from pg_constraint
             where contype = 'f' and connamespace = current_schema()::regnamespace
                 and confrelid in ('jobs'::regclass, 'runs'::regclass, 'scenarios'::regclass, 'units'::regclass, 'returns'::regclass)
         )
         select conrelid::regclass::text, array(
             select event from (values ('insert', 4), ('delete', 8), ('update', 16)) as e (event, bit)
             where not exists (
                 select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                 where t.tgrelid = conrelid and t.tgtype & bit > 0 and p.proname like '%\\_touched'
             ))
         from parts order by 1",
    )
    .fetch_all(&mut database)
    .await
    .expect("tables");
    let mut faults = Vec::new();
    for (table, silent) in &found {
        let hidden = NOT_SHOWN.iter().any(|(name, _)| name == table);
        if hidden && silent.len() < 3 {
            faults.push(format!("{table} does tell"));
        }
        for event in silent.iter().filter(|_| !hidden) {
            if !NEVER.contains(&(table.as_str(), event.as_str())) {
                faults.push(format!("{table} does not tell of an {event}"));
            }
        }
    }
    for name in NOT_SHOWN.iter().chain(&NEVER).map(|(name, _)| name) {
        assert!(found.iter().any(|(table, _)| table == name), "{name} is listed and hangs on nothing");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// V-09: rows before and after a change are joined in time that grows with their number, however small the first change of a
/// session was, whose plan Postgres keeps: by settings, or because many rows have a statement of their own.
#[tokio::test]
async fn old_rows_and_new_ones_are_joined_by_hash() {
    let tenant = tenant().await;
    let joining: Vec<(String, Vec<String>, bool)> = sqlx::query_as(
        "select proname::text, coalesce(proconfig, '{}'),
             prosrc like '%if exists (select from new_rows offset 100) then%' from pg_proc
         where pronamespace = $1::regnamespace and prorettype = 'trigger'::regtype
             and prosrc ~ 'old_rows \\w+ join new_rows' order by 1",
    )
    .bind(format!("org_{}", tenant.organisation.id))
    .fetch_all(&tenant.organisation.control)
    .await
    .expect("functions");
    // Those of the plan and of the audit trail.
    assert!(joining.len() > 40, "{joining:?}");
    for (name, settings, _) in joining.into_iter().filter(|(_, _, has_its_own)| !has_its_own) {
        assert!(settings.contains(&"enable_nestloop=off".to_owned()), "{name}: {settings:?}");
        assert!(settings.contains(&"jit=off".to_owned()), "{name}: {settings:?}");
    }
}
