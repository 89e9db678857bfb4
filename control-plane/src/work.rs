//! What runs beside the requests: policy changes, mails, tidying up, organisations left half-made.

use std::time::Duration;

use chrono::TimeDelta;
use routewright_bus::Listener;
use routewright_core::{Error, Result};
use routewright_messaging::{
    Mailer, Message, PostOffice, Sender, SmsGateway, WayOut, claim_message, mark_failed, mark_sent,
};
use tokio::task::JoinSet;

use crate::app::App;
use crate::{copies, rehearsal_life, trail};

/// Pause when no mail is waiting.
const MAIL_PAUSE: Duration = Duration::from_secs(1);
/// Time between two rounds of tidying up.
const TIDY_PAUSE: Duration = Duration::from_secs(600);
/// Time between two looks for organisations that are not ready.
const FINISH_PAUSE: Duration = Duration::from_secs(30);
/// How long failed sign-ins are kept: longer than any lockout is useful.
const ATTEMPTS_KEPT: TimeDelta = TimeDelta::days(30);
/// How long ended sessions and used links are kept, so that their reuse is noticed.
const SESSIONS_KEPT: TimeDelta = TimeDelta::days(7);
/// How long the keys of marked submits are kept, as in the organisations.
const SUBMITS_KEPT: TimeDelta = TimeDelta::days(2);
/// How long finished messages are kept.
const MESSAGES_KEPT: TimeDelta = TimeDelta::days(90);

/// Starts all background work; it ends when the set is dropped.
///
/// # Errors
/// When the mail server is configured wrongly.
pub fn start(app: &App) -> Result<JoinSet<()>> {
    let office = post_office(app)?;
    let mut work = JoinSet::new();
    work.spawn(app.gate.policies.clone().watch());
    let listener = Listener::start([app.config.placements.control()?]);
    let policies = app.gate.policies.clone();
    // The listener lives as long as somebody listens.
    work.spawn(async move { listener.subscribe().policies(|| policies.hint()).await });
    work.spawn(deliver(app.clone(), office));
    work.spawn(tidy(app.clone()));
    work.spawn(app.tenants.clone().tidy());
    work.spawn(finish_organisations(app.clone()));
    work.spawn(copies::work(app.clone()));
    work.spawn(rehearsal_life::work(app.clone()));
    work.spawn(trail::work(app.clone()));
    work.spawn(trail::cut_daily(app.clone()));
    Ok(work)
}

fn post_office(app: &App) -> Result<PostOffice> {
    let mailer = match &app.config.smtp {
        Some(smtp) => Mailer::smtp(smtp).map_err(Error::internal)?,
        None => Mailer::outbox(),
    };
    let sms = SmsGateway::new(app.config.deployment.local).map_err(Error::internal)?;
    Ok(PostOffice { mailer, sms })
}

async fn deliver(app: App, office: PostOffice) {
    loop {
        match deliver_one(&app, &office).await {
            Ok(true) => {}
            Ok(false) => tokio::time::sleep(MAIL_PAUSE).await,
            Err(error) => {
                tracing::warn!(?error, "mails cannot be read from the outbox");
                tokio::time::sleep(MAIL_PAUSE * 5).await;
            }
        }
    }
}

/// Sends the next waiting mail; false when there is none.
async fn deliver_one(app: &App, office: &PostOffice) -> Result<bool> {
    let mut connection = app.control.acquire().await?;
    let Some(message) = claim_message(&mut connection).await? else { return Ok(false) };
    // Sending may take long: the connection serves others meanwhile.
    drop(connection);
    let sent = office.send(&WayOut::of_platform(), &message, None, &Sender::default(), None).await;
    let mut connection = app.control.acquire().await?;
    match sent {
        Ok(id) => mark_sent(&mut connection, &message, id.as_deref()).await?,
        Err(error) => {
            report(&message, &error.to_string());
            mark_failed(&mut connection, &message, &error).await?;
        }
    }
    Ok(true)
}

fn report(message: &Message, error: &str) {
    tracing::warn!(message = message.id, attempt = message.attempt, error, "a mail was not accepted");
}

async fn tidy(app: App) {
    loop {
        if let Err(error) = tidy_once(&app).await {
            tracing::warn!(?error, "old sign-in records cannot be removed");
        }
        tokio::time::sleep(TIDY_PAUSE).await;
    }
}

/// Removes what has served its purpose: old attempts, limits, sessions, links and sent mails.
///
/// # Errors
/// Database faults.
pub async fn tidy_once(app: &App) -> Result<()> {
    let now = app.clock.now();
    let old = [
        ("delete from login_attempts where attempted_at < $1", now - ATTEMPTS_KEPT),
        ("delete from rate_limits where window_start < $1", now - TimeDelta::days(1)),
        ("delete from refresh_families where expires_at < $1 or revoked_at < $1", now - SESSIONS_KEPT),
        ("delete from reset_tokens where expires_at < $1", now - SESSIONS_KEPT),
        ("delete from email_changes where expires_at < $1", now - SESSIONS_KEPT),
        ("delete from oidc_states where expires_at < $1", now),
        ("delete from idempotency_keys where created < $1", now - SUBMITS_KEPT),
        ("delete from policy_changes where at < $1", now - SESSIONS_KEPT),
        (
            "delete from messages where state in ('sent', 'failed', 'unknown') and modified < $1",
            now - MESSAGES_KEPT,
        ),
    ];
    for (statement, before) in old {
        sqlx::query(statement).bind(before).execute(&app.control).await?;
    }
    Ok(())
}

/// Goes on with organisations that a stop of the service, of an operator's command or of a database left half-made.
async fn finish_organisations(app: App) {
    loop {
        match app.provisioning.advance_all().await {
            Ok(failed) => {
                for (organisation, error) in failed {
                    tracing::error!(%organisation, ?error, "an organisation is not ready");
                }
            }
            Err(error) => tracing::error!(?error, "unfinished organisations cannot be read"),
        }
        tokio::time::sleep(FINISH_PAUSE).await;
    }
}
