//! Driver users: people who only drive. They are users with the built-in role `driver`, kept by those who keep drivers.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::http::respond::Created;
use routewright_core::http::{Body, Path};
use routewright_core::list::{ListQuery, Listed};
use routewright_core::{Access, Error, Given, Result, Routes};
use routewright_tenancy::Db;
use routewright_tenancy::resource::{self, BulkItem, DeleteMany, Deleted, DeletedMany};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::actor::Actor;
use crate::app::App;
use crate::roles::DRIVER;
use crate::users::{self, Kind, User, UserFields};

const READ: Access = Access::levels(&["driver_users_read"]);
const WRITE: Access = Access::levels(&["driver_users_write"]);

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/drivers/users", READ, users::filters(), all)
        .post("/drivers/users", WRITE, create)
        .patch("/drivers/users/bulk", WRITE, patch_bulk)
        .get("/drivers/users/{id}", READ, get)
        .patch("/drivers/users/{id}", WRITE, patch)
        .delete("/drivers/users/{id}", WRITE, delete)
        .patch("/drivers/users/{id}/restore", WRITE, restore)
        .delete("/drivers/users/bulk", WRITE, delete_bulk)
}

/// A driver user.
#[derive(Debug, Serialize, JsonSchema)]
struct DriverUser {
    /// Id.
    id: i64,
    /// First name.
    first_name: Option<String>,
    /// Last name.
    last_name: Option<String>,
    /// Address, unique on the platform.
    email: String,
    /// Phone number.
    phone_number: Option<String>,
    /// Organisation.
    organisation_id: i64,
    /// The haulier the driver works for.
    haulier_id: Option<i64>,
    /// Set while deleted.
    deleted_at: Option<DateTime<Utc>>,
}

impl From<User> for DriverUser {
    fn from(user: User) -> Self {
        Self {
            id: user.id,
            first_name: user.first_name,
            last_name: user.last_name,
            email: user.email,
            phone_number: user.phone_number,
            organisation_id: user.organisation_id,
            haulier_id: user.haulier_id,
            deleted_at: user.deleted_at,
        }
    }
}

async fn all(mut db: Db, query: ListQuery) -> Result<Listed<DriverUser>> {
    Ok(users::page(&mut db, query, Kind::Driver).await?.map(DriverUser::from))
}

async fn get(mut db: Db, Path(id): Path<i64>) -> Result<Json<DriverUser>> {
    let caller = db.caller().clone();
    let missing = || Error::not_found("Driver user");
    let user = resource::find::<User>(&mut db, &caller, id).await.map_err(|_| missing())?;
    if user.role.name == DRIVER { Ok(Json(user.into())) } else { Err(missing()) }
}

async fn create(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    given: Given<UserFields>,
) -> Result<Created<DriverUser>> {
    let secret = users::secret(&app, &mut db, &actor, &given, None).await?;
    let user = users::insert(&app, &mut db, &actor, given, Kind::Driver, secret).await?;
    Ok(Created(user.into()))
}

async fn patch(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
    given: Given<UserFields>,
) -> Result<Json<DriverUser>> {
    let secret = users::secret(&app, &mut db, &actor, &given, Some((id, Kind::Driver))).await?;
    let user = users::change(&app, &mut db, &actor, id, given, Kind::Driver, secret).await?;
    Ok(Json(user.into()))
}

async fn patch_bulk(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Body(items): Body<Vec<BulkItem>>,
) -> Result<Json<Vec<DriverUser>>> {
    // All passwords are hashed before anything is written: the transaction is given back meanwhile.
    let mut asked = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(Value::Object(item.change))?;
        let secret = users::secret(&app, &mut db, &actor, &given, Some((item.id, Kind::Driver))).await?;
        asked.push((item.id, given, secret));
    }
    let mut changed = Vec::with_capacity(asked.len());
    for (id, given, secret) in asked {
        changed.push(users::change(&app, &mut db, &actor, id, given, Kind::Driver, secret).await?.into());
    }
    Ok(Json(changed))
}

async fn restore(
    State(app): State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
) -> Result<Json<DriverUser>> {
    let user = users::restore(&app, &mut db, &actor, id, Kind::Driver).await?;
    Ok(Json(user.into()))
}

async fn delete(actor: Actor, mut db: Db, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    users::remove(&mut db, &actor, id, Kind::Driver).await?;
    Ok(Json(Deleted { id }))
}

/// All or nothing.
async fn delete_bulk(actor: Actor, mut db: Db, Body(asked): Body<DeleteMany>) -> Result<Json<DeletedMany>> {
    asked
        .each(&mut db, &actor, async |db: &mut Db, actor: &Actor, id| {
            users::remove(db, actor, id, Kind::Driver).await
        })
        .await
}
