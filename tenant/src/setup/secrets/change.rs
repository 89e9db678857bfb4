//! Making, changing and deleting secrets.

use axum::Json;
use axum::extract::State;
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::http::Path;
use routewright_core::http::respond::Created;
use routewright_core::{Body, Error, Given, OnConstraint, Result};
use routewright_tenancy::Db;
use routewright_tenancy::resource::{self, BulkItem, DeleteMany, Deleted, DeletedMany};
use serde_json::Value;

use super::model::{Secret, SecretFields};
use super::{cipher, sms, store};
use crate::app::App;

/// Longest value, characters: a private key fits.
const LONGEST: usize = 20_000;

/// `POST /secrets`: a name that is there already takes the new value, since nobody can look the old one up.
pub(super) async fn create(
    mut db: Db,
    State(app): State<App>,
    Body(fields): Body<SecretFields>,
) -> Result<Created<Secret>> {
    let caller = db.caller().clone();
    let mut problems = Problems::default();
    check(&fields, &mut problems);
    for (field, missing) in [("name", fields.name.is_none()), ("value", fields.value.is_none())] {
        problems.require(!missing, field, check::REQUIRED);
    }
    problems.finish()?;
    let (name, value) = (fields.name.unwrap_or_default(), fields.value.unwrap_or_default());
    let id = store::put(&mut db, &app.deployment.master_key, &caller, &name, &value, cipher::MASK).await?;
    resource::find(&mut db, &caller, id).await.map(Created)
}

/// `PATCH /secrets/{id}`.
pub(super) async fn patch(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(fields): Body<SecretFields>,
) -> Result<Json<Secret>> {
    change(&mut db, &app, id, fields).await.map(Json)
}

/// `PATCH /secrets/bulk`: all or nothing.
pub(super) async fn patch_bulk(
    mut db: Db,
    State(app): State<App>,
    Body(items): Body<Vec<BulkItem>>,
) -> Result<Json<Vec<Secret>>> {
    let mut secrets = Vec::with_capacity(items.len());
    for item in items {
        let given: Given<SecretFields> = Given::parse(Value::Object(item.change))?;
        secrets.push(change(&mut db, &app, item.id, given.value).await?);
    }
    Ok(Json(secrets))
}

async fn change(db: &mut Db, app: &App, id: i64, fields: SecretFields) -> Result<Secret> {
    let caller = db.caller().clone();
    let mut problems = Problems::default();
    check(&fields, &mut problems);
    problems.finish()?;
    let mut secret: Secret = resource::find(db, &caller, id).await?;
    if let Some(name) = fields.name.filter(|name| *name != secret.name) {
        sqlx::query("update secrets set name = $2 where id = $1")
            .bind(id)
            .bind(&name)
            .execute(&mut **db)
            .await
            .on_constraint("secrets_name_key", || Error::field("name", "This value is already in use"))?;
        secret.name = name;
    }
    if let Some(value) = fields.value {
        let master = &app.deployment.master_key;
        store::put(db, master, &caller, &secret.name, &value, cipher::MASK).await?;
    }
    resource::find(db, &caller, id).await
}

fn check(fields: &SecretFields, problems: &mut Problems) {
    problems.optional_text("name", fields.name.as_deref(), 100);
    problems.require(fields.name.as_deref() != Some(sms::NAME), "name", "This name is reserved");
    problems.optional_text("value", fields.value.as_deref(), LONGEST);
}

/// `DELETE /secrets/{id}`.
pub(super) async fn delete(mut db: Db, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    remove(&mut db, id).await?;
    Ok(Json(Deleted { id }))
}

/// `DELETE /secrets/bulk`: all or nothing.
pub(super) async fn delete_bulk(mut db: Db, Body(asked): Body<DeleteMany>) -> Result<Json<DeletedMany>> {
    asked.each(&mut db, &(), async |db: &mut Db, (): &(), id| remove(db, id).await).await
}

async fn remove(db: &mut Db, id: i64) -> Result<()> {
    let caller = db.caller().clone();
    let _: Secret = resource::find(db, &caller, id).await?;
    sqlx::query("delete from secrets where id = $1").bind(id).execute(&mut **db).await?;
    Ok(())
}
