//! Territory groups: what a scenario shows and uses.

use axum::Json;
use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::http::Path;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Body, Error, Given, Jsonb, Result};
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};

use super::geometry;

/// A territory of a group.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct GroupTerritory {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
}

/// A territory group.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TerritoryGroup {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Outer rings, longitude first: the outline of its territories, or what was drawn by hand when it has none.
    pub coordinates: Vec<Vec<[f64; 2]>>,
    /// Colour `#rrggbb`.
    pub colour: Option<String>,
    /// Its territories.
    pub territories: Vec<GroupTerritory>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

impl<'r> FromRow<'r, PgRow> for TerritoryGroup {
    fn from_row(row: &'r PgRow) -> sqlx::Result<Self> {
        let drawn: Option<Jsonb<Vec<Vec<[f64; 2]>>>> = row.try_get("coordinates")?;
        let areas: Jsonb<Vec<Value>> = row.try_get("geometries")?;
        let territories: Jsonb<Vec<GroupTerritory>> = row.try_get("territories")?;
        let coordinates = if areas.is_empty() {
            drawn.map(|rings| rings.0).unwrap_or_default()
        } else {
            geometry::outline(&areas)
        };
        Ok(Self {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            coordinates,
            colour: row.try_get("colour")?,
            territories: territories.0,
            created: row.try_get("created")?,
            modified: row.try_get("modified")?,
        })
    }
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TerritoryGroupFields {
    /// Name.
    pub name: Option<String>,
    /// Outer rings drawn by hand, longitude first.
    pub coordinates: Option<Value>,
    /// Colour `#rrggbb`.
    pub colour: Option<String>,
}

impl Resource for TerritoryGroup {
    const NAME: &'static str = "Territory group";
    const PATH: &'static str = "/territory_groups";
    const TABLE: &'static str = "territory_groups";
    const FROM: &'static str = "territory_groups g left join lateral (
            select jsonb_agg(t.geometry) as geometries,
                jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by lower(t.name), t.id) as territories
            from territory_group_territories m join territories t on t.id = m.territory_id where m.territory_group_id = g.id
        ) members on true";
    const ID: &'static str = "g.id";
    const COLUMNS: &'static str =
        "g.id, g.name, g.coordinates, g.colour, coalesce(members.geometries, '[]') as geometries,
        coalesce(members.territories, '[]') as territories, g.created, g.modified";
    const SHAPE: Shape = Shape {
        filters: &[Filter::text("name", "g.name"), Filter::id("territory_group_id", "g.id")],
        search: &["g.name"],
        sort: &[("id", "g.id"), ("name", "lower(g.name)"), ("created", "g.created")],
        order: "g.id desc",
    };
    type Fields = TerritoryGroupFields;

    fn prepare(given: &mut Given<TerritoryGroupFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let value = &given.value;
        problems.require(value.name.is_some() || !(new || given.has("name")), "name", check::REQUIRED);
        problems.optional_text("name", value.name.as_deref(), 200);
        problems.colour("colour", value.colour.as_deref());
        if let Some(Err(reason)) = value.coordinates.as_ref().map(geometry::read_rings) {
            problems.add("coordinates", reason);
        }
        problems.finish()?;
        // Heights are left out, so that what is stored can be read again.
        if let Some(Value::Array(rings)) = given.fields.get_mut("coordinates") {
            for position in rings.iter_mut().filter_map(Value::as_array_mut).flatten() {
                if let Some(position) = position.as_array_mut() {
                    position.truncate(2);
                }
            }
        }
        Ok(())
    }
}

/// Territories by id.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TerritoryIds {
    territory_ids: Vec<i64>,
}

/// `PUT /territory_groups/{id}/territories`: replaces.
pub(super) async fn replace(
    mut db: Db,
    Path(id): Path<i64>,
    Body(body): Body<TerritoryIds>,
) -> Result<Json<TerritoryGroup>> {
    known(&mut db, id, &body.territory_ids).await?;
    sqlx::query("delete from territory_group_territories where territory_group_id = $1")
        .bind(id)
        .execute(&mut *db)
        .await?;
    insert(&mut db, id, &body.territory_ids).await
}

/// `POST /territory_groups/{id}/assign_territory`: adds.
pub(super) async fn add(
    mut db: Db,
    Path(id): Path<i64>,
    Body(body): Body<TerritoryIds>,
) -> Result<Json<TerritoryGroup>> {
    known(&mut db, id, &body.territory_ids).await?;
    insert(&mut db, id, &body.territory_ids).await
}

/// `POST /territory_groups/{id}/remove_territory`: removes.
pub(super) async fn remove(
    mut db: Db,
    Path(id): Path<i64>,
    Body(body): Body<TerritoryIds>,
) -> Result<Json<TerritoryGroup>> {
    known(&mut db, id, &body.territory_ids).await?;
    sqlx::query(
        "delete from territory_group_territories where territory_group_id = $1 and territory_id = any($2)",
    )
    .bind(id)
    .bind(&body.territory_ids)
    .execute(&mut *db)
    .await?;
    let caller = db.caller().clone();
    resource::find(&mut db, &caller, id).await.map(Json)
}

async fn known(db: &mut Db, group: i64, territories: &[i64]) -> Result<()> {
    let caller = db.caller().clone();
    resource::find::<TerritoryGroup>(db, &caller, group).await?;
    let unknown: Option<i64> = sqlx::query_scalar(
        "select wanted from unnest($1::bigint[]) as wanted where not exists (select from territories where id = wanted) limit 1",
    )
    .bind(territories)
    .fetch_optional(&mut **db)
    .await?;
    match unknown {
        None => Ok(()),
        Some(_) => Err(Error::field("territory_ids", "Territory not found")),
    }
}

async fn insert(db: &mut Db, group: i64, territories: &[i64]) -> Result<Json<TerritoryGroup>> {
    sqlx::query(
        "insert into territory_group_territories (territory_group_id, territory_id)
         select distinct $1::bigint, unnest($2::bigint[]) on conflict do nothing",
    )
    .bind(group)
    .bind(territories)
    .execute(&mut **db)
    .await?;
    let caller = db.caller().clone();
    resource::find(db, &caller, group).await.map(Json)
}
