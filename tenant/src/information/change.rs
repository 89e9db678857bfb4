//! Reading and replacing a group.

use axum::Json;
use routewright_core::error::Problems;
use routewright_core::http::{Path, body};
use routewright_core::{Body, Error, Module, Result};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use serde_json::{Map, Value};

use super::groups::{App, DeliveryTracking, Dispatch, Group, Notification, ProofOfDelivery, Reschedule, Udf};
use crate::{files, secrets};

/// `GET /organisations/{id}/information/{group}`.
pub(super) async fn get(mut db: Db, Path((id, group)): Path<(i64, String)>) -> Result<Json<Value>> {
    own(db.caller(), id)?;
    match group.as_str() {
        Reschedule::NAME => read::<Reschedule>(&mut db).await,
        Notification::NAME => read::<Notification>(&mut db).await,
        App::NAME => read::<App>(&mut db).await,
        ProofOfDelivery::NAME => read::<ProofOfDelivery>(&mut db).await,
        DeliveryTracking::NAME => read::<DeliveryTracking>(&mut db).await,
        Dispatch::NAME => read::<Dispatch>(&mut db).await,
        Udf::NAME => {
            udf_is_on(&db)?;
            read::<Udf>(&mut db).await
        }
        _ => Err(Error::not_found("Information group")),
    }
}

/// `PUT /organisations/{id}/information/{group}`: the whole group. What is absent, null or blank has its default.
pub(super) async fn put(
    mut db: Db,
    Path((id, group)): Path<(i64, String)>,
    Body(given): Body<Map<String, Value>>,
) -> Result<Json<Value>> {
    own(db.caller(), id)?;
    match group.as_str() {
        Reschedule::NAME => write::<Reschedule>(&mut db, given).await,
        Notification::NAME => write::<Notification>(&mut db, given).await,
        App::NAME => write::<App>(&mut db, given).await,
        ProofOfDelivery::NAME => write::<ProofOfDelivery>(&mut db, given).await,
        DeliveryTracking::NAME => write::<DeliveryTracking>(&mut db, given).await,
        Dispatch::NAME => write::<Dispatch>(&mut db, given).await,
        Udf::NAME => {
            udf_is_on(&db)?;
            write::<Udf>(&mut db, given).await
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

async fn read<G: Group>(db: &mut Db) -> Result<Json<Value>> {
    Ok(Json(serde_json::to_value(super::of::<G>(db).await?)?))
}

async fn write<G: Group>(db: &mut Db, given: Map<String, Value>) -> Result<Json<Value>> {
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
    let value = serde_json::to_value(&group)?;
    sqlx::query(
        "insert into information_groups (name, value) values ($1, $2)
         on conflict (name) do update set value = excluded.value",
    )
    .bind(G::NAME)
    .bind(&value)
    .execute(&mut **db)
    .await?;
    Ok(Json(value))
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
