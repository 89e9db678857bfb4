//! Hauliers: carriers that work for an organisation. They are organisations below it, without a schema of their own;
//! their people work in the schema of the organisation above and see only their own drivers, vehicles and runs (S-39).

use axum::Json;
use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::http::respond::Created;
use routewright_core::http::{Body, Path};
use routewright_core::list::{Filter, ListQuery, Listed, Shape, Where};
use routewright_core::{Access, Error, Given, OrganisationId, Result, Routes};
use routewright_identity::Caller;
use routewright_tenancy::resource::{self, DeleteMany, Deleted, DeletedMany};
use routewright_tenancy::{Db, Resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection};

use super::write::{judge_name, name_taken};
use crate::actor::{Actor, is_platform};
use crate::app::App;
use crate::audit::Entry;
use crate::{scope, timezones};

const READ: Access = Access::levels(&["hauliers_read"]);
const WRITE: Access = Access::levels(&["hauliers_write"]);

pub(super) fn routes() -> Routes<App> {
    Routes::new()
        .list("/organisations/hauliers", READ, resource::filters::<Haulier>(), list)
        .post("/organisations/hauliers", WRITE, create)
        .get("/organisations/hauliers/{id}", READ, get)
        .patch("/organisations/hauliers/{id}", WRITE, patch)
        .delete("/organisations/hauliers/{id}", WRITE, delete)
        .delete("/organisations/hauliers/bulk", WRITE, delete_bulk)
}

/// A haulier.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(super) struct Haulier {
    /// Id.
    id: i64,
    /// Name, unique in the organisation.
    name: String,
    /// The organisation it works for.
    parent_organisation_id: i64,
    /// Address.
    email: Option<String>,
    /// Phone number.
    phone_number: Option<String>,
    /// IANA name.
    timezone: String,
    /// Modules of the organisation above.
    modules: Vec<String>,
    /// When it was made.
    created: DateTime<Utc>,
    /// When it was last changed.
    modified: DateTime<Utc>,
}

/// What can be written of a haulier.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct HaulierFields {
    /// Name, unique in the organisation.
    name: Option<String>,
    /// Address.
    email: Option<String>,
    /// Phone number in international format.
    phone_number: Option<String>,
    /// IANA name; that of the organisation above unless given.
    timezone: Option<String>,
    /// The organisation above; only Master users may name another one than theirs.
    parent_organisation_id: Option<i64>,
}

impl Resource for Haulier {
    const NAME: &'static str = "Haulier";
    const PATH: &'static str = "/organisations/hauliers";
    const TABLE: &'static str = "organisations";
    const COLUMNS: &'static str = "h.id, h.name, h.parent_organisation_id, h.email, h.phone_number, h.timezone, \
         p.modules, h.created, h.modified";
    const FROM: &'static str = "organisations h join organisations p on p.id = h.parent_organisation_id";
    const ID: &'static str = "h.id";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("id", "h.id"),
            Filter::id("organisation_id", "h.parent_organisation_id"),
            Filter::id("parent_organisation_id", "h.parent_organisation_id"),
            Filter::text("name", "h.name"),
            Filter::text("email", "h.email"),
        ],
        search: &["h.name", "h.email"],
        sort: &[("id", "h.id"), ("name", "lower(h.name)"), ("created", "h.created")],
        order: "h.id desc",
    };
    type Fields = HaulierFields;

    fn prepare(given: &mut Given<HaulierFields>, _: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        if new || given.has("name") {
            let name = given.value.name.as_deref().map(str::trim).unwrap_or_default().to_owned();
            judge_name(&name, &mut problems);
            given.fields.insert("name".to_owned(), name.into());
        }
        for field in ["email", "phone_number"] {
            let blank = given
                .fields
                .get(field)
                .and_then(|value| value.as_str())
                .is_some_and(|text| text.trim().is_empty());
            if blank {
                given.fields.insert(field.to_owned(), serde_json::Value::Null);
            }
        }
        let text = |field: &str| given.fields.get(field).and_then(|value| value.as_str());
        problems.emails("email", text("email"));
        problems.phone("phone_number", text("phone_number"));
        problems.require(
            text("email").is_none_or(|email| email.len() <= check::SHORT_TEXT),
            "email",
            check::TOO_LONG,
        );
        problems.finish()?;
        match given.value.timezone.as_deref() {
            Some(name) => {
                timezones::parse(name)?;
            }
            None => {
                given.fields.remove("timezone");
            }
        }
        Ok(())
    }

    fn narrow(caller: &Caller, conditions: &mut Where) {
        conditions.and("h.deleted_at is null");
        if is_platform(caller) {
            return;
        }
        scope::narrow(caller, conditions, "h.parent_organisation_id");
        if let Some(haulier) = caller.haulier_id() {
            conditions.push("h.id = ", haulier);
        }
    }
}

