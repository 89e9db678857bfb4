//! Suspending an organisation: nobody works in it until it is resumed, nothing of it is lost.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::http::{Body, Path};
use routewright_core::{Error, OrganisationId, Result};
use routewright_tenancy::{Db, migration};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::organisations::{TYPE_THE_NAME, same_name};

/// Longest reason, characters.
const LONGEST_REASON: usize = 1000;

/// What is suspended and why.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Suspend {
    /// The organisation's name, typed again: nobody suspends the wrong one.
    name: Option<String>,
    /// For the record; users are not told.
    reason: Option<String>,
}

/// Whether somebody can work in it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Suspension {
    /// Id.
    id: i64,
    /// Since when nobody can; null when it is in service.
    suspended_at: Option<DateTime<Utc>>,
    /// Why.
    suspension_reason: Option<String>,
}

#[derive(sqlx::FromRow)]
struct Row {
    name: String,
    is_master: bool,
    suspended_at: Option<DateTime<Utc>>,
    suspension_reason: Option<String>,
}

/// `POST /operators/organisations/{id}/suspend`: with the answer, nobody signs in and no open session goes on. One that is
/// suspended keeps its first moment and takes the new reason.
pub(super) async fn suspend(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
    Body(body): Body<Suspend>,
) -> Result<Json<Suspension>> {
    let before = locked(&mut db, id).await?;
    if before.is_master {
        return Err(Error::bad_request("The organisation Master cannot be suspended"));
    }
    let reason = body.reason.unwrap_or_default().trim().to_owned();
    let mut problems = Problems::default();
    problems.require(same_name(&before.name, body.name.as_deref()), "name", TYPE_THE_NAME);
    problems.require(!reason.is_empty(), "reason", check::REQUIRED);
    problems.require(reason.chars().count() <= LONGEST_REASON, "reason", check::TOO_LONG);
    problems.finish()?;
    let at = before.suspended_at.unwrap_or_else(|| app.clock.now());
    set(&app, &actor, db, id, &before, Some((at, reason))).await
}

/// `POST /operators/organisations/{id}/resume`: everybody works on where they were.
pub(super) async fn resume(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
) -> Result<Json<Suspension>> {
    let before = locked(&mut db, id).await?;
    if before.suspended_at.is_none() {
        return Err(Error::conflict("The organisation is not suspended"));
    }
    set(&app, &actor, db, id, &before, None).await
}

async fn locked(db: &mut Db, id: i64) -> Result<Row> {
    sqlx::query_as(
        "select name, is_master, suspended_at, suspension_reason from organisations
         where id = $1 and parent_organisation_id is null and deleted_at is null for update",
    )
    .bind(id)
    .fetch_optional(&mut **db)
    .await?
    .ok_or_else(|| Error::not_found("Organisation"))
}

async fn set(
    app: &App,
    actor: &Actor,
    mut db: Db,
    id: i64,
    before: &Row,
    suspended: Option<(DateTime<Utc>, String)>,
) -> Result<Json<Suspension>> {
    let organisation = OrganisationId::new(id);
    let (suspended_at, suspension_reason) = suspended.unzip();
    let old = Suspension {
        id,
        suspended_at: before.suspended_at,
        suspension_reason: before.suspension_reason.clone(),
    };
    let new = Suspension { id, suspended_at, suspension_reason };
    sqlx::query("update organisations set suspended_at = $2, suspension_reason = $3 where id = $1")
        .bind(id)
        .bind(new.suspended_at)
        .bind(&new.suspension_reason)
        .execute(&mut *db)
        .await?;
    migration::announce_policy(&mut db, organisation).await?;
    let action = if new.suspended_at.is_some() { "organisation_suspended" } else { "organisation_resumed" };
    Entry::new(action, format!("organisation:{id}"))
        .of(organisation)
        .before(&old)
        .after(&new)
        .write(&mut db, actor)
        .await?;
    db.let_go().await?;
    app.gate.policies.forget(organisation);
    Ok(Json(new))
}
