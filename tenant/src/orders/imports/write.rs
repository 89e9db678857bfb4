//! What an import writes: one statement per table, whatever the number of rows, and nothing where nothing changed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use routewright_core::error::Problems;
use routewright_core::{Given, Result};
use routewright_tenancy::Db;
use serde_json::{Map, Value, json};

use super::file::File;
use super::linking::{self, Links};
use super::read::{Row, RowError};
use super::store::{self, Existing, Items, Kind};
use super::{Imported, OnDuplicate};
use crate::app::App;
use crate::fleet::place_columns::flatten;
use crate::orders::jobs::{self, links};
use crate::plan::{self, Departure, Planner};
use crate::setup::settings::Settings;

/// What rows want of jobs that are there already.
pub(super) struct Changes {
    on_duplicate: OnDuplicate,
    /// By the number of the row.
    known: HashMap<usize, Change>,
    items: Items,
}

/// What a row wants of its job.
struct Change {
    id: i64,
    columns: Map<String, Value>,
    differs: bool,
}

impl Changes {
    /// Finds out which rows differ from their jobs, and tells those that must not.
    pub(super) async fn of(
        db: &mut Db,
        existing: &[Existing],
        on_duplicate: OnDuplicate,
        file: &mut File,
    ) -> Result<Self> {
        let mut changes = Self { on_duplicate, known: HashMap::new(), items: Items::default() };
        if on_duplicate != OnDuplicate::Update {
            return Ok(changes);
        }
        let oldest = linking::oldest(existing);
        let rows: Vec<(&Row, &Existing)> = file
            .rows
            .iter()
            .filter_map(|row| Some((row, *oldest.get(row.fields.uid.as_deref()?)?)))
            .collect();
        for (row, job) in &rows {
            changes
                .known
                .insert(row.number, Change { id: job.id, columns: columns(row, job)?, differs: false });
        }
        for difference in store::differences(
            db,
            changes.known.iter().map(|(number, change)| (*number, change.id, &change.columns)),
        )
        .await?
        {
            let mut faults = Problems::default();
            faults.window(difference.arrive_after.as_deref(), difference.leave_by.as_deref());
            for (field, message) in faults.into_fields() {
                file.errors.push(RowError::new(difference.row(), &field, message));
            }
            if let Some(change) = changes.known.get_mut(&difference.row()) {
                change.differs = true;
            }
        }
        let with_items: Vec<i64> =
            rows.iter().filter(|(row, _)| row.has_items()).map(|(_, job)| job.id).collect();
        changes.items = store::items(db, &with_items).await?;
        for (row, job) in rows {
            if !job.visible {
                file.errors.push(RowError::new(row.number, "uid", "Job not found"));
            } else if let Some(run) = &job.validated_run
                && changes.touches(row, job)
            {
                let text = plan::validated(run).description();
                file.errors.push(RowError::new(row.number, "uid", text));
            }
        }
        Ok(changes)
    }

    /// Whether a row would change its job or what hangs on it.
    fn touches(&self, row: &Row, job: &Existing) -> bool {
        let links = [(&row.fields.pickup_from, &job.pickup_from), (&row.fields.deliver_to, &job.deliver_to)];
        self.known.get(&row.number).is_some_and(|change| change.differs)
            || links.into_iter().any(|(given, stored)| {
                !links::uids(given.as_deref()).is_subset(&links::uids(stored.as_deref()))
            })
            || Kind::ALL
                .into_iter()
                .any(|kind| row.items(kind).iter().any(|item| self.items.differs(kind, job.id, &item.values)))
    }
}

/// The columns that a row gives its job. Links are not among them; further fields come beside those that are there.
fn columns(row: &Row, job: &Existing) -> Result<Map<String, Value>> {
    let mut columns = job_columns(row)?;
    columns.remove("uid");
    let mut extra: BTreeMap<String, String> = row.client_extra.clone();
    extra.extend(job.extra_fields.iter().map(|(name, value)| (name.clone(), value.clone())));
    extra.extend(row.fields.extra_fields.clone().unwrap_or_default());
    columns.insert("extra_fields".to_owned(), json!(extra));
    Ok(columns)
}

fn job_columns(row: &Row) -> Result<Map<String, Value>> {
    let mut columns: Map<String, Value> = Given::of(row.fields.clone())?.fields;
    flatten(&mut columns, "location", "");
    columns.remove("pickup_from");
    columns.remove("deliver_to");
    Ok(columns)
}

