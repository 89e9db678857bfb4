//! From a row's cells to the fields of a job, with every fault named. Pure.

use std::collections::BTreeMap;

use routewright_core::error::Problems;
use routewright_core::place::Location;
use routewright_core::{TimeOfDay, check};
use serde::Serialize;
use serde_json::{Map, Value};

use super::mapping::{Mapping, Target};
use super::store::Client;
use crate::jobs::{JobFields, check_fields};

/// A fault of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct RowError {
    /// Row of the file, from 1, without the header.
    pub row: usize,
    /// Column of the import.
    pub field: String,
    /// What is wrong.
    pub message: String,
}

impl RowError {
    pub(super) fn new(row: usize, field: &str, message: impl Into<String>) -> Self {
        Self { row, field: field.to_owned(), message: message.into() }
    }
}

/// A row as far as it could be read.
#[derive(Debug)]
pub(super) struct Row {
    /// Row of the file, from 1.
    pub number: usize,
    /// Fields of the job.
    pub fields: JobFields,
    /// Client that the row names.
    pub client_uid: Option<String>,
    /// A unit of the job.
    pub unit: Option<BTreeMap<String, String>>,
    /// A return of the job.
    pub returned: Option<BTreeMap<String, String>>,
    client: BTreeMap<String, String>,
    address: Option<String>,
    lat: Option<f64>,
    lon: Option<f64>,
}

/// Reads a row; nothing when it says that it shall not be uploaded.
pub(super) fn row(
    number: usize,
    cells: &Map<String, Value>,
    mapping: &Mapping,
    errors: &mut Vec<RowError>,
) -> Option<Row> {
    let mut row = Row {
        number,
        fields: JobFields::default(),
        client_uid: None,
        unit: None,
        returned: None,
        client: BTreeMap::new(),
        address: None,
        lat: None,
        lon: None,
    };
    let mut faults = Problems::default();
    for (header, cell) in cells {
        let Some(target) = mapping.target(header) else { continue };
        let Some(text) = text(cell) else { continue };
        if text.contains('\0') {
            faults.add(column(target), check::SPECIAL);
            continue;
        }
        match target {
            Target::Ignore => {}
            Target::Upload if matches!(text.trim().to_ascii_lowercase().as_str(), "true" | "1" | "t") => {}
            Target::Upload => return None,
            Target::Job(field) => row.set(field, text, &mut faults),
            Target::Extra(name) => {
                row.fields.extra_fields.get_or_insert_default().insert(name.clone(), text);
            }
            Target::Unit(field) => {
                row.unit.get_or_insert_default().insert(field.clone(), text);
            }
            Target::Return(field) => {
                row.returned.get_or_insert_default().insert(field.clone(), text);
            }
            Target::Client(field) if field == "uid" => row.client_uid = Some(text.trim().to_owned()),
            Target::Client(field) => {
                row.client.insert(field.clone(), text);
            }
        }
    }
    for (attached, field) in [(&row.unit, "unit.uid"), (&row.returned, "return.uid")] {
        if attached.as_ref().is_some_and(|values| !values.contains_key("uid")) {
            faults.add(field, "UID is required");
        }
    }
    row.place(&mut faults);
    check_fields(&row.fields, &mut faults);
    for (field, message) in faults.into_fields() {
        let field = match field.as_str() {
            "spec_type" => "type",
            other => other.strip_prefix("location.").unwrap_or(other),
        };
        errors.push(RowError::new(number, field, message));
    }
    Some(row)
}

/// The column that a target is known by.
fn column(target: &Target) -> String {
    match target {
        Target::Job(name) => name.clone(),
        Target::Extra(name) => format!("extra_field:{name}"),
        Target::Unit(name) => format!("unit.{name}"),
        Target::Return(name) => format!("return.{name}"),
        Target::Client(name) => format!("client.{name}"),
        Target::Upload => "upload".to_owned(),
        Target::Ignore => "ignore".to_owned(),
    }
}

/// A cell's text; empty cells are no values, cells of blanks are.
fn text(cell: &Value) -> Option<String> {
    match cell {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) => Some(number.to_string()),
        other => Some(other.to_string()),
    }
}

impl Row {
    fn set(&mut self, field: &str, text: String, faults: &mut Problems) {
        let trimmed = text.trim();
        let fields = &mut self.fields;
        match field {
            "address" => self.address = Some(trimmed.to_owned()),
            "lat" => self.lat = number("lat", trimmed, faults),
            "lon" => self.lon = number("lon", trimmed, faults),
            "duration" => fields.duration = number("duration", trimmed, faults),
            "arrive_after" => fields.arrive_after = time("arrive_after", trimmed, faults),
            "leave_by" => fields.leave_by = time("leave_by", trimmed, faults),
            "priority" => {
                fields.priority = Some(matches!(trimmed.to_ascii_lowercase().as_str(), "true" | "1" | "t"))
            }
            "uid" => fields.uid = Some(trimmed.to_owned()),
            "type" => fields.spec_type = Some(crate::jobs::tidy_list(trimmed)),
            "size" => fields.size = Some(trimmed.to_owned()),
            "colour" => fields.colour = Some(trimmed.to_owned()),
            "pickup_from" => fields.pickup_from = Some(trimmed.to_owned()),
            "deliver_to" => fields.deliver_to = Some(trimmed.to_owned()),
            "customer_email" => fields.customer_email = Some(trimmed.to_owned()),
            "phone_number" => fields.phone_number = Some(trimmed.to_owned()),
            "customer_name" => fields.customer_name = Some(text),
            "comments" => fields.comments = Some(text),
            "consignee_info" => fields.consignee_info = Some(text),
            "consignor_info" => fields.consignor_info = Some(text),
            "external_comments" => fields.external_comments = Some(text),
            "dock_location" => fields.dock_location = Some(text),
            "invoice" => fields.invoice = Some(text),
            "reference" => fields.reference = Some(text),
            _ => {}
        }
    }

