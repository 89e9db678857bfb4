//! Copies one scenario with what is wanted of it. New rows have new ids and tokens; times move with the day, in the
//! organisation's time zone.

use std::collections::HashMap;

use chrono::NaiveDate;
use routewright_core::{Error, Module, Result};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use super::items::Wanted;
use super::{copy_proofs, copy_rows};
use crate::app::App;
use crate::planning::scenarios::{self, Scenario};

/// A new scenario in short.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "ScenarioCopyMade")]
pub(super) struct Made {
    pub id: i64,
    pub name: String,
    pub scheduled_date: NaiveDate,
}

/// The scenario that is copied.
#[derive(Debug, Clone, FromRow)]
pub(super) struct Source {
    pub id: i64,
    pub name: String,
    pub scheduled_date: NaiveDate,
}

/// By how much times move, and where.
pub(super) struct Shift {
    /// Days.
    pub days: i32,
    /// IANA name.
    pub zone: String,
}

/// New ids by old ids.
pub(super) type Ids = HashMap<i64, i64>;

/// Finds the scenario that is copied and keeps its plan from changing meanwhile.
pub(super) async fn source(db: &mut Db, id: i64) -> Result<Source> {
    sqlx::query_as("select id, name, scheduled_date from scenarios where id = $1 for no key update")
        .bind(id)
        .fetch_optional(&mut **db)
        .await?
        .ok_or_else(|| Error::not_found("Scenario"))
}

/// Makes one copy.
pub(super) async fn copy(
    db: &mut Db,
    app: &App,
    source: &Source,
    wanted: Wanted,
    name: &str,
    date: NaiveDate,
) -> Result<Made> {
    let caller = db.caller().clone();
    let days = date.signed_duration_since(source.scheduled_date).num_days();
    let shift = Shift {
        days: i32::try_from(days).map_err(|_| Error::field("scheduled_date", "Value is out of range"))?,
        zone: caller.policy()?.timezone.name().to_owned(),
    };
    let id: i64 = sqlx::query_scalar(
        "insert into scenarios (name, scheduled_date, stage, ws_token, default_active_driver_ids, template_id)
         select $2, $3, $4, $5, default_active_driver_ids, template_id from scenarios where id = $1 returning id",
    )
    .bind(source.id)
    .bind(name)
    .bind(date)
    .bind(wanted.stage())
    .bind(app.gate.links.long(caller.organisation()?))
    .fetch_one(&mut **db)
    .await?;
    if wanted.territory_groups {
        sqlx::query(
            "insert into scenario_territory_groups (scenario_id, territory_group_id)
             select $2::bigint, territory_group_id from scenario_territory_groups where scenario_id = $1",
        )
        .bind(source.id)
        .bind(id)
        .execute(&mut **db)
        .await?;
    }
    let runs =
        if wanted.runs { copy_rows::runs(db, app, source.id, id, wanted, &shift).await? } else { Ids::new() };
    if wanted.jobs {
        let jobs = copy_rows::jobs(db, app, source.id, id, &runs, wanted, &shift).await?;
        let units = if wanted.units { copy_rows::units(db, &jobs).await? } else { Ids::new() };
        let returns = if wanted.returns { copy_rows::returns(db, &jobs).await? } else { Ids::new() };
        copy_rows::routes(db, &runs, &jobs).await?;
        if wanted.proofs {
            copy_proofs::copy(db, &copy_proofs::Subjects { jobs, units, returns, runs }, &shift).await?;
        }
    }
    if caller.has(Module::Udf) {
        let made: Scenario = resource::find(db, &caller, id).await?;
        scenarios::tell(db, &caller, "scenario_created", &made).await?;
    }
    Ok(Made { id, name: name.to_owned(), scheduled_date: date })
}

/// Old and new ids as two lists for `unnest`.
pub(super) fn columns(ids: &Ids) -> (Vec<i64>, Vec<i64>) {
    ids.iter().map(|(old, new)| (*old, *new)).unzip()
}
