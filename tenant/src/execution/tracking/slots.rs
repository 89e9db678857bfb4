//! The days and times that a customer may ask for.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Duration, NaiveDate, Utc};
use chrono_tz::Tz;
use routewright_core::{Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;

use super::asks;
use super::reschedule::{asking, check_planned, says_why_not};
use crate::app::App;
use crate::planning::slots::{self, FreeDay, Sought};
use crate::setup::information::Reschedule;

/// Most days that are looked at. Later ones within the terms can be asked for all the same.
const MOST_DAYS: usize = 31;

/// The days and times that may be asked for.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrackedSlots")]
pub(super) struct Slots {
    /// In order; a day on which nobody has room is absent.
    days: Vec<SlotDay>,
    /// So many days were not looked at, as it took too long; they can be asked for all the same.
    left_out: usize,
}

/// A day that may be asked for.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrackedSlotDay")]
struct SlotDay {
    /// The day.
    date: NaiveDate,
    /// Nothing is planned yet: any time may be asked for.
    open: bool,
    /// Otherwise the times at which somebody has room.
    spans: Vec<SlotSpan>,
}

/// A time that may be asked for.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrackedSlotSpan")]
struct SlotSpan {
    /// Not before, `HH:mm`.
    time_from: String,
    /// Not after, `HH:mm`.
    time_to: String,
}

impl From<FreeDay> for SlotDay {
    fn from(day: FreeDay) -> Self {
        let text = |time: chrono::NaiveTime| time.format("%H:%M").to_string();
        let spans = day.spans.iter();
        let spans = spans.map(|span| SlotSpan { time_from: text(span.from), time_to: text(span.to) });
        Self { date: day.date, open: day.open, spans: spans.collect() }
    }
}

/// `GET /jobs/tracking/{token}/slots`. Nothing of it is promised: what is asked for is looked at again.
pub(super) async fn slots(mut db: Db, State(app): State<App>) -> Result<Json<Slots>> {
    let (job, _, terms) = asking(&mut db, &app).await?;
    let caller = db.caller().clone();
    let zone = caller.policy()?.timezone;
    let now = caller.now(&app.clock);
    check_planned(&terms, job.scheduled_date, now, zone)?;
    asks::admit(&mut db, job.id, app.clock.now()).await?;
    db.let_go().await?;
    let found = slots::free(&app, &caller, sought(job.id, &terms), &dates(&terms, now, zone)).await?;
    Ok(Json(Slots { days: found.days.into_iter().map(SlotDay::from).collect(), left_out: found.left_out }))
}

/// What is looked for within the terms.
pub(super) fn sought(job: i64, terms: &Reschedule) -> Sought {
    Sought { job, most_driving: terms.max_extra_minutes * 60 }
}

/// The days within the terms, in order.
pub(super) fn dates(terms: &Reschedule, now: DateTime<Utc>, zone: Tz) -> Vec<NaiveDate> {
    let today = now.with_timezone(&zone).date_naive();
    let all = (1..=terms.max_days_ahead).filter_map(|days| today.checked_add_signed(Duration::days(days)));
    all.filter(|date| says_why_not(*date, terms, now, zone).is_none()).take(MOST_DAYS).collect()
}

/// A refusal because no plan can take the job then: why, and what is nearest to it.
pub(super) fn no_room(why: slots::NoRoom, near: &[impl Serialize]) -> Error {
    let (reason, text) = words(why);
    let near = serde_json::to_value(near).unwrap_or_default();
    Error::conflict(text).code("NO_SLOT").with("reason", reason).with("nearest", near)
}

/// Why no plan can take the job, as a word and as customers read it: nothing of drivers, loads or other customers.
pub(super) const fn words(why: slots::NoRoom) -> (&'static str, &'static str) {
    match why {
        slots::NoRoom::Impossible => ("not_possible", "Your delivery cannot be brought on that day"),
        slots::NoRoom::Full => ("full", "All vehicles are full on that day"),
        slots::NoRoom::NoTime => ("no_time", "Nobody can be there at that time"),
        slots::NoRoom::TooFar => ("too_far", "No vehicle passes near you at that time"),
    }
}
