//! A job's row, fields and the checks that need only the job itself.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use routewright_core::check;
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::place::Location;
use routewright_core::time_of_day::blank_is_null;
use routewright_core::{Error, Given, Jsonb, Result, TimeOfDay};
use routewright_identity::Caller;
use routewright_solver::Size;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::FromRow;

use crate::fleet::place_columns::{flatten, place};
use crate::organisation_column::{ORGANISATION, organisation};
use crate::setup::extra_fields;

/// The day of a job's scenario.
const DAY: &str = "(select fs.scheduled_date from scenarios fs where fs.id = j.scenario_id)";

/// A tag on a job.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct JobTag {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Colour.
    pub color: String,
}

/// A job.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, FromRow)]
pub struct Job {
    /// Id.
    pub id: i64,
    /// Number of the job; may repeat.
    pub uid: String,
    /// The organisation it belongs to.
    pub organisation_id: i64,
    /// Its scenario; null in the pool.
    pub scenario_id: Option<i64>,
    /// Its run; null while unserved.
    pub run_id: Option<i64>,
    /// Position in the run, from 1.
    pub seq: Option<i32>,
    /// What customers follow it with.
    pub tracking_token: String,
    /// IANA name.
    pub timezone: String,
    /// Where.
    pub location: Jsonb<Location>,
    /// Client it was made from.
    pub client_id: Option<i64>,
    /// Customer.
    pub customer_name: Option<String>,
    /// Addresses, comma-separated.
    pub customer_email: Option<String>,
    /// International number.
    pub phone_number: Option<String>,
    /// Service time, minutes.
    pub duration: f64,
    /// Earliest arrival, `HH:mm`.
    pub arrive_after: Option<String>,
    /// Latest arrival, `HH:mm`.
    pub leave_by: Option<String>,
    /// Size in the size grammar.
    pub size: Option<String>,
    /// Types of goods, comma-separated.
    pub spec_type: Option<String>,
    /// Dropped last when not everything fits.
    pub priority: bool,
    /// Colour on the map.
    pub colour: String,
    /// Delivery instructions, on the run sheet.
    pub comments: Option<String>,
    /// About the consignee.
    pub consignee_info: Option<String>,
    /// About the consignor; stays in the office.
    pub consignor_info: Option<String>,
    /// Comments for outside.
    pub external_comments: Option<String>,
    /// Dock.
    pub dock_location: Option<String>,
    /// What the customer asked of the driver, in his own words.
    pub customer_instructions: Option<String>,
    /// Where the customer wants it left, in his own words.
    pub customer_safe_place: Option<String>,
    /// Invoice.
    pub invoice: Option<String>,
    /// Reference.
    pub reference: Option<String>,
    /// Uids of jobs that must be picked up before, comma-separated.
    pub pickup_from: Option<String>,
    /// Uids of jobs that are delivered afterwards, comma-separated.
    pub deliver_to: Option<String>,
    /// Whether the customer may ask for another time.
    pub idm: bool,
    /// Further fields by name.
    pub extra_fields: Jsonb<BTreeMap<String, String>>,
    /// Planned arrival.
    pub eta: Option<DateTime<Utc>>,
    /// Planned departure.
    pub etd: Option<DateTime<Utc>>,
    /// Live estimate while the run drives.
    pub updated_eta: Option<DateTime<Utc>>,
    /// Planned waiting before the job, seconds.
    pub wait_seconds: i32,
    /// Why the last optimisation left it out.
    pub unserved_reason: Option<String>,
    /// When its tracking link was last sent.
    pub last_tracking_sent_at: Option<DateTime<Utc>>,
    /// Tags.
    pub tags: Jsonb<Vec<JobTag>>,
    /// Number of units.
    pub units_count: i64,
    /// Number of returns.
    pub returns_count: i64,
    /// Whether it has a proof.
    pub visited: bool,
    /// Whether its latest proof is a success.
    pub successful: bool,
    /// When the latest proof was recorded.
    pub proof_time: Option<DateTime<Utc>>,
    /// When it was made.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub modified: DateTime<Utc>,
}

