//! Telling a customer, if the organisation wants it.

use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::Result;
use routewright_identity::Caller;
use routewright_messaging::{About, Channel, NewMessage};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::letter::compose;
use super::pin::pin;
use super::range::Range;
use crate::app::App;
use crate::setup::information::{self, DeliveryTracking, Notification, ProofOfDelivery};
use crate::setup::post;

/// Why a customer is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// Somebody sends the link.
    Track,
    /// The run was dispatched.
    Dispatched,
    /// The delivery is the driver's next stop.
    Next,
    /// It was delivered.
    Delivered,
    /// It could not be delivered.
    Failed,
}

impl Occasion {
    fn name(self) -> &'static str {
        match self {
            Self::Track => "track",
            Self::Dispatched => "dispatched",
            Self::Next => "next",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    fn is_wanted(self, settings: &Notification) -> bool {
        match self {
            Self::Track => true,
            Self::Dispatched => settings.on_dispatch,
            Self::Next => settings.on_next_stop,
            Self::Delivered => settings.on_delivered,
            Self::Failed => settings.on_failed,
        }
    }
}

/// A job as its customer hears of it.
#[derive(Debug, Clone, Default, FromRow)]
pub(crate) struct Delivery {
    pub(crate) id: i64,
    pub(crate) uid: String,
    pub(crate) tracking_token: String,
    pub(crate) customer_email: Option<String>,
    pub(crate) scheduled_date: Option<NaiveDate>,
    pub(crate) eta: Option<DateTime<Utc>>,
    pub(crate) updated_eta: Option<DateTime<Utc>>,
    /// When it is expected, where the run is on the road.
    #[sqlx(skip)]
    pub(crate) expected: Option<Range>,
    pub(crate) spec_type: Option<String>,
}

/// The job of a mail.
///
/// # Errors
/// Database faults.
pub(crate) async fn delivery(connection: &mut PgConnection, job: i64) -> Result<Option<Delivery>> {
    Ok(sqlx::query_as(
        "select j.id, j.uid, j.tracking_token, j.customer_email, s.scheduled_date, j.eta, j.updated_eta,
             j.spec_type
         from jobs j left join scenarios s on s.id = j.scenario_id where j.id = $1",
    )
    .bind(job)
    .fetch_optional(connection)
    .await?)
}

/// Where a customer follows a job (G-30).
pub(crate) fn link(app: &App, token: &str) -> String {
    format!("{}/tracking?tokens={token}", app.deployment.public_url)
}

/// Queues one mail to one address. `key` tells apart what may be said again.
///
/// # Errors
/// 400 for a text that is no address.
pub(crate) async fn tell(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    delivery: &Delivery,
    occasion: Occasion,
    address: &str,
    key: &str,
) -> Result<i64> {
    let message = message(connection, app, caller, delivery, occasion, address, key).await?;
    Ok(post::queue(connection, caller, &message).await?.id)
}

/// Tells all addresses of a job's customer about the occasion, with when it is expected if the run is on the road, if the organisation wants it and customers may follow
/// their deliveries.
///
/// # Errors
/// Database faults.
pub(crate) async fn tell_all(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    (job, expected): (i64, Option<Range>),
    occasion: Occasion,
    key: &str,
) -> Result<()> {
    let settings: Notification = information::of(connection).await?;
    let tracking: DeliveryTracking = information::of(connection).await?;
    if !occasion.is_wanted(&settings) || !tracking.enabled {
        return Ok(());
    }
    let Some(delivery) = delivery(connection, job).await? else { return Ok(()) };
    let delivery = Delivery { expected, ..delivery };
    for address in post::addresses(delivery.customer_email.as_deref()) {
        let message = message(connection, app, caller, &delivery, occasion, &address, key).await?;
        post::notify(connection, caller, &message).await?;
    }
    Ok(())
}

async fn message(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    delivery: &Delivery,
    occasion: Occasion,
    address: &str,
    key: &str,
) -> Result<NewMessage> {
    let policy = caller.policy()?;
    let settings: DeliveryTracking = information::of(connection).await?;
    let link = link(app, &delivery.tracking_token);
    let proofs: ProofOfDelivery = information::of(connection).await?;
    let pin = match proofs.demands_of(delivery.spec_type.as_deref()).pin {
        Some(_) => Some(pin(app, caller, delivery.id, &delivery.tracking_token)?),
        None => None,
    };
    let (subject, letter) =
        compose(&policy.name, policy.timezone, &settings, delivery, occasion, (&link, pin.as_deref()));
    Ok(NewMessage {
        intent: format!("{}:{}:{key}:{address}", occasion.name(), delivery.id),
        channel: Channel::Email,
        recipients: vec![address.to_owned()],
        subject: Some(subject),
        body_text: letter.text(),
        body_html: Some(letter.html()),
        attachments: Vec::new(),
        about: About::Job(delivery.id),
    })
}
