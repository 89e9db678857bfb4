//! The one error type. Kinds say what the caller can do about it; causes stay chained and go to the log once, in
//! [`crate::http::respond`]; database text never reaches a client.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

/// Result with the product's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, from the caller's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 400: the request is wrong.
    BadRequest,
    /// 401: not signed in, or a wrong token.
    Unauthorized,
    /// 403: access level or module missing.
    Forbidden,
    /// 404: absent, or of another organisation.
    NotFound,
    /// 408: the request did not arrive in time.
    RequestTimeout,
    /// 409: the state forbids it.
    Conflict,
    /// 413: too large.
    TooLarge,
    /// 415: wrong content type.
    UnsupportedMedia,
    /// 429: too often.
    TooManyRequests,
    /// 500: our fault.
    Internal,
    /// 502: a service that we depend on failed.
    BadGateway,
    /// 503: the organisation or a part of the system is not available now.
    Unavailable,
    /// 507: there is no room left to store anything.
    Full,
}

impl Kind {
    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> http::StatusCode {
        use http::StatusCode as S;
        match self {
            Self::BadRequest => S::BAD_REQUEST,
            Self::Unauthorized => S::UNAUTHORIZED,
            Self::Forbidden => S::FORBIDDEN,
            Self::NotFound => S::NOT_FOUND,
            Self::RequestTimeout => S::REQUEST_TIMEOUT,
            Self::Conflict => S::CONFLICT,
            Self::TooLarge => S::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMedia => S::UNSUPPORTED_MEDIA_TYPE,
            Self::TooManyRequests => S::TOO_MANY_REQUESTS,
            Self::Internal => S::INTERNAL_SERVER_ERROR,
            Self::BadGateway => S::BAD_GATEWAY,
            Self::Unavailable => S::SERVICE_UNAVAILABLE,
            Self::Full => S::INSUFFICIENT_STORAGE,
        }
    }
}

/// Text of a 401 for a missing, wrong or expired token; clients sign out on exactly this.
pub const BAD_TOKEN: &str = "Incorrect or expired token";
/// Text of a 403.
pub const DENIED: &str = "User is not authorized to perform this action";

/// An error on its way to the caller.
pub struct Error(Box<Inner>);

struct Inner {
    kind: Kind,
    description: Value,
    code: Option<&'static str>,
    fields: BTreeMap<String, String>,
    extra: serde_json::Map<String, Value>,
    retry_after: Option<u32>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error of a kind with the text that the caller reads.
    pub fn new(kind: Kind, description: impl Into<Value>) -> Self {
        Self(Box::new(Inner {
            kind,
            description: description.into(),
            code: None,
            fields: BTreeMap::new(),
            extra: serde_json::Map::new(),
            retry_after: None,
            source: None,
        }))
    }

    /// 400 with a text.
    pub fn bad_request(description: impl Into<Value>) -> Self {
        Self::new(Kind::BadRequest, description)
    }

    /// 400 that names one field.
    pub fn field(field: impl Into<String>, reason: impl Into<String>) -> Self {
        let mut problems = Problems::default();
        problems.add(field, reason);
        problems.into_error()
    }

    /// 400 about list filters.
    pub fn filters(reason: impl Into<String>) -> Self {
        Self::bad_request(json!({ "filters": reason.into() }))
    }

    /// 401 for a bad token.
    #[must_use]
    pub fn bad_token() -> Self {
        Self::new(Kind::Unauthorized, BAD_TOKEN)
    }

    /// 403.
    #[must_use]
    pub fn denied() -> Self {
        Self::new(Kind::Forbidden, DENIED)
    }

    /// 404 `{resource} not found`.
    pub fn not_found(resource: &str) -> Self {
        Self::new(Kind::NotFound, format!("{resource} not found"))
    }

    /// 409 with a text.
    pub fn conflict(description: impl Into<Value>) -> Self {
        Self::new(Kind::Conflict, description)
    }

    /// 500 with its cause, which only the log sees.
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let mut error = Self::new(Kind::Internal, "Internal server error");
        error.0.source = Some(source.into());
        error
    }

    /// Adds the cause for the log.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Adds the machine-readable `error` code.
    #[must_use]
    pub fn code(mut self, code: &'static str) -> Self {
        self.0.code = Some(code);
        self
    }

    /// Adds a further key to the body, as the import errors need.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.extra.insert(key.to_owned(), value.into());
        self
    }

    /// Adds a `Retry-After` in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The text that the caller reads.
    #[must_use]
    pub fn description(&self) -> String {
        match &self.0.description {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// The named fields and their reasons.
    #[must_use]
    pub fn named_fields(&self) -> &BTreeMap<String, String> {
        &self.0.fields
    }

    /// Seconds after which a retry makes sense.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<u32> {
        self.0.retry_after
    }

    /// The error body of the contract.
    #[must_use]
    pub fn body(&self) -> Value {
        let status = self.0.kind.status();
        let title = format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or("Error"));
        let mut body = json!({ "title": title, "description": self.0.description });
        if let Some(code) = self.0.code {
            body["error"] = code.into();
        }
        if !self.0.fields.is_empty() {
            body["fields"] = json!(self.0.fields);
        }
        for (key, value) in &self.0.extra {
            body[key] = value.clone();
        }
        body
    }

    /// The chain of causes, outermost first.
    #[must_use]
    pub fn causes(&self) -> Option<String> {
        let mut next: Option<&dyn std::error::Error> = match &self.0.source {
            Some(source) => Some(source.as_ref()),
            None => None,
        };
        let mut text = String::new();
        while let Some(cause) = next {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&cause.to_string());
            next = cause.source();
        }
        (!text.is_empty()).then_some(text)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.description())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.0.kind, self.description())?;
        if let Some(causes) = self.causes() {
            write!(f, " ({causes})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(error)
    }
}

/// Most fields that one answer names.
pub(crate) const MOST_NAMED: usize = 500;

/// Collects what is wrong with a body, so that a caller learns of all faults at once.
#[derive(Debug, Default)]
pub struct Problems(BTreeMap<String, String>);

impl Problems {
    /// Notes a reason for a field; the first reason of a field stays, and of very many fields only the first are named.
    pub fn add(&mut self, field: impl Into<String>, reason: impl Into<String>) {
        if self.0.len() >= MOST_NAMED {
            return;
        }
        self.0.entry(field.into()).or_insert_with(|| reason.into());
    }

    /// Notes `reason` unless `holds`.
    pub fn require(&mut self, holds: bool, field: &str, reason: &str) {
        if !holds {
            self.add(field, reason);
        }
    }

    /// Whether nothing was noted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The noted fields and reasons.
    #[must_use]
    pub fn into_fields(self) -> BTreeMap<String, String> {
        self.0
    }

    /// 400 that names them.
    pub(crate) fn into_error(self) -> Error {
        let text = self.0.values().next().cloned().unwrap_or_else(|| "Invalid value".to_owned());
        let mut error = Error::bad_request(text);
        error.0.fields = self.0;
        error
    }

    /// `Ok` when nothing was noted.
    ///
    /// # Errors
    /// 400 with the first reason as description and all of them in `fields`.
    pub fn finish(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(self.into_error()) }
    }
}
