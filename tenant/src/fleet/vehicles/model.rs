//! A vehicle's row, fields and checks.

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Error, Given, Jsonb, Result};
use routewright_identity::Caller;
use routewright_roads::{RoadProfile, Tolls};
use routewright_solver::Capacity;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{FromRow, PgConnection};

use super::on_road::{check_profile, check_sizes, check_tolls};
use crate::bin;
use crate::fleet::billing_rates::BillingRate;
use crate::organisation_column::{ORGANISATION, organisation};

/// A vehicle.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Vehicle {
    /// Id.
    pub id: i64,
    /// The organisation it belongs to.
    pub organisation_id: i64,
    /// Number of the vehicle.
    pub uid: String,
    /// Name.
    pub name: Option<String>,
    /// Number plate.
    pub registration: Option<String>,
    /// Key of a vehicle definition.
    pub vehicle_type: Option<String>,
    /// What fits in, in the size grammar.
    pub capacity: Option<String>,
    /// Types of goods it can carry, comma-separated.
    pub spec_type: Option<String>,
    /// Driving times are divided by it, 0.1 to 3.
    pub speed_multiplier: Option<f64>,
    /// Litres per 100 km.
    pub fuel_consumption: Option<f64>,
    /// Grams of CO2 per litre.
    pub co2_per_litre: f64,
    /// What it is on the road: `car` (without), `van`, `truck`, `hazmat_truck` or `bicycle`.
    #[schemars(with = "Option<RoadProfile>")]
    pub road_profile: Option<String>,
    /// Metres, 0.5 to 6; as its kind on the road says without.
    pub height: Option<f64>,
    /// Metres, 0.3 to 5; as its kind on the road says without.
    pub width: Option<f64>,
    /// Metres, 0.5 to 40; as its kind on the road says without.
    pub length: Option<f64>,
    /// Tonnes with its load, 0.01 to 150; as its kind on the road says without.
    pub weight: Option<f64>,
    /// Whether it carries dangerous goods; as its kind on the road says without.
    pub hazardous_goods: Option<bool>,
    /// Whether it goes round tolls (`avoid`) or pays them (`accept`); as the operator says without.
    #[schemars(with = "Option<Tolls>")]
    pub tolls: Option<String>,
    /// GPS device.
    pub device_id: Option<String>,
    /// Haulier that owns it.
    pub haulier_id: Option<i64>,
    /// Id of the current rate.
    pub billing_rate_id: Option<i64>,
    /// The current rate.
    pub billing_rate: Option<Jsonb<BillingRate>>,
    /// Every rate it may use, in the order they were added.
    pub billing_rates: Jsonb<Vec<BillingRate>>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct VehicleFields {
    /// Number of the vehicle.
    pub uid: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// Number plate.
    pub registration: Option<String>,
    /// Key of a vehicle definition; fills the fields that are empty.
    pub vehicle_type: Option<String>,
    /// What fits in, in the size grammar.
    pub capacity: Option<String>,
    /// Types of goods it can carry, comma-separated.
    pub spec_type: Option<String>,
    /// Driving times are divided by it, 0.1 to 3.
    pub speed_multiplier: Option<f64>,
    /// Litres per 100 km.
    pub fuel_consumption: Option<f64>,
    /// Grams of CO2 per litre.
    pub co2_per_litre: Option<f64>,
    /// What it is on the road: it decides which streets it may take, and how fast it is there.
    #[schemars(with = "Option<RoadProfile>")]
    pub road_profile: Option<String>,
    /// Metres, 0.5 to 6; as its kind on the road says without.
    pub height: Option<f64>,
    /// Metres, 0.3 to 5; as its kind on the road says without.
    pub width: Option<f64>,
    /// Metres, 0.5 to 40; as its kind on the road says without.
    pub length: Option<f64>,
    /// Tonnes with its load, 0.01 to 150; as its kind on the road says without.
    pub weight: Option<f64>,
    /// Whether it carries dangerous goods; as its kind on the road says without.
    pub hazardous_goods: Option<bool>,
    /// Whether it goes round tolls (`avoid`) or pays them (`accept`); as the operator says without.
    #[schemars(with = "Option<Tolls>")]
    pub tolls: Option<String>,
    /// GPS device.
    pub device_id: Option<String>,
    /// Haulier that owns it.
    pub haulier_id: Option<i64>,
    /// Current rate.
    pub billing_rate_id: Option<i64>,
}