async fn list(db: Db, query: ListQuery) -> Result<Listed<Haulier>> {
    resource::list(db, query).await
}

async fn get(db: Db, id: Path<i64>) -> Result<Json<Haulier>> {
    resource::get(db, id).await
}

async fn create(actor: Actor, mut db: Db, mut given: Given<HaulierFields>) -> Result<Created<Haulier>> {
    scope::refuse_hauliers(&actor.caller)?;
    let place = scope::place(&mut db, &actor, given.value.parent_organisation_id, None).await?;
    if place.haulier.is_some() {
        return Err(Error::field("parent_organisation_id", "A haulier has no hauliers of its own"));
    }
    let above: String = sqlx::query_scalar("select timezone from organisations where id = $1")
        .bind(place.organisation)
        .fetch_one(&mut *db)
        .await?;
    given.value.timezone.get_or_insert(above.clone());
    given.fields.entry("timezone".to_owned()).or_insert(above.into());
    given.fields.insert("parent_organisation_id".to_owned(), place.organisation.get().into());
    given.fields.insert("state".to_owned(), "ready".into());
    let haulier = resource::insert::<Haulier>(&mut db, &actor.caller, given)
        .await
        .map_err(|error| name_taken(error, "A haulier with this name already exists"))?;
    record(&mut db, &actor, "haulier_created", None, Some(&haulier)).await?;
    Ok(Created(haulier))
}

async fn patch(
    actor: Actor,
    mut db: Db,
    Path(id): Path<i64>,
    mut given: Given<HaulierFields>,
) -> Result<Json<Haulier>> {
    scope::refuse_hauliers(&actor.caller)?;
    let before = resource::find::<Haulier>(&mut db, &actor.caller, id).await?;
    if given.value.parent_organisation_id.is_some_and(|parent| parent != before.parent_organisation_id) {
        return Err(Error::field("parent_organisation_id", "A haulier cannot move to another organisation"));
    }
    given.fields.remove("parent_organisation_id");
    let after = resource::update::<Haulier>(&mut db, &actor.caller, id, given)
        .await
        .map_err(|error| name_taken(error, "A haulier with this name already exists"))?;
    record(&mut db, &actor, "haulier_changed", Some(&before), Some(&after)).await?;
    Ok(Json(after))
}

async fn delete(mut db: Db, actor: Actor, Path(id): Path<i64>) -> Result<Json<Deleted>> {
    remove(&mut db, &actor, id).await?;
    Ok(super::deleted(id))
}

/// All or nothing.
async fn delete_bulk(mut db: Db, actor: Actor, Body(asked): Body<DeleteMany>) -> Result<Json<DeletedMany>> {
    asked.each(&mut db, &actor, remove).await
}

/// Its drivers and vehicles stay with the organisation above; people would lose their place, so that it must have none.
async fn remove(db: &mut Db, actor: &Actor, id: i64) -> Result<()> {
    scope::refuse_hauliers(&actor.caller)?;
    let before = resource::find::<Haulier>(db, &actor.caller, id).await?;
    scope::lock(db, OrganisationId::new(id)).await?;
    let staffed: bool =
        sqlx::query_scalar("select exists (select from users where haulier_id = $1 and deleted_at is null)")
            .bind(id)
            .fetch_one(&mut **db)
            .await?;
    if staffed {
        return Err(Error::bad_request("Haulier still has users"));
    }
    sqlx::query("update organisations set deleted_at = now() where id = $1")
        .bind(id)
        .execute(&mut **db)
        .await?;
    record(db, actor, "haulier_deleted", Some(&before), None).await
}

async fn record(
    connection: &mut PgConnection,
    actor: &Actor,
    action: &'static str,
    before: Option<&Haulier>,
    after: Option<&Haulier>,
) -> Result<()> {
    let Some(haulier) = after.or(before) else { return Ok(()) };
    let organisation = OrganisationId::new(haulier.parent_organisation_id);
    scope::announce(connection, organisation).await?;
    Entry::new(action, format!("haulier:{}", haulier.id))
        .of(organisation)
        .before(&before)
        .after(&after)
        .write(connection, actor)
        .await
}