    /// Puts address and coordinates together when both are there.
    fn place(&mut self, faults: &mut Problems) {
        match (&self.address, self.lat, self.lon) {
            (Some(address), Some(lat), Some(lon)) => {
                self.fields.location = Some(Location { id: None, address: address.clone(), lat, lon });
            }
            (None, Some(lat), Some(lon)) => {
                self.fields.location =
                    Some(Location { id: None, address: format!("{lat}, {lon}"), lat, lon });
            }
            // The address is looked up; the place of a client or of the job itself may be known.
            (_, None, None) => {}
            (_, None, Some(_)) => faults.add("lat", check::REQUIRED),
            (_, Some(_), None) => faults.add("lon", check::REQUIRED),
        }
    }

    /// The address whose coordinates are still to be found.
    pub(super) fn address_to_find(&self) -> Option<&str> {
        let missing = self.fields.location.is_none() && self.lat.is_none() && self.lon.is_none();
        self.address.as_deref().filter(|_| missing)
    }

    pub(super) fn set_place(&mut self, lat: f64, lon: f64) {
        if let Some(address) = self.address.clone() {
            self.fields.location = Some(Location { id: None, address, lat, lon });
        }
    }

    /// Takes from the client what the row does not say itself.
    pub(super) fn take_from(&mut self, client: &Client) {
        let fields = &mut self.fields;
        fields.client_id = Some(client.id);
        if fields.location.is_none() && self.address.is_none() {
            fields.location = client.location.as_ref().map(|location| location.0.clone());
        }
        let time = |text: &Option<String>| text.as_deref().and_then(TimeOfDay::parse);
        if fields.arrive_after.is_none() && fields.leave_by.is_none() {
            fields.arrive_after = time(&client.arrive_after);
            fields.leave_by = time(&client.leave_by);
        }
        let take = |to: &mut Option<String>, from: &Option<String>| {
            if to.is_none() {
                to.clone_from(from);
            }
        };
        take(&mut fields.customer_name, &Some(client.name.clone()));
        take(&mut fields.customer_email, &client.customer_email);
        take(&mut fields.phone_number, &client.phone_number);
        take(&mut fields.comments, &client.delivery_instructions);
        take(&mut fields.spec_type, &client.spec_type);
        take(&mut fields.dock_location, &client.dock_location);
        take(&mut fields.consignee_info, &client.consignee_info);
        take(&mut fields.external_comments, &client.external_comments);
        take(&mut fields.colour, &client.colour);
    }

    /// What a client made from this row would hold (C-31): names on the way to the client record differ.
    pub(super) fn suggested_client(&self) -> Map<String, Value> {
        let mut client = Map::new();
        let mut put = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                client.insert(name.to_owned(), value.into());
            }
        };
        let given = |name: &str| self.client.get(name).cloned();
        put("uid", self.client_uid.clone());
        put(
            "name",
            given("name").or_else(|| given("customer_name")).or_else(|| self.fields.customer_name.clone()),
        );
        put("customer_email", given("email").or_else(|| self.fields.customer_email.clone()));
        put("phone_number", self.fields.phone_number.clone());
        put("spec_type", self.fields.spec_type.clone());
        put("delivery_instructions", self.fields.comments.clone());
        put("dock_location", given("dock_location").or_else(|| self.fields.dock_location.clone()));
        put("consignee_info", given("consignee_info").or_else(|| self.fields.consignee_info.clone()));
        put(
            "external_comments",
            given("external_comments").or_else(|| self.fields.external_comments.clone()),
        );
        put("colour", given("colour"));
        put("arrive_after", self.fields.arrive_after.as_ref().map(|time| time.as_str().to_owned()));
        put("leave_by", self.fields.leave_by.as_ref().map(|time| time.as_str().to_owned()));
        if let Some(location) = &self.fields.location {
            client.insert(
                "location".to_owned(),
                serde_json::json!({"address": location.address, "lat": location.lat, "lon": location.lon}),
            );
        }
        client
    }
}

fn number(field: &str, text: &str, faults: &mut Problems) -> Option<f64> {
    // Spreadsheets of many countries write a decimal comma.
    let number = text.replace(',', ".").parse::<f64>().ok().filter(|number| number.is_finite());
    if number.is_none() {
        faults.add(field, "Value is not a number");
    }
    number
}

fn time(field: &str, text: &str, faults: &mut Problems) -> Option<TimeOfDay> {
    if text.is_empty() {
        return None;
    }
    let time = TimeOfDay::parse(text);
    if time.is_none() {
        faults.add(field, "Value is not a time of day (HH:mm)");
    }
    time
}