impl Resource for Vehicle {
    const NAME: &'static str = "Vehicle";
    const PATH: &'static str = "/vehicles";
    const TABLE: &'static str = "vehicles";
    const FROM: &'static str = "vehicles v";
    const ID: &'static str = "v.id";
    const COLUMNS: &'static str = concat!(
        organisation!(),
        ", v.id, v.uid, v.name, v.registration, v.vehicle_type, v.capacity, v.spec_type,
        v.speed_multiplier, v.fuel_consumption, v.co2_per_litre, v.road_profile, v.height, v.width, v.length, v.weight,
        v.hazardous_goods, v.tolls, v.device_id, v.haulier_id, v.billing_rate_id,
        (select jsonb_build_object('id', b.id, 'name', b.name, 'cost_per_run', b.cost_per_run::float8,
            'cost_per_km', b.cost_per_km::float8, 'cost_per_hour', b.cost_per_hour::float8,
            'cost_per_drop', b.cost_per_drop::float8, 'currency', b.currency, 'created', b.created, 'modified', b.modified)
         from billing_rates b where b.id = v.billing_rate_id) as billing_rate,
        coalesce((select jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'cost_per_run', b.cost_per_run::float8,
            'cost_per_km', b.cost_per_km::float8, 'cost_per_hour', b.cost_per_hour::float8,
            'cost_per_drop', b.cost_per_drop::float8, 'currency', b.currency, 'created', b.created, 'modified', b.modified)
            order by r.position)
         from vehicle_billing_rates r join billing_rates b on b.id = r.billing_rate_id
         where r.vehicle_id = v.id), '[]') as billing_rates,
        v.created, v.modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("organisation_id", ORGANISATION),
            Filter::text("uid", "v.uid"),
            Filter::text("name", "v.name"),
            Filter::text("registration", "v.registration"),
            Filter::text("vehicle_type", "v.vehicle_type"),
            Filter::id("haulier_id", "v.haulier_id"),
            Filter::id("vehicle_id", "v.id"),
        ],
        search: &["v.uid", "v.name", "v.registration"],
        sort: &[
            ("id", "v.id"),
            ("uid", "lower(v.uid)"),
            ("name", "lower(v.name)"),
            ("registration", "lower(v.registration)"),
        ],
        order: "v.id desc",
    };
    type Fields = VehicleFields;

    async fn before_delete(&self, connection: &mut PgConnection, caller: &Caller) -> Result<()> {
        bin::put(connection, caller, Self::TABLE, self.id, &self.uid).await
    }

    fn prepare(given: &mut Given<VehicleFields>, caller: &Caller, _new: bool) -> Result<()> {
        // What a haulier's people enter is their haulier's.
        if let Some(haulier) = caller.haulier_id() {
            given.fields.insert("haulier_id".to_owned(), haulier.into());
        } else if let Some(haulier) = given.value.haulier_id
            && !caller.policy()?.has_haulier(haulier)
        {
            return Err(Error::field("haulier_id", "Value does not exist"));
        }
        Ok(())
    }

    fn check(&self, problems: &mut Problems) {
        problems.text("uid", &self.uid, 100);
        for (field, value) in [
            ("name", &self.name),
            ("registration", &self.registration),
            ("vehicle_type", &self.vehicle_type),
            ("device_id", &self.device_id),
            ("spec_type", &self.spec_type),
        ] {
            problems.optional_text(field, value.as_deref(), 255);
        }
        check_capacity("capacity", self.capacity.as_deref(), problems);
        check_speed(self.speed_multiplier, problems);
        check_profile("road_profile", self.road_profile.as_deref(), problems);
        check_sizes([self.height, self.width, self.length, self.weight], problems);
        check_tolls("tolls", self.tolls.as_deref(), problems);
        for (field, value) in
            [("fuel_consumption", self.fuel_consumption), ("co2_per_litre", Some(self.co2_per_litre))]
        {
            if let Some(value) = value {
                problems.require(value >= 0.0, field, "Value cannot be negative");
                problems.require(value <= 1e9, field, "Value must be less than 100000000");
            }
        }
    }

    fn narrow(caller: &Caller, conditions: &mut Where) {
        if let Some(haulier) = caller.haulier_id() {
            conditions.push("v.haulier_id = ", haulier);
        }
    }

    async fn written(&self, connection: &mut PgConnection, _caller: &Caller) -> Result<()> {
        self.require_unique(connection).await?;
        if let Some(rate) = self.billing_rate_id {
            super::rates::offer(connection, self.id, rate).await?;
        }
        let Some(key) = &self.vehicle_type else { return Ok(()) };
        let definition: Option<Value> = sqlx::query_scalar(
            "select value from config_values where group_name = 'vehicle_definition' and key = $1",
        )
        .bind(key)
        .fetch_optional(&mut *connection)
        .await?;
        let Some(definition) = definition else { return Ok(()) };
        // A type fills what is still empty (S-40).
        sqlx::query(
            "update vehicles set capacity = coalesce(capacity, $2 ->> 'capacity'),
                 spec_type = coalesce(spec_type, $2 ->> 'spec_type'),
                 speed_multiplier = coalesce(speed_multiplier, ($2 ->> 'speed_multiplier')::float8),
                 fuel_consumption = coalesce(fuel_consumption, ($2 ->> 'fuel_consumption')::float8),
                 road_profile = coalesce(road_profile, $2 ->> 'road_profile'),
                 height = coalesce(height, ($2 ->> 'height')::float8),
                 width = coalesce(width, ($2 ->> 'width')::float8),
                 length = coalesce(length, ($2 ->> 'length')::float8),
                 weight = coalesce(weight, ($2 ->> 'weight')::float8),
                 hazardous_goods = coalesce(hazardous_goods, ($2 ->> 'hazardous_goods')::boolean),
                 tolls = coalesce(tolls, $2 ->> 'tolls')
             where id = $1",
        )
        .bind(self.id)
        .bind(definition)
        .execute(connection)
        .await?;
        Ok(())
    }
}

