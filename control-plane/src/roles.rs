//! Roles: named sets of access levels.

use axum::Json;
use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::http::respond::Created;
use routewright_core::http::{Body, Path};
use routewright_core::list::{Filter, ListQuery, Listed, Shape, Where};
use routewright_core::{Access, Error, Given, OnConstraint as _, OrganisationId, Result, Routes, access};
use routewright_identity::Caller;
use routewright_tenancy::resource::{BulkItem, DeleteMany, Deleted, DeletedMany};
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::FromRow;

use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::last_administrator::{self, is_administrator};
use crate::scope;

/// The role of people who only drive.
pub(crate) const DRIVER: &str = "driver";

const READ: Access = Access::levels(&["roles_read"]);
const WRITE: Access = Access::levels(&["roles_write"]);

pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .get("/access_levels", READ, access_levels)
        .list("/roles", READ, resource::filters::<Role>(), list)
        .post("/roles", WRITE, create)
        .patch("/roles/bulk", WRITE, patch_bulk)
        .get("/roles/{id}", READ, get)
        .patch("/roles/{id}", WRITE, patch)
        .delete("/roles/{id}", WRITE, delete)
        .delete("/roles/bulk", WRITE, delete_bulk)
}

/// A role.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct Role {
    /// Id.
    pub(crate) id: i64,
    /// Name, unique in the organisation.
    pub(crate) name: String,
    /// What its users may do.
    pub(crate) access_levels: Vec<String>,
    /// Whose role.
    pub(crate) organisation_id: i64,
    /// One of the three that every organisation has; it cannot be changed.
    pub(crate) built_in: bool,
    /// When it was made.
    pub(crate) created: DateTime<Utc>,
    /// When it was last changed.
    pub(crate) modified: DateTime<Utc>,
}

/// A user's role, as shown with the user.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RoleSummary {
    /// Id.
    pub(crate) id: i64,
    /// Name.
    pub(crate) name: String,
    /// What the user may do.
    pub(crate) access_levels: Vec<String>,
}

/// What can be written of a role.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct RoleFields {
    /// Name, unique in the organisation.
    name: Option<String>,
    /// Names from `GET /access_levels`.
    access_levels: Option<Vec<String>>,
    /// Only Master users may name another organisation.
    organisation_id: Option<i64>,
}

impl Resource for Role {
    const NAME: &'static str = "Role";
    const PATH: &'static str = "/roles";
    const TABLE: &'static str = "roles";
    const COLUMNS: &'static str = "id, name, access_levels, organisation_id, built_in, created, modified";
    const SHAPE: Shape = Shape {
        filters: &[
            // Hauliers use the roles of the organisation above them.
            Filter::among(
                "organisation_id",
                "organisation_id in (select coalesce(parent_organisation_id, id) from organisations where id = any({}))",
            ),
            Filter::id("id", "id"),
            Filter::text("name", "name"),
            Filter::bool("built_in", "built_in"),
            // Whether it is the one of driver users, who are made among the drivers.
            Filter::bool("drivers", "(built_in and name = 'driver')"),
        ],
        search: &["name"],
        sort: &[
            ("id", "id"),
            ("name", "lower(name)"),
            ("organisation_id", "organisation_id"),
            ("created", "created"),
        ],
        order: "id desc",
    };
    type Fields = RoleFields;

    fn check(&self, problems: &mut Problems) {
        problems.text("name", &self.name, 100);
    }

    fn prepare(given: &mut Given<RoleFields>, _: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let name = given.value.name.as_deref().map(str::trim);
        if new || given.has("name") {
            problems.require(name.is_some_and(|name| !name.is_empty()), "name", "Name is required");
            problems.require(
                name.is_none_or(|name| name.chars().count() <= 100),
                "name",
                routewright_core::check::TOO_LONG,
            );
        }
        if let Some(levels) = &given.value.access_levels {
            let known = access::all_levels();
            if let Some(unknown) = levels.iter().find(|level| !known.contains(level)) {
                problems.add("access_levels", format!("`{unknown}` is not an access level"));
            }
            // Each once, in the order in which they are listed.
            let kept: Vec<Value> =
                known.into_iter().filter(|level| levels.contains(level)).map(Value::from).collect();
            given.fields.insert("access_levels".to_owned(), kept.into());
        } else if given.has("access_levels") {
            problems.add("access_levels", routewright_core::check::REQUIRED);
        }
        if let Some(name) = name {
            given.fields.insert("name".to_owned(), name.into());
        }
        problems.finish()
    }

    fn narrow(caller: &Caller, conditions: &mut Where) {
        scope::narrow(caller, conditions, "organisation_id");
    }
}

async fn access_levels() -> Json<Vec<String>> {
    Json(access::all_levels())
}

async fn list(db: Db, query: ListQuery) -> Result<Listed<Role>> {
    resource::list(db, query).await
}

async fn get(db: Db, id: Path<i64>) -> Result<Json<Role>> {
    resource::get(db, id).await
}

