//! Labels for units and returns, to be printed and stuck on (S-32).

use axum::extract::State;
use routewright_core::http::Query;
use routewright_core::http::respond::Download;
use routewright_core::{Error, Result, Routes};
use routewright_documents::label::{self, ItemKind, Label};
use routewright_documents::{DistanceUnit, Letterhead};
use routewright_governor::Kind;
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Deserialize;
use sqlx::FromRow;

use crate::app::App;
use crate::orders::{returns, units};
use crate::setup::files;
use crate::setup::settings::Settings;

/// Most labels of one file.
const MOST: usize = 2000;

/// The routes.
pub(crate) fn routes() -> Routes<App> {
    Routes::new().get("/bulk_labels/units", units::READ, of_units).get(
        "/bulk_labels/returns",
        returns::READ,
        of_returns,
    )
}

/// Which labels: these items, or all of a job.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LabelsToPrint")]
struct Which {
    /// Ids, comma-joined or repeated.
    #[serde(default)]
    obj_ids: Vec<String>,
    job_id: Option<i64>,
}

impl Which {
    fn ids(&self) -> Result<Option<Vec<i64>>> {
        let ids: Vec<i64> = self
            .obj_ids
            .iter()
            .flat_map(|list| list.split(','))
            .map(str::trim)
            .filter(|id| !id.is_empty())
            .map(|id| id.parse().map_err(|_| Error::filters(format!("obj_ids `{id}` is not a number"))))
            .collect::<Result<_>>()?;
        match (ids.is_empty(), self.job_id) {
            (true, None) => Err(Error::filters("obj_ids or job_id is needed")),
            (true, Some(_)) => Ok(None),
            (false, _) => Ok(Some(ids)),
        }
    }
}

#[derive(FromRow)]
struct Printed {
    uid: String,
    reference: Option<String>,
    job: Option<String>,
    customer: Option<String>,
    address: Option<String>,
    run: Option<String>,
    seq: Option<i32>,
    number: i64,
    count: i64,
}

/// `GET /bulk_labels/units`.
async fn of_units(mut db: Db, State(app): State<App>, Query(which): Query<Which>) -> Result<Download> {
    let rows: Vec<Printed> = sqlx::query_as(
        "select u.uid, coalesce(u.reference, j.reference) as reference, j.uid as job, j.customer_name as customer, j.address,
             r.uid as run, j.seq, u.number, u.count
         from (
             select id, uid, reference, job_id,
                 case when job_id is null then 1 else row_number() over (partition by job_id order by id) end as number,
                 case when job_id is null then 1 else count(*) over (partition by job_id) end as count
             from units
             where $1::bigint[] is null and job_id = $2
                 or job_id in (select i.job_id from units i where i.id = any($1)) or id = any($1)
         ) u left join jobs j on j.id = u.job_id left join runs r on r.id = j.run_id
             left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
         where ($1::bigint[] is null or u.id = any($1)) and ($2::bigint is null or u.job_id = $2)
             and ($3::bigint is null or d.haulier_id = $3 or v.haulier_id = $3)
         order by array_position($1::bigint[], u.id), u.id",
    )
    .bind(which.ids()?)
    .bind(which.job_id)
    .bind(db.caller().haulier_id())
    .fetch_all(&mut *db)
    .await?;
    print(db, &app, rows, ItemKind::Unit).await
}

/// `GET /bulk_labels/returns`.
async fn of_returns(mut db: Db, State(app): State<App>, Query(which): Query<Which>) -> Result<Download> {
    let rows: Vec<Printed> = sqlx::query_as(
        "select t.uid, j.reference, j.uid as job, j.customer_name as customer, j.address, r.uid as run, j.seq, t.number, t.count
         from (
             select id, uid, job_id,
                 case when job_id is null then 1 else row_number() over (partition by job_id order by id) end as number,
                 case when job_id is null then 1 else count(*) over (partition by job_id) end as count
             from returns
             where $1::bigint[] is null and job_id = $2
                 or job_id in (select i.job_id from returns i where i.id = any($1)) or id = any($1)
         ) t left join jobs j on j.id = t.job_id left join runs r on r.id = j.run_id
             left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
         where ($1::bigint[] is null or t.id = any($1)) and ($2::bigint is null or t.job_id = $2)
             and ($3::bigint is null or d.haulier_id = $3 or v.haulier_id = $3)
         order by array_position($1::bigint[], t.id), t.id",
    )
    .bind(which.ids()?)
    .bind(which.job_id)
    .bind(db.caller().haulier_id())
    .fetch_all(&mut *db)
    .await?;
    print(db, &app, rows, ItemKind::Return).await
}

async fn print(mut db: Db, app: &App, rows: Vec<Printed>, kind: ItemKind) -> Result<Download> {
    let (noun, name) = match kind {
        ItemKind::Unit => ("Unit", "units-labels.pdf"),
        ItemKind::Return => ("Return", "returns-labels.pdf"),
    };
    if rows.is_empty() {
        return Err(Error::not_found(noun));
    }
    if rows.len() > MOST {
        return Err(Error::filters(format!("at most {MOST} labels can be printed at once")));
    }
    let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let labels: Vec<Label> = rows
        .into_iter()
        .map(|row| Label {
            kind,
            uid: row.uid,
            job: row.job,
            customer: row.customer,
            address: row.address,
            run: row.run,
            seq: row.seq.and_then(|seq| u32::try_from(seq).ok()),
            reference: row.reference,
            number: small(row.number),
            of: small(row.count),
        })
        .collect();
    let caller = db.caller().clone();
    let policy = caller.policy()?;
    let logo = match &policy.logo_file_uid {
        Some(uid) => files::key_by_uid(&mut db, uid).await?,
        None => None,
    };
    db.let_go().await?;
    let logo = match logo {
        Some(key) => files::reduced(app, &caller, &key, files::LOGO).await?.map(|bytes| bytes.to_vec()),
        None => None,
    };
    let letterhead = Letterhead {
        organisation: policy.name.clone(),
        logo,
        printed_at: policy.now(&app.clock).with_timezone(&policy.timezone).naive_local(),
        distance_unit: DistanceUnit::of_setting(&Settings::of(policy).distance_unit),
    };
    let draw = move |_: &_| label::pdf(&letterhead, &labels).map_err(Error::internal);
    let bytes = app.governor.run(caller.share()?, Kind::Render, draw).await?;
    Ok(Download { content_type: "application/pdf", name: name.to_owned(), bytes })
}
