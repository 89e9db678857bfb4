//! Backup, restore and moving to another database.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::Rng as _;
use routewright_core::{Error, OrganisationId, Result};
use sqlx::{Connection as _, PgConnection};

use super::{Provisioning, dump};
use crate::migration::{self, Lock};
use crate::placement;
use crate::role;

impl Provisioning {
    /// Copies an organisation's schema into `folder` while it is in use, as of one moment; answers the file. What an
    /// interrupted call left there is removed.
    ///
    /// # Errors
    /// 404 for an unknown organisation; when `pg_dump` is missing or fails.
    pub async fn backup(&self, organisation: OrganisationId, folder: &Path) -> Result<PathBuf> {
        let row = self.row_in_any_state(organisation).await?;
        let name =
            format!("{}-{}.dump", role::name(organisation), self.clock.now().format("%Y%m%dT%H%M%S%.6fZ"));
        let file = folder.join(name);
        let lock = Lock::copy(&self.control, organisation).await?;
        dump::clear_unfinished(organisation, folder).await?;
        dump::write(&self.placements, &row.placement, organisation, &file).await?;
        lock.release().await?;
        Ok(file)
    }

    /// Replaces an organisation's schema by a backup of it. Callers get 503 meanwhile. Older backups are migrated.
    /// When anything fails the present data stays.
    ///
    /// # Errors
    /// 400 when the file is no backup of this organisation; when `pg_restore` is missing or fails.
    pub async fn restore(&self, organisation: OrganisationId, file: &Path) -> Result<()> {
        dump::check(&self.placements, organisation, file).await?;
        let lock = Lock::organisation(&self.control, organisation).await?;
        let row = self.row(organisation).await?;
        self.take_out_of_service(organisation, "A backup is being restored").await?;
        let outcome = async {
            let mut owner = self.placements.connect_owner(&row.placement, organisation).await?;
            settle(&mut owner, organisation).await?;
            role::shut_out(&mut owner, organisation).await?;
            set_aside(&mut owner, organisation).await?;
            let read = dump::read(&self.placements, &row.placement, organisation, file).await;
            // Whether the copy is there decides which of the two stays.
            settle(&mut owner, organisation).await?;
            owner.close().await?;
            read
        }
        .await;
        self.advance_locked(organisation).await?;
        lock.release().await?;
        outcome
    }

    /// Moves an organisation to another placement. Callers get 503 meanwhile. When anything fails before the switch
    /// it stays where it is; called again after an interruption, it finishes.
    ///
    /// # Errors
    /// When the placement is not configured or is the same database; when Postgres' tools are missing or fail.
    pub async fn move_to(&self, organisation: OrganisationId, target: &str, folder: &Path) -> Result<()> {
        self.placements.owner(target)?;
        let lock = Lock::organisation(&self.control, organisation).await?;
        let row = self.row(organisation).await?;
        let outcome = if row.placement == target {
            Ok(())
        } else {
            self.copy_and_switch(organisation, &row.placement, target, folder).await
        };
        self.advance_locked(organisation).await?;
        if outcome.is_ok() {
            self.clear_leftovers(organisation, target).await?;
        }
        lock.release().await?;
        outcome
    }

    async fn copy_and_switch(
        &self,
        organisation: OrganisationId,
        source: &str,
        target: &str,
        folder: &Path,
    ) -> Result<()> {
        let mut from = self.placements.connect_owner(source, organisation).await?;
        let mut to = self.placements.connect_owner(target, organisation).await?;
        if same_database(&mut from, &mut to).await? {
            return Err(Error::bad_request(format!(
                "Placements {source} and {target} are the same database"
            )));
        }
        self.take_out_of_service(organisation, &format!("Being moved to {target}")).await?;
        role::shut_out(&mut from, organisation).await?;
        let file = folder.join(format!("{}-move.dump", role::name(organisation)));
        dump::write(&self.placements, source, organisation, &file).await?;
        placement::close_database(&mut to).await?;
        // Left over from an attempt that was interrupted: the organisation has never worked in it.
        drop_schema(&mut to, organisation).await?;
        let read = dump::read(&self.placements, target, organisation, &file).await;
        tokio::fs::remove_file(&file).await.map_err(Error::internal)?;
        read?;
        let mut transaction = self.control.begin().await?;
        sqlx::query("update organisations set placement = $2 where id = $1")
            .bind(organisation)
            .bind(target)
            .execute(&mut *transaction)
            .await?;
        migration::announce_policy(&mut transaction, organisation).await?;
        transaction.commit().await?;
        from.close().await?;
        to.close().await?;
        Ok(())
    }

