//! From a row's cells to the fields of a job, with every fault named. Pure.

use std::collections::{BTreeMap, HashMap, btree_map};

use routewright_core::TimeOfDay;
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::place::Location;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::cells;
use super::mapping::{Mapping, Target};
use super::store::{Client, Kind};
use crate::orders::items;
use crate::orders::jobs::{JobFields, check_fields};

/// A fault of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct RowError {
    /// Row of the file, from 1, without the header.
    pub row: usize,
    /// Column of the import; empty for the whole row.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// Other rows that share the fault: correcting all of them corrects this one.
    pub with: Vec<usize>,
}

impl RowError {
    pub(super) fn new(row: usize, field: &str, message: impl Into<String>) -> Self {
        Self { row, field: field.to_owned(), message: message.into(), with: Vec::new() }
    }

    /// The same as a fault that another row has part in.
    pub(super) fn with(mut self, row: usize) -> Self {
        self.with.push(row);
        self
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
    /// That client does not exist.
    pub without_client: bool,
    /// Further fields of the client; those of the row and the job go before them.
    pub client_extra: BTreeMap<String, String>,
    /// Numbers of further rows of the same job.
    further: Vec<usize>,
    units: Vec<Item>,
    returns: Vec<Item>,
    client: BTreeMap<String, String>,
    email: Option<String>,
    address: Option<String>,
    lat: Option<f64>,
    lon: Option<f64>,
}

/// A unit or return of a row.
#[derive(Debug)]
pub(super) struct Item {
    row: usize,
    /// By the names of its columns.
    pub values: BTreeMap<String, String>,
}

impl Item {
    pub(super) fn uid(&self) -> String {
        self.values.get("uid").cloned().unwrap_or_default()
    }
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
        without_client: false,
        client_extra: BTreeMap::new(),
        further: Vec::new(),
        units: Vec::new(),
        returns: Vec::new(),
        client: BTreeMap::new(),
        email: None,
        address: None,
        lat: None,
        lon: None,
    };
    let mut faults = Problems::default();
    let (mut unit, mut returned) = (BTreeMap::new(), BTreeMap::new());
    let mut filled: HashMap<&Target, (&str, String)> = HashMap::new();
    for (header, cell) in cells {
        let Some(target) = mapping.target(header) else { continue };
        let Some(text) = text(cell) else { continue };
        if *target != Target::Ignore
            && let Some(reason) = cells::fault(target, &text)
        {
            faults.add(target.name(), reason);
            continue;
        }
        if *target != Target::Ignore
            && let Some((first, other)) = filled.insert(target, (header, text.clone()))
            && other.trim() != text.trim()
        {
            faults.add(
                target.name(),
                format!("Columns {first} and {header} both go here and say different things"),
            );
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
            Target::Unit(field) => drop(unit.insert(field.clone(), text)),
            Target::Return(field) => drop(returned.insert(field.clone(), text)),
            Target::Client(field) if field == "uid" => row.client_uid = Some(text.trim().to_owned()),
            Target::Client(field) => {
                row.client.insert(field.clone(), text);
            }
        }
    }
    row.fields.customer_email = row.fields.customer_email.take().or(row.email.take());
    row.add(Kind::Unit, unit, &mut faults);
    row.add(Kind::Return, returned, &mut faults);
    row.place(&mut faults);
    check_fields(&row.fields, &mut faults);
    for (field, message) in faults.into_fields() {
        errors.push(RowError::new(number, column(&field), message));
    }
    Some(row)
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

/// The column of the import that fills a field of the job.
fn column(field: &str) -> &str {
    match field {
        "spec_type" => "type",
        "location" => "address",
        other => other.strip_prefix("location.").unwrap_or(other),
    }
}

/// What two rows say of one job together.
///
/// # Errors
/// The field of which they say different things.
fn agreed(one: &JobFields, other: &JobFields) -> Result<JobFields, String> {
    let fields = |fields: &JobFields| match serde_json::to_value(fields) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let mut both = fields(one);
    for (field, value) in fields(other).into_iter().filter(|(_, value)| !value.is_null()) {
        match both.get_mut(&field) {
            Some(Value::Object(extra)) if field == "extra_fields" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    if *extra.entry(name.clone()).or_insert_with(|| value.clone()) != *value {
                        return Err(format!("extra_field:{name}"));
                    }
                }
            }
            Some(same) if !same.is_null() && *same != value => return Err(field),
            _ => drop(both.insert(field, value)),
        }
    }
    serde_json::from_value(Value::Object(both)).map_err(|_| "uid".to_owned())
}

