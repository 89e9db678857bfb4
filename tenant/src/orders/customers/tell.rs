//! Telling a customer, if the organisation wants it.

use chrono::{DateTime, NaiveDate, Utc};
use routewright_core::Result;
use routewright_identity::Caller;
use routewright_messaging::{About, Channel, NewMessage};
use sqlx::FromRow;
use sqlx::postgres::PgConnection;

use super::letter::{Words, compose};
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
    /// The driver has set out.
    Out,
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
            Self::Out => "out",
            Self::Next => "next",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    fn is_wanted(self, settings: &Notification) -> bool {
        match self {
            Self::Track => true,
            Self::Dispatched => settings.on_dispatch,
            Self::Out => settings.on_start,
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
    pub(crate) phone_number: Option<String>,
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
        "select j.id, j.uid, j.tracking_token, j.customer_email, j.phone_number, s.scheduled_date, j.eta, j.updated_eta,
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
    let words = words(connection, app, caller, delivery, occasion).await?;
    let message = mail(&words, (delivery.id, occasion, key), address);
    Ok(post::queue(connection, caller, &message).await?.id)
}

/// Tells a job's customer about the occasion, once at each address and number, with when it is expected if the run is on the
/// road: if the organisation wants it, by mail, text message or both, and customers may follow their deliveries.
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
    let by = |on: bool, list: Vec<String>| if on { list } else { Vec::new() };
    let addresses = by(settings.by_email, post::addresses(delivery.customer_email.as_deref()));
    let numbers = by(settings.by_sms, post::numbers(delivery.phone_number.as_deref()));
    if addresses.is_empty() && numbers.is_empty() {
        return Ok(());
    }
    let words = words(connection, app, caller, &delivery, occasion).await?;
    let about = (delivery.id, occasion, key);
    let mails = addresses.iter().map(|address| mail(&words, about, address));
    let texts = numbers.iter().map(|number| text_message(&words, about, number));
    for message in mails.chain(texts) {
        post::notify(connection, caller, &message).await?;
    }
    Ok(())
}

async fn words(
    connection: &mut PgConnection,
    app: &App,
    caller: &Caller,
    delivery: &Delivery,
    occasion: Occasion,
) -> Result<Words> {
    let policy = caller.policy()?;
    let settings: DeliveryTracking = information::of(connection).await?;
    let link = link(app, &delivery.tracking_token);
    let proofs: ProofOfDelivery = information::of(connection).await?;
    let pin = match proofs.demands_of(delivery.spec_type.as_deref()).pin {
        Some(_) => Some(pin(app, caller, delivery.id, &delivery.tracking_token)?),
        None => None,
    };
    let organisation = (policy.name.as_str(), policy.timezone);
    Ok(compose(organisation, &settings, delivery, occasion, (&link, pin.as_deref())))
}

/// A mail of the job, the occasion and the key, to an address.
fn mail(words: &Words, about: (i64, Occasion, &str), address: &str) -> NewMessage {
    NewMessage {
        channel: Channel::Email,
        subject: Some(words.subject.clone()),
        body_text: words.letter.text(),
        body_html: Some(words.letter.html()),
        ..bare(about, address)
    }
}

/// The same as a text message to a number.
fn text_message(words: &Words, about: (i64, Occasion, &str), number: &str) -> NewMessage {
    NewMessage { channel: Channel::Sms, body_text: words.text.clone(), ..bare(about, number) }
}

fn bare((job, occasion, key): (i64, Occasion, &str), recipient: &str) -> NewMessage {
    NewMessage {
        intent: format!("{}:{job}:{key}:{recipient}", occasion.name()),
        channel: Channel::Email,
        recipients: vec![recipient.to_owned()],
        subject: None,
        body_text: String::new(),
        body_html: None,
        attachments: Vec::new(),
        about: About::Job(job),
    }
}
