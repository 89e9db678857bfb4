//! What an import reads and writes. All rows go in few statements, whatever their number.

use std::collections::{BTreeSet, HashMap, HashSet};

use routewright_core::place::Location;
use routewright_core::{Error, Given, Jsonb, Result};
use routewright_tenancy::{Db, resource};
use serde_json::{Map, Value, json};

use super::read::Row;
use super::{Attached, Imported, OnDuplicate};
use crate::app::App;
use crate::jobs::{self, Job};
use crate::place_columns::flatten;
use crate::plan::{self, Departure, Planner};
use crate::settings::Settings;

/// A client as far as rows take from it.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Client {
    pub id: i64,
    pub uid: String,
    pub name: String,
    pub location: Option<Jsonb<Location>>,
    pub arrive_after: Option<String>,
    pub leave_by: Option<String>,
    pub spec_type: Option<String>,
    pub delivery_instructions: Option<String>,
    pub customer_email: Option<String>,
    pub phone_number: Option<String>,
    pub dock_location: Option<String>,
    pub external_comments: Option<String>,
    pub consignee_info: Option<String>,
    pub colour: Option<String>,
}

/// The clients that rows name, by uid.
pub(super) async fn clients(db: &mut Db, rows: &[Row]) -> Result<HashMap<String, Client>> {
    let uids: Vec<&String> = rows.iter().filter_map(|row| row.client_uid.as_ref()).collect();
    let clients: Vec<Client> = sqlx::query_as(
        "select id, uid, name, case when lat is null then null else
             jsonb_build_object('id', location_id, 'address', address, 'lat', lat, 'lon', lon) end as location,
             to_char(arrive_after, 'HH24:MI') as arrive_after, to_char(leave_by, 'HH24:MI') as leave_by, spec_type,
             delivery_instructions, customer_email, phone_number, dock_location, external_comments, consignee_info, colour
         from clients where uid = any($1)",
    )
    .bind(uids)
    .fetch_all(&mut **db)
    .await?;
    Ok(clients.into_iter().map(|client| (client.uid.clone(), client)).collect())
}

/// Coordinates of addresses that the organisation knows, by address in lower case.
pub(super) async fn known_places(
    db: &mut Db,
    addresses: &BTreeSet<String>,
) -> Result<HashMap<String, (f64, f64)>> {
    let wanted: Vec<String> = addresses.iter().map(|address| address.to_lowercase()).collect();
    let rows: Vec<(String, f64, f64)> = sqlx::query_as(
        "select lower(address), lat, lon from locations where lower(address) = any($1)
         union all
         select lower(address), lat, lon from clients where lower(address) = any($1) and lat is not null",
    )
    .bind(wanted)
    .fetch_all(&mut **db)
    .await?;
    Ok(rows.into_iter().map(|(address, lat, lon)| (address, (lat, lon))).collect())
}

/// A job that the scenario has already.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Existing {
    pub id: i64,
    pub uid: String,
    pub pickup_from: Option<String>,
    pub deliver_to: Option<String>,
}

/// Jobs of the scenario that rows name, be it as themselves or in links, the oldest of a uid first.
pub(super) async fn existing(db: &mut Db, scenario: Option<i64>, rows: &[Row]) -> Result<Vec<Existing>> {
    let mut uids: HashSet<String> = rows.iter().filter_map(|row| row.fields.uid.clone()).collect();
    for row in rows {
        for list in [&row.fields.pickup_from, &row.fields.deliver_to] {
            uids.extend(jobs::links::uids(list.as_deref()));
        }
    }
    let uids: Vec<String> = uids.into_iter().collect();
    let existing = sqlx::query_as(
        "select id, uid, pickup_from, deliver_to from jobs
         where scenario_id is not distinct from $1
             and (uid = any($2) or pickup_from is not null or deliver_to is not null)
         order by id",
    )
    .bind(scenario)
    .bind(uids)
    .fetch_all(&mut **db)
    .await?;
    Ok(existing)
}

/// Stores the rows: new jobs in one statement, changed ones one by one, then units, returns and links.
pub(super) async fn write(
    db: &mut Db,
    app: &App,
    scenario: Option<i64>,
    on_duplicate: OnDuplicate,
    rows: &[Row],
    attached: HashMap<usize, Vec<Attached>>,
    existing: &[Existing],
) -> Result<Imported> {
    if let Some(scenario) = scenario {
        plan::lock(db, scenario).await?;
    }
    let mut oldest: HashMap<&str, i64> = HashMap::new();
    for job in existing {
        oldest.entry(job.uid.as_str()).or_insert(job.id);
    }
    let mut imported = Imported { success: true, ..Imported::default() };
    let mut ids: Vec<Option<i64>> = vec![None; rows.len()];
    let mut new: Vec<usize> = Vec::new();
    let mut changed: Vec<i64> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let known = row.fields.uid.as_deref().and_then(|uid| oldest.get(uid)).copied();
        match (known, on_duplicate) {
            (Some(_), OnDuplicate::Skip) => imported.skipped += 1,
            (Some(id), OnDuplicate::Update) => {
                update(db, id, row).await?;
                ids[index] = Some(id);
                changed.push(id);
                imported.updated += 1;
            }
            _ => new.push(index),
        }
    }
    let created =
        insert(db, app, scenario, &new.iter().map(|index| &rows[*index]).collect::<Vec<_>>()).await?;
    for (index, id) in new.iter().zip(&created) {
        ids[*index] = Some(*id);
    }
    imported.created = created.len();
    attach(db, &ids, attached).await?;
    let linked: BTreeSet<i64> = rows
        .iter()
        .zip(&ids)
        .filter(|(row, _)| row.fields.pickup_from.is_some() || row.fields.deliver_to.is_some())
        .filter_map(|(_, id)| *id)
        .collect();
    if !linked.is_empty() {
        jobs::store::follow_links(db, scenario, &linked).await?;
    }
    let caller = db.caller().clone();
    if let Some(scenario) = scenario {
        time_again(db, app, scenario, &changed).await?;
    }
    jobs::store::tell_of(db, &caller, "job_created", &created).await?;
    jobs::store::tell_of(db, &caller, "job_updated", &changed).await?;
    imported.job_ids = ids.into_iter().flatten().collect();
    Ok(imported)
}

