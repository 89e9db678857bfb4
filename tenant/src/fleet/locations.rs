//! A known place: a depot, a customer, or other.

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::{Access, Result, Routes};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use routewright_tenancy::resource::{self, Crud};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection};

use crate::app::App;
use crate::bin;
use crate::organisation_column::{ORGANISATION, organisation};

const READ: Access = Access::levels(&["locations_read"]);
const WRITE: Access = Access::levels(&["locations_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<KnownLocation, App>(Crud { read: READ, write: WRITE, delete: WRITE })
}

/// A known place: a depot, a customer, or other.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct KnownLocation {
    /// Id.
    pub id: i64,
    /// The organisation it belongs to.
    pub organisation_id: i64,
    /// Own number of the place.
    pub uid: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// Postal address.
    pub address: String,
    /// Latitude, degrees.
    pub lat: f64,
    /// Longitude, degrees.
    pub lon: f64,
    /// `depot`, `customer` or `other`.
    pub kind: String,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct KnownLocationFields {
    /// Own number of the place.
    pub uid: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// Postal address.
    pub address: Option<String>,
    /// Latitude, degrees.
    pub lat: Option<f64>,
    /// Longitude, degrees.
    pub lon: Option<f64>,
    /// `depot`, `customer` or `other`.
    pub kind: Option<String>,
}

impl Resource for KnownLocation {
    const NAME: &'static str = "Location";
    const PATH: &'static str = "/locations";
    const TABLE: &'static str = "locations";
    const COLUMNS: &'static str =
        concat!(organisation!(), ", id, uid, name, address, lat, lon, kind, created, modified");
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("organisation_id", ORGANISATION),
            Filter::text("uid", "uid"),
            Filter::text("name", "name"),
            Filter::text("address", "address"),
            Filter::choice("kind", "kind"),
            Filter::id("location_id", "id"),
        ],
        search: &["uid", "name", "address"],
        sort: &[
            ("id", "id"),
            ("uid", "lower(uid)"),
            ("name", "lower(name)"),
            ("address", "lower(address)"),
            ("kind", "kind"),
        ],
        order: "id desc",
    };
    type Fields = KnownLocationFields;

    async fn before_delete(&self, connection: &mut PgConnection, caller: &Caller) -> Result<()> {
        bin::put(connection, caller, Self::TABLE, self.id, self.name.as_deref().unwrap_or(&self.address))
            .await
    }

    fn check(&self, problems: &mut Problems) {
        problems.optional_text("uid", self.uid.as_deref(), 100);
        problems.optional_text("name", self.name.as_deref(), 255);
        problems.text("address", &self.address, 4000);
        problems.require((-90.0..=90.0).contains(&self.lat), "lat", "Latitude must be between -90 and 90");
        problems.require(
            (-180.0..=180.0).contains(&self.lon),
            "lon",
            "Longitude must be between -180 and 180",
        );
    }
}
