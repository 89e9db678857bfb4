//! A customer of the organisation, from whom jobs are made.

use crate::fleet::place_columns::{flatten, place};
use crate::organisation_column::{ORGANISATION, organisation};
use crate::setup::extra_fields;
use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape};
use routewright_core::place::Location;
use routewright_core::time_of_day::blank_is_null;
use routewright_core::{Access, Routes};
use routewright_core::{Error, Jsonb, Result, TimeOfDay};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use routewright_tenancy::resource::{self, Crud};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::{FromRow, PgConnection};
use std::collections::BTreeMap;

use crate::app::App;
use crate::bin;

const READ: Access = Access::levels(&["clients_read"]);
const WRITE: Access = Access::levels(&["clients_write"]);

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    resource::routes::<Client, App>(Crud { read: READ, write: WRITE, delete: WRITE })
}

/// A customer of the organisation, from whom jobs are made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Client {
    /// Id.
    pub id: i64,
    /// The organisation it belongs to.
    pub organisation_id: i64,
    /// Client number, unique.
    pub uid: String,
    /// Name.
    pub name: String,
    /// Where.
    pub location: Option<Jsonb<Location>>,
    /// Earliest arrival, `HH:mm`.
    pub arrive_after: Option<String>,
    /// Latest arrival, `HH:mm`.
    pub leave_by: Option<String>,
    /// Types of goods, comma-separated.
    pub spec_type: Option<String>,
    /// Told to the driver.
    pub delivery_instructions: Option<String>,
    /// Addresses, comma-separated.
    pub customer_email: Option<String>,
    /// International phone number.
    pub phone_number: Option<String>,
    /// Dock.
    pub dock_location: Option<String>,
    /// Comments for outside.
    pub external_comments: Option<String>,
    /// About the consignee.
    pub consignee_info: Option<String>,
    /// Colour `#rrggbb`.
    pub colour: Option<String>,
    /// Further fields by name.
    pub extra_fields: Jsonb<BTreeMap<String, String>>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ClientFields {
    /// Client number, unique.
    pub uid: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// Where.
    pub location: Option<Location>,
    /// Earliest arrival, `HH:mm`.
    #[serde(deserialize_with = "blank_is_null")]
    pub arrive_after: Option<TimeOfDay>,
    /// Latest arrival, `HH:mm`.
    #[serde(deserialize_with = "blank_is_null")]
    pub leave_by: Option<TimeOfDay>,
    /// Types of goods, comma-separated.
    pub spec_type: Option<String>,
    /// Told to the driver.
    pub delivery_instructions: Option<String>,
    /// Addresses, comma-separated.
    pub customer_email: Option<String>,
    /// International phone number.
    pub phone_number: Option<String>,
    /// Dock.
    pub dock_location: Option<String>,
    /// Comments for outside.
    pub external_comments: Option<String>,
    /// About the consignee.
    pub consignee_info: Option<String>,
    /// Colour `#rrggbb`.
    pub colour: Option<String>,
    /// Further fields by name.
    pub extra_fields: Option<BTreeMap<String, String>>,
}

impl Resource for Client {
    const NAME: &'static str = "Client";
    const PATH: &'static str = "/clients";
    const TABLE: &'static str = "clients";
    const COLUMNS: &'static str = concat!(
        organisation!(),
        ", id, uid, name, ",
        place!("", "location"),
        ", to_char(arrive_after, 'HH24:MI') as arrive_after, to_char(leave_by, 'HH24:MI') as leave_by, spec_type, delivery_instructions, customer_email, phone_number, dock_location, external_comments, consignee_info, colour, extra_fields, created, modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("organisation_id", ORGANISATION),
            Filter::text("uid", "uid"),
            Filter::text("name", "name"),
            Filter::text("address", "address"),
            Filter::text("customer_email", "customer_email"),
            Filter::text("phone_number", "phone_number"),
            Filter::id("client_id", "id"),
        ],
        search: &["uid", "name", "customer_email", "address"],
        sort: &[
            ("id", "id"),
            ("uid", "lower(uid)"),
            ("name", "lower(name)"),
            ("customer_email", "lower(customer_email)"),
            ("created", "created"),
        ],
        order: "id desc",
    };
    type Fields = ClientFields;

    async fn before_delete(&self, connection: &mut PgConnection, caller: &Caller) -> Result<()> {
        bin::put(connection, caller, Self::TABLE, self.id, &self.name).await
    }

    fn to_columns(mut fields: Map<String, Value>) -> Map<String, Value> {
        flatten(&mut fields, "location", "");
        fields
    }

    fn violated(constraint: &str, given: &ClientFields, before: Option<&Self>) -> Option<Error> {
        if constraint != "clients_windows_check" {
            return None;
        }
        let mut problems = Problems::default();
        let from =
            given.arrive_after.as_ref().map(TimeOfDay::as_str).or_else(|| before?.arrive_after.as_deref());
        let to = given.leave_by.as_ref().map(TimeOfDay::as_str).or_else(|| before?.leave_by.as_deref());
        problems.window(from, to);
        problems.finish().err()
    }

    fn check(&self, problems: &mut Problems) {
        problems.text("uid", &self.uid, 100);
        problems.text("name", &self.name, 255);
        if let Some(location) = &self.location {
            location.check("location", problems);
        }
        problems.window(self.arrive_after.as_deref(), self.leave_by.as_deref());
        problems.emails("customer_email", self.customer_email.as_deref());
        problems.phone("phone_number", self.phone_number.as_deref());
        problems.colour("colour", self.colour.as_deref());
        for (field, value) in [
            ("spec_type", &self.spec_type),
            ("delivery_instructions", &self.delivery_instructions),
            ("dock_location", &self.dock_location),
            ("external_comments", &self.external_comments),
            ("consignee_info", &self.consignee_info),
        ] {
            problems.optional_text(field, value.as_deref(), 4000);
        }
        extra_fields::check(&self.extra_fields, problems);
    }
}
