//! Sends webhooks: a POST of JSON, signed when the organisation has a signing key.

use std::time::Duration;

use aws_lc_rs::hmac;
use chrono::{DateTime, SecondsFormat, Utc};
use routewright_bus::{Job, queue};
use routewright_core::{Error, Kind, Result};
use routewright_messaging::{Outbound, WayOut};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use crate::assignment::Assignment;
use crate::setup::information::{self, Udf};
use crate::setup::{post, secrets};

/// Header with `sha256=` and the HMAC-SHA256 (RFC 2104) of the body in hexadecimal.
const SIGNATURE: &str = "x-routewright-signature";

/// A webhook that waits to be sent.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Webhook {
    /// The row in `udf_runs`.
    pub(super) run: i64,
}

impl Job for Webhook {
    const KIND: &'static str = "udf_webhook";
    // The organisation's own limit is lower and decides.
    const MAX_ATTEMPTS: u16 = 12;
}

#[derive(FromRow)]
struct Pending {
    attempts: i32,
    payload: Value,
    created: DateTime<Utc>,
    url: Option<String>,
}

/// Sends one webhook. What is not accepted is tried again after a pause that grows, as often as the organisation wants.
///
/// # Errors
/// When it is to be tried again.
pub(crate) async fn send(assignment: Assignment) -> Result<()> {
    let Assignment { app, caller, tenant, claimed } = assignment;
    let Webhook { run } = claimed.job()?;
    let mut work = tenant.begin().await?;
    let pending: Option<Pending> = sqlx::query_as(
        "select r.attempts, r.payload, r.created, a.config ->> 'url' as url
         from udf_runs r join udf_actions a on a.id = r.action_id where r.id = $1 and r.status = 'pending'",
    )
    .bind(run)
    .fetch_optional(&mut *work)
    .await?;
    let Some(pending) = pending else {
        queue::complete(&mut work, &claimed).await?;
        return work.commit().await;
    };
    let settings: Udf = information::of(&mut work).await?;
    let key = match settings.signing_secret_id {
        Some(id) => secrets::value_by_id(&mut work, &app, tenant.organisation(), id).await?,
        None => None,
    };
    let body = json!({
        "event": pending.payload["event"],
        "occurred_at": pending.created.to_rfc3339_opts(SecondsFormat::Millis, true),
        "organisation_id": tenant.organisation().get(),
        "data": pending.payload["data"],
    })
    .to_string();
    let Some(way) = WayOut::unless(caller.rehearses()) else {
        keep(&mut work, run, &pending, &body).await?;
        queue::complete(&mut work, &claimed).await?;
        return work.commit().await;
    };
    work.rollback().await?;
    let seconds = u64::try_from(settings.webhook_timeout_seconds).unwrap_or(10);
    let outbound =
        Outbound::new(app.deployment.local, Duration::from_secs(seconds)).map_err(Error::internal)?;
    let sent = call(&way, &outbound, pending.url.as_deref().unwrap_or_default(), body, key.as_deref()).await;

    let attempts = pending.attempts + 1;
    let last = i64::from(attempts) > settings.retries;
    let mut work = tenant.begin().await?;
    let (status, code, error) = match &sent {
        Ok(code) => ("done", Some(i32::from(*code)), None),
        Err((code, error)) => {
            (if last { "failed" } else { "pending" }, code.map(i32::from), Some(error.as_str()))
        }
    };
    sqlx::query(
        "update udf_runs set attempts = $2, status = $3, response_status = $4, error = $5,
             finished = case when $3 = 'pending' then null else now() end
         where id = $1",
    )
    .bind(run)
    .bind(attempts)
    .bind(status)
    .bind(code)
    .bind(error)
    .execute(&mut *work)
    .await?;
    if status != "pending" {
        queue::complete(&mut work, &claimed).await?;
    }
    work.commit().await?;
    match error {
        Some(error) if status == "pending" => Err(Error::new(Kind::BadGateway, error)),
        _ => Ok(()),
    }
}

/// Nothing leaves a rehearsal.
async fn keep(connection: &mut PgConnection, run: i64, pending: &Pending, body: &str) -> Result<()> {
    sqlx::query("update udf_runs set status = 'rehearsal', finished = now() where id = $1")
        .bind(run)
        .execute(&mut *connection)
        .await?;
    let event = pending.payload["event"].as_str().unwrap_or_default();
    let to = pending.url.as_deref().unwrap_or_default();
    post::keep(connection, (&format!("webhook:{run}"), "webhook"), to, (event, body), (None, None)).await
}

/// Answers the status of a success, else the status if there was one and what is wrong.
async fn call(
    way: &WayOut,
    outbound: &Outbound,
    url: &str,
    body: String,
    key: Option<&str>,
) -> Result<u16, (Option<u16>, String)> {
    let mut request = outbound.post(url).map_err(|reason| (None, reason))?;
    request = request.header("content-type", "application/json");
    if let Some(key) = key {
        let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
        let digits: String =
            hmac::sign(&key, body.as_bytes()).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        request = request.header(SIGNATURE, format!("sha256={digits}"));
    }
    match outbound.send(way, request.body(body)).await {
        Ok(answer) if answer.status.is_success() => Ok(answer.status.as_u16()),
        Ok(answer) => {
            let status = answer.status.as_u16();
            Err((Some(status), format!("The address answered {status}")))
        }
        Err(error) => Err((None, format!("The address cannot be reached: {error}"))),
    }
}
