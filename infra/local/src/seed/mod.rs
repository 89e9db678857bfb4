//! The demo organisations of the one-machine mode, made through the product's own API, as an operator and an
//! administrator would make them.

mod caller;
mod past_days;

use std::path::Path;

use anyhow::Result;
use axum::Router;
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgPool;

use caller::Caller;
pub(crate) use past_days::carry_out;

/// Password of all demo users. They exist in this mode only, on loopback only.
pub(crate) const PASSWORD: &str = "routewright-demo";
/// The operator of the platform.
pub(crate) const OPERATOR: &str = "operator@master.routewright.test";
/// Who can sign in, and as what.
pub(crate) const LOGINS: [(&str, &str); 4] = [
    (OPERATOR, "operator of the platform (Master)"),
    ("admin@demo.routewright.test", "administrator of Demo Logistics"),
    ("planner@demo.routewright.test", "planner of Demo Logistics"),
    ("planner@other.routewright.test", "planner of Other Freight"),
];

const DEMO: &str = "Demo Logistics";
const OTHER: &str = "Other Freight";
const DRIVERS: &str = include_str!("../../data/porto/drivers.csv");
/// Where the vehicles start, degrees north and east.
const DEPOT: (f64, f64) = (41.1290, -8.6130);
/// The palette of routes (contract §3).
const COLOURS: [&str; 11] = [
    "#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#008080", "#9a6324", "#800000", "#808000",
    "#000075", "#f032e6",
];

/// Makes what is missing of the demo organisations, so that an interrupted start is completed by the next one. `folder`
/// remembers that all was made: what somebody deletes afterwards stays deleted.
/// Weeks of past days follow by [`carry_out`]; here they are only planned, with `now` as the end.
pub(crate) async fn demo(router: &Router, control: &PgPool, folder: &Path, now: DateTime<Utc>) -> Result<()> {
    let marker = folder.join("demo-complete");
    if marker.exists() {
        return Ok(());
    }
    let operator = Caller::sign_in(router, OPERATOR).await?;
    let other = operator.organisation(control, json!({"name": OTHER, "timezone": "Europe/Lisbon"})).await?;
    operator.planner(control, other, "planner@other.routewright.test", "Olga", "Prates").await?;
    let modules: Vec<&str> = routewright_core::Module::ALL.iter().map(|module| module.key()).collect();
    let admin = json!({"email": "admin@demo.routewright.test", "password": PASSWORD, "first_name": "Amélia", "last_name": "Duarte"});
    let new = json!({"name": DEMO, "timezone": "Europe/Lisbon", "modules": modules, "admin": admin, "settings": {"currency": "EUR"}});
    let demo = operator.organisation(control, new).await?;
    let admin = Caller::sign_in(router, "admin@demo.routewright.test").await?;
    admin.planner(control, demo, "planner@demo.routewright.test", "Paulo", "Reis").await?;
    fleet(&admin).await?;
    past_days::plan(&admin, folder, now).await?;
    std::fs::write(marker, "The demo organisations were made.\n")?;
    Ok(())
}

/// Depot, billing rate, four vehicles and the drivers of `drivers.csv`.
async fn fleet(admin: &Caller) -> Result<()> {
    let depot = json!({"address": "Depot, Rua do Freixo, Porto", "lat": DEPOT.0, "lon": DEPOT.1});
    let mut place = depot.clone();
    place["name"] = "Depot".into();
    place["uid"] = "DEPOT".into();
    place["kind"] = "depot".into();
    admin.ensure("/locations", "uid", place).await?;
    let rate = json!({"name": "Van, standard", "cost_per_run": 45, "cost_per_km": 0.42, "cost_per_hour": 14.5, "cost_per_drop": 0.9});
    let rate = admin.ensure("/billing_rates", "name", rate).await?;
    let mut vehicles = Vec::new();
    for number in 1..=4 {
        let vehicle = json!({"uid": format!("VAN-{number}"), "name": "Panel van", "registration": format!("AA-0{number}-RW"),
            "capacity": "boxes:70&weight:650", "fuel_consumption": 9.5, "billing_rate_id": rate["id"]});
        vehicles.push(admin.ensure("/vehicles", "uid", vehicle).await?["id"].clone());
    }
    for (row, record) in csv::Reader::from_reader(DRIVERS.as_bytes()).deserialize().enumerate() {
        let driver: Driver = record?;
        let body = json!({"uid": driver.uid, "email": driver.email, "phone_number": driver.phone_number, "location": depot,
            "shift_start": driver.shift_start, "shift_end": driver.shift_end, "lunch_time": driver.lunch_time,
            "lunch_latest_start": driver.lunch_latest_start, "lunch_duration": driver.lunch_duration,
            "capacity": driver.capacity, "spec_type": driver.types, "route_end": driver.route_end,
            "route_colour": COLOURS[row % COLOURS.len()], "vehicle_id": vehicles.get(row)});
        admin.ensure("/drivers", "uid", body).await?;
    }
    Ok(())
}

/// A row of `drivers.csv`.
#[derive(serde::Deserialize)]
struct Driver {
    uid: String,
    email: String,
    phone_number: String,
    shift_start: String,
    shift_end: String,
    lunch_time: String,
    lunch_latest_start: String,
    lunch_duration: f64,
    capacity: String,
    #[serde(rename = "type")]
    types: String,
    route_end: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drivers_of_the_demo_can_be_read() -> Result<(), csv::Error> {
        let rows: Vec<Driver> =
            csv::Reader::from_reader(DRIVERS.as_bytes()).deserialize().collect::<Result<_, _>>()?;
        assert_eq!((rows.len(), rows[0].types.as_str()), (11, "ambient,frozen"));
        Ok(())
    }
}
