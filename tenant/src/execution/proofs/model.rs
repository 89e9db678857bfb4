//! Rows of the four tables of proofs, which look alike on the wire.

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Error, Given, Jsonb, Result, check};
use routewright_identity::Caller;
use routewright_solver::Size;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::FromRow;

use super::values::{self, RecordTime};
use crate::setup::files::{FILE, FileLink, PHOTOS};

/// What was recorded about a job, a unit, a return or a container.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct Proof {
    /// Id among the proofs of its kind.
    pub(crate) id: i64,
    /// The job.
    pub(crate) job_id: Option<i64>,
    /// The unit, in a unit proof.
    pub(crate) unit_id: Option<i64>,
    /// The return, in a return proof.
    pub(crate) return_id: Option<i64>,
    /// The container.
    pub(crate) container_id: Option<i64>,
    /// The run it was made on.
    pub(crate) run_id: Option<i64>,
    /// `load`, `deliver`, `pickup`, `at_depot` or `return`; null in a job proof.
    pub(crate) mode: Option<String>,
    /// Whether it went well.
    pub(crate) success: bool,
    /// Reason the driver gave.
    pub(crate) reason_id: Option<i64>,
    /// When it happened, `YYYY-MM-DD HH:mm:ss` in UTC.
    pub(crate) record_time: String,
    /// Where the device was, degrees.
    pub(crate) lat: Option<f64>,
    /// Where the device was, degrees.
    pub(crate) lon: Option<f64>,
    /// Picture of the signature.
    pub(crate) signature: Option<Jsonb<FileLink>>,
    /// Who signed.
    pub(crate) signature_name: Option<String>,
    /// Photos.
    pub(crate) photos: Jsonb<Vec<FileLink>>,
    /// What the driver wrote.
    pub(crate) comments: Option<String>,
    /// What of the job's size was delivered, of a job proof; null means all of it.
    pub(crate) delivered_size: Option<String>,
    /// Whether the recipient was old enough, of a job proof; null where nobody asked.
    pub(crate) age_check: Option<bool>,
    /// Whether the PIN was the customer's, of a job proof; null where none was given.
    pub(crate) pin_ok: Option<bool>,
    /// Metres from where the device was to the job's address, of a job proof.
    pub(crate) distance: Option<i32>,
    /// What the device says of itself, of a job proof.
    pub(crate) device: Option<String>,
    /// Parts that were required and are not there, of a job proof: `photo`, `signature`, `scan`, `pin`, `note`, `age_check`.
    pub(crate) missing: Option<Vec<String>>,
    /// When it was stored.
    pub(crate) created: DateTime<Utc>,
}

/// What can be written of a proof. The subject is named once and stays; a correction gives only what changes.
#[derive(Debug, Default, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct ProofFields {
    /// The job, of a job or container proof.
    pub(crate) job_id: Option<i64>,
    /// The unit, of a unit proof.
    pub(crate) unit_id: Option<i64>,
    /// The return, of a return proof.
    pub(crate) return_id: Option<i64>,
    /// The container, of a container proof.
    pub(crate) container_id: Option<i64>,
    /// `load`, `deliver`, `pickup`, `at_depot` or `return`, or one of their other names.
    pub(crate) mode: Option<String>,
    /// Whether it went well; yes unless told otherwise.
    pub(crate) success: Option<bool>,
    /// Reason.
    pub(crate) reason_id: Option<i64>,
    /// When it happened; now unless told otherwise.
    pub(crate) record_time: Option<RecordTime>,
    /// Where the device was.
    pub(crate) lat: Option<f64>,
    /// Where the device was.
    pub(crate) lon: Option<f64>,
    /// File with the signature.
    pub(crate) signature_id: Option<i64>,
    /// Who signed.
    pub(crate) signature_name: Option<String>,
    /// Files with the photos.
    pub(crate) photo_ids: Option<Vec<i64>>,
    /// What the driver wrote.
    pub(crate) comments: Option<String>,
    /// What of the job's size was delivered where it was not all, of a job proof: `boxes:4&weight:12`.
    pub(crate) delivered_size: Option<String>,
    /// Whether the recipient is old enough, of a job proof.
    pub(crate) age_check: Option<bool>,
    /// What the customer told as PIN, of a job proof. It is compared and not kept.
    pub(crate) pin: Option<String>,
    /// What the device says of itself, of a job proof.
    pub(crate) device: Option<String>,
    /// Units that are recorded together with the job.
    #[serde(skip)]
    pub(crate) units: Vec<i64>,
}

/// A kind of proof.
pub(crate) trait Proven: Resource<Fields = ProofFields> {
    /// Name in events: `job`, `unit`, `return`, `container`.
    const KIND: &'static str;
    /// Filters by things that hang on the same job: parameter, and condition before `any(…)`'s list and after it.
    const RELATED: &'static [(&'static str, &'static str, &'static str)];

    /// What all kinds have in common.
    fn proof(&self) -> &Proof;
}

const TIME: &str = "record_time";
/// Refusal of what was delivered.
const NO_SIZE: &str = "Value is not a size without alternatives, such as boxes:4";

