//! Work that was given up, messages that were not accepted and such of which nobody knows whether they were sent, of the platform itself or of one organisation.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::http::Query;
use routewright_core::{Body, Error, OrganisationId, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{Connection as _, FromRow, PgConnection};

use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;

/// At most so many are shown, newest first.
const MOST: i64 = 300;

/// What failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(super) enum Kind {
    /// A background job.
    Job,
    /// A mail or text message.
    Message,
}

/// Whose failures.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Whose {
    /// An organisation; the platform itself unless given.
    organisation_id: Option<i64>,
}

/// Something that failed for good.
#[derive(Debug, Serialize, JsonSchema, FromRow)]
pub(super) struct DeadLetter {
    /// Id among its kind.
    id: i64,
    /// What it is.
    kind: Kind,
    /// Name of the job, or what the message was about; never its text.
    name: String,
    /// How often it was tried.
    attempts: i32,
    /// Why it failed.
    error: Option<String>,
    /// When it was made.
    created: DateTime<Utc>,
    /// When it was last tried.
    modified: DateTime<Utc>,
}

/// What to try again.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Retry {
    /// An organisation; the platform itself unless given.
    organisation_id: Option<i64>,
    /// What it is.
    kind: Kind,
    /// Which ones.
    ids: Vec<i64>,
}

/// What will be tried again.
#[derive(Serialize, JsonSchema)]
pub(super) struct Retried {
    /// Which ones; others were not dead.
    ids: Vec<i64>,
}

/// `GET /operators/dead_letters`.
pub(super) async fn list(
    State(app): State<App>,
    mut db: Db,
    Query(whose): Query<Whose>,
) -> Result<Json<Vec<DeadLetter>>> {
    let letters = match whose.organisation_id {
        None => read(&mut db).await?,
        Some(id) => {
            let mut owner = connect(&app, &mut db, id).await?;
            let letters = read(&mut owner).await?;
            owner.close().await?;
            letters
        }
    };
    Ok(Json(letters))
}

async fn connect(app: &App, db: &mut Db, id: i64) -> Result<PgConnection> {
    let placement: Option<String> = sqlx::query_scalar(
        "select placement from organisations
         where id = $1 and parent_organisation_id is null and state in ('ready', 'failed')",
    )
    .bind(id)
    .fetch_optional(&mut **db)
    .await?;
    let placement = placement.ok_or_else(|| Error::not_found("Organisation"))?;
    app.config.placements.connect_owner(&placement, OrganisationId::new(id)).await
}

/// Reset links and the like never appear: the first part of an intent names what the message was for.
async fn read(connection: &mut PgConnection) -> Result<Vec<DeadLetter>> {
    Ok(sqlx::query_as(
        "select id, kind, name, attempts, error, created, modified from (
             select id, 'job' as kind, kind as name, attempts, last_error as error, created, modified
             from background_jobs where state = 'dead'
             union all
             select id, 'message', split_part(intent, ':', 1), attempts, error, created, modified
             from messages where state in ('failed', 'unknown')
         ) as letters
         order by modified desc limit $1",
    )
    .bind(MOST)
    .fetch_all(connection)
    .await?)
}

/// `POST /operators/dead_letters/retry`.
pub(super) async fn retry(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Body(retry): Body<Retry>,
) -> Result<Json<Retried>> {
    let ids = match retry.organisation_id {
        None => again(&mut db, retry.kind, &retry.ids).await?,
        Some(id) => {
            let mut owner = connect(&app, &mut db, id).await?;
            let ids = again(&mut owner, retry.kind, &retry.ids).await?;
            owner.close().await?;
            ids
        }
    };
    let mut entry = Entry::new("dead_letters_retried", "operators").after(&serde_json::json!({
        "kind": retry.kind, "ids": ids
    }));
    if let Some(id) = retry.organisation_id {
        entry = entry.of(OrganisationId::new(id));
    }
    entry.write(&mut db, &actor).await?;
    Ok(Json(Retried { ids }))
}

async fn again(connection: &mut PgConnection, kind: Kind, ids: &[i64]) -> Result<Vec<i64>> {
    let statement = match kind {
        // One that was queued anew meanwhile holds the key: then this one has had its turn.
        Kind::Job => {
            "update background_jobs as dead
             set state = 'queued', attempts = 0, run_at = now(), locked_by = null, locked_until = null, finished = null
             where id = any($1) and state = 'dead' and not exists (
                 select from background_jobs as other
                 where other.unique_key = dead.unique_key and other.state in ('queued', 'running')
             )
             returning id"
        }
        Kind::Message => {
            "update messages set state = 'pending', attempts = 0 where id = any($1) and state in ('failed', 'unknown')
             returning id"
        }
    };
    Ok(sqlx::query_scalar(statement).bind(ids).fetch_all(connection).await?)
}
