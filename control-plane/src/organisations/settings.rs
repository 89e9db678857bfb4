//! The organisation's settings (contract §7.1). Stored is only what was set, so that a changed default reaches everybody
//! who did not choose.

use axum::Json;
use routewright_core::error::Problems;
use routewright_core::{Access, Body, Given, OrganisationId, Result, Routes};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;

use crate::actor::Actor;
use crate::app::App;
use crate::audit::Entry;
use crate::scope;
use crate::trail;

const READ: Access = Access::levels(&["organisation_settings_read"]);
const WRITE: Access = Access::levels(&["organisation_settings_write"]);

pub(super) fn routes() -> Routes<App> {
    Routes::new().get("/organisations/settings", READ, get).patch("/organisations/settings", WRITE, patch)
}

/// How messages to drivers leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DispatchMethod {
    /// Mail.
    Email,
    /// Text message.
    Sms,
}

/// Unit in which distances are shown and typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DistanceUnit {
    /// Kilometres.
    Km,
    /// Miles.
    Mi,
}

/// Unit in which weights are shown and typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WeightUnit {
    /// Kilograms.
    Kg,
    /// Pounds.
    Lb,
}

/// Unit in which fuel consumption is shown and typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FuelConsumptionUnit {
    /// Litres per 100 km.
    #[serde(rename = "l_per_100_km")]
    LitresPer100Km,
    /// Miles per British gallon.
    MpgUk,
    /// Miles per American gallon.
    MpgUs,
}

/// What an optimisation strives for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Objective {
    /// As few runs as possible.
    FewestRuns,
    /// Least time.
    ShortestTime,
    /// Least distance.
    ShortestDistance,
    /// Runs of like length.
    Balanced,
}

/// How the load of a run counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CapacityMode {
    /// All jobs of the run together.
    Sum,
    /// What is on board at each moment.
    OnBoard,
}

/// What territories mean to an optimisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TerritoryMode {
    /// Nothing.
    Off,
    /// Jobs outside cost more.
    Prefer,
    /// Jobs outside are not served.
    Only,
}

/// When runs leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Depart")]
pub(crate) enum Depart {
    /// As late as makes nothing later and nobody wait longer.
    AsLateAsFree,
    /// At the start of the shift.
    ShiftStart,
}

/// The settings with their defaults.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Settings {
    /// How messages to drivers leave.
    dispatch_method: DispatchMethod,
    /// Unit of distances.
    distance_unit: DistanceUnit,
    /// Unit of weights.
    weight_unit: WeightUnit,
    /// Unit of fuel consumption.
    fuel_consumption_unit: FuelConsumptionUnit,
    /// Service time of a job without its own, minutes.
    job_duration: f64,
    /// How plans are made.
    optimisation: Optimisation,
    /// ISO 4217.
    currency: String,
    /// How long the audit trail is kept, days.
    audit_retention_days: u32,
}

/// How plans are made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Optimisation {
    /// What is striven for.
    objective: Objective,
    /// Longest search, seconds; null is 20 directly and 120 in the background.
    max_seconds: Option<u32>,
    /// Whether capacity `0` means no limit.
    zero_capacity_is_unlimited: bool,
    /// How loads count.
    capacity_mode: CapacityMode,
    /// Speed multiplier of drivers without their own.
    default_speed_multiplier: f64,
    /// Weight of a priority job against others.
    priority_weight: u32,
    /// What territories mean.
    territory_mode: TerritoryMode,
    /// Jobs plus drivers from which an optimisation runs in the background.
    polling_threshold: u32,
    /// When runs leave.
    depart: Depart,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dispatch_method: DispatchMethod::Email,
            distance_unit: DistanceUnit::Km,
            weight_unit: WeightUnit::Kg,
            fuel_consumption_unit: FuelConsumptionUnit::LitresPer100Km,
            job_duration: 5.0,
            optimisation: Optimisation::default(),
            currency: "AUD".to_owned(),
            audit_retention_days: trail::KEPT_DAYS,
        }
    }
}

impl Default for Optimisation {
    fn default() -> Self {
        Self {
            objective: Objective::ShortestTime,
            max_seconds: None,
            zero_capacity_is_unlimited: true,
            capacity_mode: CapacityMode::Sum,
            default_speed_multiplier: 1.0,
            priority_weight: 100,
            territory_mode: TerritoryMode::Prefer,
            polling_threshold: 200,
            depart: Depart::AsLateAsFree,
        }
    }
}