macro_rules! columns {
    ($ids:literal) => {
        concat!(
            "p.id, ",
            $ids,
            ", p.success, p.reason_id,
            to_char(p.record_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as record_time, p.lat, p.lon, ",
            FILE!("p.signature_id"),
            " as signature, p.signature_name, ",
            PHOTOS!("p.photo_ids"),
            " as photos, p.comments, p.created"
        )
    };
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $type:ident {
        kind: $kind:literal, name: $name:literal, table: $table:literal, ids: $ids:literal, from: $from:literal,
        run: $run:literal, filters: [$($filter:expr),*], related: $related:expr,
    })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
        pub(crate) struct $type {
            #[serde(flatten)]
            #[sqlx(flatten)]
            pub(crate) proof: Proof,
        }

        impl Resource for $type {
            const NAME: &'static str = $name;
            const PATH: &'static str = concat!("/", $table);
            const TABLE: &'static str = $table;
            const COLUMNS: &'static str = columns!($ids);
            const FROM: &'static str = $from;
            const ID: &'static str = "p.id";
            const SHAPE: Shape = Shape {
                filters: &[
                    Filter::id("proof_id", "p.id"),
                    Filter::id("reason_id", "p.reason_id"),
                    Filter::bool("success", "p.success"),
                    Filter::id("scenario_id", "j.scenario_id"),
                    Filter::date(TIME, "(p.record_time at time zone 'UTC')::date"),
                    $($filter),*
                ],
                search: &["p.comments", "p.signature_name"],
                sort: &[("id", "p.id"), (TIME, "p.record_time"), ("created", "p.created")],
                order: "p.record_time desc, p.id desc",
            };
            type Fields = ProofFields;

            fn prepare(given: &mut Given<ProofFields>, _caller: &Caller, _new: bool) -> Result<()> {
                prepare(given, Self::KIND)
            }

            fn narrow(caller: &Caller, conditions: &mut Where) {
                narrow(caller, conditions, $run);
            }
        }

        impl Proven for $type {
            const KIND: &'static str = $kind;
            const RELATED: &'static [(&'static str, &'static str, &'static str)] = $related;

            fn proof(&self) -> &Proof {
                &self.proof
            }
        }
    )*};
}

kinds! {
    /// What was recorded about a job.
    JobProof {
        kind: "job", name: "Job proof", table: "job_proofs",
        ids: "p.job_id, null::bigint as unit_id, null::bigint as return_id, null::bigint as container_id, p.run_id,
            null::text as mode, p.delivered_size, p.age_check, p.pin_ok, p.distance, p.device, p.missing",
        from: "job_proofs p join jobs j on j.id = p.job_id",
        run: "coalesce(p.run_id, j.run_id)",
        filters: [Filter::id("job_id", "p.job_id"), Filter::id("run_id", "coalesce(p.run_id, j.run_id)")],
        related: &[
            ("unit_id", "p.job_id in (select u.job_id from units u where u.id = any(", "))"),
            ("return_id", "p.job_id in (select t.job_id from returns t where t.id = any(", "))"),
            ("container_id", "p.job_id in (select u.job_id from units u where u.container_id = any(", "))"),
        ],
    }
    /// What was recorded about a unit.
    UnitProof {
        kind: "unit", name: "Unit proof", table: "unit_proofs",
        ids: "coalesce(p.job_id, u.job_id) as job_id, p.unit_id, null::bigint as return_id,
            coalesce(p.container_id, u.container_id) as container_id, p.run_id, p.mode,
            null::text as delivered_size, null::boolean as age_check, null::boolean as pin_ok,
            null::integer as distance, null::text as device, null::text[] as missing",
        from: "unit_proofs p join units u on u.id = p.unit_id left join jobs j on j.id = coalesce(p.job_id, u.job_id)",
        run: "coalesce(p.run_id, j.run_id)",
        filters: [
            Filter::id("unit_id", "p.unit_id"),
            Filter::id("job_id", "j.id"),
            Filter::id("container_id", "coalesce(p.container_id, u.container_id)"),
            Filter::id("run_id", "coalesce(p.run_id, j.run_id)"),
            Filter::choice("mode", "p.mode")
        ],
        related: &[("return_id", "j.id in (select t.job_id from returns t where t.id = any(", "))")],
    }
    /// What was recorded about a return.
    ReturnProof {
        kind: "return", name: "Return proof", table: "return_proofs",
        ids: "coalesce(p.job_id, t.job_id) as job_id, null::bigint as unit_id, p.return_id,
            null::bigint as container_id, p.run_id, p.mode,
            null::text as delivered_size, null::boolean as age_check, null::boolean as pin_ok,
            null::integer as distance, null::text as device, null::text[] as missing",
        from: "return_proofs p join returns t on t.id = p.return_id
            left join jobs j on j.id = coalesce(p.job_id, t.job_id)",
        run: "coalesce(p.run_id, j.run_id)",
        filters: [
            Filter::id("return_id", "p.return_id"),
            Filter::id("job_id", "j.id"),
            Filter::id("run_id", "coalesce(p.run_id, j.run_id)"),
            Filter::choice("mode", "p.mode")
        ],
        related: &[
            ("unit_id", "j.id in (select u.job_id from units u where u.id = any(", "))"),
            ("container_id", "j.id in (select u.job_id from units u where u.container_id = any(", "))"),
        ],
    }
    /// What was recorded about a container.
    ContainerProof {
        kind: "container", name: "Container proof", table: "container_proofs",
        ids: "p.job_id, null::bigint as unit_id, null::bigint as return_id, p.container_id, p.run_id, p.mode,
            null::text as delivered_size, null::boolean as age_check, null::boolean as pin_ok,
            null::integer as distance, null::text as device, null::text[] as missing",
        from: "container_proofs p left join jobs j on j.id = p.job_id",
        run: "coalesce(p.run_id, j.run_id)",
        filters: [
            Filter::id("container_id", "p.container_id"),
            Filter::id("run_id", "coalesce(p.run_id, j.run_id)"),
            Filter::choice("mode", "p.mode")
        ],
        related: &[
            ("job_id", "exists (select from units u where u.container_id = p.container_id
                and u.job_id = coalesce(p.job_id, u.job_id) and u.job_id = any(", "))"),
            ("unit_id", "p.container_id in (select u.container_id from units u where u.id = any(", "))"),
            ("return_id", "p.job_id in (select t.job_id from returns t where t.id = any(", "))"),
        ],
    }
}

