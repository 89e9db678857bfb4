//! Backing organisations up, restoring and moving them: work that takes minutes, one piece per organisation at a time,
//! carried on by another replica when one is lost.

use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};
use routewright_bus::queue::{self, Claimed, Job};
use routewright_core::error::Kind;
use routewright_core::{Error, OrganisationId, Result};
use routewright_tenancy::role;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;

/// Pause when nothing is to be done.
const PAUSE: Duration = Duration::from_secs(1);
/// After this time without a sign of life another replica goes on.
const LEASE: Duration = Duration::from_secs(60);
/// How long it is told what was done.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// A piece of work on the data of one organisation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Copying {
    pub(crate) organisation: OrganisationId,
    #[serde(flatten)]
    pub(crate) what: What,
}

/// What is done.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CopyWhat")]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum What {
    /// All data into a file.
    Backup,
    /// The data that is there into a file, then that of a file in its place.
    Restore {
        /// Name of the backup.
        file: String,
    },
    /// All data into another database.
    Move {
        /// The placement that it moves to.
        placement: String,
    },
}

impl Job for Copying {
    const KIND: &'static str = "organisation_copy";
    const MAX_ATTEMPTS: u16 = 3;

    fn unique_key(&self) -> Option<String> {
        Some(format!("organisation_copy:{}", self.organisation))
    }
}

/// A file with all data of an organisation.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OrganisationBackup")]
pub(crate) struct Backup {
    /// Name in the folder of backups.
    pub(crate) file: String,
    /// Bytes.
    pub(crate) size: u64,
    /// When it was finished.
    pub(crate) made: DateTime<Utc>,
}

/// Backups of an organisation, newest first.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) async fn backups(organisation: OrganisationId, folder: &Path) -> Result<Vec<Backup>> {
    let begin = format!("{}-", role::name(organisation));
    let mut entries = match tokio::fs::read_dir(folder).await {
        Ok(entries) => entries,
        // It is made with the first one.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::internal(error)),
    };
    let mut found = Vec::new();
    while let Some(entry) = entries.next_entry().await.map_err(Error::internal)? {
        let file = entry.file_name().to_string_lossy().into_owned();
        if !file.starts_with(&begin) || Path::new(&file).extension().is_none_or(|ending| ending != "dump") {
            continue;
        }
        let about = entry.metadata().await.map_err(Error::internal)?;
        let made = about.modified().map_err(Error::internal)?.into();
        found.push(Backup { file, size: about.len(), made });
    }
    found.sort_by(|one, other| other.file.cmp(&one.file));
    Ok(found)
}

/// Does what was ordered, for the life of the process.
pub(crate) async fn work(app: App) {
    let Some(folder) = app.config.backup_folder.clone() else { return };
    loop {
        match next(&app, &folder).await {
            Ok(true) => {}
            Ok(false) => tokio::time::sleep(PAUSE).await,
            Err(error) => {
                tracing::warn!(?error, "copies of organisations cannot be looked after");
                tokio::time::sleep(PAUSE * 5).await;
            }
        }
    }
}

/// Does the next piece; false when there is none.
pub(crate) async fn next(app: &App, folder: &Path) -> Result<bool> {
    let mut connection = app.control.acquire().await?;
    queue::reclaim_expired(&mut connection).await?;
    queue::purge_finished(&mut connection, KEPT).await?;
    let claimed = queue::claim(&mut connection, "control-plane", &[Copying::KIND], LEASE).await?;
    // It may take long: the connection serves others meanwhile.
    drop(connection);
    let Some(claimed) = claimed else { return Ok(false) };
    let outcome = tokio::select! {
        outcome = copy(app, &claimed, folder) => outcome,
        lost = keep(app, &claimed) => return Err(lost),
    };
    let mut connection = app.control.acquire().await?;
    match outcome {
        Ok(()) => queue::complete(&mut connection, &claimed).await?,
        Err(error) => {
            tracing::error!(job = claimed.id.get(), ?error, "a copy of an organisation failed");
            let reason = error.causes().unwrap_or_else(|| error.description());
            let again = matches!(error.kind(), Kind::Unavailable);
            let end = if again {
                queue::fail(&mut connection, &claimed, &reason).await
            } else {
                queue::bury(&mut connection, &claimed, &reason).await
            };
            end?;
        }
    }
    Ok(true)
}

/// Says that the work goes on, until somebody else has taken it over.
async fn keep(app: &App, claimed: &Claimed) -> Error {
    loop {
        tokio::time::sleep(LEASE / 4).await;
        let beat = async {
            let mut connection = app.control.acquire().await?;
            queue::heartbeat(&mut connection, claimed, LEASE, None).await
        };
        match beat.await {
            Err(error) if error.kind() == Kind::Conflict => return error,
            Err(error) => tracing::warn!(?error, "a copy of an organisation cannot say that it goes on"),
            Ok(()) => {}
        }
    }
}

async fn copy(app: &App, claimed: &Claimed, folder: &Path) -> Result<()> {
    let Copying { organisation, what } = claimed.job()?;
    // All data of an organisation is in there: nobody else of the machine reads it.
    let made = tokio::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).await;
    made.map_err(Error::internal)?;
    match what {
        What::Backup => app.provisioning.backup(organisation, folder).await.map(|_| ()),
        What::Restore { file } => {
            // Chosen by mistake, it can be taken back.
            app.provisioning.backup(organisation, folder).await?;
            app.provisioning.restore(organisation, &folder.join(file)).await
        }
        What::Move { placement } => app.provisioning.move_to(organisation, &placement, folder).await,
    }
}