/// What can be written of it; every field may be absent.
#[derive(Debug, Default, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JobFields {
    /// Number of the job.
    pub uid: Option<String>,
    /// Scenario; only on create.
    pub scenario_id: Option<i64>,
    /// Where.
    pub location: Option<Location>,
    /// Client it is made from.
    pub client_id: Option<i64>,
    /// Customer.
    pub customer_name: Option<String>,
    /// Addresses, comma-separated.
    pub customer_email: Option<String>,
    /// International number.
    pub phone_number: Option<String>,
    /// Service time, minutes.
    pub duration: Option<f64>,
    /// Earliest arrival.
    #[serde(deserialize_with = "blank_is_null")]
    pub arrive_after: Option<TimeOfDay>,
    /// Latest arrival.
    #[serde(deserialize_with = "blank_is_null")]
    pub leave_by: Option<TimeOfDay>,
    /// Size in the size grammar.
    pub size: Option<String>,
    /// Types of goods, comma-separated.
    pub spec_type: Option<String>,
    /// Dropped last when not everything fits.
    pub priority: Option<bool>,
    /// Colour on the map.
    pub colour: Option<String>,
    /// Delivery instructions.
    pub comments: Option<String>,
    /// About the consignee.
    pub consignee_info: Option<String>,
    /// About the consignor.
    pub consignor_info: Option<String>,
    /// Comments for outside.
    pub external_comments: Option<String>,
    /// Dock.
    pub dock_location: Option<String>,
    /// Invoice.
    pub invoice: Option<String>,
    /// Reference.
    pub reference: Option<String>,
    /// Uids of jobs that must be picked up before.
    pub pickup_from: Option<String>,
    /// Uids of jobs that are delivered afterwards.
    pub deliver_to: Option<String>,
    /// Whether the customer may ask for another time.
    pub idm: Option<bool>,
    /// Further fields by name.
    pub extra_fields: Option<BTreeMap<String, String>>,
}

impl Resource for Job {
    const NAME: &'static str = "Job";
    const PATH: &'static str = "/jobs";
    const TABLE: &'static str = "jobs";
    const FROM: &'static str = "jobs j left join lateral (
            select p.success, p.record_time from job_proofs p where p.job_id = j.id order by p.record_time desc, p.id desc limit 1
        ) proof on true";
    const ID: &'static str = "j.id";
    const COLUMNS: &'static str = concat!(
        organisation!(),
        ", j.id, j.uid, j.scenario_id, j.run_id, j.seq, j.tracking_token, j.timezone, ",
        place!("j.", "location"),
        ", j.client_id, j.customer_name, j.customer_email, j.phone_number, j.duration,
        to_char(j.arrive_after, 'HH24:MI') as arrive_after, to_char(j.leave_by, 'HH24:MI') as leave_by, j.size, j.spec_type,
        j.priority, j.colour, j.comments, j.consignee_info, j.consignor_info, j.external_comments, j.dock_location,
        j.customer_instructions, j.customer_safe_place, j.invoice, j.reference, j.pickup_from, j.deliver_to, j.idm,
        j.extra_fields, j.eta, j.etd, j.updated_eta, j.wait_seconds, j.unserved_reason, j.last_tracking_sent_at,
        coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) order by lower(t.name))
            from job_tags jt join tags t on t.id = jt.tag_id where jt.job_id = j.id), '[]') as tags,
        (select count(*) from units u where u.job_id = j.id) as units_count,
        (select count(*) from returns r where r.job_id = j.id) as returns_count,
        proof.success is not null as visited, coalesce(proof.success, false) as successful, proof.record_time as proof_time,
        j.created, j.modified"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("organisation_id", ORGANISATION),
            Filter::text("uid", "j.uid"),
            Filter::text("customer_name", "j.customer_name"),
            Filter::text("customer_email", "j.customer_email"),
            Filter::text("address", "j.address"),
            Filter::text("phone_number", "j.phone_number"),
            Filter::text("invoice", "j.invoice"),
            Filter::text("reference", "j.reference"),
            Filter::id("scenario_id", "j.scenario_id"),
            Filter::id("run_id", "j.run_id"),
            Filter::id("driver_id", "(select fr.driver_id from runs fr where fr.id = j.run_id)"),
            Filter::date("scheduled_date", DAY),
            Filter::id("job_id", "j.id"),
            Filter::id("client_id", "j.client_id"),
            Filter::bool("priority", "j.priority"),
            Filter::present("served", "j.run_id"),
            Filter::among(
                "tag_id",
                "exists (select from job_tags ft where ft.job_id = j.id and ft.tag_id = any({}))",
            ),
        ],
        search: &["j.uid", "j.customer_name", "j.customer_email", "j.address", "j.invoice", "j.reference"],
        sort: &[
            ("id", "j.id"),
            ("uid", "lower(j.uid)"),
            ("customer_name", "lower(j.customer_name)"),
            ("address", "lower(j.address)"),
            ("duration", "j.duration"),
            ("arrive_after", "j.arrive_after"),
            ("leave_by", "j.leave_by"),
            ("size", "j.size"),
            ("priority", "j.priority"),
            ("eta", "j.eta"),
            ("seq", "j.seq"),
            ("scheduled_date", DAY),
            ("scenario", "(select lower(fs.name) from scenarios fs where fs.id = j.scenario_id)"),
            ("run", "(select lower(fr.uid) from runs fr where fr.id = j.run_id)"),
            ("phone_number", "j.phone_number"),
            ("customer_email", "lower(j.customer_email)"),
            ("created", "j.created"),
        ],
        order: "j.id desc",
    };
    type Fields = JobFields;

    fn to_columns(mut fields: Map<String, Value>) -> Map<String, Value> {
        flatten(&mut fields, "location", "");
        fields
    }

    fn prepare(given: &mut Given<JobFields>, _caller: &Caller, new: bool) -> Result<()> {
        if let Some(types) = &given.value.spec_type {
            given.fields.insert("spec_type".to_owned(), tidy_list(types).into());
        }
        if !new {
            // Jobs change their scenario through the pool, so that their place in a plan is given up in order.
            given.fields.remove("scenario_id");
        }
        for field in ["duration", "priority", "colour", "idm", "extra_fields"] {
            if given.fields.get(field).is_some_and(Value::is_null) {
                given.fields.remove(field);
            }
        }
        let mut problems = Problems::default();
        check_fields(&given.value, &mut problems);
        if new {
            problems.require(given.value.uid.is_some(), "uid", check::REQUIRED);
            problems.require(given.value.location.is_some(), "location", check::REQUIRED);
        } else {
            for field in ["uid", "location"] {
                problems.require(
                    !given.fields.get(field).is_some_and(Value::is_null),
                    field,
                    check::REQUIRED,
                );
            }
        }
        problems.finish()
    }

    fn violated(constraint: &str, given: &JobFields, before: Option<&Self>) -> Option<Error> {
        if constraint != "jobs_windows_check" {
            return None;
        }
        let mut problems = Problems::default();
        let from =
            given.arrive_after.as_ref().map(TimeOfDay::as_str).or_else(|| before?.arrive_after.as_deref());
        let to = given.leave_by.as_ref().map(TimeOfDay::as_str).or_else(|| before?.leave_by.as_deref());
        problems.window(from, to);
        problems.finish().err()
    }

    fn narrow(caller: &Caller, conditions: &mut Where) {
        // A haulier's people see the jobs of their own runs.
        if let Some(haulier) = caller.haulier_id() {
            let place = conditions.bind(haulier);
            conditions.and(&format!(
                "exists (select from runs hr left join drivers hd on hd.id = hr.driver_id left join vehicles hv on hv.id = hr.vehicle_id
                 where hr.id = j.run_id and (hd.haulier_id = {place} or hv.haulier_id = {place}))"
            ));
        }
    }
}

