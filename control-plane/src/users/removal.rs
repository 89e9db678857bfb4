//! Deleted users: signed out at once, their address free for others, their row kept for the record and to be brought back.

use routewright_core::list::{self, Filter, ListQuery, Listed, Where};
use routewright_core::{Error, OrganisationId, Result};
use routewright_tenancy::{Db, Resource, resource};
use sqlx::{AssertSqlSafe, PgConnection};

use super::address::{self, Wanted, WayIn, taken};
use super::model::User;
use super::write::{Kind, manageable, within_rights};
use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::last_administrator::{self, is_administrator};
use crate::roles::DRIVER;
use crate::scope;

/// The filters of lists of users, for the API document.
pub(crate) fn filters() -> impl Iterator<Item = &'static Filter> {
    const MORE: &[Filter] = &[Filter::bool("include_deleted", "")];
    User::SHAPE.filters.iter().chain(MORE)
}

/// A page of users, without the deleted ones unless `include_deleted`.
///
/// # Errors
/// 400 for wrong filters.
pub(crate) async fn page(db: &mut Db, mut query: ListQuery, kind: Kind) -> Result<Listed<User>> {
    let caller = db.caller().clone();
    let deleted = query.take_bool("include_deleted")?.unwrap_or(false);
    list::page(db, User::COLUMNS, User::FROM, query, &User::SHAPE, |conditions| {
        User::seen_by(&caller, conditions);
        if !deleted {
            conditions.and("u.deleted_at is null");
        }
        if kind == Kind::Driver {
            conditions.and("r.built_in");
            conditions.push("r.name = ", DRIVER);
        }
    })
    .await
}

/// Removes a user: signed out at once, the address is free again, the row stays for the record and for [`restore`].
///
/// # Errors
/// 404; 400 for the caller itself; 403 for a user beyond the caller's rights.
pub(crate) async fn remove(connection: &mut PgConnection, actor: &Actor, id: i64, kind: Kind) -> Result<()> {
    if actor.caller.user_id() == Some(id) {
        return Err(Error::bad_request("You cannot delete yourself"));
    }
    let before = manageable(connection, actor, id, kind).await?;
    sqlx::query("update users set deleted_at = now(), session_epoch = session_epoch + 1 where id = $1")
        .bind(id)
        .execute(&mut *connection)
        .await?;
    sqlx::query("delete from refresh_families where user_id = $1").bind(id).execute(&mut *connection).await?;
    sqlx::query("delete from reset_tokens where user_id = $1").bind(id).execute(&mut *connection).await?;
    sqlx::query("delete from user_identities where user_id = $1").bind(id).execute(&mut *connection).await?;
    let organisation = OrganisationId::new(before.organisation_id);
    scope::announce(connection, organisation).await?;
    if is_administrator(&before.role.access_levels) && before.haulier_id.is_none() {
        last_administrator::require(connection, organisation).await?;
    }
    Entry::new("user_deleted", format!("user:{id}"))
        .of(organisation)
        .before(&before)
        .write(connection, actor)
        .await
}

/// Brings a deleted user back with role and password. Whoever has the address by now keeps it.
///
/// # Errors
/// 404 unless deleted; 400 when somebody else has the address; 403 for a user beyond the caller's rights.
pub(crate) async fn restore(
    app: &App,
    connection: &mut PgConnection,
    actor: &Actor,
    id: i64,
    kind: Kind,
) -> Result<User> {
    let before = within_rights(actor, deleted(connection, actor, id).await?, kind)?;
    let organisation = OrganisationId::new(before.organisation_id);
    let at_once = WayIn::of(connection, id).await?.has_password;
    let wanted = Wanted { email: &before.email, organisation, user: Some(id), at_once };
    let awaits = address::claim(app, connection, actor, wanted).await?;
    sqlx::query("update users set deleted_at = null, awaits_address = $2, modified = now() where id = $1")
        .bind(id)
        .bind(awaits)
        .execute(&mut *connection)
        .await
        .map_err(|error| match error.as_database_error().and_then(|told| told.constraint()) {
            Some(name) if name.starts_with("users_email") => taken(),
            _ => error.into(),
        })?;
    scope::announce(connection, organisation).await?;
    let after = resource::find::<User>(connection, &actor.caller, id).await?;
    Entry::new("user_restored", format!("user:{id}"))
        .of(organisation)
        .before(&before)
        .after(&after)
        .write(connection, actor)
        .await?;
    Ok(after)
}

async fn deleted(connection: &mut PgConnection, actor: &Actor, id: i64) -> Result<User> {
    let mut conditions = Where::default();
    conditions.push("u.id = ", id);
    User::seen_by(&actor.caller, &mut conditions);
    conditions.and("u.deleted_at is not null");
    let statement =
        format!("select {} from {}{} for update of u", User::COLUMNS, User::FROM, conditions.sql());
    sqlx::query_as_with(AssertSqlSafe(statement), conditions.arguments()?)
        .fetch_optional(connection)
        .await?
        .ok_or_else(|| Error::not_found("Deleted user"))
}
