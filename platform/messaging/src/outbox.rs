use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use chrono::{DateTime, Utc};
use lettre::Address;
use routewright_core::check::{EMAIL, PHONE, is_phone};
use routewright_core::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use sqlx::types::Json;
use sqlx::{FromRow, PgConnection};

use crate::SendError;

/// After this many attempts (about four hours) a message that cannot be delivered is given up.
const MAX_ATTEMPTS: i32 = 10;

/// The way a message takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Channel {
    /// Mail; recipients are addresses.
    Email,
    /// Text message; recipients are phone numbers.
    Sms,
}

/// What a message is about, where the outbox has a column for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Nothing that is stored.
    Nothing,
    /// A run (organisations' outbox).
    Run(i64),
    /// A job (organisations' outbox).
    Job(i64),
    /// An organisation (the control plane's outbox).
    Organisation(i64),
}

/// A file of a queued mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// File name as the recipient sees it.
    pub name: String,
    /// Media type.
    pub content_type: String,
    /// The content or where it is.
    #[serde(flatten)]
    pub content: Content,
}

/// Where the content of an attachment is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// In the row, for small files that exist for this mail only.
    Base64(#[serde(serialize_with = "encode", deserialize_with = "decode")] Vec<u8>),
    /// In the organisation's folder of the file storage, under this key.
    Key(String),
}

fn encode<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&BASE64.encode(bytes))
}

fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    BASE64.decode(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

/// A message to be queued.
#[derive(Clone, Debug)]
pub struct NewMessage {
    /// What is being said to whom, for example `run_sheet:17:2025-03-01:ana@example.com`; said once only.
    pub intent: String,
    /// The way it takes.
    pub channel: Channel,
    /// Addresses or numbers. Recipients who should not see each other, or fail on their own, get a message each.
    pub recipients: Vec<String>,
    /// Subject of a mail.
    pub subject: Option<String>,
    /// Plain text.
    pub body_text: String,
    /// The same as HTML, for mails; see [`crate::Letter`].
    pub body_html: Option<String>,
    /// Files, for mails.
    pub attachments: Vec<Attachment>,
    /// What it is about.
    pub about: About,
}

/// The answer to queueing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queued {
    /// The row in `messages`.
    pub id: i64,
    /// False when the same intent had been queued before; then nothing was changed.
    pub is_new: bool,
}

/// Writes a message into the outbox of the connection's schema, inside the caller's transaction.
///
/// # Errors
/// 400 when there is no recipient or one is not valid.
pub async fn queue_message(conn: &mut PgConnection, message: &NewMessage) -> Result<Queued> {
    let recipients = checked_recipients(message)?;
    let inserted: Option<i64> = sqlx::query_scalar(
        "insert into messages (intent, channel, recipients, subject, body_text, body_html, attachments)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (intent) do nothing
         returning id",
    )
    .bind(&message.intent)
    .bind(message.channel)
    .bind(&recipients)
    .bind(&message.subject)
    .bind(&message.body_text)
    .bind(&message.body_html)
    .bind(Json(&message.attachments))
    .fetch_optional(&mut *conn)
    .await?;
    let Some(id) = inserted else {
        let id = sqlx::query_scalar("select id from messages where intent = $1")
            .bind(&message.intent)
            .fetch_one(conn)
            .await?;
        return Ok(Queued { id, is_new: false });
    };
    let about = match message.about {
        About::Nothing => None,
        About::Run(run) => Some(("update messages set run_id = $2 where id = $1", run)),
        About::Job(job) => Some(("update messages set job_id = $2 where id = $1", job)),
        About::Organisation(organisation) => {
            Some(("update messages set organisation_id = $2 where id = $1", organisation))
        }
    };
    if let Some((statement, subject)) = about {
        sqlx::query(statement).bind(id).bind(subject).execute(conn).await?;
    }
    Ok(Queued { id, is_new: true })
}

fn checked_recipients(message: &NewMessage) -> Result<Vec<String>> {
    if message.recipients.is_empty() {
        return Err(Error::field("recipients", "There is no recipient"));
    }
    // Gateways take one number at a time, and a second attempt must not repeat the first half.
    if message.channel == Channel::Sms && message.recipients.len() > 1 {
        return Err(Error::field("recipients", "A text message has one recipient"));
    }
    let is_valid = |recipient: &str| match message.channel {
        Channel::Email => recipient.parse::<Address>().is_ok(),
        Channel::Sms => is_phone(recipient),
    };
    let mut seen = HashSet::new();
    let mut checked = Vec::new();
    for recipient in &message.recipients {
        let recipient = recipient.trim();
        if !is_valid(recipient) {
            let reason = if message.channel == Channel::Email { EMAIL } else { PHONE };
            return Err(Error::field("recipients", reason));
        }
        if seen.insert(recipient.to_lowercase()) {
            checked.push(recipient.to_owned());
        }
    }
    Ok(checked)
}

