//! IANA time zones.

use axum::Json;
use chrono_tz::Tz;
use routewright_core::{Access, Error, Result, Routes};

use crate::app::App;

pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/timezones", Access::SIGNED_IN, list)
}

async fn list() -> Json<Vec<&'static str>> {
    Json(chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).collect())
}

/// The zone of a name.
///
/// # Errors
/// 400 for a name that is none.
pub(crate) fn parse(name: &str) -> Result<Tz> {
    name.parse().map_err(|_| Error::field("timezone", format!("`{name}` is not a time zone")))
}
