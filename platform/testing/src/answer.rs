//! What a service answered.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::Value;

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// Status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Bytes of the body.
    pub bytes: Bytes,
    /// The body as JSON; null when it is none.
    pub json: Value,
    /// Method and address of the call.
    pub(crate) call: String,
    /// What the log says about a fault.
    pub(crate) causes: Option<String>,
}

impl Answer {
    /// The JSON of a success.
    ///
    /// # Panics
    /// When the call was refused; the message names the call and the answer.
    #[track_caller]
    #[must_use]
    pub fn ok(self) -> Value {
        let causes = self.causes.as_deref().unwrap_or_default();
        assert!(self.status.is_success(), "{} answered {}: {} {causes}", self.call, self.status, self.text());
        self.json
    }

    /// The description of a refusal with this status.
    ///
    /// # Panics
    /// When the status is another one.
    #[track_caller]
    pub fn refused(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{} answered {}", self.call, self.text());
        assert!(
            self.json["title"].as_str().is_some_and(|title| title.starts_with(&status.to_string())),
            "{}: not the error shape: {}",
            self.call,
            self.text()
        );
        self.json
    }

    /// What the log says about a fault.
    #[must_use]
    pub fn causes(&self) -> Option<&str> {
        self.causes.as_deref()
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
