//! Mails and text messages to people outside.
//!
//! A message is a row of the outbox (`messages`), written in the transaction that causes it: it is never sent for
//! something that did not happen, and never lost for something that did. A worker claims rows and sends them:
//!
//! ```text
//! queue_message ── pending ──► claim_message ── sending ──► PostOffice::send ──► mark_sent | mark_failed
//!                     ▲                            │ worker lost: unknown                        │
//!                     └── try again later, at most ten times ◄───────────────────────────────────┘
//! ```
//!
//! A worker that is lost between claiming and noting leaves a message of which nobody knows whether it was sent. After ten
//! minutes it is `unknown` and stays so until a person sends it again; both mails then carry the same Message-ID, by which
//! mailboxes recognise the second as a copy.

mod letter;
mod mail;
mod outbox;
mod post_office;
mod sftp;
mod sms;

pub use letter::Letter;
pub use mail::{Mail, MailAttachment, Mailer, Sender, SmtpConfig, SmtpSecurity};
pub use outbox::{
    About, Attachment, Channel, Content, Message, NewMessage, Queued, claim_message, has_due_message,
    keep_unsent, mark_failed, mark_sent, queue_message,
};
pub use post_office::PostOffice;
pub use routewright_outbound::{Outbound, WayOut};
pub use sftp::{Sftp, SftpAccount};
pub use sms::{SmsAccount, SmsGateway, SmsProvider};

/// Why a message was not accepted by the mail server or SMS gateway.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// It may be accepted later: not reachable, busy, no answer in time.
    #[error("{0}")]
    Temporary(String),
    /// It will not be accepted however often it is sent: unknown recipient, wrong credentials, bad content.
    #[error("{0}")]
    Permanent(String),
}
