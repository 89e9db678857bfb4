//! How a Master user enters an organisation, and anybody the rehearsal of the own one: an access token for it, for half an
//! hour, on the record.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::{Body, Error, OrganisationId, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    let target = OrganisationId::new(entering.organisation_id);
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
    enter(&app, &actor, &presented, &mut db, target).await.map(Json)
}

/// `POST /auth/rehearsal_token`: into the rehearsal of the own organisation, which is the only one that it leads to.
pub(super) async fn rehearse(
    State(app): State<App>,
    actor: Actor,
    presented: Presented,
    mut db: Db,
) -> Result<Json<Entered>> {
    scope::refuse_hauliers(&actor.caller)?;
    let home = actor.caller.user()?.home.unwrap_or(actor.organisation()?);
    let target: Option<OrganisationId> =
        sqlx::query_scalar("select organisation_id from rehearsals where made_from = $1 and not removing")
            .bind(home)
            .fetch_optional(&mut *db)
            .await?;
    let target = target.ok_or_else(|| Error::not_found("Rehearsal"))?;
    enter(&app, &actor, &presented, &mut db, target).await.map(Json)
}

async fn enter(
    app: &App,
    actor: &Actor,
    presented: &Presented,
    db: &mut Db,
    target: OrganisationId,
) -> Result<Entered> {
    let signed = actor.caller.user()?;
    let home = signed.home.unwrap_or(actor.organisation()?);
    let policy = app.gate.policies.of(target).await?;
    policy.ready()?;
    let epoch: i32 = sqlx::query_scalar("select session_epoch from users where id = $1")
        .bind(signed.user_id)
        .fetch_one(&mut **db)
        .await?;
    // It ends with the session from which it was asked for.
    let tokens = &app.gate.tokens;
    let issued = match presented.session {
        Some(session) => tokens.session_access(signed.user_id, target, epoch, Some(home), session)?,
        None => tokens.access(signed.user_id, target, epoch, Some(home))?,
    };
    visits::entered(app, db, actor, signed.user_id, target, issued.expires_at).await?;
    Ok(Entered {
        token: issued.token,
        expires_at: issued.expires_at,
        organisation: OwnOrganisation::of(&policy, &app.clock),
    })
}
