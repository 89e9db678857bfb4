//! The protocol of OwnTracks in its HTTP mode: one message after the other, of which only locations are of interest here. Its
//! apps expect a list of messages for them in return, and send nothing more until they get one.

use axum::Json;
use axum::extract::State;
use chrono::Utc;
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_tenancy::LateDb;
use serde_json::Value;

use super::receive::{Told, take};
use super::sent::{Sent, each, measured, moment, percent, point};
use crate::app::App;
use crate::execution::gps::NewPoint;

/// Kilometres per hour of a metre per second.
const KMH: f64 = 3.6;

/// `POST /positions/owntracks/{token}`: messages of other kinds are taken and left aside.
pub(super) async fn sent(
    db: LateDb,
    State(app): State<App>,
    caller: Caller,
    sent: Sent,
) -> Result<Json<Vec<Value>>> {
    let read = || match sent.json()? {
        Some(messages) => of_messages(&messages),
        None => Err(Error::bad_request("The body must be a message of OwnTracks")),
    };
    take(db, &app, &caller, read).await?;
    Ok(Json(Vec::new()))
}

fn of_messages(messages: &Value) -> Result<Told> {
    let mut told = Told::default();
    for (at, message) in each(messages).iter().enumerate() {
        let name = |name: &str| if messages.is_array() { format!("{at}.{name}") } else { name.to_owned() };
        let Some(kind) = message["_type"].as_str() else {
            return Err(Error::field(name("_type"), "This item is required"));
        };
        if kind != "location" {
            continue;
        }
        let number = |name: &str| message[name].as_f64();
        let time = number("tst").and_then(|seconds| moment(&seconds.to_string()));
        let Some(time) = time.filter(|time| *time > chrono::DateTime::<Utc>::UNIX_EPOCH) else {
            return Err(Error::field(name("tst"), "Value is not a valid date or time"));
        };
        let point = point((number("lat"), number("lon")), time, name)?;
        told.points.push(NewPoint {
            accuracy: measured(number("acc")),
            speed: measured(number("vel")).map(|speed| speed / KMH),
            heading: measured(number("cog")),
            ..point
        });
        told.battery = percent(number("batt")).or(told.battery);
    }
    Ok(told)
}
