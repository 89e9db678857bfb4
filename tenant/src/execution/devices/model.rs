//! A device's row, fields and checks.

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Error, Given, Result};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// A phone's app or a tracker.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(super) struct TrackingDevice {
    /// Id.
    pub(super) id: i64,
    /// Name, unique in the organisation; the `device_id` of its positions.
    pub(super) uid: String,
    /// The driver who carries it.
    pub(super) driver_id: Option<i64>,
    /// The vehicle in which it is.
    pub(super) vehicle_id: Option<i64>,
    /// When its key was made; null without one.
    pub(super) key_made_at: Option<DateTime<Utc>>,
    /// When it was heard of last.
    pub(super) last_seen_at: Option<DateTime<Utc>>,
    /// Percent that its battery had then.
    pub(super) battery: Option<i16>,
    /// When it was made.
    pub(super) created: DateTime<Utc>,
    /// When it was last changed.
    pub(super) modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct TrackingDeviceFields {
    /// Name.
    uid: Option<String>,
    /// The driver who carries it; not together with a vehicle.
    driver_id: Option<i64>,
    /// The vehicle in which it is; not together with a driver.
    vehicle_id: Option<i64>,
}

impl Resource for TrackingDevice {
    const NAME: &'static str = "Tracking device";
    const PATH: &'static str = "/tracking_devices";
    const TABLE: &'static str = "tracking_devices";
    const FROM: &'static str = "tracking_devices t left join tracking_device_contacts c on c.device_id = t.id
        left join drivers d on d.id = t.driver_id left join vehicles v on v.id = t.vehicle_id";
    const ID: &'static str = "t.id";
    const COLUMNS: &'static str =
        "t.id, t.uid, t.driver_id, t.vehicle_id, t.key_made_at, c.last_at as last_seen_at, c.battery,
        t.created, t.modified";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::text("uid", "t.uid"),
            Filter::id("driver_id", "t.driver_id"),
            Filter::id("vehicle_id", "t.vehicle_id"),
            Filter::id("tracking_device_id", "t.id"),
        ],
        search: &["t.uid", "d.uid", "v.uid"],
        sort: &[
            ("id", "t.id"),
            ("uid", "lower(t.uid)"),
            ("key_made_at", "t.key_made_at"),
            ("last_seen_at", "c.last_at"),
        ],
        order: "t.id desc",
    };
    type Fields = TrackingDeviceFields;

    fn prepare(given: &mut Given<TrackingDeviceFields>, caller: &Caller, new: bool) -> Result<()> {
        let mut problems = Problems::default();
        let value = &given.value;
        problems.require(value.uid.is_some() || !(new || given.has("uid")), "uid", check::REQUIRED);
        problems.optional_text("uid", value.uid.as_deref(), 100);
        // Else a haulier's people could not see what they have made.
        let theirs = !new || caller.haulier_id().is_none();
        let belongs = value.driver_id.is_some() || value.vehicle_id.is_some();
        problems.require(theirs || belongs, "driver_id", check::REQUIRED);
        problems.finish()
    }

    fn violated(constraint: &str, _given: &TrackingDeviceFields, _before: Option<&Self>) -> Option<Error> {
        let both = constraint == "tracking_devices_vehicle_id_check";
        both.then(|| Error::field("vehicle_id", "A device belongs to a driver or to a vehicle, not to both"))
    }

    /// Hauliers' people see the devices of their own drivers and vehicles.
    fn narrow(caller: &Caller, conditions: &mut Where) {
        if let Some(haulier) = caller.haulier_id() {
            conditions.push("coalesce(d.haulier_id, v.haulier_id) = ", haulier);
        }
    }
}
