//! What is usual in the country of a time zone: a new organisation begins with its currency and units.

use axum::Json;
use chrono_tz::Tz;
use iso_currency::{Country, Currency};
use routewright_core::http::Query;
use routewright_core::{Access, Error, Result, Routes};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::settings::Settings;
use crate::app::App;
use crate::timezones;

/// The tz database's table of zones by country.
const ZONES: &str = include_str!("zone.tab");

/// Miles, pounds and American gallons (CLDR, measurement system US).
const AMERICAN: [&str; 8] = ["AS", "GU", "LR", "MP", "PR", "UM", "US", "VI"];
/// Miles and British gallons (CLDR, measurement system UK).
const BRITISH: [&str; 4] = ["GB", "GG", "IM", "JE"];

pub(super) fn routes() -> Routes<App> {
    Routes::new().get("/timezones/settings", Access::SIGNED_IN, get)
}

/// Which zone.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Of {
    /// IANA name.
    timezone: String,
}

/// `GET /timezones/settings`: the settings with which an organisation of this zone begins unless others are given.
async fn get(Query(Of { timezone }): Query<Of>) -> Result<Json<Settings>> {
    let zone = timezones::parse(&timezone).map_err(|error| Error::filters(error.description()))?;
    Ok(Json(Settings::of(&Value::Object(settings(zone)))))
}

/// Those settings of a zone's country that differ from the usual ones. A zone of no country, such as UTC, has none.
pub fn settings(zone: Tz) -> Map<String, Value> {
    let Some(country) = country(zone) else { return Map::new() };
    let units = if AMERICAN.contains(&country) {
        json!({ "distance_unit": "mi", "weight_unit": "lb", "fuel_consumption_unit": "mpg_us" })
    } else if BRITISH.contains(&country) {
        json!({ "distance_unit": "mi", "fuel_consumption_unit": "mpg_uk" })
    } else {
        json!({})
    };
    let Value::Object(mut settings) = units else { return Map::new() };
    if let Some(currency) = currency(country).filter(|code| *code != Settings::default().currency()) {
        settings.insert("currency".to_owned(), currency.into());
    }
    settings
}

/// ISO 3166 code of the country of a zone.
fn country(zone: Tz) -> Option<&'static str> {
    let rows = ZONES.lines().filter_map(|line| line.split_once('\t'));
    rows.into_iter().find(|(_, name)| *name == zone.name()).map(|(country, _)| country)
}

/// ISO 4217 code of the money that a country pays with: of several its own one, which the fewest others use.
fn currency(country: &str) -> Option<&'static str> {
    let used = Currency::from_country(country.parse::<Country>().ok()?);
    let money =
        used.into_iter().filter(|one| !one.is_fund() && !one.is_special() && one.is_superseded().is_none());
    money.min_by_key(|one| one.used_by().len()).map(|one| one.code())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W-033: an organisation begins with the money and units of its zone's country.
    #[test]
    fn a_zone_tells_money_and_units() {
        for (zone, expected) in [
            (Tz::Europe__Lisbon, json!({ "currency": "EUR" })),
            (Tz::Atlantic__Azores, json!({ "currency": "EUR" })),
            (Tz::Australia__Melbourne, json!({})),
            (
                Tz::America__New_York,
                json!({ "currency": "USD", "distance_unit": "mi", "weight_unit": "lb", "fuel_consumption_unit": "mpg_us" }),
            ),
            (
                Tz::Europe__London,
                json!({ "currency": "GBP", "distance_unit": "mi", "fuel_consumption_unit": "mpg_uk" }),
            ),
            (Tz::Europe__Zurich, json!({ "currency": "CHF" })),
            (Tz::Europe__Sofia, json!({ "currency": "EUR" })),
            (Tz::America__Panama, json!({ "currency": "PAB" })),
            (Tz::UTC, json!({})),
        ] {
            assert_eq!(Value::Object(settings(zone)), expected, "{zone}");
        }
    }

    /// Every country of the table has a currency but the two where nobody lives or pays.
    #[test]
    fn countries_have_money() {
        let without: std::collections::BTreeSet<&str> = ZONES
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(country, _)| country)
            .filter(|code| currency(code).is_none())
            .collect();
        assert_eq!(without, std::collections::BTreeSet::from(["AQ", "GS"]));
    }
}
