//! The statement of a client or a haulier: what is billed of a period, each part of it, and where the proofs can be seen.

use std::collections::HashMap;

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::http::Query;
use routewright_core::http::respond::Download;
use routewright_core::{Error, Result, check};
use routewright_documents::statement::{self, BilledRun, Delivery, Statement};
use routewright_identity::Caller;
use routewright_tenancy::resource;
use schemars::JsonSchema;
use serde::Deserialize;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::{FROM, SHAPE, narrow};
use crate::app::App;
use crate::execution::documents::{PDF, draw, heading};
use crate::fleet::clients::Client;
use crate::fleet::costing::{self, CostedRun};
use crate::orders::customers::link;
use crate::setup::excel_exports::{self, From, Wanted};
use crate::setup::information;
use crate::setup::settings::Settings;

/// Most runs on one statement.
const MOST: i64 = 2_000;
/// Most stops that are listed.
const MOST_STOPS: i64 = 20_000;

/// Whose bills of which days.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// Runs with stops of this client, each at its share of the stops.
    client_id: Option<i64>,
    /// Runs of this haulier.
    haulier_id: Option<i64>,
    /// First day.
    scheduled_date_start: Option<NaiveDate>,
    /// Last day.
    scheduled_date_end: Option<NaiveDate>,
}

/// Whose.
enum Party {
    Client(Box<Client>),
    Haulier(i64),
}

/// `GET /run_cost_calculator/statement`: the validated runs of a client or a haulier as PDF.
pub(super) async fn get(
    caller: Caller,
    State(app): State<App>,
    Query(asked): Query<Asked>,
) -> Result<Download> {
    let (from, until) = asked.period()?;
    let mut work = app.tenants.of(&caller)?.begin().await?;
    let party = match (asked.client_id, asked.haulier_id) {
        (Some(client), None) => Party::Client(Box::new(resource::find(&mut work, &caller, client).await?)),
        (None, Some(haulier)) if may_see(&caller, haulier)? => Party::Haulier(haulier),
        (None, Some(_)) => return Err(Error::not_found("Haulier")),
        _ => return Err(Error::field("client_id", "Choose either a client or a haulier")),
    };
    let mut statement = billed(&mut work, &caller, &app, &party, (from, until)).await?;
    let settings: information::ProofOfDelivery = information::of(&mut work).await?;
    let head = heading(&mut work, &app, &caller, settings.logo_file_id).await?;
    work.rollback().await?;
    if let Party::Haulier(haulier) = party {
        statement.party = app.gate.policies.name_of(haulier).await?.unwrap_or_default();
    }
    let head = head.load(&app, &caller).await?;
    let bytes = draw(&app, &caller, move || statement::pdf(&head, &statement)).await?;
    Ok(Download { content_type: PDF, name: format!("statement-{from}-{until}.pdf"), bytes })
}

fn may_see(caller: &Caller, haulier: i64) -> Result<bool> {
    Ok(caller.policy()?.has_haulier(haulier) && caller.haulier_id().is_none_or(|own| own == haulier))
}

impl Asked {
    fn period(&self) -> Result<(NaiveDate, NaiveDate)> {
        let given = |field, day: Option<NaiveDate>| day.ok_or_else(|| Error::field(field, check::REQUIRED));
        let from = given("scheduled_date_start", self.scheduled_date_start)?;
        let until = given("scheduled_date_end", self.scheduled_date_end)?;
        if until < from {
            return Err(Error::field("scheduled_date_end", "Last day must not be before the first"));
        }
        Ok((from, until))
    }
}