impl Settings {
    /// ISO 4217.
    pub(super) fn currency(&self) -> &str {
        &self.currency
    }

    /// The settings as stored, with defaults for the rest.
    pub(crate) fn of(stored: &Value) -> Self {
        serde_json::from_value(stored.clone()).unwrap_or_else(|error| {
            tracing::warn!(%error, "stored settings cannot be read");
            Self::default()
        })
    }
}

/// Settings to change: absent keeps, `null` goes back to the default.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct SettingsFields(#[schemars(with = "Known")] Map<String, Value>);

impl SettingsFields {
    /// What is to be stored after this change.
    ///
    /// # Errors
    /// 400 naming the setting.
    pub(super) fn apply(self, stored: &Value) -> Result<Map<String, Value>> {
        let mut after = stored.as_object().cloned().unwrap_or_default();
        merge(&mut after, self.0);
        let checked = Given::<Known>::parse(Value::Object(after.clone()))?.value;
        let mut problems = Problems::default();
        checked.check(&mut problems);
        problems.finish()?;
        Ok(after)
    }
}

fn merge(into: &mut Map<String, Value>, change: Map<String, Value>) {
    for (key, value) in change {
        match (into.get_mut(&key), value) {
            (_, Value::Null) => {
                into.remove(&key);
            }
            (Some(Value::Object(old)), Value::Object(new)) => merge(old, new),
            (_, Value::Object(new)) => {
                let mut fresh = Map::new();
                merge(&mut fresh, new);
                into.insert(key, Value::Object(fresh));
            }
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// The settings that exist. An unknown one is refused, because it would be stored and mean nothing.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "OrganisationSettingsFields")]
struct Known {
    /// How messages to drivers leave.
    dispatch_method: Option<DispatchMethod>,
    /// Unit of distances.
    distance_unit: Option<DistanceUnit>,
    /// Unit of weights.
    weight_unit: Option<WeightUnit>,
    /// Unit of fuel consumption.
    fuel_consumption_unit: Option<FuelConsumptionUnit>,
    /// Service time of a job without its own, minutes.
    job_duration: Option<f64>,
    /// How plans are made.
    optimisation: Option<KnownOptimisation>,
    /// ISO 4217.
    currency: Option<String>,
    /// How long the audit trail is kept, days.
    audit_retention_days: Option<u32>,
}

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "OptimisationFields")]
struct KnownOptimisation {
    /// What is striven for.
    objective: Option<Objective>,
    /// Longest search, seconds.
    max_seconds: Option<u32>,
    /// Whether capacity `0` means no limit.
    zero_capacity_is_unlimited: Option<bool>,
    /// How loads count.
    capacity_mode: Option<CapacityMode>,
    /// Speed multiplier of drivers without their own.
    default_speed_multiplier: Option<f64>,
    /// Weight of a priority job against others.
    priority_weight: Option<u32>,
    /// What territories mean.
    territory_mode: Option<TerritoryMode>,
    /// Jobs plus drivers from which an optimisation runs in the background.
    polling_threshold: Option<u32>,
    /// When runs leave.
    depart: Option<Depart>,
}

impl Known {
    fn check(&self, problems: &mut Problems) {
        let minutes = self.job_duration;
        problems.require(
            minutes.is_none_or(|minutes| minutes > 0.0),
            "job_duration",
            "Value must be above 0",
        );
        let a_day = minutes.is_none_or(|minutes| minutes <= 1440.0);
        problems.require(a_day, "job_duration", "Value must be at most 1440");
        let code = |code: &String| code.len() == 3 && code.chars().all(|c| c.is_ascii_uppercase());
        let currency = self.currency.as_ref().is_none_or(code);
        problems.require(currency, "currency", "Value is not a currency (e.g EUR)");
        let kept = self.audit_retention_days.is_none_or(|days| (30..=3650).contains(&days));
        problems.require(kept, "audit_retention_days", "Value must be between 30 and 3650");
        let Some(optimisation) = &self.optimisation else { return };
        let mut between = |field: &str, value: Option<f64>, lowest: f64, highest: f64| {
            let reason = format!("Value must be between {lowest} and {highest}");
            let fits = value.is_none_or(|value| (lowest..=highest).contains(&value));
            problems.require(fits, &format!("optimisation.{field}"), &reason);
        };
        between("max_seconds", optimisation.max_seconds.map(f64::from), 1.0, 600.0);
        between("default_speed_multiplier", optimisation.default_speed_multiplier, 0.1, 3.0);
        between("priority_weight", optimisation.priority_weight.map(f64::from), 1.0, 1000.0);
        between("polling_threshold", optimisation.polling_threshold.map(f64::from), 1.0, 1_000_000.0);
    }
}

async fn get(actor: Actor, mut db: Db) -> Result<Json<Settings>> {
    let stored = stored(&mut db, actor.organisation()?).await?;
    Ok(Json(Settings::of(&stored)))
}

async fn patch(actor: Actor, mut db: Db, Body(change): Body<SettingsFields>) -> Result<Json<Settings>> {
    scope::refuse_hauliers(&actor.caller)?;
    let organisation = actor.organisation()?;
    scope::lock(&mut db, organisation).await?;
    let before = stored(&mut db, organisation).await?;
    let after = Value::Object(change.apply(&before)?);
    sqlx::query("update organisations set settings = $2 where id = $1")
        .bind(organisation)
        .bind(&after)
        .execute(&mut *db)
        .await?;
    scope::announce(&mut db, organisation).await?;
    Entry::new("settings_changed", format!("organisation:{organisation}"))
        .before(&before)
        .after(&after)
        .write(&mut db, &actor)
        .await?;
    Ok(Json(Settings::of(&after)))
}

async fn stored(connection: &mut PgConnection, organisation: OrganisationId) -> Result<Value> {
    Ok(sqlx::query_scalar("select settings from organisations where id = $1")
        .bind(organisation)
        .fetch_one(connection)
        .await?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn apply(stored: &Value, change: Value) -> Result<Value> {
        let Value::Object(change) = change else { panic!("fixture") };
        SettingsFields(change).apply(stored).map(Value::Object)
    }

    /// A-183..A-187, A-498..A-500: the defaults.
    #[test]
    fn defaults_are_those_of_the_contract() {
        let settings = serde_json::to_value(Settings::of(&json!({}))).unwrap();
        assert_eq!(
            settings,
            json!({
                "dispatch_method": "email", "distance_unit": "km", "weight_unit": "kg",
                "fuel_consumption_unit": "l_per_100_km", "job_duration": 5.0, "currency": "AUD", "audit_retention_days": 1095,
                "optimisation": {
                    "objective": "shortest_time", "max_seconds": null, "zero_capacity_is_unlimited": true,
                    "capacity_mode": "sum", "default_speed_multiplier": 1.0, "priority_weight": 100,
                    "territory_mode": "prefer", "polling_threshold": 200, "depart": "as_late_as_free"
                }
            })
        );
    }

    #[test]
    fn changes_keep_what_they_do_not_name() {
        let stored = json!({ "job_duration": 8.0, "optimisation": { "max_seconds": 60 } });
        let after = apply(&stored, json!({ "optimisation": { "priority_weight": 5 }, "job_duration": null }));
        assert_eq!(after.unwrap(), json!({ "optimisation": { "max_seconds": 60, "priority_weight": 5 } }));
    }

    #[test]
    fn wrong_settings_are_named() {
        for (change, field) in [
            (json!({ "job_duration": 0 }), "job_duration"),
            (json!({ "job_duration": 1e9 }), "job_duration"),
            (json!({ "job_duration": "5" }), "job_duration"),
            (json!({ "distance_unit": "parsec" }), "distance_unit"),
            (json!({ "currency": "euro" }), "currency"),
            (json!({ "audit_retention_days": 29 }), "audit_retention_days"),
            (json!({ "optimisation": { "max_seconds": 601 } }), "optimisation.max_seconds"),
            (
                json!({ "optimisation": { "default_speed_multiplier": 0.05 } }),
                "optimisation.default_speed_multiplier",
            ),
            (json!({ "optimisation": { "priority_weight": 0 } }), "optimisation.priority_weight"),
            (json!({ "optimisation": { "speed": 3 } }), "optimisation.speed"),
        ] {
            let error = apply(&json!({}), change).unwrap_err();
            assert!(error.named_fields().contains_key(field), "{field}: {error:?}");
        }
        assert!(apply(&json!({}), json!({ "colour": "red" })).is_err());
    }
}
