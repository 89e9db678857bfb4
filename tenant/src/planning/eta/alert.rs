//! Telling that a job gets late: once at the threshold, and again when it grew by a quarter of an hour more.

use chrono::{DateTime, Duration, Utc};
use routewright_core::Result;
use routewright_identity::Caller;
use routewright_messaging::{About, Channel, Letter, NewMessage};
use serde_json::json;
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::refresh::Remaining;
use crate::app::App;
use crate::setup::information::{self, EtaAlert, Notification};
use crate::setup::{post, udf};

/// Minutes by which a job that was told must have grown later to be told again.
const GROWTH: i64 = 15;

#[derive(FromRow)]
struct Told {
    uid: String,
    customer_name: Option<String>,
    customer_email: Option<String>,
    address: String,
    run_id: Option<i64>,
    run_uid: Option<String>,
    eta_alerted_at: Option<DateTime<Utc>>,
    eta_alerted_minutes: Option<i32>,
}

/// Tells about every job that is late enough.
pub(super) async fn late(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    jobs: &[Remaining],
    times: &[DateTime<Utc>],
) -> Result<()> {
    let settings: Notification = information::of(connection).await?;
    let rule = &settings.eta_alert;
    if !rule.enabled {
        return Ok(());
    }
    let now = caller.now(&app.clock);
    for (job, time) in jobs.iter().zip(times) {
        let Some(eta) = job.eta else { continue };
        let minutes = (*time - eta).num_minutes();
        if minutes < rule.threshold_minutes {
            continue;
        }
        let told: Told = sqlx::query_as(
            "select j.uid, j.customer_name, j.customer_email, j.address, j.run_id, r.uid as run_uid, j.eta_alerted_at,
                 j.eta_alerted_minutes
             from jobs j left join runs r on r.id = j.run_id where j.id = $1",
        )
        .bind(job.id)
        .fetch_one(&mut *connection)
        .await?;
        if is_due(rule, told.eta_alerted_at.zip(told.eta_alerted_minutes), now, minutes) {
            tell(connection, caller, rule, (job.id, minutes, *time), &told).await?;
            let data = json!({
                "id": job.id, "uid": told.uid, "customer_name": told.customer_name, "run_id": told.run_id,
                "run": told.run_uid, "minutes_late": minutes, "eta": eta, "updated_eta": time,
            });
            let _ = udf::raise(connection, caller, "eta_late", &data).await?;
            sqlx::query("update jobs set eta_alerted_at = $2, eta_alerted_minutes = $3 where id = $1")
                .bind(job.id)
                .bind(now)
                .bind(i32::try_from(minutes).unwrap_or(i32::MAX))
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(())
}

fn is_due(rule: &EtaAlert, before: Option<(DateTime<Utc>, i32)>, now: DateTime<Utc>, minutes: i64) -> bool {
    before.is_none_or(|(at, then)| {
        now - at >= Duration::minutes(rule.repeat_minutes) && minutes >= i64::from(then) + GROWTH
    })
}

async fn tell(
    connection: &mut PgConnection,
    caller: &Caller,
    rule: &EtaAlert,
    (job, minutes, time): (i64, i64, DateTime<Utc>),
    told: &Told,
) -> Result<()> {
    let policy = caller.policy()?;
    let expected = time.with_timezone(&policy.timezone).format("%H:%M").to_string();
    let mut recipients = rule.recipients.clone();
    let office = recipients.len();
    if rule.notify_customer {
        recipients.extend(post::addresses(told.customer_email.as_deref()));
    }
    for (at, recipient) in recipients.into_iter().enumerate() {
        let letter = if at < office {
            Letter::new()
                .paragraph(format!("Job {} is expected {minutes} minutes later than planned.", told.uid))
                .fact("Run", told.run_uid.as_deref().unwrap_or("–"))
                .fact("Customer", told.customer_name.as_deref().unwrap_or("–"))
                .fact("Address", &told.address)
                .fact("Expected", &expected)
        } else {
            Letter::new()
                .paragraph(format!("Your delivery {} will be later than planned.", told.uid))
                .fact("Expected", &expected)
        };
        let message = NewMessage {
            intent: format!("eta_alert:{job}:{minutes}:{recipient}"),
            channel: Channel::Email,
            recipients: vec![recipient],
            subject: Some(format!("{}: delivery {} is late", policy.name, told.uid)),
            body_text: letter.text(),
            body_html: Some(letter.html()),
            attachments: Vec::new(),
            about: About::Job(job),
        };
        post::notify(connection, caller, &message).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-25: once per job, again after the pause only if it grew by 15 minutes more.
    #[test]
    fn a_job_is_told_again_only_when_it_grew() {
        let rule = EtaAlert { enabled: true, ..EtaAlert::default() };
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a moment");
        let before = |minutes| Some((now - Duration::minutes(minutes), 60));
        assert!(is_due(&rule, None, now, 60));
        assert!(!is_due(&rule, before(5), now, 90), "the pause is not over");
        assert!(!is_due(&rule, before(31), now, 74), "it did not grow enough");
        assert!(is_due(&rule, before(31), now, 75));
    }
}
