//! The audit trail (S-45): who did what to which thing, and what it was before. It is written by the database (migration 31);
//! here it is read and exported.

mod names;

use axum::extract::{RawQuery, State};
use chrono::{DateTime, Utc};
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape};
use routewright_core::{Access, Error, Jsonb, Result, Routes};
use routewright_documents::sheet::{Cell, Column, Sheet};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use self::names::Changes;
use crate::app::App;
use crate::setup::excel_exports::{self, Exported, From, LARGE, Source, Wanted, local};

/// Those who set the organisation up.
const READ: Access = Access::levels(&["organisation_settings_write"]);
const EXPORT: Access = Access::levels(&["organisation_settings_write", "excel_export"]);

const COLUMNS: &str = "e.id, e.at, e.actor_kind, e.actor_id,
    coalesce(e.actor_name, case e.actor_kind
        when 'driver' then 'Driver of ' || coalesce((select r.uid from runs r where r.id = e.actor_id), 'run #' || e.actor_id)
        when 'link' then 'Link' when 'user' then 'User #' || e.actor_id when 'operator' then 'Operator #' || e.actor_id
        else 'Routewright' end) as actor,
    e.action, e.change, e.kind as object_kind, e.object_id, e.object_name,
    (select coalesce(jsonb_object_agg(field, jsonb_build_array(e.before -> field, e.after -> field)), '{}')
     from jsonb_object_keys(e.before || e.after) as field
     where nullif(e.before -> field, 'null') is distinct from nullif(e.after -> field, 'null')) as changes,
    e.reason, e.request_id";
/// What came to nothing within its transaction is left out: made and removed, changed and changed back, put at the other end
/// of the same run.
const FROM: &str = "(
    select * from audit_entries
    where change <> 'none' and not (change = 'changed' and reason is null and before - 'seq' = after - 'seq')
) e";

const SHAPE: Shape = Shape {
    filters: &[
        Filter::date("at", "(e.at at time zone 'utc')::date"),
        Filter::choice("actor_kind", "e.actor_kind"),
        Filter::id("actor_id", "e.actor_id"),
        Filter::text("actor", "e.actor_name"),
        Filter::choice("object_kind", "e.kind"),
        Filter::choice("change", "e.change"),
        Filter::id("object_id", "e.object_id"),
        Filter::text("object_name", "e.object_name"),
        Filter::text("action", "e.action"),
        Filter::text("request_id", "e.request_id"),
    ],
    search: &["e.object_name", "e.actor_name", "e.action", "e.reason", "e.before::text", "e.after::text"],
    sort: &[
        ("id", "e.id"),
        ("at", "e.at"),
        ("object_kind", "e.kind"),
        ("object_name", "lower(e.object_name)"),
    ],
    order: "e.id desc",
};

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().list("/audit", READ, SHAPE.filters, list).get("/audit/export", EXPORT, export)
}

/// One thing that somebody did to one object.
#[derive(Debug, Serialize, JsonSchema, FromRow)]
#[schemars(rename = "AuditEntry")]
struct Entry {
    /// Id.
    id: i64,
    /// When.
    at: DateTime<Utc>,
    /// `user`, `operator` (somebody of the platform, inside the organisation), `driver`, `link`, `worker` or `system`.
    actor_kind: String,
    /// Id of the user; of a driver, the run whose sheet it was.
    actor_id: Option<i64>,
    /// Who, by name.
    actor: String,
    /// The route, or the work in the background.
    action: Option<String>,
    /// `created`, `changed`, `deleted`, or `done` for what leaves no trace in a table.
    change: String,
    /// Kind of the object, such as `job`.
    object_kind: String,
    /// Id of the object.
    object_id: Option<i64>,
    /// Its name as it was then.
    object_name: Option<String>,
    /// Fields, each with its value before and after. What is secret is masked.
    changes: Jsonb<Changes>,
    /// Why, where somebody said so.
    reason: Option<String>,
    /// The request.
    request_id: Option<String>,
}

/// A haulier's people see their own drivers and runs only; the trail is about everything.
fn refuse_hauliers(caller: &Caller) -> Result<()> {
    if caller.haulier_id().is_some() { Err(Error::denied()) } else { Ok(()) }
}

/// Makes entries of what stands in the journal (migration 43).
pub(crate) async fn unfold(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("select audit_unfold()").execute(connection).await?;
    Ok(())
}

