//! A customer asks for another day (S-07): the request is kept, the job tagged, the office told. The job stays where it
//! is planned until somebody moves it.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Datelike, Duration, NaiveDate, Utc};
use chrono_tz::Tz;
use routewright_core::error::Problems;
use routewright_core::time_of_day::blank_is_null;
use routewright_core::{Body, Error, Kind, Result, TimeOfDay, check};
use routewright_messaging::{About, Channel, Letter, NewMessage};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgConnection;

use super::delivery::{Tracked, tracked};
use crate::app::App;
use crate::orders::jobs;
use crate::plan::Day;
use crate::setup::information::{self, DeliveryTracking, Notification, Reschedule};
use crate::setup::post;

/// Tag of a job that waits for another day.
pub(super) const TAG: &str = "Reschedule requested";
/// Requests of one delivery within a day.
const MOST_A_DAY: i64 = 5;

/// What the customer wants.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Wanted {
    /// The day.
    date: NaiveDate,
    /// Not before.
    #[serde(default, deserialize_with = "blank_is_null")]
    time_from: Option<TimeOfDay>,
    /// Not after.
    #[serde(default, deserialize_with = "blank_is_null")]
    time_to: Option<TimeOfDay>,
    /// Anything else.
    #[serde(default)]
    note: Option<String>,
}

/// The request was kept.
#[derive(Serialize, JsonSchema)]
pub(super) struct Asked {
    success: bool,
}

/// `POST /jobs/tracking/{token}/reschedule`. A newer request takes the place of an older one.
pub(super) async fn ask(
    mut db: Db,
    State(app): State<App>,
    Body(mut wanted): Body<Wanted>,
) -> Result<Json<Asked>> {
    let (job, settings) = tracked(&mut db, &app).await?;
    let terms: Reschedule = information::of(&mut db).await?;
    if !job.idm || !terms.enabled {
        return Err(Error::denied());
    }
    if job.proof.is_some() {
        return Err(Error::conflict("The delivery was made already"));
    }
    let zone = db.caller().policy()?.timezone;
    let now = db.caller().now(&app.clock);
    wanted.note = wanted.note.map(|note| note.trim().to_owned()).filter(|note| !note.is_empty());
    check_wanted(&wanted, &terms, job.scheduled_date, now, zone)?;
    store(&mut db, job.id, &wanted, now).await?;
    jobs::add_tag(&mut db, job.id, TAG).await?;
    tell_office(&mut db, &job, &settings, &wanted, now).await?;
    Ok(Json(Asked { success: true }))
}

fn check_wanted(
    wanted: &Wanted,
    terms: &Reschedule,
    planned: Option<NaiveDate>,
    now: DateTime<Utc>,
    zone: Tz,
) -> Result<()> {
    let notice = Duration::hours(terms.min_notice_hours);
    let begins = |date: NaiveDate| Day::new(date, zone).moment(0);
    if planned.is_some_and(|planned| begins(planned) - now < notice) {
        return Err(Error::conflict(format!(
            "Another day can be asked for until {} hours before the planned day",
            terms.min_notice_hours
        )));
    }
    let today = now.with_timezone(&zone).date_naive();
    let mut problems = Problems::default();
    let weekday = wanted.date.format("%A").to_string().to_lowercase();
    if wanted.date <= today {
        problems.add("date", "The day must be after today");
    } else if begins(wanted.date) - now < notice {
        problems
            .add("date", format!("The day must begin at least {} hours from now", terms.min_notice_hours));
    } else if wanted.date.num_days_from_ce() - today.num_days_from_ce() > days(terms.max_days_ahead) {
        problems.add("date", format!("The day can be at most {} days ahead", terms.max_days_ahead));
    } else if !terms.allowed_days.contains(&weekday) {
        problems.add("date", format!("Deliveries are made on {} only", terms.allowed_days.join(", ")));
    }
    if let (Some(from), Some(to)) = (&wanted.time_from, &wanted.time_to) {
        let text = format!("Time should be before leave by ({})", to.as_str());
        problems.require(from <= to, "time_from", &text);
    }
    problems.require(terms.allow_note || wanted.note.is_none(), "note", "Notes are not taken");
    problems.optional_text("note", wanted.note.as_deref(), check::LONG_TEXT);
    problems.finish()
}

