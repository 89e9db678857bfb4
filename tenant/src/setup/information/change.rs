//! Reading and replacing a group.

use axum::Json;
use routewright_core::error::Problems;
use routewright_core::http::{Path, body};
use routewright_core::{Body, Error, Module, Result};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::groups::{App, DeliveryTracking, Dispatch, Group, Notification, Reschedule, Udf};
use super::proof_of_delivery::ProofOfDelivery;
use super::shape::{Given, Information};
use crate::setup::{files, secrets};

/// Which group of which organisation.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Which {
    /// The caller's organisation.
    id: i64,
    /// Name of the group.
    #[schemars(extend("enum" = [
        Reschedule::NAME, Notification::NAME, App::NAME, ProofOfDelivery::NAME, DeliveryTracking::NAME,
        Dispatch::NAME, Udf::NAME,
    ]))]
    group: String,
}

/// `GET /organisations/{id}/information/{group}`.
pub(super) async fn get(mut db: Db, Path(Which { id, group }): Path<Which>) -> Result<Json<Information>> {
    own(db.caller(), id)?;
    match group.as_str() {
        Reschedule::NAME => read(&mut db, Information::Reschedule).await,
        Notification::NAME => read(&mut db, Information::Notification).await,
        App::NAME => read(&mut db, Information::App).await,
        ProofOfDelivery::NAME => read(&mut db, Information::ProofOfDelivery).await,
        DeliveryTracking::NAME => read(&mut db, Information::DeliveryTracking).await,
        Dispatch::NAME => read(&mut db, Information::Dispatch).await,
        Udf::NAME => {
            udf_is_on(&db)?;
            read(&mut db, Information::Udf).await
        }
        _ => Err(Error::not_found("Information group")),
    }
}

/// `PUT /organisations/{id}/information/{group}`: the whole group. What is absent, null or blank has its default.
pub(super) async fn put(
    mut db: Db,
    Path(Which { id, group }): Path<Which>,
    Body(Given(given)): Body<Given>,
) -> Result<Json<Information>> {
    own(db.caller(), id)?;
    match group.as_str() {
        Reschedule::NAME => write(&mut db, given, Information::Reschedule).await,
        Notification::NAME => write(&mut db, given, Information::Notification).await,
        App::NAME => write(&mut db, given, Information::App).await,
        ProofOfDelivery::NAME => write(&mut db, given, Information::ProofOfDelivery).await,
        DeliveryTracking::NAME => write(&mut db, given, Information::DeliveryTracking).await,
        Dispatch::NAME => write(&mut db, given, Information::Dispatch).await,
        Udf::NAME => {
            udf_is_on(&db)?;
            write(&mut db, given, Information::Udf).await
        }
        _ => Err(Error::not_found("Information group")),
    }
}

/// Other organisations' settings are not there.
fn own(caller: &Caller, organisation: i64) -> Result<()> {
    if caller.organisation()?.get() == organisation { Ok(()) } else { Err(Error::not_found("Organisation")) }
}

fn udf_is_on(db: &Db) -> Result<()> {
    if db.caller().has(Module::Udf) { Ok(()) } else { Err(Error::denied()) }
}

async fn read<G: Group>(db: &mut Db, told: fn(G) -> Information) -> Result<Json<Information>> {
    Ok(Json(told(super::of(db).await?)))
}

async fn write<G: Group>(
    db: &mut Db,
    given: Map<String, Value>,
    told: fn(G) -> Information,
) -> Result<Json<Information>> {
    refuse_unknown(&Value::Object(given.clone()), &serde_json::to_value(G::default())?, "")?;
    let group: G = body::from_value(Value::Object(without_blanks(given)))?;
    let mut problems = Problems::default();
    group.check(&mut problems);
    problems.finish()?;
    let caller = db.caller().clone();
    for (field, file) in group.files() {
        files::require(db, &caller, None, field, &[file]).await?;
    }
    if let Some((field, secret)) = group.secret()
        && !secrets::exists(db, secret).await?
    {
        return Err(Error::field(field, "Value does not exist"));
    }
    sqlx::query(
        "insert into information_groups (name, value) values ($1, $2)
         on conflict (name) do update set value = excluded.value",
    )
    .bind(G::NAME)
    .bind(serde_json::to_value(&group)?)
    .execute(&mut **db)
    .await?;
    Ok(Json(told(group)))
}

/// A misspelt setting must not look as if it were saved.
fn refuse_unknown(given: &Value, known: &Value, path: &str) -> Result<()> {
    let (Value::Object(given), Value::Object(known)) = (given, known) else { return Ok(()) };
    for (name, value) in given {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match known.get(name) {
            None => return Err(Error::field(path, "There is no such setting")),
            Some(known) => refuse_unknown(value, known, &path)?,
        }
    }
    Ok(())
}

fn without_blanks(fields: Map<String, Value>) -> Map<String, Value> {
    fields
        .into_iter()
        .filter_map(|(name, value)| match value {
            Value::Null => None,
            Value::String(text) if text.trim().is_empty() => None,
            Value::Object(inner) => Some((name, Value::Object(without_blanks(inner)))),
            other => Some((name, other)),
        })
        .collect()
}