impl Vehicle {
    /// No two vehicles of the same haulier, or of the organisation itself, have the same uid. Older organisations may have
    /// such vehicles, so that no index can say it; two who add the same one at once wait for each other.
    async fn require_unique(&self, connection: &mut PgConnection) -> Result<()> {
        // Holds only against itself. Organisations have no advisory locks: they would share them.
        sqlx::query("lock table vehicles in share update exclusive mode").execute(&mut *connection).await?;
        let taken: bool = sqlx::query_scalar(
            "select exists (
                 select from vehicles where lower(uid) = lower($1) and id <> $2 and haulier_id is not distinct from $3
             )",
        )
        .bind(&self.uid)
        .bind(self.id)
        .bind(self.haulier_id)
        .fetch_one(connection)
        .await?;
        if taken { Err(Error::field("uid", "This value is already in use")) } else { Ok(()) }
    }
}

/// A capacity must be in the size grammar.
pub(crate) fn check_capacity(field: &str, capacity: Option<&str>, problems: &mut Problems) {
    if let Some(text) = capacity
        && !text.trim().is_empty()
    {
        problems.require(Capacity::parse(text, true).is_ok(), field, "Value is not a valid size");
    }
}

/// A speed multiplier lies between 0.1 and 3.
pub(crate) fn check_speed(multiplier: Option<f64>, problems: &mut Problems) {
    if let Some(value) = multiplier {
        problems.require((0.1..=3.0).contains(&value), "speed_multiplier", "Value must be between 0.1 and 3");
    }
}