fn days(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

async fn store(connection: &mut PgConnection, job: i64, wanted: &Wanted, now: DateTime<Utc>) -> Result<()> {
    // One after the other, so that two clicks do not leave two open requests.
    sqlx::query("select id from jobs where id = $1 for no key update")
        .bind(job)
        .execute(&mut *connection)
        .await?;
    let recent: i64 =
        sqlx::query_scalar("select count(*) from reschedule_requests where job_id = $1 and created > $2")
            .bind(job)
            .bind(now - Duration::days(1))
            .fetch_one(&mut *connection)
            .await?;
    if recent >= MOST_A_DAY {
        return Err(Error::new(Kind::TooManyRequests, "Too many requests"));
    }
    sqlx::query("update reschedule_requests set handled_at = $2 where job_id = $1 and handled_at is null")
        .bind(job)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "insert into reschedule_requests (job_id, date, time_from, time_to, note, created)
         values ($1, $2, $3::text::time, $4::text::time, $5, $6)",
    )
    .bind(job)
    .bind(wanted.date)
    .bind(wanted.time_from.as_ref().map(TimeOfDay::as_str))
    .bind(wanted.time_to.as_ref().map(TimeOfDay::as_str))
    .bind(&wanted.note)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Tells those who are told about late deliveries; without any, the address that customers are given for questions.
async fn tell_office(
    db: &mut Db,
    job: &Tracked,
    settings: &DeliveryTracking,
    wanted: &Wanted,
    now: DateTime<Utc>,
) -> Result<()> {
    let caller = db.caller().clone();
    let notification: Notification = information::of(db).await?;
    let listed = notification.eta_alert.recipients.join(",");
    let mut recipients = post::addresses(Some(&listed));
    if recipients.is_empty() {
        recipients = post::addresses(settings.contact_email.as_deref());
    }
    let time = |time: &Option<TimeOfDay>| time.as_ref().map_or("any time", TimeOfDay::as_str).to_owned();
    let mut letter = Letter::new()
        .paragraph(format!("The customer of job {} asks for another day.", job.uid))
        .fact("Day", wanted.date.format("%Y/%m/%d").to_string())
        .fact("From", time(&wanted.time_from))
        .fact("To", time(&wanted.time_to));
    if let Some(note) = &wanted.note {
        letter = letter.fact("Note", note);
    }
    for recipient in recipients {
        let message = NewMessage {
            intent: format!("reschedule:{}:{}:{recipient}", job.id, now.timestamp_micros()),
            channel: Channel::Email,
            recipients: vec![recipient],
            subject: Some(format!("Reschedule requested: {}", job.uid)),
            body_text: letter.text(),
            body_html: Some(letter.html()),
            attachments: Vec::new(),
            about: About::Job(job.id),
        };
        post::notify(db, &caller, &message).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(wanted: &Wanted, terms: &Reschedule) -> Vec<String> {
        let planned = NaiveDate::from_ymd_opt(2026, 11, 24);
        let now = "2026-11-23T08:00:00Z".parse().expect("a moment");
        match check_wanted(wanted, terms, planned, now, chrono_tz::Europe::Lisbon) {
            Ok(()) => Vec::new(),
            Err(error) => error.named_fields().keys().cloned().collect(),
        }
    }

    /// S-07, contract §7.2: weekdays, how far ahead, notice, notes.
    #[test]
    fn only_days_within_the_terms_are_taken() {
        let terms = Reschedule { enabled: true, ..Reschedule::default() };
        let on = |day| Wanted {
            date: NaiveDate::from_ymd_opt(2026, 11, day).expect("a date"),
            time_from: None,
            time_to: None,
            note: None,
        };
        assert!(reasons(&on(25), &terms).is_empty());
        assert!(reasons(&on(30), &terms).is_empty(), "seven days ahead");
        for (day, why) in [(23, "today"), (22, "past"), (28, "a Saturday")] {
            assert_eq!(reasons(&on(day), &terms), ["date"], "{why}");
        }
        let near = Reschedule { max_days_ahead: 2, ..terms.clone() };
        assert_eq!(reasons(&on(26), &near), ["date"]);
        let silent = Reschedule { allow_note: false, ..terms.clone() };
        assert_eq!(reasons(&Wanted { note: Some("Ring".to_owned()), ..on(25) }, &silent), ["note"]);
        let slow = Reschedule { min_notice_hours: 17, ..terms };
        let error = check_wanted(
            &on(25),
            &slow,
            NaiveDate::from_ymd_opt(2026, 11, 24),
            "2026-11-23T08:00:00Z".parse().expect("a moment"),
            chrono_tz::Europe::Lisbon,
        )
        .expect_err("sixteen hours are not enough");
        assert_eq!(error.kind(), Kind::Conflict);
    }
}
