//! Checklists that drivers fill in before they start and after they end a route (S-23). One definition per type is
//! active. What was answered keeps the definition as it was.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::http::Path;
use routewright_core::http::respond::Created;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Access, Body, Error, Given, Jsonb, Result, Routes, check};
use routewright_identity::Caller;
use routewright_tenancy::resource::{self, BulkItem};
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::app::App;
use crate::setup::files;

const READ: Access = Access::levels(&["organisation_settings_read"]);
const WRITE: Access = Access::levels(&["organisation_settings_write"]);
const SUBMISSIONS: Access = Access::levels(&["proofs_read"]);

/// Fields of a definition.
const MOST_FIELDS: usize = 30;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list(
            "/checklist/definitions",
            READ,
            resource::filters::<ChecklistDefinition>(),
            resource::list::<ChecklistDefinition>,
        )
        .post("/checklist/definitions", WRITE, create)
        .patch("/checklist/definitions/bulk", WRITE, patch_bulk)
        .get("/checklist/definitions/{id}", READ, resource::get::<ChecklistDefinition>)
        .patch("/checklist/definitions/{id}", WRITE, patch)
        .delete("/checklist/definitions/{id}", WRITE, resource::delete::<ChecklistDefinition>)
        .delete("/checklist/definitions/bulk", WRITE, resource::delete_bulk::<ChecklistDefinition>)
        .list(
            "/checklist/submissions",
            SUBMISSIONS,
            resource::filters::<ChecklistSubmission>(),
            resource::list::<ChecklistSubmission>,
        )
        .get("/checklist/submissions/{id}", SUBMISSIONS, resource::get::<ChecklistSubmission>)
}

/// What a field asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FieldType {
    /// `true` or `false`.
    Checkbox,
    /// `YYYY-MM-DD`.
    Date,
    /// `HH:mm`.
    Time,
    /// Id of a file.
    Image,
    /// Id of a file.
    Signature,
    /// Comma-separated ids of files.
    Images,
    /// Text of several lines.
    Textarea,
    /// Text of one line.
    Text,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChecklistField {
    /// Key of the answer.
    pub id: String,
    /// The question.
    pub label: String,
    /// What is asked for.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// Whether it must be answered.
    #[serde(default)]
    pub required: bool,
    /// Position.
    #[serde(default)]
    pub order: i64,
}

/// A checklist.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub struct ChecklistDefinition {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// `start_route` or `end_route`.
    #[serde(rename = "type")]
    #[sqlx(rename = "type")]
    pub kind: String,
    /// Questions in their order.
    pub fields: Jsonb<Vec<ChecklistField>>,
    /// Grows with every change of the questions.
    pub version: i32,
    /// Whether drivers get it; one of each type.
    pub active: bool,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChecklistFields {
    /// Name.
    pub name: Option<String>,
    /// `start_route` or `end_route`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Questions.
    pub fields: Option<Vec<ChecklistField>>,
    /// Whether drivers get it; the one that was active before no longer is.
    pub active: Option<bool>,
}

impl Resource for ChecklistDefinition {
    const NAME: &'static str = "Checklist definition";
    const PATH: &'static str = "/checklist/definitions";
    const TABLE: &'static str = "checklist_definitions";
    const COLUMNS: &'static str = "id, name, type, fields, version, active, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::text("name", "name"),
            Filter::choice("type", "type"),
            Filter::bool("active", "active"),
        ],
        search: &["name"],
        sort: &[("id", "id"), ("name", "lower(name)"), ("type", "type"), ("created", "created")],
        order: "id desc",
    };
    type Fields = ChecklistFields;

    fn prepare(given: &mut Given<ChecklistFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        if new {
            problems.require(given.value.name.is_some(), "name", check::REQUIRED);
            problems.require(given.value.kind.is_some(), "type", check::REQUIRED);
        }
        if let Some(kind) = given.value.kind.as_deref() {
            let known = matches!(kind, "start_route" | "end_route");
            problems.require(known, "type", "Value is not one of start_route, end_route");
        }
        check_fields(given.value.fields.as_deref().unwrap_or_default(), &mut problems);
        problems.finish()?;
        if let Some(mut fields) = given.value.fields.clone() {
            fields.sort_by_key(|field| field.order);
            given.fields.insert("fields".to_owned(), serde_json::to_value(fields)?);
        }
        Ok(())
    }

    fn check(&self, problems: &mut Problems) {
        problems.text("name", &self.name, 200);
    }
}

