//! Where each organisation stands: database, state, schema version.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::http::Path;
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape};
use routewright_core::{OrganisationId, Result};
use routewright_tenancy::migration::{self, Outcome};
use routewright_tenancy::{Db, placement};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;

/// An organisation as operators see it.
#[derive(Debug, Serialize, JsonSchema, FromRow)]
pub(super) struct Standing {
    /// Id.
    id: i64,
    /// Name.
    name: String,
    /// The database it lives in.
    placement: String,
    /// `provisioning`, `ready`, `failed` or `deleting`.
    state: String,
    /// Last migration that succeeded.
    schema_version: Option<i64>,
    /// Newest migration.
    #[sqlx(skip)]
    current_version: i64,
    /// Why it is not ready.
    schema_error: Option<String>,
    /// Whether it is the organisation that runs the platform, which cannot be suspended or deleted.
    is_master: bool,
    /// Whether migrations are tried here first.
    canary: bool,
    /// Users who can sign in.
    users_count: i64,
    /// When somebody last signed in.
    last_login: Option<DateTime<Utc>>,
    /// Since when nobody can work in it.
    suspended_at: Option<DateTime<Utc>>,
    /// Why.
    suspension_reason: Option<String>,
    /// When it was made.
    created: DateTime<Utc>,
    /// When it was deleted; its data is kept until it is purged.
    deleted_at: Option<DateTime<Utc>>,
}

const COLUMNS: &str = "o.id, o.name, o.placement, o.state, o.schema_version, o.schema_error, \
     o.is_master, o.canary, \
     (select count(*) from users u where u.organisation_id = o.id and u.deleted_at is null) as users_count, \
     (select max(u.last_login) from users u where u.organisation_id = o.id) as last_login, \
     o.suspended_at, o.suspension_reason, o.created, o.deleted_at";

pub(super) const SHAPE: Shape = Shape {
    filters: &[
        Filter::id("id", "o.id"),
        Filter::text("name", "o.name"),
        Filter::choice("state", "o.state"),
        Filter::choice("placement", "o.placement"),
        Filter::id("schema_version", "o.schema_version"),
        Filter::bool("canary", "o.canary"),
        Filter::bool("suspended", "(o.suspended_at is not null)"),
    ],
    search: &["o.name"],
    sort: &[
        ("id", "o.id"),
        ("name", "lower(o.name)"),
        ("state", "o.state"),
        ("schema_version", "o.schema_version"),
        ("created", "o.created"),
    ],
    order: "o.id desc",
};

/// `GET /operators/organisations`.
pub(super) async fn list(mut db: Db, query: ListQuery) -> Result<Listed<Standing>> {
    let page: Listed<Standing> =
        list::page(&mut db, COLUMNS, "organisations o", query, &SHAPE, |conditions| {
            conditions.and("o.parent_organisation_id is null");
        })
        .await?;
    let current_version = migration::current_version();
    Ok(page.map(|standing| Standing { current_version, ..standing }))
}

/// How it went.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MigrationOutcome")]
pub(super) struct Advanced {
    /// Id.
    id: i64,
    /// State after it.
    state: String,
    /// Version after it.
    schema_version: Option<i64>,
    /// Why it is not ready.
    schema_error: Option<String>,
}

/// `POST /operators/organisations/{id}/advance`: finishes what was interrupted and migrates what is behind.
pub(super) async fn advance(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
) -> Result<Json<Advanced>> {
    let organisation = OrganisationId::new(id);
    app.provisioning.advance(organisation).await?;
    let outcome = migration::migrate_organisation(&app.control, &app.config.placements, organisation).await?;
    if let Outcome::Failed(reason) = &outcome {
        tracing::warn!(%organisation, reason, placement = placement::DEFAULT, "an operator's migration failed");
    }
    Entry::new("organisation_advanced", format!("organisation:{id}"))
        .of(organisation)
        .write(&mut db, &actor)
        .await?;
    stands(&mut db, id).await
}

/// `POST /operators/organisations/{id}/undelete`: brings a deleted organisation back with everything in it, while it is not
/// purged and its name is not taken.
pub(super) async fn undelete(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
) -> Result<Json<Advanced>> {
    let organisation = OrganisationId::new(id);
    app.provisioning.undelete(organisation).await?;
    app.gate.policies.forget(organisation);
    Entry::new("organisation_undeleted", format!("organisation:{id}"))
        .of(organisation)
        .write(&mut db, &actor)
        .await?;
    stands(&mut db, id).await
}

async fn stands(db: &mut Db, id: i64) -> Result<Json<Advanced>> {
    let (state, schema_version, schema_error): (String, Option<i64>, Option<String>) =
        sqlx::query_as("select state, schema_version, schema_error from organisations where id = $1")
            .bind(id)
            .fetch_one(&mut **db)
            .await?;
    Ok(Json(Advanced { id, state, schema_version, schema_error }))
}
