//! What is known of a job proof beside what was recorded: how far from the address, by which device, whether the PIN was right,
//! and what of it was required and is not there.

use geo::{Distance, Haversine, Point};
use routewright_core::Result;
use routewright_identity::Caller;
use serde_json::{Value, json};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::model::ProofFields;
use crate::app::App;
use crate::orders::customers;
use crate::setup::information::{self, Parts, ProofOfDelivery};

/// Longest text that a device may say of itself.
const DEVICE: usize = 100;

#[derive(FromRow)]
struct Job {
    spec_type: Option<String>,
    lat: Option<f64>,
    lon: Option<f64>,
    /// Units that nobody has recorded yet.
    unrecorded: Vec<i64>,
    /// The PIN has been right before.
    pin_known: bool,
}

/// Adds it to the row of a job's proof, and answers what a driver's record lacks: the office knows what it does.
pub(super) async fn known_beside(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    (job, run): (i64, Option<i64>),
    fields: &ProofFields,
    row: &mut Value,
) -> Result<Vec<&'static str>> {
    let of: Job = sqlx::query_as(
        "select spec_type, lat, lon, array(select u.id from units u where u.job_id = jobs.id
             and not exists (select from unit_proofs p where p.unit_id = u.id)) as unrecorded,
             exists (select from job_proofs p where p.job_id = $1 and p.pin_ok) as pin_known
         from jobs where id = $1",
    )
    .bind(job)
    .fetch_one(&mut *connection)
    .await?;
    let settings: ProofOfDelivery = information::of(connection).await?;
    let demands = settings.demands_of(of.spec_type.as_deref());
    let pin = fields.pin.as_deref().filter(|pin| !pin.trim().is_empty());
    let pin_ok = match pin {
        Some(pin) => {
            customers::compare_pin(connection, app, caller, job, pin).await?.map(|compared| compared.ok)
        }
        None => None,
    };
    let some = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    let parts = Parts {
        success: fields.success.unwrap_or(true),
        photo: fields.photo_ids.as_ref().is_some_and(|photos| !photos.is_empty()),
        signature: fields.signature_id.is_some(),
        scan: of.unrecorded.iter().all(|unit| fields.units.contains(unit)),
        pin: pin_ok == Some(true) || of.pin_known,
        note: some(&fields.comments),
        age_check: fields.age_check.is_some(),
    };
    let missing = if run.is_some() { demands.missing(parts) } else { Vec::new() };
    let place = |lat: Option<f64>, lon: Option<f64>| lat.zip(lon).map(|(lat, lon)| Point::new(lon, lat));
    let distance = place(fields.lat, fields.lon).zip(place(of.lat, of.lon));
    #[expect(
        clippy::cast_possible_truncation,
        reason = "half the way around the earth has 20 000 000 metres"
    )]
    let distance = distance.map(|(device, address)| Haversine.distance(device, address).round() as i32);
    let device = fields.device.as_deref().map(str::trim).filter(|device| !device.is_empty());
    let device: Option<String> =
        device.map(|device| device.chars().filter(|c| !c.is_control()).take(DEVICE).collect());
    row["age_check"] = json!(fields.age_check);
    row["pin_ok"] = json!(pin_ok);
    row["distance"] = json!(distance);
    row["device"] = json!(device);
    row["missing"] = if missing.is_empty() { Value::Null } else { json!(missing) };
    Ok(missing)
}
