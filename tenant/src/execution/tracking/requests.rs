//! What customers asked for, as the office sees and deals with it.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::http::Path;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Body, Result};
use routewright_identity::Caller;
use routewright_tenancy::{Db, Resource, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::reschedule::TAG;
use crate::app::App;

/// Another day that a customer asked for.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(crate) struct RescheduleRequest {
    /// Id.
    pub(crate) id: i64,
    /// The job.
    pub(crate) job_id: i64,
    /// Its uid.
    pub(crate) job_uid: String,
    /// Its customer.
    pub(crate) customer_name: Option<String>,
    /// Its scenario.
    pub(crate) scenario_id: Option<i64>,
    /// The planned day.
    pub(crate) scheduled_date: Option<NaiveDate>,
    /// The day that is asked for.
    pub(crate) date: NaiveDate,
    /// Not before, `HH:mm`.
    pub(crate) time_from: Option<String>,
    /// Not after, `HH:mm`.
    pub(crate) time_to: Option<String>,
    /// What the customer wrote.
    pub(crate) note: Option<String>,
    /// When it was dealt with, or a newer one took its place.
    pub(crate) handled_at: Option<DateTime<Utc>>,
    /// Who dealt with it.
    pub(crate) handled_by: Option<i64>,
    /// How it was carried out: `accepted` by the office, `automatic`; null when it was not.
    pub(crate) outcome: Option<String>,
    /// When it was asked.
    pub(crate) created: DateTime<Utc>,
}

/// What can be written of it.
#[derive(Debug, Default, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Handling {
    /// Whether it was dealt with.
    pub(crate) handled: bool,
}

impl Resource for RescheduleRequest {
    const NAME: &'static str = "Reschedule request";
    const PATH: &'static str = "/reschedule_requests";
    const TABLE: &'static str = "reschedule_requests";
    const FROM: &'static str = "reschedule_requests q join jobs j on j.id = q.job_id
        left join scenarios s on s.id = j.scenario_id";
    const ID: &'static str = "q.id";
    const COLUMNS: &'static str = "q.id, q.job_id, j.uid as job_uid, j.customer_name, j.scenario_id, s.scheduled_date,
        q.date, to_char(q.time_from, 'HH24:MI') as time_from, to_char(q.time_to, 'HH24:MI') as time_to, q.note,
        q.handled_at, q.handled_by, q.outcome, q.created";
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::id("job_id", "q.job_id"),
            Filter::id("scenario_id", "j.scenario_id"),
            Filter::present("handled", "q.handled_at"),
            Filter::date("date", "q.date"),
        ],
        search: &["j.uid", "j.customer_name", "q.note"],
        sort: &[("id", "q.id"), ("date", "q.date"), ("created", "q.created")],
        order: "q.id desc",
    };
    type Fields = Handling;

    fn narrow(caller: &Caller, conditions: &mut Where) {
        if let Some(haulier) = caller.haulier_id() {
            let place = conditions.bind(haulier);
            conditions.and(&format!(
                "exists (select from runs r left join drivers d on d.id = r.driver_id left join vehicles v on v.id = r.vehicle_id
                     where r.id = j.run_id and (d.haulier_id = {place} or v.haulier_id = {place}))"
            ));
        }
    }
}

/// `PATCH /reschedule_requests/{id}`: deals with it or opens it again; the job's tag follows.
pub(super) async fn patch(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(body): Body<Handling>,
) -> Result<Json<RescheduleRequest>> {
    let caller = db.caller().clone();
    let request: RescheduleRequest = resource::find(&mut db, &caller, id).await?;
    sqlx::query(
        "update reschedule_requests set handled_at = $2, handled_by = $3, outcome = null where id = $1",
    )
    .bind(id)
    .bind(body.handled.then(|| caller.now(&app.clock)))
    .bind(caller.user_id().filter(|_| body.handled))
    .execute(&mut *db)
    .await?;
    if body.handled {
        untag(&mut db, request.job_id).await?;
    } else {
        crate::orders::jobs::add_tag(&mut db, request.job_id, TAG).await?;
    }
    resource::find(&mut db, &caller, id).await.map(Json)
}

/// Takes the tag off a job of which nothing is asked any more.
pub(super) async fn untag(connection: &mut PgConnection, job: i64) -> Result<()> {
    sqlx::query(
        "delete from job_tags t using tags g
         where t.job_id = $1 and g.id = t.tag_id and lower(g.name) = lower($2) and not exists (
             select from reschedule_requests q where q.job_id = $1 and q.handled_at is null)",
    )
    .bind(job)
    .bind(TAG)
    .execute(connection)
    .await?;
    Ok(())
}
