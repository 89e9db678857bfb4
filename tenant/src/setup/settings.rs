//! The organisation's settings (contract §7.1) as this service reads them. They are stored with the organisation in the
//! control schema and arrive with its policy; the control plane edits them.

use routewright_core::Routes;
use routewright_identity::Policy;
use serde::Deserialize;

use crate::app::App;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
}

/// Settings with their defaults.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    /// `email` or `sms`.
    pub dispatch_method: String,
    /// `km` or `mi`.
    pub distance_unit: String,
    /// `kg` or `lb`.
    pub weight_unit: String,
    /// `l_per_100_km`, `mpg_uk` or `mpg_us`.
    pub fuel_consumption_unit: String,
    /// Service time of a job without its own, minutes.
    pub job_duration: f64,
    /// ISO 4217.
    pub currency: String,
    /// How plans are made.
    pub optimisation: Optimisation,
}

/// How plans are made.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(crate) struct Optimisation {
    /// `fewest_runs`, `shortest_time`, `shortest_distance` or `balanced`.
    pub objective: String,
    /// Longest search, seconds; 20 directly and 120 in the background unless set.
    pub max_seconds: Option<u32>,
    /// Whether capacity `0` means no limit.
    pub zero_capacity_is_unlimited: bool,
    /// `sum` or `on_board`.
    pub capacity_mode: String,
    /// Speed multiplier of drivers without their own.
    pub default_speed_multiplier: f64,
    /// Weight of a priority job against others.
    pub priority_weight: u32,
    /// `off`, `prefer` or `only`.
    pub territory_mode: String,
    /// Jobs plus drivers from which optimisation runs in the background.
    pub polling_threshold: usize,
    /// When runs leave: `as_late_as_free` or `shift_start`.
    pub depart: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dispatch_method: "email".to_owned(),
            distance_unit: "km".to_owned(),
            weight_unit: "kg".to_owned(),
            fuel_consumption_unit: "l_per_100_km".to_owned(),
            job_duration: 5.0,
            currency: "AUD".to_owned(),
            optimisation: Optimisation::default(),
        }
    }
}

impl Default for Optimisation {
    fn default() -> Self {
        Self {
            objective: "shortest_time".to_owned(),
            max_seconds: None,
            zero_capacity_is_unlimited: true,
            capacity_mode: "sum".to_owned(),
            default_speed_multiplier: 1.0,
            priority_weight: 100,
            territory_mode: "prefer".to_owned(),
            polling_threshold: 200,
            depart: "as_late_as_free".to_owned(),
        }
    }
}

impl Settings {
    /// The settings of an organisation. What cannot be read counts as not set.
    pub fn of(policy: &Policy) -> Self {
        serde_json::from_value(policy.settings.clone()).unwrap_or_else(|error| {
            tracing::warn!(organisation = %policy.organisation, %error, "settings cannot be read");
            Self::default()
        })
    }
}