fn check_fields(fields: &[ChecklistField], problems: &mut Problems) {
    problems.require(fields.len() <= MOST_FIELDS, "fields", "At most 30 fields");
    let mut ids = BTreeSet::new();
    for (at, field) in fields.iter().enumerate() {
        problems.text(&format!("fields.{at}.label"), &field.label, check::SHORT_TEXT);
        problems.text(&format!("fields.{at}.id"), &field.id, 100);
        problems.require(ids.insert(&field.id), &format!("fields.{at}.id"), "This value is already in use");
    }
}

/// `POST /checklist/definitions`.
async fn create(mut db: Db, given: Given<ChecklistFields>) -> Result<Created<ChecklistDefinition>> {
    let caller = db.caller().clone();
    if let Some(kind) = given.value.kind.as_deref().filter(|_| given.value.active.unwrap_or(true)) {
        make_room(&mut db, kind, None).await?;
    }
    resource::insert(&mut db, &caller, given).await.map(Created)
}

/// `PATCH /checklist/definitions/{id}`.
async fn patch(
    mut db: Db,
    Path(id): Path<i64>,
    given: Given<ChecklistFields>,
) -> Result<Json<ChecklistDefinition>> {
    change(&mut db, id, given).await.map(Json)
}

/// `PATCH /checklist/definitions/bulk`: all or nothing.
async fn patch_bulk(mut db: Db, Body(items): Body<Vec<BulkItem>>) -> Result<Json<Vec<ChecklistDefinition>>> {
    let mut rows = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(serde_json::Value::Object(item.change))?;
        rows.push(change(&mut db, item.id, given).await?);
    }
    Ok(Json(rows))
}

async fn change(db: &mut Db, id: i64, given: Given<ChecklistFields>) -> Result<ChecklistDefinition> {
    let caller = db.caller().clone();
    let before: ChecklistDefinition = resource::find(db, &caller, id).await?;
    if given.value.active.unwrap_or(before.active) {
        make_room(db, given.value.kind.as_deref().unwrap_or(&before.kind), Some(id)).await?;
    }
    let after: ChecklistDefinition = resource::update(db, &caller, id, given).await?;
    if (&before.name, &before.kind, &before.fields.0) == (&after.name, &after.kind, &after.fields.0) {
        return Ok(after);
    }
    sqlx::query("update checklist_definitions set version = version + 1 where id = $1")
        .bind(id)
        .execute(&mut **db)
        .await?;
    resource::find(db, &caller, id).await
}

/// One definition of a type is active: the one that was before leaves its place.
async fn make_room(connection: &mut PgConnection, kind: &str, keep: Option<i64>) -> Result<()> {
    sqlx::query(
        "update checklist_definitions set active = false where type = $1 and active and id is distinct from $2",
    )
    .bind(kind)
    .bind(keep)
    .execute(connection)
    .await?;
    Ok(())
}

/// A checklist as a driver answered it.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct ChecklistSubmission {
    /// Id.
    id: i64,
    /// The definition as it was.
    checklist_definition: Jsonb<serde_json::Value>,
    /// Answers by field id.
    values: Jsonb<BTreeMap<String, String>>,
    /// The run.
    run_id: i64,
    /// The person at the wheel, where known.
    submitted_by: Option<i64>,
    /// When it was stored.
    created: DateTime<Utc>,
}

impl Resource for ChecklistSubmission {
    const NAME: &'static str = "Checklist submission";
    const PATH: &'static str = "/checklist/submissions";
    const TABLE: &'static str = "checklist_submissions";
    const FROM: &'static str = "checklist_submissions c join runs r on r.id = c.run_id
        left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id";
    const ID: &'static str = "c.id";
    const COLUMNS: &'static str =
        "c.id, c.checklist_definition, c.values, c.run_id, c.submitted_by, c.created";
    const SHAPE: Shape = Shape {
        filters: &[Filter::id("run_id", "c.run_id"), Filter::id("scenario_id", "r.scenario_id")],
        search: &[],
        sort: &[("id", "c.id"), ("created", "c.created")],
        order: "c.id desc",
    };
    type Fields = Submission;

