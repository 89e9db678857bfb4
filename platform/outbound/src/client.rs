use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode};
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, IntoUrl, Request, RequestBuilder, Response};
use routewright_core::transaction;
use serde::de::DeserializeOwned;

/// How long another server is listened to.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From the beginning of the call to the last byte of its answer.
    pub time: Duration,
    /// For reaching the server.
    pub connect: Duration,
    /// Largest answer, unpacked.
    pub bytes: usize,
    /// Redirects that are followed.
    pub redirects: usize,
}

impl Default for Limits {
    /// 10 seconds, 5 of them for reaching the server; 512 KiB; no redirects.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(10),
            connect: Duration::from_secs(5),
            bytes: 512 * 1024,
            redirects: 0,
        }
    }
}

/// An answer that has arrived as a whole.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Content.
    pub body: Bytes,
}

impl Answer {
    /// The content of a success, read as JSON.
    ///
    /// # Errors
    /// When the status is no success or the content is something else.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Unanswered> {
        if !self.status.is_success() {
            return Err(Unanswered::Status(self.status));
        }
        serde_json::from_slice(&self.body).map_err(Unanswered::Unreadable)
    }
}

/// Why a call has no answer. No text names the address: it may hold keys, or where customers live.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// The time was over before the answer was there.
    #[error("no answer in time")]
    Late,
    /// No connection was made.
    #[error("not reachable: {0}")]
    Unreachable(String),
    /// More bytes than the limit.
    #[error("the answer is larger than {} KiB", .0 / 1024)]
    TooLarge(usize),
    /// More redirects than the limit.
    #[error("redirected too often")]
    Redirects,
    /// The connection ended early, or the server does not speak HTTP.
    #[error("{0}")]
    Broken(String),
    /// The server refused.
    #[error("answered {0}")]
    Status(StatusCode),
    /// The answer is not what was expected.
    #[error("unreadable answer: {0}")]
    Unreadable(serde_json::Error),
}

impl From<reqwest::Error> for Unanswered {
    fn from(error: reqwest::Error) -> Self {
        let error = error.without_url();
        if error.is_timeout() {
            return Self::Late;
        }
        if error.is_redirect() {
            return Self::Redirects;
        }
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(next) = cause {
            text = format!("{text}: {next}");
            cause = next.source();
        }
        if error.is_connect() { Self::Unreachable(text) } else { Self::Broken(text) }
    }
}

/// Calls servers that the operator configured. Cheap to clone; clones share the connections.
#[derive(Debug, Clone)]
pub struct Client {
    client: reqwest::Client,
    limits: Limits,
}

impl Client {
    /// A client with these limits, which says that it is Routewright.
    ///
    /// # Errors
    /// When the system's certificates cannot be loaded.
    pub fn new(limits: Limits) -> Result<Self, reqwest::Error> {
        Self::build(limits, reqwest::Client::builder())
    }

    pub(crate) fn build(limits: Limits, builder: ClientBuilder) -> Result<Self, reqwest::Error> {
        let redirects = match limits.redirects {
            0 => Policy::none(),
            most => Policy::limited(most),
        };
        let client = builder
            .user_agent(concat!("Routewright/", env!("CARGO_PKG_VERSION")))
            .timeout(limits.time)
            .connect_timeout(limits.connect.min(limits.time))
            .redirect(redirects)
            .build()?;
        Ok(Self { client, limits })
    }

    /// Prepares a GET request for [`Self::send`].
    pub fn get(&self, url: impl IntoUrl) -> RequestBuilder {
        self.client.get(url)
    }

    /// Prepares a POST request for [`Self::send`].
    pub fn post(&self, url: impl IntoUrl) -> RequestBuilder {
        self.client.post(url)
    }

    /// Prepares a request of any method for [`Self::send`].
    pub fn request(&self, method: http::Method, url: impl IntoUrl) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// Sends a request and reads its whole answer.
    ///
    /// # Errors
    /// When the server cannot be reached or its answer passes a limit.
    pub async fn send(&self, request: RequestBuilder) -> Result<Answer, Unanswered> {
        self.execute(request.build()?).await
    }

    /// The same for a finished request.
    ///
    /// # Errors
    /// When the server cannot be reached or its answer passes a limit.
    pub async fn execute(&self, request: Request) -> Result<Answer, Unanswered> {
        self.may_wait();
        self.read(self.client.execute(request).await?).await
    }

    fn may_wait(&self) {
        if self.limits.time > transaction::BRIEF {
            transaction::slow("another server");
        }
    }

    async fn read(&self, mut response: Response) -> Result<Answer, Unanswered> {
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let mut body = BytesMut::new();
        while let Some(piece) = response.chunk().await? {
            if body.len() + piece.len() > self.limits.bytes {
                return Err(Unanswered::TooLarge(self.limits.bytes));
            }
            body.extend_from_slice(&piece);
        }
        Ok(Answer { status, headers, body: body.freeze() })
    }

    /// Sends a request of which the status says everything, and reads the beginning of the answer only. A server that has
    /// said yes and then goes on for ever has said yes.
    ///
    /// # Errors
    /// When the server cannot be reached or does not say its status in time.
    pub(crate) async fn send_for_status(&self, request: RequestBuilder) -> Result<Answer, Unanswered> {
        self.may_wait();
        let mut response = self.client.execute(request.build()?).await?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let mut body = BytesMut::new();
        while body.len() < self.limits.bytes {
            let Ok(Some(piece)) = response.chunk().await else { break };
            body.extend_from_slice(&piece);
        }
        body.truncate(self.limits.bytes);
        Ok(Answer { status, headers, body: body.freeze() })
    }
}