async fn billed(
    connection: &mut PgConnection,
    caller: &Caller,
    app: &App,
    party: &Party,
    (from, until): (NaiveDate, NaiveDate),
) -> Result<Statement> {
    let (filter, client) = match party {
        Party::Client(client) => (format!("client_id={}", client.id), Some(client.id)),
        Party::Haulier(haulier) => (format!("haulier_id={haulier}"), None),
    };
    let query = format!(
        "{filter}&scheduled_date_start={from}&scheduled_date_end={until}&sort_by=date&sort_order=asc"
    );
    let wanted = Wanted::parse(Some(&query))?;
    let source = From { select: "r.id, r.validated_at", from: FROM, shape: &SHAPE };
    let found: Option<Vec<(i64, Option<DateTime<Utc>>)>> =
        excel_exports::all(connection, &wanted, source, MOST, |query, conditions| {
            narrow(caller, query, conditions)
        })
        .await?;
    let Some(found) = found else {
        return Err(Error::field(
            "scheduled_date_end",
            format!("More than {MOST} runs; choose a shorter period"),
        ));
    };
    let validated: Vec<i64> = found.iter().filter(|(_, at)| at.is_some()).map(|(id, _)| *id).collect();
    let shares = shares(connection, &validated, client).await?;
    let own = Settings::of(caller.policy()?).currency;
    let costed = costing::of_runs(connection, &validated).await?;
    let runs = costed.iter().map(|run| billed_run(run, shares.get(&run.id).copied(), &own)).collect();
    let (party_kind, party, address) = match party {
        Party::Client(client) => {
            let address = client.location.as_ref().map(|place| place.address.clone());
            ("Client", format!("{} ({})", client.name, client.uid), address)
        }
        Party::Haulier(_) => ("Haulier", String::new(), None),
    };
    Ok(Statement {
        party_kind,
        party,
        address,
        from,
        until,
        pending: found.len() - validated.len(),
        deliveries: deliveries(connection, caller, app, &validated, client).await?,
        runs,
    })
}

/// Stops of each run: those of the client, or all of them; and all of them.
async fn shares(
    connection: &mut PgConnection,
    runs: &[i64],
    client: Option<i64>,
) -> Result<HashMap<i64, (i64, i64)>> {
    let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
        "select run_id, count(*) filter (where $2::bigint is null or client_id = $2), count(*)
         from jobs where run_id = any($1) group by run_id",
    )
    .bind(runs)
    .bind(client)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(run, stops, all)| (run, (stops, all))).collect())
}

fn billed_run(run: &CostedRun, share: Option<(i64, i64)>, own_currency: &str) -> BilledRun {
    let charge = run.charge();
    let (stops, of_stops) = share.unwrap_or((charge.stops, charge.stops));
    let parts = [charge.run_amount, charge.km_amount, charge.hour_amount, charge.drop_amount];
    BilledRun {
        date: run.date,
        run: run.uid.clone(),
        driver: run.driver.clone(),
        vehicle: charge.vehicle,
        rate: charge.rate,
        version: run.bill.as_ref().map_or(1, |bill| bill.version),
        stops,
        of_stops,
        metres: charge.km * 1_000.0,
        hours: charge.hours,
        drops: charge.drops,
        currency: charge.currency.unwrap_or_else(|| own_currency.to_owned()),
        cents: BilledRun::share(parts.map(cents), stops, of_stops),
    }
}

/// Amounts of bills have two decimals.
#[expect(
    clippy::cast_possible_truncation,
    reason = "amounts of bills are below 1e22, those of people below 1e16"
)]
fn cents(amount: Option<f64>) -> i64 {
    (amount.unwrap_or_default() * 100.0).round() as i64
}

#[derive(FromRow)]
struct Stop {
    date: NaiveDate,
    run: String,
    uid: String,
    customer_name: Option<String>,
    address: String,
    at: DateTime<Utc>,
    success: bool,
    tracking_token: String,
}

async fn deliveries(
    connection: &mut PgConnection,
    caller: &Caller,
    app: &App,
    runs: &[i64],
    client: Option<i64>,
) -> Result<Vec<Delivery>> {
    let zone = caller.policy()?.timezone;
    let stops: Vec<Stop> = sqlx::query_as(
        "select s.scheduled_date as date, r.uid as run, j.uid, j.customer_name, j.address, latest.at, latest.success,
             j.tracking_token
         from jobs j join runs r on r.id = j.run_id join scenarios s on s.id = r.scenario_id
             join lateral (
                 select p.record_time as at, p.success from job_proofs p
                 where p.job_id = j.id order by p.record_time desc, p.id desc limit 1
             ) latest on true
         where j.run_id = any($1) and ($2::bigint is null or j.client_id = $2)
         order by s.scheduled_date, r.id, j.seq limit $3",
    )
    .bind(runs)
    .bind(client)
    .bind(MOST_STOPS)
    .fetch_all(connection)
    .await?;
    let delivery = |stop: Stop| Delivery {
        date: stop.date,
        run: stop.run,
        job: stop.uid,
        customer: stop.customer_name.unwrap_or_default(),
        address: stop.address,
        at: excel_exports::local(Some(stop.at), zone),
        success: stop.success,
        proof: link(app, &stop.tracking_token),
    };
    Ok(stops.into_iter().map(delivery).collect())
}
