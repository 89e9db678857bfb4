//! Places, people and vehicles, what they can do and what they cost.
//! Stands on `setup`.

pub(crate) mod billing_rates;
pub(crate) mod clients;
pub(crate) mod config_values;
pub(crate) mod costing;
pub(crate) mod drivers;
pub(crate) mod location_options;
pub(crate) mod locations;
pub(crate) mod place_columns;
pub(crate) mod run_code_maps;
pub(crate) mod territories;
pub(crate) mod vehicles;
