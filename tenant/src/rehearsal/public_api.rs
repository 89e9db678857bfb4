//! The public API as any program calls it.

use http::{Method, header};
use routewright_core::{Error, Result};
use routewright_outbound::{Client, Limits, Unanswered};
use serde_json::{Value, json};
use std::time::Duration;

/// Planning a day may take that long.
const PATIENCE: Duration = Duration::from_secs(90);
/// Largest answer.
const LARGEST: usize = 20 * 1024 * 1024;

/// The API at an address.
#[derive(Debug, Clone)]
pub(super) struct PublicApi {
    base: String,
    client: Client,
}

/// What the API answered that was no success.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    /// It will be refused the next time as well.
    #[error("{0}")]
    ForGood(String),
    /// The token is no good any more.
    #[error("the token is no good any more")]
    Token,
    /// It may go well the next time.
    #[error("{0}")]
    ForNow(String),
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Self::internal(refused)
    }
}

impl From<Unanswered> for Refused {
    fn from(error: Unanswered) -> Self {
        Self::ForNow(error.to_string())
    }
}

impl PublicApi {
    /// At this base.
    ///
    /// # Errors
    /// When the system's certificates cannot be loaded.
    pub(super) fn new(base: &str) -> Result<Self> {
        let limits = Limits { time: PATIENCE, bytes: LARGEST, ..Limits::default() };
        let client = Client::new(limits).map_err(Error::internal)?;
        Ok(Self { base: base.trim_end_matches('/').to_owned(), client })
    }

    pub(super) async fn get(&self, token: &str, path: &str) -> Result<Value, Refused> {
        self.call(Method::GET, token, path, None).await
    }

    pub(super) async fn post(&self, token: &str, path: &str, body: &Value) -> Result<Value, Refused> {
        self.call(Method::POST, token, path, Some(body)).await
    }

    pub(super) async fn put(&self, token: &str, path: &str, body: &Value) -> Result<Value, Refused> {
        self.call(Method::PUT, token, path, Some(body)).await
    }

    pub(super) async fn patch(&self, token: &str, path: &str, body: &Value) -> Result<Value, Refused> {
        self.call(Method::PATCH, token, path, Some(body)).await
    }

    /// The run sheet token behind a dispatched link.
    pub(super) async fn sheet_token(&self, link: &str) -> Result<String, Refused> {
        let answer = self.post("", "/auth/runsheet_token", &json!({ "token_uid": link })).await?;
        let token = answer["runsheet_token"].as_str();
        token.map(str::to_owned).ok_or_else(|| Refused::ForNow("no run sheet token".to_owned()))
    }

    /// Uploads a picture from a run sheet; answers its id.
    pub(super) async fn upload(
        &self,
        token: &str,
        (name, media): (&str, &str),
        bytes: &[u8],
    ) -> Result<i64, Refused> {
        let boundary = routewright_core::token::random(24);
        let mut body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: {media}\r\n\r\n"
        )
        .into_bytes();
        body.extend(bytes);
        body.extend(format!("\r\n--{boundary}--\r\n").bytes());
        let request = self
            .client
            .post(format!("{}/v2/runsheet/upload/file", self.base))
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}"))
            .body(body);
        let answer = read(&self.client.send(request).await?)?;
        answer["id"].as_i64().ok_or_else(|| Refused::ForNow("an upload without an id".to_owned()))
    }

    async fn call(
        &self,
        method: Method,
        token: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, Refused> {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if !token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(body) = body {
            request = request.header(header::CONTENT_TYPE, "application/json").body(body.to_string());
        }
        read(&self.client.send(request).await?)
    }
}

fn read(answer: &routewright_outbound::Answer) -> Result<Value, Refused> {
    let text = || format!("{}: {}", answer.status, String::from_utf8_lossy(&answer.body));
    match answer.status.as_u16() {
        200..300 => Ok(serde_json::from_slice(&answer.body).unwrap_or(Value::Null)),
        401 => Err(Refused::Token),
        // Come again later.
        408 | 425 | 429 => Err(Refused::ForNow(text())),
        400..500 => Err(Refused::ForGood(text())),
        _ => Err(Refused::ForNow(text())),
    }
}
