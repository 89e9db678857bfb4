//! Deletion in two steps: out of use at once, gone for good after a final export.

use std::path::{Path, PathBuf};

use routewright_core::{Error, OnConstraint as _, OrganisationId, Result};
use sqlx::{Connection as _, PgConnection};

use super::{Provisioning, transfer};
use crate::migration::{self, Lock};
use crate::role;

impl Provisioning {
    /// First step: nobody works in the organisation any more, its name is free again, its data is kept.
    ///
    /// # Errors
    /// 404 for an unknown organisation, 409 for Master.
    pub async fn mark_deleted(&self, organisation: OrganisationId) -> Result<()> {
        let lock = Lock::organisation(&self.control, organisation).await?;
        let row = self.row_in_any_state(organisation).await?;
        if row.is_master {
            return Err(Error::conflict("The Master organisation cannot be deleted"));
        }
        let mut transaction = self.control.begin().await?;
        sqlx::query(
            "update organisations set state = 'deleting', deleted_at = coalesce(deleted_at, $2) where id = $1",
        )
        .bind(organisation)
        .bind(self.clock.now())
        .execute(&mut *transaction)
        .await?;
        migration::announce_policy(&mut transaction, organisation).await?;
        transaction.commit().await?;
        let mut owner = self.placements.connect_owner(&row.placement, organisation).await?;
        role::shut_out(&mut owner, organisation).await?;
        owner.close().await?;
        lock.release().await
    }

    /// Takes the first step back.
    ///
    /// # Errors
    /// 404 when the organisation is unknown or not deleted, 409 when its name is taken by now.
    pub async fn undelete(&self, organisation: OrganisationId) -> Result<()> {
        let lock = Lock::organisation(&self.control, organisation).await?;
        if self.row_in_any_state(organisation).await?.state != "deleting" {
            return Err(Error::not_found("Deleted organisation"));
        }
        // Asked beforehand for the sake of the message; the update would refuse it too.
        let mut transaction = self.control.begin().await?;
        sqlx::query("update organisations set deleted_at = null where id = $1")
            .bind(organisation)
            .execute(&mut *transaction)
            .await
            .on_constraint("organisations_name_key", || {
                Error::conflict("An organisation with this name already exists")
            })?;
        transaction.rollback().await?;
        self.take_out_of_service(organisation, "Being taken back into use").await?;
        self.advance_locked(organisation).await?;
        lock.release().await
    }

    /// Second step: exports the schema to a file in `folder`, then removes schema, role, users and the organisation
    /// itself. Answers the export; none when an interrupted call had removed the schema already.
    ///
    /// # Errors
    /// 409 unless [`Self::mark_deleted`] came first; nothing is removed when the export fails.
    pub async fn purge(&self, organisation: OrganisationId, folder: &Path) -> Result<Option<PathBuf>> {
        let rehearsals: Vec<OrganisationId> =
            sqlx::query_scalar("select organisation_id from rehearsals where made_from = $1")
                .bind(organisation)
                .fetch_all(&self.control)
                .await?;
        let lock = Lock::organisation(&self.control, organisation).await?;
        let row = self.row_in_any_state(organisation).await?;
        if row.state != "deleting" {
            return Err(Error::conflict("The organisation is in use: delete it first"));
        }
        for rehearsal in rehearsals {
            self.mark_deleted(rehearsal).await?;
            self.discard_rehearsal(rehearsal).await?;
        }
        let mut owner = self.placements.connect_owner(&row.placement, organisation).await?;
        role::shut_out(&mut owner, organisation).await?;
        transfer::settle(&mut owner, organisation).await?;
        let mut export = None;
        if transfer::schema_exists(&mut owner, &role::name(organisation)).await? {
            export = Some(self.backup(organisation, folder).await?);
            transfer::drop_schema(&mut owner, organisation).await?;
        }
        self.strike_off(owner, organisation).await?;
        lock.release().await?;
        Ok(export)
    }

    /// Removes a rehearsal that was taken out of use, without an export: nothing in it was real.
    ///
    /// # Errors
    /// 409 for an organisation in earnest, or a rehearsal that is in use.
    pub async fn discard_rehearsal(&self, organisation: OrganisationId) -> Result<()> {
        let lock = Lock::organisation(&self.control, organisation).await?;
        let rehearses: bool =
            sqlx::query_scalar("select exists (select from rehearsals where organisation_id = $1)")
                .bind(organisation)
                .fetch_one(&self.control)
                .await?;
        if !rehearses {
            return Err(Error::conflict("The organisation is no rehearsal"));
        }
        let row = self.row_in_any_state(organisation).await?;
        if row.state != "deleting" {
            return Err(Error::conflict("The rehearsal is in use: remove it first"));
        }
        let mut owner = self.placements.connect_owner(&row.placement, organisation).await?;
        role::shut_out(&mut owner, organisation).await?;
        transfer::settle(&mut owner, organisation).await?;
        if transfer::schema_exists(&mut owner, &role::name(organisation)).await? {
            transfer::drop_schema(&mut owner, organisation).await?;
        }
        self.strike_off(owner, organisation).await?;
        lock.release().await
    }

    /// Removes the role and the organisation from the books.
    async fn strike_off(&self, mut owner: PgConnection, organisation: OrganisationId) -> Result<()> {
        if !role::drop_role(&mut owner, organisation).await? {
            tracing::warn!(%organisation, "the role has rights in another database of the server: it stays, locked");
        }
        owner.close().await?;
        let mut transaction = self.control.begin().await?;
        for statement in [
            // Of others in it, and of its own users elsewhere.
            "delete from operator_visits where organisation_id = $1
                 or user_id in (select id from users where organisation_id = $1)",
            // Users may belong to a haulier, and both go with the organisation.
            "delete from users where organisation_id = $1",
            "delete from organisations where parent_organisation_id = $1",
            "delete from organisations where id = $1",
        ] {
            sqlx::query(statement).bind(organisation).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}
