//! An organisation always keeps somebody who can manage its users and roles (W-085, V-21): whoever would take that from the last
//! one, himself included, is refused.

use routewright_core::{Error, OrganisationId, Result};
use sqlx::PgConnection;

/// The levels without which nobody can put things right again.
const NEEDED: [&str; 2] = ["users_write", "roles_write"];
/// Text of the refusal.
const LAST: &str =
    "This is the organisation's last administrator. Please make somebody else an administrator first.";

/// Whether these levels make an administrator.
pub(crate) fn is_administrator(levels: &[String]) -> bool {
    NEEDED.iter().all(|needed| levels.iter().any(|level| level == needed))
}

/// Refuses a change after which the organisation has no administrator any more. To be asked after it, when the organisation's
/// row is locked, so that two administrators cannot remove each other at once.
///
/// # Errors
/// 409 then; database faults.
pub(crate) async fn require(connection: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    let remains: bool = sqlx::query_scalar(
        "select exists (
             select from users u join roles r on r.id = u.role_id
             where u.organisation_id = $1 and u.deleted_at is null and u.haulier_id is null and r.access_levels @> $2
         )",
    )
    .bind(organisation)
    .bind(NEEDED)
    .fetch_one(connection)
    .await?;
    if remains { Ok(()) } else { Err(Error::conflict(LAST)) }
}
