//! What came in a request, read as its protocol says. Apps send more than is wanted here: what is not known is left out.

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::Operation;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use chrono::{DateTime, NaiveDateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::http::body;
use routewright_core::{Error, Result};
use serde_json::Value;

use crate::execution::gps::NewPoint;

/// Largest form, bytes.
const LARGEST_FORM: usize = 64 * 1024;

/// A request's query and body as they came.
pub(super) struct Sent {
    /// Fields of the query, and of a form after them.
    pub(super) fields: Vec<(String, String)>,
    json: Option<Bytes>,
}

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let mut fields = fields(request.uri().query().unwrap_or_default().as_bytes())?;
        if body::is_json(request.headers()) {
            // The service has read it already, and no more than it takes.
            let bytes = body::read(request, body::DEFAULT_LIMIT).await?;
            return Ok(Self { fields, json: Some(bytes) });
        }
        fields.extend(self::fields(&body::read(request, LARGEST_FORM).await?)?);
        Ok(Self { fields, json: None })
    }
}

impl Sent {
    /// The body as JSON; none where there is a form or nothing.
    ///
    /// # Errors
    /// 400 for what is no JSON.
    pub(super) fn json(&self) -> Result<Option<Value>> {
        self.json.as_ref().map(|bytes| body::parse(bytes)).transpose()
    }
}

impl OperationInput for Sent {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        <axum::Json<Value> as OperationInput>::operation_input(ctx, operation);
    }
}

fn fields(text: &[u8]) -> Result<Vec<(String, String)>> {
    serde_html_form::from_bytes(text)
        .map_err(|error| Error::bad_request("The form is malformed").caused_by(error))
}

/// One thing after the other: alone or in a list.
pub(super) fn each(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        one => std::slice::from_ref(one),
    }
}

/// A measured value; none where the device has none: some write -1 for it.
pub(super) fn measured(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite() && *value >= 0.0)
}

/// Percent of a battery.
#[expect(clippy::cast_possible_truncation, reason = "between 0 and 100")]
pub(super) fn percent(value: Option<f64>) -> Option<i16> {
    value.filter(|value| (0.0..=100.0).contains(value)).map(|value| value.round() as i16)
}

/// A point by the numbers that its protocol has for it. `name` is how the protocol calls a field.
///
/// # Errors
/// 400 without a place on earth.
pub(super) fn point(
    place: (Option<f64>, Option<f64>),
    recorded_at: DateTime<Utc>,
    name: impl Fn(&str) -> String,
) -> Result<NewPoint> {
    let mut problems = Problems::default();
    let lat = place.0.filter(|lat| (-90.0..=90.0).contains(lat));
    let lon = place.1.filter(|lon| (-180.0..=180.0).contains(lon));
    problems.require(lat.is_some(), &name("lat"), "Latitude must be between -90 and 90");
    problems.require(lon.is_some(), &name("lon"), "Longitude must be between -180 and 180");
    problems.finish()?;
    let (lat, lon) = (lat.unwrap_or_default(), lon.unwrap_or_default());
    Ok(NewPoint { lat, lon, accuracy: None, speed: None, heading: None, recorded_at, device_id: None })
}

/// A moment as apps write it: seconds or milliseconds since 1970, ISO 8601, or a date and time in UTC.
pub(super) fn moment(text: &str) -> Option<DateTime<Utc>> {
    /// Seconds beyond which a number is milliseconds: that many seconds are the year 2286.
    const LATEST: f64 = 1e10;
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return of_number(if number.abs() < LATEST { number * 1000.0 } else { number });
    }
    let zoned = DateTime::parse_from_rfc3339(text).ok().map(|at| at.to_utc());
    let plain = || {
        ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f"]
            .iter()
            .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
            .map(|at| at.and_utc())
    };
    // Some write the zone without a colon.
    zoned
        .or_else(plain)
        .or_else(|| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f%z").ok().map(|at| at.to_utc()))
}

#[expect(clippy::cast_possible_truncation, reason = "a float cast saturates, and no such moment is one")]
fn of_number(milliseconds: f64) -> Option<DateTime<Utc>> {
    milliseconds.is_finite().then(|| DateTime::from_timestamp_millis(milliseconds as i64)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_apps_write_them() {
        let eight = "2026-11-23T08:00:00Z".parse::<DateTime<Utc>>().ok();
        for text in [
            "1795420800",
            "1795420800.0",
            "1795420800000",
            "2026-11-23T08:00:00Z",
            "2026-11-23T08:00:00.000Z",
            "2026-11-23T09:00:00+01:00",
            "2026-11-23T09:00:00.000+0100",
            "2026-11-23 08:00:00",
            "2026-11-23T08:00:00",
        ] {
            assert_eq!(moment(text), eight, "{text}");
        }
        for text in ["", "yesterday", "NaN", "1e300", "2026-11-23"] {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn what_was_not_measured_is_left_out() {
        assert_eq!(
            [Some(-1.0), Some(f64::NAN), None, Some(0.0)].map(measured),
            [None, None, None, Some(0.0)]
        );
        assert_eq!([Some(99.6), Some(-1.0), Some(101.0)].map(percent), [Some(100), None, None]);
    }
}