/// Checks the given fields of a job.
pub(crate) fn check_fields(fields: &JobFields, problems: &mut Problems) {
    if let Some(uid) = &fields.uid {
        problems.text("uid", uid, 100);
        problems.require(!check::has_special(uid) && !uid.contains(','), "uid", check::SPECIAL);
    }
    if let Some(location) = &fields.location {
        location.check("location", problems);
    }
    if let Some(duration) = fields.duration {
        problems.require(duration > 0.0, "duration", "Value must be above 0");
        problems.require(duration <= 1e9, "duration", "Value must be less than 100000000");
    }
    problems.window(
        fields.arrive_after.as_ref().map(TimeOfDay::as_str),
        fields.leave_by.as_ref().map(TimeOfDay::as_str),
    );
    if let Some(size) = &fields.size {
        problems.require(size.parse::<Size>().is_ok(), "size", "Value is not a valid size");
    }
    problems.emails("customer_email", fields.customer_email.as_deref());
    problems.phone("phone_number", fields.phone_number.as_deref());
    problems.colour("colour", fields.colour.as_deref());
    problems.optional_text("customer_name", fields.customer_name.as_deref(), check::SHORT_TEXT);
    problems.optional_text("spec_type", fields.spec_type.as_deref(), check::SHORT_TEXT);
    for (field, value) in [
        ("comments", &fields.comments),
        ("consignee_info", &fields.consignee_info),
        ("consignor_info", &fields.consignor_info),
        ("external_comments", &fields.external_comments),
        ("dock_location", &fields.dock_location),
        ("invoice", &fields.invoice),
        ("reference", &fields.reference),
        ("pickup_from", &fields.pickup_from),
        ("deliver_to", &fields.deliver_to),
    ] {
        problems.require(
            value.as_ref().is_none_or(|text| text.chars().count() <= check::LONG_TEXT),
            field,
            check::TOO_LONG,
        );
    }
    if let Some(extra) = &fields.extra_fields {
        extra_fields::check(extra, problems);
    }
}

/// A comma-separated list without blanks and empty parts.
pub(crate) fn tidy_list(text: &str) -> String {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",")
}
