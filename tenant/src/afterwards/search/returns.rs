//! Search and export of returns.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use routewright_core::list::{self, Filter, ListQuery, Listed, Shape};
use routewright_core::{Jsonb, Result};
use routewright_documents::exports::{self, ItemRow, ModeDates, ReturnRow};
use routewright_documents::sheet::Sheet;
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::orders::returns::Return;
use crate::setup::excel_exports::{self, From, Wanted, local};

pub(super) const SHAPE: Shape = Shape {
    filters: &[
        Filter::text("uid", "r.uid"),
        Filter::text("comments", "r.comments"),
        Filter::id("return_id", "r.id"),
        Filter::id("job_id", "r.job_id"),
        Filter::id("client_id", "r.client_id"),
        Filter::id("scenario_id", "j.scenario_id"),
        Filter::id("run_id", "j.run_id"),
        Filter::id("driver_id", "(select fr.driver_id from runs fr where fr.id = j.run_id)"),
        Filter::bool("is_in_pool", "(r.job_id is null)"),
        Filter::date("scheduled_date", "s.scheduled_date"),
    ],
    search: &["r.uid", "r.comments", "j.uid", "j.customer_name", "j.address", "j.invoice", "j.reference"],
    sort: &[
        ("id", "r.id"),
        ("uid", "lower(r.uid)"),
        ("comments", "lower(r.comments)"),
        ("job.uid", "lower(j.uid)"),
        ("scenario.name", "lower(s.name)"),
        ("scenario.scheduled_date", "s.scheduled_date"),
        ("created", "r.created"),
    ],
    order: "r.id desc",
};

/// `GET /search/returns`.
pub(super) async fn search(mut db: Db, query: ListQuery) -> Result<Listed<Return>> {
    let caller = db.caller().clone();
    list::page(&mut db, Return::COLUMNS, Return::FROM, query, &SHAPE, |conditions| {
        Return::narrow(&caller, conditions);
    })
    .await
}

#[derive(FromRow)]
struct Exported {
    uid: String,
    comments: Option<String>,
    client: Option<String>,
    job: Option<String>,
    customer: Option<String>,
    extra_fields: Jsonb<BTreeMap<String, String>>,
    modes: Jsonb<BTreeMap<String, DateTime<Utc>>>,
}

/// SQL of the latest proof of each mode, for select lists.
macro_rules! modes {
    ($table:literal, $key:literal, $of:literal) => {
        concat!(
            "coalesce((select jsonb_object_agg(mode, at) from (
                select p.mode, max(p.record_time) as at from ",
            $table,
            " p where p.",
            $key,
            " = ",
            $of,
            " group by p.mode) latest), '{}') as modes"
        )
    };
}
pub(super) use modes;

/// The table; none when there are more than `most` returns.
pub(super) async fn table(
    connection: &mut PgConnection,
    caller: &Caller,
    wanted: &Wanted,
    most: i64,
) -> Result<Option<Sheet>> {
    let zone = caller.policy()?.timezone;
    let select = concat!(
        "r.uid, r.comments, (select c.uid from clients c where c.id = r.client_id) as client, j.uid as job,
        j.customer_name as customer, r.extra_fields, ",
        modes!("return_proofs", "return_id", "r.id")
    );
    let source = From { select, from: Return::FROM, shape: &SHAPE };
    let found: Option<Vec<Exported>> =
        excel_exports::all(connection, wanted, source, most, |_, conditions| {
            Return::narrow(caller, conditions);
            Ok(())
        })
        .await?;
    let Some(found) = found else { return Ok(None) };
    let rows: Vec<ReturnRow> = found
        .into_iter()
        .map(|returned| ReturnRow {
            item: ItemRow {
                uid: returned.uid,
                job: returned.job,
                customer: returned.customer,
                dates: Modes(&returned.modes).dates(zone),
                extra_fields: returned.extra_fields.0,
            },
            client: returned.client,
            comments: returned.comments,
        })
        .collect();
    Ok(Some(exports::returns(&rows)))
}

/// When an item was last proved, by mode.
pub(super) struct Modes<'a>(pub &'a BTreeMap<String, DateTime<Utc>>);

impl Modes<'_> {
    /// The same on the clocks of the organisation.
    pub(super) fn dates(&self, zone: Tz) -> ModeDates {
        let at = |mode: &str| local(self.0.get(mode).copied(), zone);
        ModeDates {
            load: at("load"),
            pickup: at("pickup"),
            deliver: at("deliver"),
            at_depot: at("at_depot"),
            returned: at("return"),
        }
    }
}