/// Changed jobs may take another time or be elsewhere: their runs get new times.
async fn time_again(db: &mut Db, app: &App, scenario: i64, jobs: &[i64]) -> Result<()> {
    let runs: Vec<i64> = sqlx::query_scalar(
        "select distinct run_id from jobs where id = any($1) and run_id is not null order by 1",
    )
    .bind(jobs)
    .fetch_all(&mut **db)
    .await?;
    let caller = db.caller().clone();
    let planner = Planner::new(app, &caller)?;
    let runs: Vec<(i64, Departure)> = runs.into_iter().map(|run| (run, Departure::Kept)).collect();
    plan::time_again(db, &planner, scenario, "import", &runs).await
}

async fn update(db: &mut Db, id: i64, row: &Row) -> Result<()> {
    let caller = db.caller().clone();
    jobs::store::refuse_validated(db, &[id]).await?;
    let mut given = Given::of(row.fields.clone())?;
    given.fields.remove("uid");
    resource::update::<Job>(db, &caller, id, given).await?;
    Ok(())
}

/// Inserts jobs in one statement; answers their ids in the same order.
async fn insert(db: &mut Db, app: &App, scenario: Option<i64>, rows: &[&Row]) -> Result<Vec<i64>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let policy = db.caller().policy()?.clone();
    let tokens = jobs::store::tracking_tokens(db, &app.gate.links, policy.organisation, rows.len()).await?;
    let duration = Settings::of(&policy).job_duration;
    let mut records = Vec::with_capacity(rows.len());
    for (position, (row, token)) in rows.iter().zip(tokens).enumerate() {
        let mut columns: Map<String, Value> = Given::of(row.fields.clone())?.fields;
        flatten(&mut columns, "location", "");
        columns.insert("scenario_id".to_owned(), json!(scenario));
        columns.insert("tracking_token".to_owned(), token.into());
        columns.insert("timezone".to_owned(), policy.timezone.name().into());
        columns.entry("duration").or_insert_with(|| duration.into());
        columns.entry("priority").or_insert_with(|| false.into());
        columns.entry("colour").or_insert_with(|| "#34495e".into());
        columns.entry("extra_fields").or_insert_with(|| json!({}));
        columns.insert("seq".to_owned(), position.into());
        records.push(Value::Object(columns));
    }
    // `seq` only carries the order of the file; a new job has no position.
    let ids: Vec<i64> = sqlx::query_scalar(
        "insert into jobs (uid, scenario_id, tracking_token, timezone, location_id, address, lat, lon, client_id,
             customer_name, customer_email, phone_number, duration, arrive_after, leave_by, size, spec_type, priority, colour,
             comments, consignee_info, consignor_info, external_comments, dock_location, invoice, reference, pickup_from,
             deliver_to, extra_fields)
         select uid, scenario_id, tracking_token, timezone, location_id, address, lat, lon, client_id,
             customer_name, customer_email, phone_number, duration, arrive_after, leave_by, size, spec_type, priority, colour,
             comments, consignee_info, consignor_info, external_comments, dock_location, invoice, reference, pickup_from,
             deliver_to, extra_fields
         from jsonb_populate_recordset(null::jobs, $1) order by seq
         returning id",
    )
    .bind(Value::Array(records))
    .fetch_all(&mut **db)
    .await?;
    Ok(ids)
}

async fn attach(db: &mut Db, ids: &[Option<i64>], attached: HashMap<usize, Vec<Attached>>) -> Result<()> {
    for (index, items) in attached {
        let Some(job) = ids.get(index).copied().flatten() else { continue };
        for item in items {
            if let Some(unit) = item.unit {
                sqlx::query(
                    "insert into units (uid, name, invoice, reference, job_id) values ($1, $2, $3, $4, $5)",
                )
                .bind(unit.get("uid"))
                .bind(unit.get("name"))
                .bind(unit.get("invoice"))
                .bind(unit.get("reference"))
                .bind(job)
                .execute(&mut **db)
                .await
                .map_err(|error| {
                    Error::bad_request(format!("Row {}: the unit cannot be stored", item.row))
                        .caused_by(error)
                })?;
            }
            if let Some(returned) = item.returned {
                sqlx::query("insert into returns (uid, comments, job_id) values ($1, $2, $3)")
                    .bind(returned.get("uid"))
                    .bind(returned.get("comments"))
                    .bind(job)
                    .execute(&mut **db)
                    .await
                    .map_err(|error| {
                        Error::bad_request(format!("Row {}: the return cannot be stored", item.row))
                            .caused_by(error)
                    })?;
            }
        }
    }
    Ok(())
}
