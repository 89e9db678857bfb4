use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

use lettre::message::header::ContentType;
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::PoolConfig;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use routewright_core::config::{ConfigError, Source};
use routewright_core::transaction;

use crate::SendError;

/// How the connection to the mail server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpSecurity {
    /// Starts in the open and must switch to TLS (usually port 587).
    StartTls,
    /// TLS from the first byte (usually port 465).
    Tls,
    /// Not at all; only to a mail server on the same machine.
    None,
}

impl FromStr for SmtpSecurity {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "starttls" => Ok(Self::StartTls),
            "tls" => Ok(Self::Tls),
            "none" => Ok(Self::None),
            _ => Err(()),
        }
    }
}

/// The deployment's mail server.
#[derive(Clone)]
pub struct SmtpConfig {
    /// `SMTP_HOST`: name of the server; its certificate must be for this name.
    pub host: String,
    /// `SMTP_PORT`: default 587, 465 with `tls`, 25 with `none`.
    pub port: u16,
    /// `SMTP_SECURITY`: `starttls` (default), `tls` or `none`.
    pub security: SmtpSecurity,
    /// `SMTP_USERNAME` and `SMTP_PASSWORD`, when the server wants them.
    pub credentials: Option<(String, String)>,
    /// `SMTP_FROM`: sender, for example `Routewright <no-reply@example.com>`.
    pub from: String,
    /// `SMTP_CA_FILE`: a certificate authority (PEM) to trust besides the system's.
    pub authority: Option<Vec<u8>>,
    /// `SMTP_TIMEOUT`: seconds for each step of the conversation, default 20.
    pub timeout: Duration,
}

impl fmt::Debug for SmtpConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpConfig")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("security", &self.security)
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

impl SmtpConfig {
    /// Reads the mail server; `None` when `SMTP_HOST` is not set.
    ///
    /// # Errors
    /// When a variable is wrong or `SMTP_FROM` is missing.
    pub fn from_source(source: &impl Source) -> Result<Option<Self>, ConfigError> {
        let Some(host) = source.text("SMTP_HOST") else { return Ok(None) };
        let security = source.parsed("SMTP_SECURITY", SmtpSecurity::StartTls)?;
        let usual_port = match security {
            SmtpSecurity::StartTls => 587,
            SmtpSecurity::Tls => 465,
            SmtpSecurity::None => 25,
        };
        let authority = source.text("SMTP_CA_FILE").map(std::fs::read).transpose();
        Ok(Some(Self {
            host,
            port: source.parsed("SMTP_PORT", usual_port)?,
            security,
            credentials: source.text("SMTP_USERNAME").zip(source.text("SMTP_PASSWORD")),
            from: source.required("SMTP_FROM")?,
            authority: authority.map_err(|error| fault("SMTP_CA_FILE", &error))?,
            timeout: Duration::from_secs(source.parsed("SMTP_TIMEOUT", 20)?),
        }))
    }
}

fn fault(variable: &str, reason: &dyn fmt::Display) -> ConfigError {
    ConfigError { variable: variable.to_owned(), reason: reason.to_string() }
}

/// How an organisation appears as the sender of a mail.
#[derive(Clone, Debug, Default)]
pub struct Sender {
    /// Name before the deployment's sender address.
    pub name: Option<String>,
    /// Where answers go.
    pub reply_to: Option<String>,
}

