//! The protocol of OsmAnd, which Traccar's apps and many trackers speak as well: one point in a query or form, or the JSON of
//! Traccar's newer app, which may hold several. The device is known by its key; the `id` that apps send says nothing here.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_tenancy::LateDb;
use serde_json::Value;

use super::receive::{Taken, Told, take};
use super::sent::{Sent, each, measured, moment, percent, point};
use crate::app::App;
use crate::execution::gps::NewPoint;

/// Metres per second of a knot, in which queries and forms tell the speed.
const KNOT: f64 = 1852.0 / 3600.0;

/// `GET /positions/osmand/{token}`.
pub(super) async fn asked(
    db: LateDb,
    State(app): State<App>,
    caller: Caller,
    sent: Sent,
) -> Result<Json<Taken>> {
    taken(db, &app, &caller, &sent).await
}

/// `POST /positions/osmand/{token}`.
pub(super) async fn sent(
    db: LateDb,
    State(app): State<App>,
    caller: Caller,
    sent: Sent,
) -> Result<Json<Taken>> {
    taken(db, &app, &caller, &sent).await
}

async fn taken(db: LateDb, app: &App, caller: &Caller, sent: &Sent) -> Result<Json<Taken>> {
    let now = caller.now(&app.clock);
    let read = || match sent.json()? {
        Some(json) => of_json(&json, now),
        None => of_fields(&sent.fields, now),
    };
    take(db, app, caller, read).await.map(Json)
}

fn of_fields(fields: &[(String, String)], now: DateTime<Utc>) -> Result<Told> {
    let text = |names: &[&str]| {
        let named = fields.iter().find(|(name, _)| names.contains(&name.as_str()));
        named.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    };
    let number = |names: &[&str]| text(names).and_then(|text| text.parse::<f64>().ok());
    let told = Told { points: Vec::new(), battery: percent(number(&["batt"])) };
    // Without a fix there is no place.
    if matches!(text(&["valid"]), Some("0" | "false")) {
        return Ok(told);
    }
    let pair = text(&["location"]).and_then(|text| text.split_once(','));
    let place = match pair {
        Some((lat, lon)) => (lat.trim().parse().ok(), lon.trim().parse().ok()),
        None => (number(&["lat"]), number(&["lon"])),
    };
    let at = recorded_at(text(&["timestamp"]).map(str::to_owned), now, "timestamp")?;
    let point = point(place, at, str::to_owned)?;
    let point = NewPoint {
        accuracy: measured(number(&["accuracy"])),
        speed: measured(number(&["speed"])).map(|knots| knots * KNOT),
        heading: measured(number(&["bearing", "heading"])),
        ..point
    };
    Ok(Told { points: vec![point], ..told })
}

fn of_json(json: &Value, now: DateTime<Utc>) -> Result<Told> {
    let Some(location) = json.get("location").filter(|location| location.is_object() || location.is_array())
    else {
        return Err(Error::field("location", "This item is required"));
    };
    let mut told = Told::default();
    for (at, item) in each(location).iter().enumerate() {
        let prefix = if location.is_array() { format!("location.{at}") } else { "location".to_owned() };
        let measure = |name: &str| item["coords"][name].as_f64();
        let written = match &item["timestamp"] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let time = recorded_at(written, now, &format!("{prefix}.timestamp"))?;
        let place = (measure("latitude"), measure("longitude"));
        let point = point(place, time, |name| {
            let name = if name == "lat" { "latitude" } else { "longitude" };
            format!("{prefix}.coords.{name}")
        })?;
        told.points.push(NewPoint {
            accuracy: measured(measure("accuracy")),
            speed: measured(measure("speed")),
            heading: measured(measure("heading")),
            ..point
        });
        let battery = percent(item["battery"]["level"].as_f64().map(|part| part * 100.0));
        told.battery = battery.or(told.battery);
    }
    Ok(told)
}

/// When a point was measured; now where that is not said.
fn recorded_at(written: Option<String>, now: DateTime<Utc>, field: &str) -> Result<DateTime<Utc>> {
    let Some(text) = written else { return Ok(now) };
    moment(&text).ok_or_else(|| Error::field(field, "Value is not a valid date or time"))
}
