//! Backups of an organisation, restoring one, moving it to another database. The work is done in the background.

use std::path::Path as FilePath;

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_bus::queue::{self, Job as _, Queued};
use routewright_core::error::Problems;
use routewright_core::http::{Body, Path};
use routewright_core::{Error, OrganisationId, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use sqlx::types::Json as Column;

use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::copies::{self, Backup, Copying, What};
use crate::organisations::{TYPE_THE_NAME, same_name};

/// Pieces of work that are shown, newest first.
const SHOWN: i64 = 10;

/// What there is of an organisation's data besides the data itself.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OrganisationCopies")]
pub(super) struct Copies {
    /// Whether this installation has a folder for backups.
    configured: bool,
    /// Newest first.
    backups: Vec<Backup>,
    /// What is being done and was done last, newest first.
    work: Vec<CopyWork>,
    /// The database it lives in.
    placement: String,
    /// The databases it could live in.
    placements: Vec<String>,
}

/// A piece of work.
#[derive(Debug, Serialize, JsonSchema, FromRow)]
pub(super) struct CopyWork {
    /// Id.
    id: i64,
    /// What is done.
    #[schemars(with = "What")]
    #[serde(flatten)]
    what: Column<What>,
    /// `queued`, `running`, `done`, or `dead`: it failed.
    state: String,
    /// Why it failed.
    error: Option<String>,
    /// When it was ordered.
    created: DateTime<Utc>,
    /// When it ended.
    finished: Option<DateTime<Utc>>,
}

/// Which backup.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "RestoreOrganisation")]
#[serde(deny_unknown_fields)]
pub(super) struct Restore {
    /// The organisation's name, typed again.
    name: Option<String>,
    /// Name of the backup.
    file: String,
}

/// Whereto.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "MoveOrganisation")]
#[serde(deny_unknown_fields)]
pub(super) struct Move {
    /// The organisation's name, typed again.
    name: Option<String>,
    /// The placement that it moves to.
    placement: String,
}

#[derive(FromRow)]
struct Row {
    name: String,
    is_master: bool,
    placement: String,
}

/// `GET /operators/organisations/{id}/copies`.
pub(super) async fn list(State(app): State<App>, mut db: Db, Path(id): Path<i64>) -> Result<Json<Copies>> {
    let row = row(&mut db, id).await?;
    answer(&app, db, id, row).await
}

/// `POST /operators/organisations/{id}/backup`: while it is in use, as of one moment.
pub(super) async fn backup(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
) -> Result<Json<Copies>> {
    folder(&app)?;
    let row = row(&mut db, id).await?;
    order(&mut db, &actor, id, What::Backup, "organisation_backup_ordered").await?;
    answer(&app, db, id, row).await
}

/// `POST /operators/organisations/{id}/restore`: nobody works in it meanwhile. What is there now is backed up before.
pub(super) async fn restore(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
    Body(body): Body<Restore>,
) -> Result<Json<Copies>> {
    let folder = folder(&app)?;
    let row = row(&mut db, id).await?;
    refuse_master(&row)?;
    let known = db.outside(copies::backups(OrganisationId::new(id), folder)).await??;
    let mut problems = Problems::default();
    problems.require(same_name(&row.name, body.name.as_deref()), "name", TYPE_THE_NAME);
    problems.require(known.iter().any(|one| one.file == body.file), "file", "This backup does not exist");
    problems.finish()?;
    order(&mut db, &actor, id, What::Restore { file: body.file }, "organisation_restore_ordered").await?;
    answer(&app, db, id, row).await
}

/// `POST /operators/organisations/{id}/move`: nobody works in it meanwhile.
pub(super) async fn move_to(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
    Body(body): Body<Move>,
) -> Result<Json<Copies>> {
    folder(&app)?;
    let row = row(&mut db, id).await?;
    refuse_master(&row)?;
    let mut problems = Problems::default();
    problems.require(same_name(&row.name, body.name.as_deref()), "name", TYPE_THE_NAME);
    let is_known = app.config.placements.names().any(|known| known == body.placement);
    problems.require(is_known, "placement", "This placement is not configured");
    problems.require(body.placement != row.placement, "placement", "It lives there already");
    problems.finish()?;
    let what = What::Move { placement: body.placement };
    order(&mut db, &actor, id, what, "organisation_move_ordered").await?;
    answer(&app, db, id, row).await
}

fn folder(app: &App) -> Result<&FilePath> {
    let text = "This installation has no folder for backups: set BACKUP_FOLDER";
    app.config.backup_folder.as_deref().ok_or_else(|| Error::conflict(text))
}

/// Its users are the operators: nobody would see how it goes on.
fn refuse_master(row: &Row) -> Result<()> {
    let text = "The organisation Master is restored and moved on the command line only";
    if row.is_master { Err(Error::bad_request(text)) } else { Ok(()) }
}

async fn row(db: &mut Db, id: i64) -> Result<Row> {
    sqlx::query_as(
        "select name, is_master, placement from organisations
         where id = $1 and parent_organisation_id is null and deleted_at is null",
    )
    .bind(id)
    .fetch_optional(&mut **db)
    .await?
    .ok_or_else(|| Error::not_found("Organisation"))
}

async fn order(db: &mut Db, actor: &Actor, id: i64, what: What, action: &'static str) -> Result<()> {
    let organisation = OrganisationId::new(id);
    if let Queued::Already(_) = queue::enqueue(db, &Copying { organisation, what: what.clone() }).await? {
        return Err(Error::conflict(
            "Something is being done with this organisation. Please wait for its end.",
        ));
    }
    Entry::new(action, format!("organisation:{id}")).of(organisation).after(&what).write(db, actor).await
}

async fn answer(app: &App, mut db: Db, id: i64, row: Row) -> Result<Json<Copies>> {
    let work: Vec<CopyWork> = sqlx::query_as(
        "select id, payload as what, state, last_error as error, created, finished from background_jobs
         where kind = $1 and payload->'organisation' = to_jsonb($2::bigint) order by id desc limit $3",
    )
    .bind(Copying::KIND)
    .bind(id)
    .bind(SHOWN)
    .fetch_all(&mut *db)
    .await?;
    db.let_go().await?;
    let folder = app.config.backup_folder.as_deref();
    let backups = match folder {
        Some(folder) => copies::backups(OrganisationId::new(id), folder).await?,
        None => Vec::new(),
    };
    Ok(Json(Copies {
        configured: folder.is_some(),
        backups,
        work,
        placement: row.placement,
        placements: app.config.placements.names().map(str::to_owned).collect(),
    }))
}
