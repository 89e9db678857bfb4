//! Which organisation a change is for, whether the caller may grant what it grants, and telling everybody that
//! authorisation has changed.

use routewright_core::list::Where;
use routewright_core::{Error, OrganisationId, Result};
use routewright_identity::Caller;
use routewright_tenancy::migration;
use sqlx::PgConnection;

use crate::actor::{Actor, is_platform};

/// Keeps a list to the caller's organisation; Master users see all.
pub(crate) fn narrow(caller: &Caller, conditions: &mut Where, column: &str) {
    if is_platform(caller) {
        return;
    }
    match caller.organisation() {
        Ok(organisation) => conditions.push(&format!("{column} = "), organisation),
        Err(_) => conditions.and("false"),
    }
}

/// Refuses people of hauliers: they change nothing that belongs to the whole organisation.
///
/// # Errors
/// 403.
pub(crate) fn refuse_hauliers(caller: &Caller) -> Result<()> {
    if caller.haulier_id().is_some() { Err(Error::denied()) } else { Ok(()) }
}

/// Where something is put: an organisation, and the haulier within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) organisation: OrganisationId,
    pub(crate) haulier: Option<i64>,
}

/// The place that a body's `organisation_id` and `haulier_id` mean. A haulier may be named by either; Master users may
/// name any organisation, all others only their own and its hauliers, hauliers' people only their haulier.
///
/// # Errors
/// 403 for a place that the caller may not name, 400 for one that does not exist.
pub(crate) async fn place(
    connection: &mut PgConnection,
    actor: &Actor,
    organisation: Option<i64>,
    haulier: Option<i64>,
) -> Result<Place> {
    let own = actor.organisation()?;
    if let Some(theirs) = actor.caller.haulier_id() {
        let named = [organisation, haulier].into_iter().flatten();
        if named.into_iter().any(|id| id != theirs && id != own.get()) {
            return Err(Error::denied());
        }
        return Ok(Place { organisation: own, haulier: Some(theirs) });
    }
    let named = haulier.or(organisation).unwrap_or(own.get());
    let found: Option<(i64, Option<i64>)> = sqlx::query_as(
        "select id, parent_organisation_id from organisations where id = $1 and deleted_at is null and state <> 'deleting'",
    )
    .bind(named)
    .fetch_optional(connection)
    .await?;
    let place = found.map(|(id, parent)| Place {
        organisation: OrganisationId::new(parent.unwrap_or(id)),
        haulier: parent.map(|_| id),
    });
    match place {
        Some(place) if place.organisation == own || actor.is_platform() => {
            let agrees = haulier.is_none()
                || organisation.is_none_or(|id| id == place.organisation.get() || Some(id) == place.haulier);
            if agrees && (haulier.is_none() || place.haulier == haulier) {
                Ok(place)
            } else {
                Err(Error::field("haulier_id", "Haulier does not exist"))
            }
        }
        None if actor.is_platform() => Err(Error::field("organisation_id", "Organisation does not exist")),
        _ => Err(Error::denied()),
    }
}

/// Whether the caller may hand out these access levels: only those that it holds itself. A level that restricts an
/// account to one view (`*_login`) takes rights away, so that holding the view suffices.
pub(crate) fn may_grant(caller: &Caller, levels: &[String]) -> bool {
    levels.iter().all(|level| match level.strip_suffix("_login") {
        Some(view) => caller.holds(&format!("{view}_read")) || caller.holds(level),
        None => caller.holds(level),
    })
}

/// Locks the organisation's row, so that changes of its authorisation follow one another.
///
/// # Errors
/// Database faults.
pub(crate) async fn lock(connection: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    sqlx::query("select id from organisations where id = $1 for no key update")
        .bind(organisation)
        .execute(connection)
        .await?;
    Ok(())
}

/// Tells everybody, at commit, that what they hold about the organisation's users, roles or modules is out of date.
///
/// # Errors
/// Database faults.
pub(crate) async fn announce(connection: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    lock(connection, organisation).await?;
    migration::announce_policy(connection, organisation).await
}