/// `GET /audit`.
async fn list(mut db: Db, query: ListQuery) -> Result<Listed<Entry>> {
    let caller = db.caller().clone();
    refuse_hauliers(&caller)?;
    unfold(&mut db).await?;
    let mut listed = list::page(&mut db, COLUMNS, FROM, query, &SHAPE, |_| ()).await?;
    name(&mut db, &caller, &mut listed.page.data).await?;
    Ok(listed)
}

/// Tells references by name.
async fn name(connection: &mut PgConnection, caller: &Caller, entries: &mut [Entry]) -> Result<()> {
    let mut changes: Vec<&mut Changes> = entries.iter_mut().map(|entry| &mut entry.changes.0).collect();
    names::give(connection, caller.policy()?, &mut changes).await
}

/// `GET /audit/export`: at once, or in the background where it is large.
async fn export(mut db: Db, State(app): State<App>, RawQuery(query): RawQuery) -> Result<Exported> {
    let caller = db.caller().clone();
    refuse_hauliers(&caller)?;
    let wanted = Wanted::parse(query.as_deref())?;
    match table(&mut db, &caller, &wanted, LARGE).await? {
        Some(sheet) => {
            let written = excel_exports::file(&app, &caller, "audit", sheet, wanted.kind);
            db.outside(written).await?.map(Exported::File)
        }
        None => excel_exports::order(&mut db, &caller, Source::Audit, wanted.kind, &wanted.query())
            .await
            .map(Exported::Later),
    }
}

/// Tells what is wrong with the filters of an order before it is taken.
///
/// # Errors
/// 400; 403 for a haulier's people.
pub(crate) async fn check(connection: &mut PgConnection, caller: &Caller, wanted: &Wanted) -> Result<()> {
    refuse_hauliers(caller)?;
    list::page::<Entry>(connection, COLUMNS, FROM, wanted.page(1)?, &SHAPE, |_| ()).await?;
    Ok(())
}

/// The table of an export; none when there are more than `most` entries.
///
/// # Errors
/// 400 for wrong filters.
pub(crate) async fn table(
    connection: &mut PgConnection,
    caller: &Caller,
    wanted: &Wanted,
    most: i64,
) -> Result<Option<Sheet>> {
    refuse_hauliers(caller)?;
    unfold(connection).await?;
    let source = From { select: COLUMNS, from: FROM, shape: &SHAPE };
    let found = excel_exports::all::<Entry>(connection, wanted, source, most, |_, _| Ok(())).await?;
    let Some(mut found) = found else { return Ok(None) };
    name(connection, caller, &mut found).await?;
    let timezone = caller.policy()?.timezone;
    let rows = found.into_iter().map(|entry| {
        vec![
            Cell::some(local(Some(entry.at), timezone), Cell::DateTime),
            Cell::text(entry.actor),
            Cell::text(entry.actor_kind),
            Cell::text(entry.change),
            Cell::text(entry.object_kind),
            Cell::from(&entry.object_name),
            Cell::text(sentences(&entry.changes.0)),
            Cell::from(&entry.reason),
            Cell::from(&entry.action),
            Cell::from(&entry.request_id),
        ]
    });
    let columns = [
        ("at", 17.0),
        ("who", 24.0),
        ("as", 10.0),
        ("what", 10.0),
        ("kind", 16.0),
        ("object", 24.0),
        ("changes", 60.0),
        ("reason", 24.0),
        ("route", 28.0),
        ("request", 22.0),
    ];
    let columns = columns.map(|(heading, width)| Column::new(heading, width)).into();
    Ok(Some(Sheet { name: "Audit".to_owned(), columns, rows: rows.collect() }))
}

/// `run: R2#4 → R5#1`, one line for each field.
fn sentences(changes: &Changes) -> String {
    let lines = changes.iter().map(|(field, [was, is])| {
        let field = field.replace('_', " ");
        format!("{field}: {} → {}", told(was), told(is))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A value as people read it.
fn told(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(items) => items.iter().map(told).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| format!("{name} {}", told(value)))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Number(number) => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_are_told_in_words() {
        let changes = Changes::from([
            ("run".to_owned(), [json!("R2#4"), json!("R5#1")]),
            ("tags".to_owned(), [Value::Null, json!(["Cold", "Fragile"])]),
        ]);
        assert_eq!(sentences(&changes), "run: R2#4 → R5#1\ntags: – → Cold, Fragile");
    }
}
