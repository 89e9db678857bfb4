use std::time::Duration;

use http::StatusCode;
use routewright_outbound::{Outbound, WayOut};
use serde::{Deserialize, Serialize};

use crate::SendError;

/// How an organisation sends text messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SmsProvider {
    /// POST of a form with `account`, `key`, `sender`, `to`, `text` to `base_url`.
    Http,
    /// Stays in the outbox; for development and trials.
    Outbox,
}

/// An organisation's account at its SMS gateway.
#[derive(Clone, Deserialize)]
pub struct SmsAccount {
    /// The way of sending.
    pub provider: SmsProvider,
    /// Account name.
    pub account: String,
    /// The gateway's key for the account.
    pub api_key: String,
    /// Number or name that recipients see.
    pub sender: String,
    /// Where to send, for `http`.
    pub base_url: String,
}

impl std::fmt::Debug for SmsAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmsAccount")
            .field("provider", &self.provider)
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

#[derive(Serialize)]
struct Form<'a> {
    account: &'a str,
    key: &'a str,
    sender: &'a str,
    to: &'a str,
    text: &'a str,
}

/// Sends text messages through whatever gateway the organisation has.
#[derive(Clone, Debug)]
pub struct SmsGateway {
    outbound: Outbound,
}

impl SmsGateway {
    /// `allow_private`: see [`Outbound::new`].
    ///
    /// # Errors
    /// When the system's certificates cannot be loaded.
    pub fn new(allow_private: bool) -> Result<Self, routewright_outbound::SetupError> {
        Ok(Self { outbound: Outbound::new(allow_private, Duration::from_secs(15))? })
    }

    /// Whether an account may be saved with this address.
    ///
    /// # Errors
    /// With a text for the person who typed it.
    pub fn check_base_url(&self, base_url: &str) -> Result<(), String> {
        self.outbound.check(base_url).map(drop)
    }

    /// Sends `text` to the number `to`; answers the gateway's identifier when it gives one.
    ///
    /// # Errors
    /// When the gateway cannot be reached or does not accept the message.
    pub async fn send(
        &self,
        way: &WayOut,
        account: &SmsAccount,
        to: &str,
        text: &str,
    ) -> Result<Option<String>, SendError> {
        if account.provider == SmsProvider::Outbox {
            return Ok(None);
        }
        let SmsAccount { account, api_key: key, sender, base_url, .. } = account;
        let request = self.outbound.post(base_url).map_err(SendError::Permanent)?;
        let form = Form { account, key, sender, to, text };
        let answer = self.outbound.send(way, request.form(&form)).await.map_err(|error| {
            // The address of the gateway may carry credentials of its own.
            SendError::Temporary(format!("SMS gateway not reached: {error}"))
        })?;
        let status = answer.status;
        let body = String::from_utf8_lossy(&answer.body);
        if status.is_success() {
            return Ok(identifier(&body));
        }
        let excerpt: String = body.chars().filter(|c| !c.is_control()).take(200).collect();
        let reason = format!("SMS gateway answered {status}: {excerpt}");
        let is_temporary = status.is_server_error()
            || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        Err(if is_temporary { SendError::Temporary(reason) } else { SendError::Permanent(reason) })
    }
}

/// Gateways that answer JSON name the message `id`, `message_id`, `messageId` or `sid`.
fn identifier(body: &str) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_str(body).ok()?;
    let id = ["id", "message_id", "messageId", "sid"].iter().find_map(|key| answer.get(key))?;
    match id {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
