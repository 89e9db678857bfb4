//! A customer asks for another day (S-07): what a plan can take is kept, the job tagged, the office told. The job stays where it
//! is planned until somebody moves it, unless the organisation lets it be moved at once.

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
use super::{accept, asks, requests, slots};
use crate::app::App;
use crate::orders::jobs;
use crate::plan::Day;
use crate::planning::slots::{self as plans, Carried, Look, Outcome, Wish};
use crate::setup::information::{self, DeliveryTracking, Notification, Reschedule};
use crate::setup::post;

/// Tag of a job that waits for another day.
pub(super) const TAG: &str = "Reschedule requested";
/// Requests of one delivery within a day.
const MOST_A_DAY: i64 = 5;
/// Times that are named instead of one that no plan can take.
const MOST_NEAR: usize = 3;

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

impl Wanted {
    fn wish(&self) -> Wish {
        let time = |time: &Option<TimeOfDay>| time.as_ref().and_then(|time| time.as_str().parse().ok());
        Wish { date: self.date, from: time(&self.time_from), to: time(&self.time_to) }
    }
}

/// The request was kept.
#[derive(Serialize, JsonSchema)]
pub(super) struct Asked {
    success: bool,
    /// It was carried out at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-optional" = true))]
    moved: bool,
}

/// The job of a link whose customer may ask for another day, with the terms.
///
/// # Errors
/// 401 for a link that opens nothing, 403 where nothing may be asked, 409 when it is too late for it.
pub(super) async fn asking(db: &mut Db, app: &App) -> Result<(Tracked, DeliveryTracking, Reschedule)> {
    let (job, settings) = tracked(db, app).await?;
    let terms: Reschedule = information::of(db).await?;
    if !job.idm || !terms.enabled {
        return Err(Error::denied());
    }
    if job.proof.is_some() {
        return Err(Error::conflict("The delivery was made already"));
    }
    if job.run_started {
        return Err(Error::conflict("The driver is on the road already"));
    }
    Ok((job, settings, terms))
}

/// `POST /jobs/tracking/{token}/reschedule`. A newer request takes the place of an older one. What no plan of that day can take
/// is refused with what is nearest to it.
pub(super) async fn ask(
    mut db: Db,
    State(app): State<App>,
    Body(mut wanted): Body<Wanted>,
) -> Result<Json<Asked>> {
    let (job, settings, terms) = asking(&mut db, &app).await?;
    let caller = db.caller().clone();
    let zone = caller.policy()?.timezone;
    let now = caller.now(&app.clock);
    wanted.note = wanted.note.map(|note| note.trim().to_owned()).filter(|note| !note.is_empty());
    check_planned(&terms, job.scheduled_date, now, zone)?;
    check_wanted(&wanted, &terms, now, zone)?;
    few_enough(&mut db, job.id, app.clock.now()).await?;
    asks::admit(&mut db, job.id, now).await?;
    let (sought, wish) = (slots::sought(job.id, &terms), wanted.wish());
    let found = match terms.auto_accept {
        true => at_once(&mut db, &app, sought, wish).await?,
        false => match db.outside(plans::look(&app, &caller, sought, wish)).await?? {
            Look::No(why) => Err(why),
            Look::Open(_) | Look::Fits(_) => Ok(None),
        },
    };
    let carried = match found {
        Ok(carried) => carried,
        Err(why) => {
            let dates = slots::dates(&terms, now, zone);
            let free = db.outside(plans::free(&app, &caller, sought, &dates)).await??;
            return Err(slots::no_room(why, &plans::nearest(wish, &free.days, MOST_NEAR)));
        }
    };
    store(&mut db, job.id, &wanted, now, carried.is_some()).await?;
    match &carried {
        None => jobs::add_tag(&mut db, job.id, TAG).await?,
        Some(_) => {
            requests::untag(&mut db, job.id).await?;
            accept::confirm(&mut db, &app, job.id, wish, now).await?;
        }
    }
    tell_office(&mut db, &job, &settings, &wanted, (now, carried.as_ref())).await?;
    Ok(Json(Asked { success: true, moved: carried.is_some() }))
}

/// Carries a wish out where a plan takes it; nothing where the office has to look first.
async fn at_once(
    db: &mut Db,
    app: &App,
    sought: plans::Sought,
    wish: Wish,
) -> Result<std::result::Result<Option<Carried>, plans::NoRoom>> {
    match plans::carry_out(db, app, sought, wish, false).await {
        Ok(Ok(Outcome::Carried(carried))) => Ok(Ok(Some(carried))),
        Ok(Ok(Outcome::NotNow)) => Ok(Ok(None)),
        Ok(Err(why)) => Ok(Err(why)),
        // What the office would read names others.
        Err(error) if error.kind() == Kind::Conflict => {
            Err(Error::conflict("Your delivery cannot be moved just now. Please try again later.")
                .caused_by(error))
        }
        Err(error) => Err(error),
    }
}

