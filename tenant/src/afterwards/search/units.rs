//! Search and export of units.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape};
use routewright_core::{Jsonb, Result};
use routewright_documents::exports::{self, ItemRow, UnitRow};
use routewright_documents::sheet::Sheet;
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::returns::{Modes, modes};
use crate::orders::units::Unit;
use crate::setup::excel_exports::{self, From, Wanted};

pub(super) const SHAPE: Shape = Shape {
    filters: &[
        Filter::text("uid", "u.uid"),
        Filter::text("name", "u.name"),
        Filter::text("invoice", "u.invoice"),
        Filter::text("reference", "u.reference"),
        Filter::id("unit_id", "u.id"),
        Filter::id("job_id", "u.job_id"),
        Filter::id("container_id", "u.container_id"),
        Filter::id("scenario_id", "j.scenario_id"),
        Filter::id("run_id", "j.run_id"),
        Filter::id("driver_id", "(select fr.driver_id from runs fr where fr.id = j.run_id)"),
        Filter::bool("is_in_pool", "(u.job_id is null)"),
        Filter::date("scheduled_date", "s.scheduled_date"),
    ],
    search: &["u.uid", "u.name", "u.invoice", "u.reference", "j.uid", "j.customer_name", "j.address"],
    sort: &[
        ("id", "u.id"),
        ("uid", "lower(u.uid)"),
        ("name", "lower(u.name)"),
        ("job.uid", "lower(j.uid)"),
        ("job.customer_name", "lower(j.customer_name)"),
        ("scenario.name", "lower(s.name)"),
        ("scenario.scheduled_date", "s.scheduled_date"),
        ("invoice", "u.invoice"),
        ("reference", "u.reference"),
        ("created", "u.created"),
    ],
    order: "u.id desc",
};

/// `GET /search/units`.
pub(super) async fn search(mut db: Db, query: ListQuery) -> Result<Listed<Unit>> {
    let caller = db.caller().clone();
    list::page(&mut db, Unit::COLUMNS, Unit::FROM, query, &SHAPE, |conditions| {
        Unit::narrow(&caller, conditions);
    })
    .await
}

#[derive(FromRow)]
struct Exported {
    uid: String,
    name: Option<String>,
    invoice: Option<String>,
    reference: Option<String>,
    job: Option<String>,
    customer: Option<String>,
    container: Option<String>,
    extra_fields: Jsonb<BTreeMap<String, String>>,
    modes: Jsonb<BTreeMap<String, DateTime<Utc>>>,
}

/// The table; none when there are more than `most` units.
pub(super) async fn table(
    connection: &mut PgConnection,
    caller: &Caller,
    wanted: &Wanted,
    most: i64,
) -> Result<Option<Sheet>> {
    let zone = caller.policy()?.timezone;
    let select = concat!(
        "u.uid, u.name, u.invoice, u.reference, j.uid as job, j.customer_name as customer,
        (select c.uid from containers c where c.id = u.container_id) as container, u.extra_fields, ",
        modes!("unit_proofs", "unit_id", "u.id")
    );
    let source = From { select, from: Unit::FROM, shape: &SHAPE };
    let found: Option<Vec<Exported>> =
        excel_exports::all(connection, wanted, source, most, |_, conditions| {
            Unit::narrow(caller, conditions);
            Ok(())
        })
        .await?;
    let Some(found) = found else { return Ok(None) };
    let rows: Vec<UnitRow> = found
        .into_iter()
        .map(|unit| UnitRow {
            item: ItemRow {
                uid: unit.uid,
                job: unit.job,
                customer: unit.customer,
                dates: Modes(&unit.modes).dates(zone),
                extra_fields: unit.extra_fields.0,
            },
            name: unit.name,
            invoice: unit.invoice,
            reference: unit.reference,
            container: unit.container,
        })
        .collect();
    Ok(Some(exports::units(&rows)))
}
