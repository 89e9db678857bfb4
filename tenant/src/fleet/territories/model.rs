//! A territory's row, fields and checks.

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Given, Jsonb, Result};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::{FromRow, PgConnection};

use super::geometry;

use crate::bin;
use crate::organisation_column::{ORGANISATION, organisation};

/// A territory.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Territory {
    /// Id.
    pub id: i64,
    /// The organisation it belongs to.
    pub organisation_id: i64,
    /// Own number of the territory.
    pub uid: Option<String>,
    /// Name.
    pub name: String,
    /// GeoJSON Polygon or MultiPolygon, longitude first.
    pub geometry: Jsonb<Value>,
    /// Colour `#rrggbb`.
    pub colour: Option<String>,
    /// Drivers that serve it.
    pub driver_ids: Vec<i64>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TerritoryFields {
    /// Own number of the territory.
    pub uid: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// GeoJSON Polygon or MultiPolygon, longitude first.
    pub geometry: Option<Value>,
    /// Colour `#rrggbb`.
    pub colour: Option<String>,
    /// Drivers that serve it.
    pub driver_ids: Option<Vec<i64>>,
}

impl Resource for Territory {
    const NAME: &'static str = "Territory";
    const PATH: &'static str = "/territories";
    const TABLE: &'static str = "territories";
    const FROM: &'static str = "territories t";
    const ID: &'static str = "t.id";
    const COLUMNS: &'static str = concat!(
        organisation!(),
        ", t.id, t.uid, t.name, t.geometry, t.colour,
        array(select d.driver_id from driver_territories d where d.territory_id = t.id order by 1) as driver_ids,
        t.created, t.modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("organisation_id", ORGANISATION),
            Filter::text("uid", "t.uid"),
            Filter::text("name", "t.name"),
            Filter::id("territory_id", "t.id"),
        ],
        search: &["t.uid", "t.name"],
        sort: &[("id", "t.id"), ("uid", "lower(t.uid)"), ("name", "lower(t.name)"), ("created", "t.created")],
        order: "t.id desc",
    };
    type Fields = TerritoryFields;

    async fn before_delete(&self, connection: &mut PgConnection, caller: &Caller) -> Result<()> {
        bin::put(connection, caller, Self::TABLE, self.id, &self.name).await
    }

    fn to_columns(mut fields: Map<String, Value>) -> Map<String, Value> {
        fields.remove("driver_ids");
        fields
    }

    fn prepare(given: &mut Given<TerritoryFields>, _caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let value = &given.value;
        for (field, present) in [("name", value.name.is_some()), ("geometry", value.geometry.is_some())] {
            problems.require(present || !(new || given.has(field)), field, check::REQUIRED);
        }
        problems.optional_text("name", value.name.as_deref(), 200);
        problems.optional_text("uid", value.uid.as_deref(), 100);
        problems.colour("colour", value.colour.as_deref());
        if let Some(Err(reason)) = value.geometry.as_ref().map(geometry::read) {
            problems.add("geometry", reason);
        }
        problems.finish()
    }
}

/// Ids of the territories in which a place lies.
pub(crate) async fn containing(connection: &mut PgConnection, lat: f64, lon: f64) -> Result<Vec<i64>> {
    let rows: Vec<(i64, Value)> =
        sqlx::query_as("select id, geometry from territories order by id").fetch_all(connection).await?;
    let inside = |area: &Value| geometry::read(area).is_ok_and(|area| geometry::contains(&area, lat, lon));
    Ok(rows.into_iter().filter(|(_, area)| inside(area)).map(|(id, _)| id).collect())
}
