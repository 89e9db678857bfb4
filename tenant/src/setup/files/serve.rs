//! Giving files out. Images show in the browser; everything else is offered for download, and nothing is ever run.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Duration, Utc};
use http::{HeaderValue, header};
use routewright_core::http::Path;
use routewright_core::http::respond::{Download, Sent};
use routewright_core::{Error, Link, OrganisationId, Result};
use routewright_identity::Caller;
use routewright_identity::token::Typ;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use super::keep::EXPORT;
use super::store::{find, folder, storage_error};
use crate::app::App;

/// Life of a temporary link.
const TEMPORARY: Duration = Duration::minutes(15);

/// A link for a few minutes.
#[derive(Serialize, JsonSchema)]
pub(super) struct TemporaryLink {
    /// Where the bytes are, below the API base.
    link: String,
    /// Until when.
    expires_at: DateTime<Utc>,
}

/// `GET /files/get_temp_link/{id}`.
pub(super) async fn temporary_link(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
) -> Result<Json<TemporaryLink>> {
    let caller = db.caller().clone();
    let file = find(&mut db, &caller, id).await?;
    let issued = app.gate.tokens.file(file.id, caller.organisation()?, TEMPORARY)?;
    let link = format!("/files/temp/{}", issued.token);
    Ok(Json(TemporaryLink { link, expires_at: issued.expires_at }))
}

/// `GET /files/uid/{uid}`.
pub(super) async fn by_uid(caller: Caller, State(app): State<App>) -> Result<Sent> {
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let row: Option<Stored> = sqlx::query_as(
        // Exports are handed only to who signed in: they hold more than one knows who got their link.
        "select name, content_type, storage_key from files
         where uid = $1 and state = 'ready' and prefix is distinct from $2",
    )
    .bind(caller.link(Link::File)?)
    .bind(EXPORT)
    .fetch_optional(&mut *work)
    .await?;
    work.rollback().await?;
    let file = row.ok_or_else(|| Error::not_found("File"))?;
    // What a uid names never changes.
    file.send(&app, &caller, "private, max-age=86400").await
}

/// `GET /files/temp/{ticket}`: the ticket is signed, names one file of one organisation, and expires.
pub(super) async fn by_ticket(State(app): State<App>, Path(ticket): Path<String>) -> Result<Sent> {
    let claims = app.gate.tokens.verify(&ticket, Typ::File)?;
    let caller = app.gate.worker(OrganisationId::new(claims.org)).await?;
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let row: Option<Stored> =
        sqlx::query_as("select name, content_type, storage_key from files where id = $1 and state = 'ready'")
            .bind(claims.sub)
            .fetch_optional(&mut *work)
            .await?;
    work.rollback().await?;
    let file = row.ok_or_else(|| Error::not_found("File"))?;
    file.send(&app, &caller, "no-store").await
}

/// The bytes of an export that the caller may see.
///
/// # Errors
/// 404 when there is no such file any more; when the storage or the database cannot be reached.
pub(crate) async fn export(mut db: Db, app: &App, id: i64) -> Result<Sent> {
    let caller = db.caller().clone();
    let row: Option<Stored> = sqlx::query_as(
        "select name, content_type, storage_key from files where id = $1 and state = 'ready' and prefix = $2",
    )
    .bind(id)
    .bind(EXPORT)
    .fetch_optional(&mut *db)
    .await?;
    db.let_go().await?;
    row.ok_or_else(|| Error::not_found("File"))?.send(app, &caller, "no-store").await
}

#[derive(FromRow)]
struct Stored {
    name: String,
    content_type: String,
    storage_key: String,
}

impl Stored {
    /// Streams the bytes; no connection to the database is held meanwhile.
    async fn send(self, app: &App, caller: &Caller, cache: &'static str) -> Result<Sent> {
        let object = folder(app, caller)?.get(&self.storage_key).await.map_err(storage_error)?;
        let inline = self.content_type.starts_with("image/");
        let disposition =
            if inline { HeaderValue::from_static("inline") } else { Download::disposition(&self.name) };
        Response::builder()
            .header(header::CONTENT_TYPE, &self.content_type)
            .header(header::CONTENT_LENGTH, object.size)
            .header(header::CONTENT_DISPOSITION, disposition)
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .header(header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox")
            .header(header::REFERRER_POLICY, "no-referrer")
            .header(header::CACHE_CONTROL, cache)
            .body(Body::from_stream(object.into_stream()))
            .map(Sent)
            .map_err(Error::internal)
    }
}
