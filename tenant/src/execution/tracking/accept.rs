//! The office looks whether a request fits a plan, and carries it out in one go.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, NaiveTime, Utc};
use routewright_core::http::Path;
use routewright_core::{Error, Kind, Result};
use routewright_messaging::{About, Channel, Letter, NewMessage};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::Serialize;

use super::requests::{RescheduleRequest, untag};
use super::slots::{no_room, words};
use crate::app::App;
use crate::fleet::costing;
use crate::orders::customers;
use crate::planning::slots::{self, Carried, Look, Sought, Wish};
use crate::setup::post;

/// The office decides itself what is too far.
const ANY_DRIVING: i64 = 1 << 40;

/// Whether a request fits a plan as things are, and what it would cost.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RescheduleFit")]
pub(super) struct Fit {
    /// Whether it can be accepted: a run takes it, or nothing is planned on that day yet.
    fits: bool,
    /// Nothing is planned on that day yet; the job will be unserved there.
    open: bool,
    /// Why not: `not_possible`, `full` or `no_time`.
    reason: Option<&'static str>,
    /// The scenario that takes it; null where one will be made.
    scenario_id: Option<i64>,
    /// Its name.
    scenario_name: Option<String>,
    /// The run that takes it.
    run_id: Option<i64>,
    /// Its name.
    run_uid: Option<String>,
    /// When the job would be reached.
    eta: Option<DateTime<Utc>>,
    /// Seconds of driving more in the plan of that day.
    added_driving: i64,
    /// Metres more.
    added_distance: i64,
    /// Seconds of work more, from departure to end.
    added_time: i64,
    /// Cost more; null without rates, and for those who may not see them.
    added_cost: Option<f64>,
}

/// `GET /reschedule_requests/{id}/fit`.
pub(super) async fn fit(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Fit>> {
    let request = open_request(&mut db, id).await?;
    let caller = db.caller().clone();
    let sought = Sought { job: request.job_id, most_driving: ANY_DRIVING };
    let found = db.outside(slots::look(&app, &caller, sought, request.wish())).await??;
    let none = Fit {
        fits: false,
        open: false,
        reason: None,
        scenario_id: None,
        scenario_name: None,
        run_id: None,
        run_uid: None,
        eta: None,
        added_driving: 0,
        added_distance: 0,
        added_time: 0,
        added_cost: None,
    };
    Ok(Json(match found {
        Look::No(why) => Fit { reason: Some(words(why).0), ..none },
        Look::Open(scenario_id) => Fit { fits: true, open: true, scenario_id, ..none },
        Look::Fits(fit) => {
            let costs = match caller.holds("billing_rates_read") {
                true => costing::of_runs(&mut db, &[fit.run]).await?,
                false => Vec::new(),
            };
            let cost = costs
                .first()
                .and_then(|run| run.cost_of_more(fit.added_distance, fit.added_work, fit.drops()));
            Fit {
                fits: true,
                scenario_id: Some(fit.scenario),
                scenario_name: Some(fit.name),
                run_id: Some(fit.run),
                run_uid: Some(fit.run_uid),
                eta: Some(fit.eta),
                added_driving: fit.added_driving,
                added_distance: fit.added_distance,
                added_time: fit.added_time,
                added_cost: cost.map(|cost| (cost * 100.0).round() / 100.0),
                ..none
            }
        }
    }))
}

/// `POST /reschedule_requests/{id}/accept`: moves the job to the day that was asked for, on the run that takes it at least
/// cost, with the window that was asked for; the customer is told. On a day that has no plan yet one is made, in which the job
/// is unserved.
pub(super) async fn accept(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
) -> Result<Json<RescheduleRequest>> {
    let request = open_request(&mut db, id).await?;
    let caller = db.caller().clone();
    let sought = Sought { job: request.job_id, most_driving: ANY_DRIVING };
    let carried = slots::carry_out(&mut db, &app, sought, request.wish(), true).await?;
    carried.map_err(|why| no_room(why, &[(); 0]))?;
    let now = caller.now(&app.clock);
    let handled = sqlx::query(
        "update reschedule_requests set handled_at = $2, handled_by = $3, outcome = 'accepted'
         where id = $1 and handled_at is null",
    )
    .bind(id)
    .bind(now)
    .bind(caller.user_id())
    .execute(&mut *db)
    .await?;
    if handled.rows_affected() == 0 {
        return Err(dealt_with());
    }
    untag(&mut db, request.job_id).await?;
    confirm(&mut db, &app, request.job_id, request.wish(), now).await?;
    resource::find(&mut db, &caller, id).await.map(Json)
}

/// Tells the customer that his delivery was moved.
pub(super) async fn confirm(db: &mut Db, app: &App, job: i64, wish: Wish, now: DateTime<Utc>) -> Result<()> {
    let caller = db.caller().clone();
    let Some(delivery) = customers::delivery(db, job).await? else { return Ok(()) };
    let organisation = &caller.policy()?.name;
    let time =
        |time: Option<NaiveTime>| time.map_or("…".to_owned(), |time| time.format("%H:%M").to_string());
    let mut letter = Letter::new()
        .paragraph(format!("Your delivery {} comes on another day, as you asked.", delivery.uid))
        .fact("Date", wish.date.format("%Y/%m/%d").to_string());
    if wish.from.is_some() || wish.to.is_some() {
        letter = letter.fact("Time", format!("{}–{}", time(wish.from), time(wish.to)));
    }
    letter = letter.link("Track your delivery", customers::link(app, &delivery.tracking_token));
    for recipient in post::addresses(delivery.customer_email.as_deref()) {
        let message = NewMessage {
            intent: format!("rescheduled:{job}:{}:{recipient}", now.timestamp_micros()),
            channel: Channel::Email,
            recipients: vec![recipient],
            subject: Some(format!("{organisation}: your delivery {} was moved", delivery.uid)),
            body_text: letter.text(),
            body_html: Some(letter.html()),
            attachments: Vec::new(),
            about: About::Job(job),
        };
        post::notify(db, &caller, &message).await?;
    }
    Ok(())
}

/// Where a request went, in words for the office.
pub(super) fn went(carried: &Carried) -> String {
    match &carried.run_uid {
        Some(run) => format!("It was moved there by itself, on {run}."),
        None => "It was moved there by itself. Nothing is planned on that day yet.".to_owned(),
    }
}

/// A request that nobody has dealt with. A haulier's people have no plans of their own.
async fn open_request(db: &mut Db, id: i64) -> Result<RescheduleRequest> {
    let caller = db.caller().clone();
    let request: RescheduleRequest = resource::find(db, &caller, id).await?;
    if caller.haulier_id().is_some() {
        return Err(Error::denied());
    }
    if request.handled_at.is_some() {
        return Err(dealt_with());
    }
    Ok(request)
}

fn dealt_with() -> Error {
    Error::new(Kind::Conflict, "The request was dealt with already")
}

impl RescheduleRequest {
    fn wish(&self) -> Wish {
        let time = |text: &Option<String>| {
            text.as_deref().and_then(|text| NaiveTime::parse_from_str(text, "%H:%M").ok())
        };
        Wish { date: self.date, from: time(&self.time_from), to: time(&self.time_to) }
    }
}