    fn narrow(caller: &Caller, conditions: &mut Where) {
        if let Some(haulier) = caller.haulier_id() {
            let place = conditions.bind(haulier);
            conditions.and(&format!("(d.haulier_id = {place} or v.haulier_id = {place})"));
        }
    }
}

/// A checklist to be stored.
#[derive(Debug, Default, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Submission {
    /// The definition that was answered.
    checklist_definition_id: Option<i64>,
    /// Answers by field id.
    values: BTreeMap<String, String>,
}

/// The active definition of a type.
///
/// # Errors
/// Database faults.
pub(crate) async fn active(connection: &mut PgConnection, kind: &str) -> Result<Option<ChecklistDefinition>> {
    Ok(sqlx::query_as(
        "select id, name, type, fields, version, active, created, modified from checklist_definitions
         where type = $1 and active",
    )
    .bind(kind)
    .fetch_optional(connection)
    .await?)
}

/// Stores a driver's answers. The same answers of the same run again are stored once.
///
/// # Errors
/// 400 `{label} is required` for a required field without answer.
pub(crate) async fn submit(
    connection: &mut PgConnection,
    caller: &Caller,
    run: i64,
    submission: &Submission,
) -> Result<ChecklistSubmission> {
    let id = submission
        .checklist_definition_id
        .ok_or_else(|| Error::field("checklist_definition_id", check::REQUIRED))?;
    let definition: ChecklistDefinition = resource::find(connection, caller, id)
        .await
        .map_err(|_| Error::field("checklist_definition_id", "Checklist definition not found"))?;
    for field in &definition.fields.0 {
        let answer = submission.values.get(&field.id).map(|text| text.trim()).unwrap_or_default();
        let open = answer.is_empty() || (field.kind == FieldType::Checkbox && answer != "true");
        if field.required && open {
            return Err(Error::field(format!("values.{}", field.id), format!("{} is required", field.label)));
        }
        if !answer.is_empty() {
            check_answer(connection, caller, run, field, answer).await?;
        }
    }
    if let Some(unknown) =
        submission.values.keys().find(|key| !definition.fields.iter().any(|field| field.id == **key))
    {
        return Err(Error::field(format!("values.{unknown}"), "There is no such field"));
    }
    let made: i64 = sqlx::query_scalar(
        "with before as (
             select id from checklist_submissions
             where run_id = $1 and checklist_definition_id = $2 and values = $4 order by id limit 1
         ), made as (
             insert into checklist_submissions (run_id, checklist_definition_id, checklist_definition, values, submitted_by)
             select $1, $2, $3, $4, (select driver_user_id from runs where id = $1)
             where not exists (select from before) returning id
         ) select id from made union all select id from before",
    )
    .bind(run)
    .bind(id)
    .bind(serde_json::to_value(&definition)?)
    .bind(serde_json::to_value(&submission.values)?)
    .fetch_one(&mut *connection)
    .await?;
    resource::find(connection, caller, made).await
}

/// An answer must be what the field asks for.
async fn check_answer(
    connection: &mut PgConnection,
    caller: &Caller,
    run: i64,
    field: &ChecklistField,
    answer: &str,
) -> Result<()> {
    let name = format!("values.{}", field.id);
    let wrong = |reason: &str| Err(Error::field(name.clone(), reason));
    match field.kind {
        FieldType::Checkbox if !matches!(answer, "true" | "false") => {
            wrong("Value is neither true nor false")
        }
        FieldType::Date if answer.parse::<chrono::NaiveDate>().is_err() => {
            wrong("Value is not a date (YYYY-MM-DD)")
        }
        FieldType::Time if check::time_of_day(answer).is_none() => {
            wrong("Value is not a time of day (HH:mm)")
        }
        FieldType::Text | FieldType::Textarea if answer.chars().count() > check::LONG_TEXT => {
            wrong(check::TOO_LONG)
        }
        FieldType::Image | FieldType::Signature | FieldType::Images => {
            let ids: Option<Vec<i64>> = answer.split(',').map(|id| id.trim().parse().ok()).collect();
            let Some(ids) = ids.filter(|ids| field.kind == FieldType::Images || ids.len() == 1) else {
                return wrong("Value is not a file");
            };
            files::require(connection, caller, Some(run), &name, &ids).await
        }
        _ => Ok(()),
    }
}