/// Refuses when it is too late to leave the planned day.
pub(super) fn check_planned(
    terms: &Reschedule,
    planned: Option<NaiveDate>,
    now: DateTime<Utc>,
    zone: Tz,
) -> Result<()> {
    let notice = Duration::hours(terms.min_notice_hours);
    if planned.is_some_and(|planned| Day::new(planned, zone).moment(0) - now < notice) {
        return Err(Error::conflict(format!(
            "Another day can be asked for until {} hours before the planned day",
            terms.min_notice_hours
        )));
    }
    Ok(())
}

/// Why a day is not within the terms; none where it is.
pub(super) fn says_why_not(
    date: NaiveDate,
    terms: &Reschedule,
    now: DateTime<Utc>,
    zone: Tz,
) -> Option<String> {
    let today = now.with_timezone(&zone).date_naive();
    let weekday = date.format("%A").to_string().to_lowercase();
    if date <= today {
        Some("The day must be after today".to_owned())
    } else if Day::new(date, zone).moment(0) - now < Duration::hours(terms.min_notice_hours) {
        Some(format!("The day must begin at least {} hours from now", terms.min_notice_hours))
    } else if date.num_days_from_ce() - today.num_days_from_ce() > days(terms.max_days_ahead) {
        Some(format!("The day can be at most {} days ahead", terms.max_days_ahead))
    } else if !terms.allowed_days.contains(&weekday) {
        Some(format!("Deliveries are made on {} only", terms.allowed_days.join(", ")))
    } else {
        None
    }
}

fn check_wanted(wanted: &Wanted, terms: &Reschedule, now: DateTime<Utc>, zone: Tz) -> Result<()> {
    let mut problems = Problems::default();
    if let Some(why) = says_why_not(wanted.date, terms, now, zone) {
        problems.add("date", why);
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

/// Refuses who asked too often within a day.
async fn few_enough(connection: &mut PgConnection, job: i64, now: DateTime<Utc>) -> Result<()> {
    let recent: i64 =
        sqlx::query_scalar("select count(*) from reschedule_requests where job_id = $1 and created > $2")
            .bind(job)
            .bind(now - Duration::days(1))
            .fetch_one(connection)
            .await?;
    if recent >= MOST_A_DAY {
        return Err(Error::new(Kind::TooManyRequests, "Too many requests"));
    }
    Ok(())
}

async fn store(
    connection: &mut PgConnection,
    job: i64,
    wanted: &Wanted,
    now: DateTime<Utc>,
    carried_out: bool,
) -> Result<()> {
    // One after the other, so that two clicks do not leave two open requests.
    sqlx::query("select id from jobs where id = $1 for no key update")
        .bind(job)
        .execute(&mut *connection)
        .await?;
    few_enough(connection, job, now).await?;
    sqlx::query("update reschedule_requests set handled_at = $2 where job_id = $1 and handled_at is null")
        .bind(job)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "insert into reschedule_requests (job_id, date, time_from, time_to, note, created, handled_at, outcome)
         values ($1, $2, $3::text::time, $4::text::time, $5, $6,
             case when $7 then $6::timestamptz end, case when $7 then 'automatic' end)",
    )
    .bind(job)
    .bind(wanted.date)
    .bind(wanted.time_from.as_ref().map(TimeOfDay::as_str))
    .bind(wanted.time_to.as_ref().map(TimeOfDay::as_str))
    .bind(&wanted.note)
    .bind(now)
    .bind(carried_out)
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
    (now, carried): (DateTime<Utc>, Option<&Carried>),
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
    if let Some(carried) = carried {
        letter = letter.paragraph(accept::went(carried));
    }
    for recipient in recipients {
        let message = NewMessage {
            intent: format!("reschedule:{}:{}:{recipient}", job.id, now.timestamp_micros()),
            channel: Channel::Email,
            recipients: vec![recipient],
            subject: Some(match carried {
                None => format!("Reschedule requested: {}", job.uid),
                Some(_) => format!("Rescheduled: {}", job.uid),
            }),
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
        let checked = check_planned(terms, planned, now, chrono_tz::Europe::Lisbon)
            .and_then(|()| check_wanted(wanted, terms, now, chrono_tz::Europe::Lisbon));
        match checked {
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
        let error = check_planned(
            &slow,
            NaiveDate::from_ymd_opt(2026, 11, 24),
            "2026-11-23T08:00:00Z".parse().expect("a moment"),
            chrono_tz::Europe::Lisbon,
        )
        .expect_err("sixteen hours are not enough");
        assert_eq!(error.kind(), Kind::Conflict);
    }
}
