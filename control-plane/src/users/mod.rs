//! People who sign in. Each has one role in one organisation, and may work for one of its hauliers.

mod address;
mod email_change;
mod me;
mod model;
mod password;
mod reauthentication;
mod removal;
mod write;

pub(crate) use model::{User, UserFields};
pub(crate) use password::{Secret, set as set_password};
pub(crate) use removal::{filters, page, remove, restore};
pub(crate) use write::{Kind, change, insert, secret};

use axum::Json;
use routewright_core::http::respond::Created;
use routewright_core::http::{Body, Path};
use routewright_core::list::{ListQuery, Listed};
use routewright_core::{Access, Given, Result, Routes};
use routewright_tenancy::resource::{BulkItem, DeleteMany, Deleted, DeletedMany};
use routewright_tenancy::{Db, resource};
use serde_json::Value;

use crate::actor::Actor;
use crate::app::App;

const READ: Access = Access::levels(&["users_read"]);
const WRITE: Access = Access::levels(&["users_write"]);

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .list("/users", READ, filters(), list)
        .post("/users", WRITE, create)
        .patch("/users/bulk", WRITE, patch_bulk)
        .patch("/users/me", Access::SIGNED_IN, me::patch)
        .post("/users/me/email", Access::SIGNED_IN, email_change::confirm)
        .get("/users/{id}", READ, get)
        .patch("/users/{id}", WRITE, patch)
        .delete("/users/{id}", WRITE, delete)
        .patch("/users/{id}/restore", WRITE, bring_back)
        .delete("/users/bulk", WRITE, delete_bulk)
}

/// `GET /users`: without the deleted ones unless `include_deleted`.
async fn list(mut db: Db, query: ListQuery) -> Result<Listed<User>> {
    page(&mut db, query, Kind::User).await
}

async fn get(db: Db, id: Path<i64>) -> Result<Json<User>> {
    resource::get(db, id).await
}

async fn create(
    axum::extract::State(app): axum::extract::State<App>,
    actor: Actor,
    mut db: Db,
    given: Given<UserFields>,
) -> Result<Created<User>> {
    let secret = secret(&app, &mut db, &actor, &given, None).await?;
    insert(&app, &mut db, &actor, given, Kind::User, secret).await.map(Created)
}

async fn patch(
    axum::extract::State(app): axum::extract::State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
    given: Given<UserFields>,
) -> Result<Json<User>> {
    let secret = secret(&app, &mut db, &actor, &given, Some((id, Kind::User))).await?;
    change(&app, &mut db, &actor, id, given, Kind::User, secret).await.map(Json)
}

async fn patch_bulk(
    axum::extract::State(app): axum::extract::State<App>,
    actor: Actor,
    mut db: Db,
    Body(items): Body<Vec<BulkItem>>,
) -> Result<Json<Vec<User>>> {
    // All passwords are hashed before anything is written: the transaction is given back meanwhile.
    let mut asked = Vec::with_capacity(items.len());
    for item in items {
        let given = Given::parse(Value::Object(item.change))?;
        let secret = secret(&app, &mut db, &actor, &given, Some((item.id, Kind::User))).await?;
        asked.push((item.id, given, secret));
    }
    let mut changed = Vec::with_capacity(asked.len());
    for (id, given, secret) in asked {
        changed.push(change(&app, &mut db, &actor, id, given, Kind::User, secret).await?);
    }
    Ok(Json(changed))
}

async fn bring_back(
    axum::extract::State(app): axum::extract::State<App>,
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
) -> Result<Json<User>> {
    restore(&app, &mut db, &actor, id, Kind::User).await.map(Json)
}

async fn delete(actor: Actor, mut db: Db, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    remove(&mut db, &actor, id, Kind::User).await?;
    Ok(Json(Deleted { id }))
}

/// All or nothing.
async fn delete_bulk(actor: Actor, mut db: Db, Body(asked): Body<DeleteMany>) -> Result<Json<DeletedMany>> {
    asked
        .each(&mut db, &actor, async |db: &mut Db, actor: &Actor, id| remove(db, actor, id, Kind::User).await)
        .await
}
