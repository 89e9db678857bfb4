//! A device's key: told once, and kept as a fingerprint only. It is long and random, so that a plain hash says nothing of it.

use axum::Json;
use axum::extract::State;
use routewright_core::Result;
use routewright_core::http::Path;
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::model::TrackingDevice;
use crate::app::App;

/// A device's key, and where the apps send to with it. It is told here and nowhere else.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrackingDeviceKey")]
pub(super) struct Key {
    /// The key.
    key: String,
    /// Address for apps and trackers that speak the protocol of OsmAnd or Traccar, below the API base.
    osmand: String,
    /// Address for OwnTracks in its HTTP mode, below the API base.
    owntracks: String,
}

/// What is kept of a key.
pub(super) fn fingerprint(key: &str) -> Vec<u8> {
    Sha256::digest(key).to_vec()
}

/// `PUT /tracking_devices/{id}/key`: a new key; the one before it is void.
pub(super) async fn make(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Key>> {
    let caller = db.caller().clone();
    resource::find::<TrackingDevice>(&mut db, &caller, id).await?;
    let key = app.gate.links.long(caller.organisation()?);
    sqlx::query("update tracking_devices set key_hash = $2, key_made_at = $3 where id = $1")
        .bind(id)
        .bind(fingerprint(&key))
        .bind(app.clock.now())
        .execute(&mut *db)
        .await?;
    Ok(Json(Key {
        osmand: format!("/positions/osmand/{key}"),
        owntracks: format!("/positions/owntracks/{key}"),
        key,
    }))
}

/// `DELETE /tracking_devices/{id}/key`: from now on it opens nothing.
pub(super) async fn revoke(mut db: Db, Path(id): Path<i64>) -> Result<Json<TrackingDevice>> {
    let caller = db.caller().clone();
    resource::find::<TrackingDevice>(&mut db, &caller, id).await?;
    sqlx::query("update tracking_devices set key_hash = null, key_made_at = null where id = $1")
        .bind(id)
        .execute(&mut *db)
        .await?;
    resource::find(&mut db, &caller, id).await.map(Json)
}