impl Row {
    fn set(&mut self, field: &str, text: String, faults: &mut Problems) {
        let trimmed = text.trim();
        let fields = &mut self.fields;
        match field {
            "address" => self.address = Some(trimmed.to_owned()),
            "lat" => self.lat = cells::degrees("lat", trimmed, faults),
            "lon" => self.lon = cells::degrees("lon", trimmed, faults),
            "duration" => fields.duration = cells::amount("duration", trimmed, faults),
            "arrive_after" => fields.arrive_after = cells::time("arrive_after", trimmed, faults),
            "leave_by" => fields.leave_by = cells::time("leave_by", trimmed, faults),
            "priority" => {
                fields.priority = Some(matches!(trimmed.to_ascii_lowercase().as_str(), "true" | "1" | "t"))
            }
            "uid" => fields.uid = Some(trimmed.to_owned()),
            "type" => fields.spec_type = Some(crate::orders::jobs::tidy_list(trimmed)),
            "size" => fields.size = Some(trimmed.to_owned()),
            "colour" => fields.colour = Some(trimmed.to_owned()),
            "pickup_from" => fields.pickup_from = Some(trimmed.to_owned()),
            "deliver_to" => fields.deliver_to = Some(trimmed.to_owned()),
            "email" => self.email = Some(trimmed.to_owned()),
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

    /// Takes a unit or return of the row.
    fn add(&mut self, kind: Kind, mut values: BTreeMap<String, String>, faults: &mut Problems) {
        if values.is_empty() {
            return;
        }
        if let Some(uid) = values.get_mut("uid") {
            *uid = uid.trim().to_owned();
        }
        let mut problems = Problems::default();
        let mut given = values.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        items::check_fields(&mut given, None, true, &mut problems);
        let texts: Vec<(&str, Option<String>)> =
            values.iter().map(|(name, value)| (name.as_str(), Some(value.clone()))).collect();
        let texts: Vec<(&str, &Option<String>)> = texts.iter().map(|(name, value)| (*name, value)).collect();
        items::check_texts(&texts, &mut problems);
        if !values.contains_key("uid") {
            problems.add("uid", "UID is required");
        }
        for (field, reason) in problems.into_fields() {
            faults.add(format!("{}.{field}", kind.name()), reason);
        }
        let row = self.number;
        self.items_mut(kind).push(Item { row, values });
    }

    /// Units or returns of the job.
    pub(super) fn items(&self, kind: Kind) -> &[Item] {
        match kind {
            Kind::Unit => &self.units,
            Kind::Return => &self.returns,
        }
    }

    fn items_mut(&mut self, kind: Kind) -> &mut Vec<Item> {
        match kind {
            Kind::Unit => &mut self.units,
            Kind::Return => &mut self.returns,
        }
    }

    /// Whether it brings units or returns.
    pub(super) fn has_items(&self) -> bool {
        !self.units.is_empty() || !self.returns.is_empty()
    }

    /// Numbers of all rows of the job.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(self.number).chain(self.further.iter().copied())
    }

    /// Takes the units and returns of a further row of the same job. What both rows say must be the same; what only the
    /// further one says holds for the job.
    pub(super) fn join(&mut self, other: Self, errors: &mut Vec<RowError>) {
        self.further.push(other.number);
        let mut fault = |field: &str, [one, other]: [usize; 2], message: String| {
            errors.push(RowError::new(one, field, message.clone()).with(other));
            errors.push(RowError::new(other, field, message).with(one));
        };
        match agreed(&self.fields, &other.fields) {
            Ok(fields) => self.fields = fields,
            Err(field) => {
                let uid = self.fields.uid.as_deref().unwrap_or_default();
                let text = format!("Rows of job {uid} say different things");
                fault(column(&field), [self.number, other.number], text);
            }
        }
        self.address = self.address.take().or(other.address);
        for (kind, items) in [(Kind::Unit, other.units), (Kind::Return, other.returns)] {
            for item in items {
                let uid = item.uid();
                let Some(same) = self.items_mut(kind).iter_mut().find(|same| same.uid() == uid) else {
                    self.items_mut(kind).push(item);
                    continue;
                };
                for (field, value) in item.values {
                    match same.values.entry(field) {
                        btree_map::Entry::Vacant(free) => drop(free.insert(value)),
                        btree_map::Entry::Occupied(taken) if *taken.get() == value => {}
                        btree_map::Entry::Occupied(taken) => {
                            let field = format!("{}.{}", kind.name(), taken.key());
                            let text = format!("Rows of {} {uid} say different things", kind.name());
                            fault(&field, [same.row, item.row], text);
                        }
                    }
                }
            }
        }
    }

    /// The job has this address already and keeps its coordinates.
    pub(super) fn keep_place(&mut self) {
        self.address = None;
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
        self.client_extra.clone_from(&client.extra_fields);
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
        put("colour", given("colour").or_else(|| self.fields.colour.clone()));
        put("arrive_after", self.fields.arrive_after.as_ref().map(|time| time.as_str().to_owned()));
        put("leave_by", self.fields.leave_by.as_ref().map(|time| time.as_str().to_owned()));
        if let Some(extra) = self.fields.extra_fields.as_ref().filter(|extra| !extra.is_empty()) {
            client.insert("extra_fields".to_owned(), json!(extra));
        }
        if let Some(location) = &self.fields.location {
            client.insert(
                "location".to_owned(),
                json!({"address": location.address, "lat": location.lat, "lon": location.lon}),
            );
        }
        client
    }
}
