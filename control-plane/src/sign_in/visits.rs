//! Operators inside organisations (W-083): entering and leaving are on the record once each, however often a page that is
//! loaded anew asks for the next token.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::{OrganisationId, Result};
use routewright_tenancy::Db;
use sqlx::PgConnection;

use super::login::Success;
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::trail;

/// Notes that a user is inside until a token of his expires.
///
/// # Errors
/// Database faults.
pub(super) async fn entered(
    app: &App,
    connection: &mut PgConnection,
    actor: &Actor,
    user: i64,
    organisation: OrganisationId,
    until: DateTime<Utc>,
) -> Result<()> {
    let now = app.clock.now();
    trail::end_expired_visits(connection, now, Some((user, organisation))).await?;
    let is_new: bool = sqlx::query_scalar(
        "insert into operator_visits (user_id, organisation_id, entered_at, until_at) values ($1, $2, $3, $4)
         on conflict (user_id, organisation_id) where left_at is null
             do update set until_at = greatest(operator_visits.until_at, excluded.until_at)
         -- Of a row that was there before, the transaction that changes it is noted.
         returning xmax = 0",
    )
    .bind(user)
    .bind(organisation)
    .bind(now)
    .bind(until)
    .fetch_one(&mut *connection)
    .await?;
    if is_new {
        Entry::new("organisation_entered", format!("organisation:{organisation}"))
            .of(organisation)
            .write_for(connection, actor, user, organisation)
            .await?;
    }
    Ok(())
}

/// `DELETE /auth/organisation_token`: the operator goes home.
pub(super) async fn leave(State(app): State<App>, actor: Actor, mut db: Db) -> Result<Json<Success>> {
    let (user, organisation) = (actor.caller.user()?.user_id, actor.organisation()?);
    left(&app, &mut db, &actor, user, Some(organisation)).await?;
    Ok(Json(Success { success: true }))
}

/// Ends the user's visit of an organisation, or all of them.
///
/// # Errors
/// Database faults.
pub(super) async fn left(
    app: &App,
    connection: &mut PgConnection,
    actor: &Actor,
    user: i64,
    organisation: Option<OrganisationId>,
) -> Result<()> {
    let ended: Vec<OrganisationId> = sqlx::query_scalar(
        "update operator_visits set left_at = $3
         where user_id = $1 and left_at is null and ($2::bigint is null or organisation_id = $2)
         returning organisation_id",
    )
    .bind(user)
    .bind(organisation)
    .bind(app.clock.now())
    .fetch_all(&mut *connection)
    .await?;
    for organisation in ended {
        Entry::new("organisation_left", format!("organisation:{organisation}"))
            .of(organisation)
            .write_for(connection, actor, user, organisation)
            .await?;
    }
    Ok(())
}
