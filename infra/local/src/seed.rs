//! The demo organisations of the one-machine mode, made through the product's own API, as an operator and an
//! administrator would make them.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, header};
use serde_json::{Value, json};
use sqlx::PgPool;
use tower::ServiceExt as _;

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
const DRIVERS: &str = include_str!("../data/porto/drivers.csv");
/// The palette of routes (contract §3).
const COLOURS: [&str; 11] = [
    "#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#008080", "#9a6324", "#800000", "#808000",
    "#000075", "#f032e6",
];

/// Makes what is missing of the demo organisations, so that an interrupted start is completed by the next one. `folder`
/// remembers that all was made: what somebody deletes afterwards stays deleted.
pub(crate) async fn demo(router: &Router, control: &PgPool, folder: &Path) -> Result<()> {
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
    std::fs::write(marker, "The demo organisations were made.\n")?;
    Ok(())
}

/// Depot, billing rate, four vehicles and the drivers of `drivers.csv`.
async fn fleet(admin: &Caller<'_>) -> Result<()> {
    let depot = json!({"address": "Depot, Rua do Freixo, Porto", "lat": 41.1290, "lon": -8.6130});
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

/// A signed-in user of the running product.
struct Caller<'a> {
    router: &'a Router,
    token: String,
}

impl<'a> Caller<'a> {
    async fn sign_in(router: &'a Router, email: &str) -> Result<Self> {
        let nobody = Self { router, token: String::new() };
        let answer = nobody.post("/users/login", json!({"email": email, "password": PASSWORD})).await?;
        let token = answer["token"].as_str().context("a sign-in answers with a token")?.to_owned();
        Ok(Self { router, token })
    }

    /// The organisation of this name, made when it is missing.
    async fn organisation(&self, control: &PgPool, new: Value) -> Result<i64> {
        let there: Option<i64> =
            sqlx::query_scalar("select id from organisations where name = $1 and deleted_at is null and parent_organisation_id is null")
                .bind(new["name"].as_str())
                .fetch_optional(control)
                .await?;
        match there {
            Some(id) => Ok(id),
            None => {
                self.post("/organisations", new).await?["id"].as_i64().context("an organisation has an id")
            }
        }
    }

    /// The planner of an organisation, made when missing.
    async fn planner(
        &self,
        control: &PgPool,
        organisation: i64,
        email: &str,
        first_name: &str,
        last_name: &str,
    ) -> Result<()> {
        let there: bool =
            sqlx::query_scalar("select exists (select from users where email = $1 and deleted_at is null)")
                .bind(email)
                .fetch_one(control)
                .await?;
        if there {
            return Ok(());
        }
        let role: i64 =
            sqlx::query_scalar("select id from roles where organisation_id = $1 and name = 'user'")
                .bind(organisation)
                .fetch_one(control)
                .await?;
        let user = json!({"email": email, "password": PASSWORD, "first_name": first_name, "last_name": last_name, "role_id": role,
            "organisation_id": organisation});
        self.post("/users", user).await?;
        Ok(())
    }

    /// The row with the same value in `key`, made when it is missing.
    async fn ensure(&self, path: &str, key: &str, body: Value) -> Result<Value> {
        let wanted = body[key].as_str().unwrap_or_default();
        let found = self.call(Method::GET, &format!("{path}?per_page=300"), None).await?;
        match found["data"].as_array().into_iter().flatten().find(|row| row[key] == wanted) {
            Some(row) => Ok(row.clone()),
            None => self.post(path, body).await,
        }
    }

    async fn post(&self, path: &str, body: Value) -> Result<Value> {
        self.call(Method::POST, path, Some(body)).await
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value> {
        let mut request = Request::builder()
            .method(method.clone())
            .uri(format!("/api{path}"))
            .header(header::CONTENT_TYPE, "application/json");
        if !self.token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        }
        let mut request = request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())))?;
        request
            .extensions_mut()
            .insert(axum::extract::ConnectInfo(std::net::SocketAddr::from(([127, 0, 0, 1], 0))));
        let response = self.router.clone().oneshot(request).await?;
        let status = response.status();
        let bytes = to_bytes(response.into_body(), 10 * 1024 * 1024).await?;
        if !status.is_success() {
            bail!("{method} {path} answered {status}: {}", String::from_utf8_lossy(&bytes));
        }
        Ok(serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }
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
