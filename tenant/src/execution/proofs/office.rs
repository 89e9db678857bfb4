//! What the office does with proofs: look them up, record and correct them.

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::http::respond::Created;
use routewright_core::list::{self, Filter, ListQuery, Listed};
use routewright_core::{Body, Error, Given, Result};
use routewright_identity::Caller;
use routewright_tenancy::Db;
use routewright_tenancy::resource::{self, BulkItem};
use serde_json::{Map, Value, json};
use sqlx::postgres::PgConnection;

use super::model::{JobProof, ProofFields, Proven};
use super::record::record;
use crate::app::App;
use crate::realtime::{self, Event};
use crate::setup::files;
use crate::setup::information::{self, ProofOfDelivery};

/// The filters, for the API document.
pub(super) fn filters<R: Proven>() -> Vec<Filter> {
    R::RELATED.iter().map(|(name, ..)| Filter::id(name, "")).chain(R::SHAPE.filters.iter().copied()).collect()
}

/// `GET /{kind}_proofs`, also by what hangs on the same job.
pub(super) async fn list<R: Proven>(mut db: Db, mut query: ListQuery) -> Result<Listed<R>> {
    let caller = db.caller().clone();
    let mut related = Vec::new();
    for (name, before, after) in R::RELATED {
        if let Some(ids) = query.take_ids(name)? {
            related.push((ids, *before, *after));
        }
    }
    list::page(&mut db, R::COLUMNS, R::FROM, query, &R::SHAPE, |conditions| {
        R::narrow(&caller, conditions);
        for (ids, before, after) in related {
            let place = conditions.bind(ids);
            conditions.and(&format!("{before}{place}{after}"));
        }
    })
    .await
}

/// `POST /{kind}_proofs`.
pub(super) async fn create<R: Proven>(
    mut db: Db,
    State(app): State<App>,
    Body(fields): Body<ProofFields>,
) -> Result<Created<R>> {
    let caller = db.caller().clone();
    Ok(Created(record::<R>(&mut db, &app, &caller, None, &fields).await?.proof))
}

/// `PATCH /{kind}_proofs/{id}`.
pub(super) async fn patch<R: Proven>(
    mut db: Db,
    Path(id): Path<i64>,
    given: Given<ProofFields>,
) -> Result<Json<R>> {
    let caller = db.caller().clone();
    correct::<R>(&mut db, &caller, id, given).await.map(Json)
}

/// `PATCH /{kind}_proofs/bulk`: all or nothing.
pub(super) async fn patch_bulk<R: Proven>(
    mut db: Db,
    Body(items): Body<Vec<BulkItem>>,
) -> Result<Json<Vec<R>>> {
    let caller = db.caller().clone();
    let mut rows = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(Value::Object(item.change))?;
        rows.push(correct::<R>(&mut db, &caller, item.id, given).await?);
    }
    Ok(Json(rows))
}

/// Changes a proof, keeps what it said before, and tells the sockets what changed.
async fn correct<R: Proven>(
    connection: &mut PgConnection,
    caller: &Caller,
    id: i64,
    given: Given<ProofFields>,
) -> Result<R> {
    if let Some(photos) = &given.value.photo_ids {
        let settings: ProofOfDelivery = information::of(connection).await?;
        if photos.len() > settings.max_photos {
            return Err(Error::field("photo_ids", format!("At most {} photos", settings.max_photos)));
        }
        files::require(connection, caller, None, "photo_ids", photos).await?;
    }
    let signature: Vec<i64> = given.value.signature_id.into_iter().collect();
    files::require(connection, caller, None, "signature_id", &signature).await?;
    let before: R = resource::find(connection, caller, id).await?;
    let after: R = resource::update(connection, caller, id, given).await?;
    let changed = different(&before, &after)?;
    if changed.is_empty() {
        return Ok(after);
    }
    let fields: Vec<String> = changed.iter().map(|(field, _, _)| field.clone()).collect();
    let scenario: Option<i64> = sqlx::query_scalar("select scenario_id from jobs where id = $1")
        .bind(after.proof().job_id)
        .fetch_optional(&mut *connection)
        .await?
        .flatten();
    if let Some(scenario) = scenario {
        let payload = json!({ "scenario_id": scenario, "kind": R::KIND, "proof": after, "changed": fields });
        realtime::record(connection, caller, scenario, Event::ProofUpdate, &payload).await?;
    }
    Ok(after)
}

/// Fields whose value is another than before.
fn different<R: Proven>(before: &R, after: &R) -> Result<Vec<(String, Value, Value)>> {
    let (Value::Object(before), Value::Object(after)) =
        (serde_json::to_value(before)?, serde_json::to_value(after)?)
    else {
        return Err(Error::internal("proofs must be structs"));
    };
    let old = |field: &str, row: &Map<String, Value>| row.get(field).cloned().unwrap_or(Value::Null);
    Ok(after
        .iter()
        .map(|(field, new)| (field.clone(), old(field, &before), new.clone()))
        .filter(|(_, old, new)| old != new)
        .collect())
}

/// Adds a photo to the latest proof of a job; none when it has no proof. Answers the proof.
///
/// # Errors
/// 400 when the proof has as many photos as the organisation allows.
pub(crate) async fn add_photo(
    connection: &mut PgConnection,
    caller: &Caller,
    job: i64,
    file: i64,
) -> Result<Option<i64>> {
    let latest: Option<(i64, Vec<i64>)> = sqlx::query_as(
        "select id, photo_ids from job_proofs where job_id = $1 order by record_time desc, id desc limit 1",
    )
    .bind(job)
    .fetch_optional(&mut *connection)
    .await?;
    let Some((proof, mut photos)) = latest else { return Ok(None) };
    photos.push(file);
    let given = Given::of(ProofFields { photo_ids: Some(photos), ..ProofFields::default() })?;
    correct::<JobProof>(connection, caller, proof, given).await?;
    Ok(Some(proof))
}