/// A message that this worker is about to send.
#[derive(Clone, Debug)]
pub struct Message {
    /// The row in `messages`.
    pub id: i64,
    /// What is being said to whom.
    pub intent: String,
    /// The way it takes.
    pub channel: Channel,
    /// Addresses or numbers.
    pub recipients: Vec<String>,
    /// Subject of a mail.
    pub subject: String,
    /// Plain text.
    pub body_text: String,
    /// The same as HTML.
    pub body_html: Option<String>,
    /// Files.
    pub attachments: Vec<Attachment>,
    /// Which attempt this is, from 1.
    pub attempt: i32,
    /// Identity of the mail: every attempt has the same, no other message of any organisation does.
    pub mail_id: String,
}

#[derive(FromRow)]
struct Row {
    schema: String,
    id: i64,
    intent: String,
    channel: Channel,
    recipients: Vec<String>,
    subject: Option<String>,
    body_text: String,
    body_html: Option<String>,
    attachments: Json<Vec<Attachment>>,
    attempts: i32,
    created: DateTime<Utc>,
}

/// What is said of a message whose worker was lost.
const UNKNOWN: &str = "The service stopped while this was handed over: it may have been sent. \
                       Sent again, it may arrive twice.";

/// Notes which messages nobody knows about any more: their worker was lost ten minutes ago, while it handed them over. They
/// are not sent again by themselves; a person decides.
async fn note_unknown(conn: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "update messages set state = 'unknown', error = $1
         where state = 'sending' and modified <= now() - interval '10 minutes'",
    )
    .bind(UNKNOWN)
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes the oldest message that is due, so that no other worker takes it: a new one, or one whose pause after a failed
/// attempt is over (30 seconds, doubled each time, at most an hour). To be committed before sending: should the process be
/// lost then, it is known that the hand-over had begun.
///
/// # Errors
/// When the database fails.
pub async fn claim_message(conn: &mut PgConnection) -> Result<Option<Message>> {
    note_unknown(conn).await?;
    let row: Option<Row> = sqlx::query_as(
        "update messages
         set state = 'sending', attempts = attempts + 1
         where id = (
             select id
             from messages
             where (state = 'pending' and attempts = 0)
                or (state = 'pending'
                    and modified <= now() - make_interval(secs => least(3600, 30 * power(2, attempts - 1))))
             order by id
             limit 1
             for update skip locked
         )
         returning current_schema()::text as schema, id, intent, channel, recipients, subject, body_text, body_html,
             attachments, attempts, created",
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Message::from))
}

/// Whether [`claim_message`] would find a message, or one that nobody knows about any more.
///
/// # Errors
/// When the database fails.
pub async fn has_due_message(conn: &mut PgConnection) -> Result<bool> {
    Ok(sqlx::query_scalar(
        "select exists (
             select from messages
             where (state = 'pending' and attempts = 0)
                or (state = 'pending'
                    and modified <= now() - make_interval(secs => least(3600, 30 * power(2, attempts - 1))))
                or (state = 'sending' and modified <= now() - interval '10 minutes')
         )",
    )
    .fetch_one(conn)
    .await?)
}

impl From<Row> for Message {
    fn from(row: Row) -> Self {
        let identity =
            format!("{}\n{}\n{}\n{}", row.schema, row.id, row.created.timestamp_micros(), row.intent);
        let digest = Sha256::digest(identity.as_bytes());
        Self {
            id: row.id,
            intent: row.intent,
            channel: row.channel,
            recipients: row.recipients,
            subject: row.subject.unwrap_or_default(),
            body_text: row.body_text,
            body_html: row.body_html,
            attachments: row.attachments.0,
            attempt: row.attempts,
            mail_id: digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

/// Keeps all messages that wait as not sent, because their organisation is a rehearsal. Answers how many.
///
/// # Errors
/// When the database fails.
pub async fn keep_unsent(conn: &mut PgConnection) -> Result<u64> {
    let kept = sqlx::query(
        "update messages set state = 'rehearsal', error = null where state in ('pending', 'sending')",
    )
    .execute(conn)
    .await?;
    Ok(kept.rows_affected())
}

/// Notes that the mail server or gateway has accepted a claimed message.
///
/// # Errors
/// When the database fails.
pub async fn mark_sent(conn: &mut PgConnection, message: &Message, message_id: Option<&str>) -> Result<()> {
    sqlx::query(
        "update messages
         set state = 'sent', sent_at = now(), message_id = $3, error = null
         where id = $1 and attempts = $2 and state in ('sending', 'unknown')",
    )
    .bind(message.id)
    .bind(message.attempt)
    .bind(message_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes why a claimed message was not accepted: it waits for its next attempt, or is given up after a permanent error
/// or the tenth attempt.
///
/// # Errors
/// When the database fails.
pub async fn mark_failed(conn: &mut PgConnection, message: &Message, error: &SendError) -> Result<()> {
    let is_over = matches!(error, SendError::Permanent(_)) || message.attempt >= MAX_ATTEMPTS;
    sqlx::query(
        "update messages
         set state = $3, error = $4
         where id = $1 and attempts = $2 and state in ('sending', 'unknown')",
    )
    .bind(message.id)
    .bind(message.attempt)
    .bind(if is_over { "failed" } else { "pending" })
    .bind(error.to_string())
    .execute(conn)
    .await?;
    Ok(())
}