/// A file of a mail.
#[derive(Clone, Debug)]
pub struct MailAttachment {
    /// File name as the recipient sees it.
    pub name: String,
    /// Media type.
    pub content_type: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// One mail.
#[derive(Clone, Debug)]
pub struct Mail {
    /// Left part of the Message-ID; the same mail sent again carries the same.
    pub id: String,
    /// The sender's appearance.
    pub sender: Sender,
    /// Addresses, all of which see each other.
    pub to: Vec<String>,
    /// Subject line.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// The same as HTML.
    pub html: Option<String>,
    /// Files.
    pub attachments: Vec<MailAttachment>,
}

/// The way to the mail server. Cheap to clone; clones share the connections.
#[derive(Clone, Debug)]
pub struct Mailer(Way);

#[derive(Clone, Debug)]
enum Way {
    Smtp { transport: AsyncSmtpTransport<Tokio1Executor>, from: Mailbox },
    Outbox,
}

impl Mailer {
    /// Sends through a mail server; does not connect yet.
    ///
    /// # Errors
    /// When the sender is no address, the certificate cannot be read, or mail would leave the machine unprotected.
    pub fn smtp(config: &SmtpConfig) -> Result<Self, ConfigError> {
        let from: Mailbox = config.from.parse().map_err(|error| fault("SMTP_FROM", &error))?;
        let tls = match config.security {
            SmtpSecurity::StartTls => Tls::Required(tls_parameters(config)?),
            SmtpSecurity::Tls => Tls::Wrapper(tls_parameters(config)?),
            SmtpSecurity::None if is_loopback(&config.host) => Tls::None,
            SmtpSecurity::None => {
                let reason = "`none` is only possible with a mail server on the same machine";
                return Err(fault("SMTP_SECURITY", &reason));
            }
        };
        let pool = PoolConfig::new().max_size(8).idle_timeout(Duration::from_secs(60));
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&config.host)
            .port(config.port)
            .tls(tls)
            .timeout(Some(config.timeout))
            .pool_config(pool);
        if let Some((name, password)) = &config.credentials {
            transport = transport.credentials(Credentials::new(name.clone(), password.clone()));
        }
        Ok(Self(Way::Smtp { transport: transport.build(), from }))
    }

    /// Mails stay in the outbox, where they can be read: the one-machine mode without a mail server.
    #[must_use]
    pub fn outbox() -> Self {
        Self(Way::Outbox)
    }

    /// Sends one mail; answers its Message-ID once the mail server has accepted it.
    ///
    /// # Errors
    /// When the mail server cannot be reached or does not accept it.
    pub async fn send(&self, mail: &Mail) -> Result<Option<String>, SendError> {
        let Way::Smtp { transport, from } = &self.0 else { return Ok(None) };
        let message_id = format!("<{}@{}>", mail.id, from.email.domain());
        let message = compose(mail, from, &message_id)?;
        transaction::slow("the mail server");
        match transport.send(message).await {
            Ok(_) => Ok(Some(message_id)),
            Err(error) if error.is_permanent() => Err(SendError::Permanent(error.to_string())),
            Err(error) => Err(SendError::Temporary(error.to_string())),
        }
    }
}

fn tls_parameters(config: &SmtpConfig) -> Result<TlsParameters, ConfigError> {
    let mut builder = TlsParameters::builder(config.host.clone());
    if let Some(pem) = &config.authority {
        let authority = Certificate::from_pem(pem).map_err(|error| fault("SMTP_CA_FILE", &error))?;
        builder = builder.add_root_certificate(authority);
    }
    builder.build().map_err(|error| fault("SMTP_HOST", &error))
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn compose(mail: &Mail, from: &Mailbox, message_id: &str) -> Result<Message, SendError> {
    let bad = |error: &dyn fmt::Display| SendError::Permanent(error.to_string());
    let name = mail.sender.name.as_deref().map(one_line).or_else(|| from.name.clone());
    let mut builder = Message::builder()
        .message_id(Some(message_id.to_owned()))
        .from(Mailbox::new(name, from.email.clone()))
        .subject(one_line(&mail.subject));
    if let Some(reply_to) = &mail.sender.reply_to {
        builder = builder.reply_to(Mailbox::new(None, address(reply_to)?));
    }
    for to in &mail.to {
        builder = builder.to(Mailbox::new(None, address(to)?));
    }
    let body = match &mail.html {
        Some(html) => MultiPart::alternative_plain_html(mail.text.clone(), html.clone()),
        None => MultiPart::mixed().singlepart(SinglePart::plain(mail.text.clone())),
    };
    let message = if mail.attachments.is_empty() {
        builder.multipart(body)
    } else {
        let mut parts = MultiPart::mixed().multipart(body);
        for file in &mail.attachments {
            let content_type = ContentType::parse(&file.content_type).map_err(|error| bad(&error))?;
            let name = one_line(&file.name).replace(['/', '\\', '"'], "_");
            parts = parts.singlepart(Attachment::new(name).body(file.bytes.clone(), content_type));
        }
        builder.multipart(parts)
    };
    message.map_err(|error| bad(&error))
}

fn address(text: &str) -> Result<Address, SendError> {
    let address = text.trim().parse::<Address>();
    address.map_err(|error| SendError::Permanent(format!("{}: {error}", one_line(text))))
}

/// A line break in a header would start the next header.
fn one_line(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
