//! What was deleted and can be brought back.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::http::Path;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Access, Error, Result, Routes};
use routewright_identity::Caller;
use routewright_tenancy::resource;
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use crate::app::App;
use crate::orders::jobs;
use crate::plan::{self, Departure, Planner};

/// Who may bring back what: whoever may delete it.
const KINDS: [(&str, &str); 6] = [
    ("clients", "clients_write"),
    ("jobs", "jobs_delete"),
    ("locations", "locations_write"),
    ("scenarios", "scenarios_write"),
    ("territories", "territories_write"),
    ("vehicles", "vehicles_write"),
];
const ANY: Access = Access::any(&[
    "clients_write",
    "jobs_delete",
    "locations_write",
    "scenarios_write",
    "territories_write",
    "vehicles_write",
]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().list("/bin", ANY, resource::filters::<Binned>(), resource::list::<Binned>).post(
        "/bin/{id}/restore",
        ANY,
        restore,
    )
}

/// Something that was deleted.
#[derive(Debug, Serialize, JsonSchema, FromRow)]
struct Binned {
    /// Id of the entry.
    id: i64,
    /// What it was: `clients`, `jobs`, `locations`, `scenarios`, `territories` or `vehicles`.
    kind: String,
    /// Its id, which it gets back.
    object_id: i64,
    /// Its name or uid.
    name: Option<String>,
    /// The user who deleted it.
    deleted_by_id: Option<i64>,
    /// When.
    deleted_at: DateTime<Utc>,
    /// When it is gone for good.
    purged_at: DateTime<Utc>,
}

/// Nothing of it can be written.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BinnedFields")]
struct Nothing {}

impl Resource for Binned {
    const NAME: &'static str = "Deleted thing";
    const PATH: &'static str = "/bin";
    const TABLE: &'static str = "bin";
    const COLUMNS: &'static str = "id, kind, object_id, name, deleted_by_id, deleted_at, purged_at";
    const SHAPE: Shape = Shape {
        filters: &[Filter::text("kind", "kind"), Filter::id("object_id", "object_id")],
        search: &["name"],
        sort: &[("id", "id"), ("kind", "kind"), ("name", "lower(name)"), ("deleted_at", "deleted_at")],
        order: "id desc",
    };
    type Fields = Nothing;

    /// Hauliers' people see nothing: what they may delete is not told from what they may not see.
    fn narrow(caller: &Caller, conditions: &mut Where) {
        let mut kinds: Vec<&str> = Vec::new();
        if caller.haulier_id().is_none() {
            kinds.extend(KINDS.iter().filter(|(_, level)| caller.holds(level)).map(|(kind, _)| *kind));
        }
        let place = conditions.bind(kinds.iter().map(|kind| (*kind).to_owned()).collect::<Vec<String>>());
        conditions.and(&format!("kind = any({place})"));
    }
}

/// Answer of a restore.
#[derive(Debug, Serialize, JsonSchema)]
struct Restored {
    /// What it is.
    kind: String,
    /// Its id, as before.
    id: i64,
    /// Its name or uid.
    name: Option<String>,
}

/// `POST /bin/{id}/restore`: brings a thing back whole, under its old id, with its links. What it belonged to and is gone
/// itself is left empty.
async fn restore(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Restored>> {
    let caller = db.caller().clone();
    let found: Binned = resource::find(&mut db, &caller, id).await?;
    let claimed =
        sqlx::query("select id from bin where id = $1 for update").bind(id).fetch_optional(&mut *db).await?;
    if claimed.is_none() {
        return Err(Error::not_found(Binned::NAME));
    }
    // A job whose scenario is gone comes back to the pool.
    let statement = "select bin_restore(
             case when kind = 'jobs' and not exists (
                 select from scenarios s where s.id = (rows #>> '{jobs,0,scenario_id}')::bigint
             ) then jsonb_set(rows, '{jobs,0,scenario_id}', 'null') else rows end,
             emptied
         ) from bin where id = $1";
    sqlx::query(statement).bind(id).execute(&mut *db).await.map_err(|error| in_the_way(error, &found))?;
    sqlx::query("delete from bin where id = $1").bind(id).execute(&mut *db).await?;
    match found.kind.as_str() {
        "jobs" => jobs::store::restored(&mut db, found.object_id).await?,
        "scenarios" => {
            let runs: Vec<i64> = sqlx::query_scalar("select id from runs where scenario_id = $1 order by id")
                .bind(found.object_id)
                .fetch_all(&mut *db)
                .await?;
            let runs: Vec<_> = runs.into_iter().map(|run| (run, Departure::Kept)).collect();
            // Jobs that went elsewhere meanwhile have left their places.
            plan::time_again(&mut db, &Planner::new(&app, &caller)?, found.object_id, "restore", &runs)
                .await?;
        }
        _ => {}
    }
    Ok(Json(Restored { kind: found.kind, id: found.object_id, name: found.name }))
}

/// Something else has its uid or name by now, or what it cannot be without is gone.
fn in_the_way(error: sqlx::Error, found: &Binned) -> Error {
    let name = found.name.as_deref().unwrap_or_default();
    match &error {
        sqlx::Error::Database(told) if told.is_unique_violation() => {
            Error::conflict(format!("{name} cannot be restored: there is another one of that name by now"))
        }
        sqlx::Error::Database(told) if told.is_foreign_key_violation() => {
            Error::conflict(format!("{name} cannot be restored: what it belonged to is gone"))
        }
        _ => error.into(),
    }
}