/// Checks what is given; what names the subject is taken out, because it is decided when the proof is recorded.
pub(super) fn prepare(given: &mut Given<ProofFields>, kind: &str) -> Result<()> {
    for field in ["job_id", "unit_id", "return_id", "container_id"] {
        given.fields.remove(field);
    }
    // Not for the office to say.
    for field in ["pin", "device"] {
        given.fields.remove(field);
    }
    if kind != "job" {
        given.fields.remove("age_check");
        given.fields.remove("delivered_size");
    }
    for field in ["success", "record_time"] {
        if given.fields.get(field).is_some_and(Value::is_null) {
            given.fields.remove(field);
        }
    }
    if given.fields.get("photo_ids").is_some_and(Value::is_null) {
        given.fields.insert("photo_ids".to_owned(), Value::Array(Vec::new()));
    }
    if kind == "job" {
        given.fields.remove("mode");
    } else if given.has("mode") {
        let mode = mode_of(kind, given.value.mode.as_deref())?;
        given.fields.insert("mode".to_owned(), mode.into());
    }
    check_fields(&given.value, &given.fields)
}

/// The stored mode. Units and returns need one, jobs have none.
pub(super) fn mode_of(kind: &str, given: Option<&str>) -> Result<Option<&'static str>> {
    if kind == "job" {
        return Ok(None);
    }
    match given.filter(|text| !text.trim().is_empty()) {
        None if kind == "container" => Ok(None),
        None => Err(Error::field("mode", check::REQUIRED)),
        Some(text) => values::mode(text).map(Some).ok_or_else(|| {
            Error::field("mode", "Value is not one of load, deliver, pickup, at_depot, return")
        }),
    }
}

pub(super) fn check_fields(fields: &ProofFields, given: &Map<String, Value>) -> Result<()> {
    let mut problems = Problems::default();
    if let Some(lat) = fields.lat {
        problems.require((-90.0..=90.0).contains(&lat), "lat", "Latitude must be between -90 and 90");
    }
    if let Some(lon) = fields.lon {
        problems.require((-180.0..=180.0).contains(&lon), "lon", "Longitude must be between -180 and 180");
    }
    if given.contains_key("lat") || given.contains_key("lon") {
        let both = fields.lat.is_some() == fields.lon.is_some();
        problems.require(both, "lat", "Latitude and longitude belong together");
    }
    for (field, text, longest) in [
        ("signature_name", &fields.signature_name, check::SHORT_TEXT),
        ("comments", &fields.comments, check::LONG_TEXT),
    ] {
        let short = text.as_ref().is_none_or(|text| text.chars().count() <= longest);
        problems.require(short, field, check::TOO_LONG);
    }
    if let Some(size) = fields.delivered_size.as_deref().filter(|size| !size.trim().is_empty()) {
        let one = !size.contains('|') && size.chars().count() <= check::SHORT_TEXT;
        problems.require(one && size.parse::<Size>().is_ok(), "delivered_size", NO_SIZE);
    }
    problems.finish()
}

/// A haulier's people see the proofs of their own runs. `run` is the SQL of the proof's run.
pub(super) fn narrow(caller: &Caller, conditions: &mut Where, run: &str) {
    if let Some(haulier) = caller.haulier_id() {
        let place = conditions.bind(haulier);
        conditions.and(&format!(
            "exists (select from runs hr left join drivers hd on hd.id = hr.driver_id left join vehicles hv on hv.id = hr.vehicle_id
             where hr.id = {run} and (hd.haulier_id = {place} or hv.haulier_id = {place}))"
        ));
    }
}
