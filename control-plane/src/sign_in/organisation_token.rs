//! How a Master user enters an organisation, and anybody the rehearsal of the own one: an access token for it, for half an
//! hour, on the record.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::{Body, Error, OrganisationId, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use super::auth_user::{OwnOrganisation, Presented};
use super::visits;
use crate::actor::Actor;
use crate::app::App;
use crate::scope;

/// The organisation to enter.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Entering {
    /// Id of an organisation; hauliers are entered through the organisation above.
    organisation_id: i64,
}

/// The token for it.
#[derive(Serialize, JsonSchema)]
pub(super) struct Entered {
    /// Access token.
    token: String,
    /// When it expires.
    expires_at: DateTime<Utc>,
    /// The organisation.
    organisation: OwnOrganisation,
}

/// `POST /auth/organisation_token`.
pub(super) async fn create(
    State(app): State<App>,
    actor: Actor,
    presented: Presented,
    mut db: Db,
    Body(entering): Body<Entering>,
) -> Result<Json<Entered>> {
    let signed = actor.caller.user()?;
    let home = signed.home.unwrap_or(actor.organisation()?);
    let target = OrganisationId::new(entering.organisation_id);
    if !actor.caller.is_master() || !actor.caller.holds("organisations_write") {
        require_rehearsal(&mut db, &actor, home, target).await?;
    }
    let exists: bool = sqlx::query_scalar(
        "select exists (
             select from organisations
             where id = $1 and parent_organisation_id is null and deleted_at is null and state <> 'deleting'
         )",
    )
    .bind(target)
    .fetch_one(&mut *db)
    .await?;
    if !exists {
        return Err(Error::not_found("Organisation"));
    }
    let policy = app.gate.policies.of(target).await?;
    policy.ready()?;
    let epoch: i32 = sqlx::query_scalar("select session_epoch from users where id = $1")
        .bind(signed.user_id)
        .fetch_one(&mut *db)
        .await?;
    // It ends with the session from which it was asked for.
    let tokens = &app.gate.tokens;
    let issued = match presented.session {
        Some(session) => tokens.session_access(signed.user_id, target, epoch, Some(home), session)?,
        None => tokens.access(signed.user_id, target, epoch, Some(home))?,
    };
    visits::entered(&app, &mut db, &actor, signed.user_id, target, issued.expires_at).await?;
    Ok(Json(Entered {
        token: issued.token,
        expires_at: issued.expires_at,
        organisation: OwnOrganisation::of(&policy, &app.clock),
    }))
}

/// Refuses every organisation but the rehearsal of the own one.
///
/// # Errors
/// 403.
async fn require_rehearsal(
    connection: &mut PgConnection,
    actor: &Actor,
    home: OrganisationId,
    target: OrganisationId,
) -> Result<()> {
    scope::refuse_hauliers(&actor.caller)?;
    let own: bool = sqlx::query_scalar(
        "select exists (select from rehearsals where organisation_id = $1 and made_from = $2 and not removing)",
    )
    .bind(target)
    .bind(home)
    .fetch_one(connection)
    .await?;
    if own { Ok(()) } else { Err(Error::denied()) }
}