    /// Removes what a move left at other placements than the one in use.
    async fn clear_leftovers(&self, organisation: OrganisationId, in_use: &str) -> Result<()> {
        let mut here = self.placements.connect_owner(in_use, organisation).await?;
        for placement in self.placements.names().filter(|name| *name != in_use) {
            // A placement that cannot be reached now is cleared by the next call.
            let Ok(mut there) = self.placements.connect_owner(placement, organisation).await else {
                tracing::warn!(%organisation, placement, "placement cannot be reached to clear it");
                continue;
            };
            if !same_database(&mut here, &mut there).await? {
                drop_schema(&mut there, organisation).await?;
                role::drop_role(&mut there, organisation).await?;
            }
            there.close().await?;
        }
        Ok(here.close().await?)
    }
}

/// The name that a schema bears while a backup is being read in its place.
fn replaced(organisation: OrganisationId) -> String {
    format!("{}_replaced", role::name(organisation))
}

async fn set_aside(owner: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    let statement = format!("alter schema {} rename to {}", role::name(organisation), replaced(organisation));
    Ok(role::execute(owner, statement).await?)
}

/// Ends a restore, however far it came: `pg_restore` wrote all or nothing, so that a schema under the right name is
/// complete, and without one the schema that was set aside comes back.
pub(super) async fn settle(owner: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    end_reading(owner, organisation).await?;
    let aside = replaced(organisation);
    if !schema_exists(owner, &aside).await? {
        return Ok(());
    }
    let name = role::name(organisation);
    let statement = if schema_exists(owner, &name).await? {
        format!("drop schema {aside} cascade")
    } else {
        format!("alter schema {aside} rename to {name}")
    };
    Ok(role::execute(owner, statement).await?)
}

/// Ends the session of a `pg_restore` whose caller was killed: until it ends nobody knows what it will have written.
async fn end_reading(owner: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    for _ in 0..100 {
        let left: Vec<bool> = sqlx::query_scalar(
            "select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = $1 and usename = current_user and datname = current_database()",
        )
        .bind(dump::reader(organisation))
        .fetch_all(&mut *owner)
        .await?;
        if left.is_empty() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(Error::conflict("A backup is still being read by somebody else. Please try again."))
}

pub(super) async fn schema_exists(owner: &mut PgConnection, schema: &str) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from pg_namespace where nspname = $1)")
        .bind(schema)
        .fetch_one(owner)
        .await?)
}

/// Drops an organisation's schema, and what an interrupted restore set aside.
pub(super) async fn drop_schema(owner: &mut PgConnection, organisation: OrganisationId) -> Result<()> {
    for schema in [role::name(organisation), replaced(organisation)] {
        role::execute(owner, format!("drop schema if exists {schema} cascade")).await?;
    }
    Ok(())
}

/// Whether two connections lead to one database, under whatever names: they share advisory locks.
async fn same_database(one: &mut PgConnection, other: &mut PgConnection) -> Result<bool> {
    let key: i64 = rand::rng().random();
    sqlx::query("select pg_advisory_lock($1)").bind(key).execute(&mut *one).await?;
    let free: bool =
        sqlx::query_scalar("select pg_try_advisory_lock($1)").bind(key).fetch_one(&mut *other).await?;
    if free {
        sqlx::query("select pg_advisory_unlock($1)").bind(key).execute(other).await?;
    }
    sqlx::query("select pg_advisory_unlock($1)").bind(key).execute(one).await?;
    Ok(!free)
}