async fn create(mut db: Db, actor: Actor, mut given: Given<RoleFields>) -> Result<Created<Role>> {
    scope::refuse_hauliers(&actor.caller)?;
    let place = scope::place(&mut db, &actor, given.value.organisation_id, None).await?;
    if place.haulier.is_some() {
        return Err(Error::field("organisation_id", "Hauliers use the roles of their organisation"));
    }
    refuse_ungrantable(&actor, given.value.access_levels.as_deref())?;
    given.fields.insert("organisation_id".to_owned(), place.organisation.get().into());
    let role = resource::insert::<Role>(&mut db, &actor.caller, given).await.map_err(name_taken)?;
    scope::announce(&mut db, place.organisation).await?;
    Entry::new("role_created", format!("role:{}", role.id))
        .of(place.organisation)
        .after(&role)
        .write(&mut db, &actor)
        .await?;
    Ok(Created(role))
}

async fn patch(
    mut db: Db,
    actor: Actor,
    Path(id): Path<i64>,
    given: Given<RoleFields>,
) -> Result<Json<Role>> {
    change(&mut db, &actor, id, given).await.map(Json)
}

async fn patch_bulk(mut db: Db, actor: Actor, Body(items): Body<Vec<BulkItem>>) -> Result<Json<Vec<Role>>> {
    let mut changed = Vec::with_capacity(items.len());
    for item in items {
        changed.push(change(&mut db, &actor, item.id, Given::parse(Value::Object(item.change))?).await?);
    }
    Ok(Json(changed))
}

async fn change(db: &mut Db, actor: &Actor, id: i64, mut given: Given<RoleFields>) -> Result<Role> {
    let before = changeable(db, actor, id).await?;
    refuse_ungrantable(actor, given.value.access_levels.as_deref())?;
    // The form sends it back; a role cannot leave its organisation, because its users would stay behind.
    if given.value.organisation_id.is_some_and(|organisation| organisation != before.organisation_id) {
        return Err(Error::field("organisation_id", "A role cannot move to another organisation"));
    }
    given.fields.remove("organisation_id");
    let after = resource::update::<Role>(db, &actor.caller, id, given).await.map_err(name_taken)?;
    let organisation = OrganisationId::new(before.organisation_id);
    scope::announce(db, organisation).await?;
    if is_administrator(&before.access_levels) && !is_administrator(&after.access_levels) {
        last_administrator::require(db, organisation).await?;
    }
    Entry::new("role_changed", format!("role:{id}"))
        .of(organisation)
        .before(&before)
        .after(&after)
        .write(db, actor)
        .await?;
    Ok(after)
}

async fn delete(mut db: Db, actor: Actor, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    remove(&mut db, &actor, id).await?;
    Ok(Json(Deleted { id }))
}

/// All or nothing.
async fn delete_bulk(mut db: Db, actor: Actor, Body(asked): Body<DeleteMany>) -> Result<Json<DeletedMany>> {
    asked.each(&mut db, &actor, remove).await
}

async fn remove(db: &mut Db, actor: &Actor, id: i64) -> Result<()> {
    let before = changeable(db, actor, id).await?;
    let held: bool =
        sqlx::query_scalar("select exists (select from users where role_id = $1 and deleted_at is null)")
            .bind(id)
            .fetch_one(&mut **db)
            .await?;
    if held {
        return Err(in_use());
    }
    // Deleted users keep their row for the record, but need no role of their own any more.
    sqlx::query(
        "update users set role_id = (
             select id from roles where organisation_id = $2 and built_in and name = 'driver'
         )
         where role_id = $1",
    )
    .bind(id)
    .bind(before.organisation_id)
    .execute(&mut **db)
    .await?;
    sqlx::query("delete from roles where id = $1")
        .bind(id)
        .execute(&mut **db)
        .await
        .on_constraint("users_role_id_fkey", in_use)?;
    let organisation = OrganisationId::new(before.organisation_id);
    scope::announce(db, organisation).await?;
    Entry::new("role_deleted", format!("role:{id}")).of(organisation).before(&before).write(db, actor).await
}

/// The role, if the caller may change it: hauliers' people change none, the built-in ones stay as they are, and nobody
/// takes away levels that they do not hold.
async fn changeable(db: &mut Db, actor: &Actor, id: i64) -> Result<Role> {
    scope::refuse_hauliers(&actor.caller)?;
    let role = resource::find::<Role>(db, &actor.caller, id).await?;
    scope::lock(db, OrganisationId::new(role.organisation_id)).await?;
    if role.built_in {
        return Err(Error::bad_request("Built-in roles cannot be changed"));
    }
    refuse_ungrantable(actor, Some(&role.access_levels))?;
    Ok(role)
}

fn refuse_ungrantable(actor: &Actor, levels: Option<&[String]>) -> Result<()> {
    // What is no access level at all gets its own answer later.
    let known = access::all_levels();
    let levels: Vec<String> =
        levels.unwrap_or_default().iter().filter(|level| known.contains(level)).cloned().collect();
    if scope::may_grant(&actor.caller, &levels) { Ok(()) } else { Err(Error::denied()) }
}

fn in_use() -> Error {
    Error::bad_request("Role is still held by users")
}

fn name_taken(error: Error) -> Error {
    if error.named_fields().get("name").is_some_and(|reason| reason.contains("already in use")) {
        Error::field("name", "A role with this name already exists")
    } else {
        error
    }
}
