//! Sending tracking links by mail (S-43).

use axum::Json;
use axum::extract::State;
use routewright_core::check::is_email_list;
use routewright_core::{Body, Error, Kind, Result};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::orders::customers::{self, Delivery, Occasion};
use crate::orders::jobs::Job;
use crate::planning::eta;
use crate::setup::information::{self, DeliveryTracking};
use crate::setup::post;

/// Most links of one call.
const MOST: usize = 500;
/// Why no link is sent while customers may not follow their deliveries.
const OFF: &str = "Delivery tracking is disabled in Organisation Settings.";

/// Why no link is sent for a job that nobody brings yet.
const NOT_PLANNED: &str = "The job is not planned";

/// A link to send.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "TrackingLinkItem")]
pub(super) struct Item {
    /// Addresses, comma-separated.
    email: String,
    /// The job's tracking token.
    token: String,
    /// The job.
    job_id: i64,
    /// `email`.
    dispatch_method: Option<String>,
}

/// What became of it.
#[derive(Serialize, JsonSchema)]
pub(super) struct Sent {
    /// The job.
    job_id: i64,
    /// Whether its mails are on their way.
    success: bool,
    /// Why not.
    error: Option<String>,
}

/// `POST /jobs/send_tracking_urls`: one mail per address; the mails are queued with the answer.
pub(super) async fn send(
    mut db: Db,
    State(app): State<App>,
    Body(items): Body<Vec<Item>>,
) -> Result<Json<Vec<Sent>>> {
    if items.len() > MOST {
        return Err(Error::bad_request(format!("At most {MOST} links can be sent at once")));
    }
    let settings: DeliveryTracking = information::of(&mut db).await?;
    let mut sent = Vec::with_capacity(items.len());
    for item in items {
        // A link that opens nothing is not sent.
        let error = if settings.enabled { one(&mut db, &app, &item).await? } else { Some(OFF.to_owned()) };
        sent.push(Sent { job_id: item.job_id, success: error.is_none(), error });
    }
    Ok(Json(sent))
}

async fn one(db: &mut Db, app: &App, item: &Item) -> Result<Option<String>> {
    if item.dispatch_method.as_deref().is_some_and(|method| method != "email") {
        return Ok(Some("Links are only sent by email".to_owned()));
    }
    if !is_email_list(&item.email) {
        return Ok(Some("Invalid email".to_owned()));
    }
    let caller = db.caller().clone();
    let unknown = || Ok(Some("Job not found".to_owned()));
    let run = match resource::find::<Job>(db, &caller, item.job_id).await {
        // Its page would have nothing to tell.
        Ok(job) if job.run_id.is_none() => return Ok(Some(NOT_PLANNED.to_owned())),
        Ok(job) => job.run_id,
        Err(error) if error.kind() == Kind::NotFound => return unknown(),
        Err(error) => return Err(error),
    };
    let known = customers::delivery(db, item.job_id).await?;
    let Some(delivery) = known.filter(|delivery| delivery.tracking_token == item.token) else {
        return unknown();
    };
    let now = caller.now(&app.clock);
    let expected = match run {
        Some(run) => eta::expected(db, run, delivery.id, now).await?.map(|found| found.range()),
        None => None,
    };
    let delivery = Delivery { expected, ..delivery };
    for address in post::addresses(Some(&item.email)) {
        let key = now.timestamp().to_string();
        let message = customers::tell(db, app, &caller, &delivery, Occasion::Track, &address, &key).await?;
        sqlx::query(
            "insert into tracking_sends (job_id, email, message_id, success, sent_by) values ($1, $2, $3, true, $4)",
        )
        .bind(item.job_id)
        .bind(&address)
        .bind(message)
        .bind(caller.user_id())
        .execute(&mut **db)
        .await?;
    }
    sqlx::query("update jobs set last_tracking_sent_at = $2 where id = $1")
        .bind(item.job_id)
        .bind(now)
        .execute(&mut **db)
        .await?;
    Ok(None)
}