/// Stores the rows: new jobs, changed ones, links, units and returns, each in one statement; then runs get new times once.
pub(super) async fn rows(
    db: &mut Db,
    app: &App,
    scenario: Option<i64>,
    existing: &[Existing],
    mut changes: Changes,
    file: &mut File,
) -> Result<Imported> {
    let mut imported = Imported { success: true, rows: file.total, ..Imported::default() };
    let links =
        linking::settle(&file.rows, existing, changes.on_duplicate).map_err(jobs::store::link_fault)?;
    let mut touched = update(db, existing, &mut changes, &file.rows, &links).await?;
    let new: Vec<&Row> = file.rows.iter().filter(|row| !changes.known.contains_key(&row.number)).collect();
    let created = insert(db, app, scenario, &new, &links).await?;
    let mut ids: HashMap<usize, i64> =
        changes.known.iter().map(|(number, change)| (*number, change.id)).collect();
    ids.extend(new.iter().zip(&created).map(|(row, id)| (row.number, *id)));
    jobs::store::write_links(db, &links.others).await?;
    for kind in Kind::ALL {
        touched.extend(store::write_items(db, kind, &changes.items, &file.rows, &ids).await?);
    }
    for row in &file.rows {
        imported.joined += row.numbers().count() - 1;
        let Some(id) = ids.get(&row.number) else { continue };
        imported.job_ids.push(*id);
        if !changes.known.contains_key(&row.number) {
            imported.created += 1;
        } else if touched.contains(id) {
            imported.updated += 1;
        } else {
            imported.unchanged += 1;
        }
    }
    let updated: Vec<i64> = touched.into_iter().filter(|id| !created.contains(id)).collect();
    if let Some(scenario) = scenario {
        time_again(db, app, scenario, &updated).await?;
    }
    let caller = db.caller().clone();
    jobs::store::tell_of(db, &caller, "job_created", &created).await?;
    jobs::store::tell_of(db, &caller, "job_updated", &updated).await?;
    imported.skipped_rows = std::mem::take(&mut file.skipped);
    imported.skipped = imported.skipped_rows.len();
    Ok(imported)
}

/// Writes what differs, answers the ids of the jobs that changed.
async fn update(
    db: &mut Db,
    existing: &[Existing],
    changes: &mut Changes,
    rows: &[Row],
    links: &Links,
) -> Result<BTreeSet<i64>> {
    let stored: HashMap<i64, &Existing> = existing.iter().map(|job| (job.id, job)).collect();
    let mut changed: BTreeMap<i64, Map<String, Value>> = BTreeMap::new();
    for row in rows {
        let Some(change) = changes.known.get_mut(&row.number) else { continue };
        if let (Some(linked), Some(job)) = (links.rows.get(&row.number), stored.get(&change.id)) {
            for (field, list, before) in [
                ("pickup_from", &linked.pickup_from, &job.pickup_from),
                ("deliver_to", &linked.deliver_to, &job.deliver_to),
            ] {
                if *list != links::uids(before.as_deref()) {
                    change.columns.insert(field.to_owned(), json!(links::text(list)));
                    change.differs = true;
                }
            }
        }
        if change.differs {
            changed.insert(change.id, std::mem::take(&mut change.columns));
        }
    }
    store::update_jobs(db, &changed).await?;
    Ok(changed.into_keys().collect())
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

/// Inserts jobs in one statement; answers their ids in the same order.
async fn insert(
    db: &mut Db,
    app: &App,
    scenario: Option<i64>,
    rows: &[&Row],
    links: &Links,
) -> Result<Vec<i64>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let policy = db.caller().policy()?.clone();
    let tokens = jobs::store::tracking_tokens(db, &app.gate.links, policy.organisation, rows.len()).await?;
    let duration = Settings::of(&policy).job_duration;
    let mut records = Vec::with_capacity(rows.len());
    for (position, (row, token)) in rows.iter().zip(tokens).enumerate() {
        let mut columns = job_columns(row)?;
        let mut extra = row.client_extra.clone();
        extra.extend(row.fields.extra_fields.clone().unwrap_or_default());
        columns.insert("extra_fields".to_owned(), json!(extra));
        if let Some(linked) = links.rows.get(&row.number) {
            columns.insert("pickup_from".to_owned(), json!(links::text(&linked.pickup_from)));
            columns.insert("deliver_to".to_owned(), json!(links::text(&linked.deliver_to)));
        }
        columns.insert("scenario_id".to_owned(), json!(scenario));
        columns.insert("tracking_token".to_owned(), token.into());
        columns.insert("timezone".to_owned(), policy.timezone.name().into());
        columns.entry("duration").or_insert_with(|| duration.into());
        columns.entry("priority").or_insert_with(|| false.into());
        columns.entry("colour").or_insert_with(|| "#34495e".into());
        columns.insert("seq".to_owned(), position.into());
        records.push(Value::Object(columns));
    }
    store::insert_jobs(db, records).await
}
