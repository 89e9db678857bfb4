//! Calls of all of them, and how their faults are told.

use std::pin::Pin;

use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use routewright_core::{Error, Result};
use routewright_outbound::{Client, Limits};
use serde::de::DeserializeOwned;
use url::Url;

/// HTTP to a configured service: follows no redirects, waits for nobody long, reads no endless answer.
#[derive(Clone)]
pub(super) struct Http(Client);

/// Why a service did not answer.
#[derive(Debug)]
pub(super) struct Unanswered(String);

impl std::fmt::Display for Unanswered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unanswered {}

impl From<routewright_outbound::Unanswered> for Unanswered {
    fn from(error: routewright_outbound::Unanswered) -> Self {
        Self(error.to_string())
    }
}

impl Http {
    pub(super) fn new() -> Result<Self> {
        Ok(Self(Client::new(Limits::default()).map_err(Error::internal)?))
    }

    /// Reads a JSON document.
    pub(super) async fn document<T: DeserializeOwned>(&self, url: Url) -> Result<T, Unanswered> {
        Ok(self.0.send(self.0.get(url)).await?.json()?)
    }

    /// Posts a form and reads the JSON answer.
    pub(super) async fn form<T: DeserializeOwned>(
        &self,
        url: Url,
        form: &[(&str, &str)],
    ) -> Result<T, Unanswered> {
        Ok(self.0.send(self.0.post(url).form(form)).await?.json()?)
    }

    /// Reads a JSON document that is shown to the holder of a token only.
    pub(super) async fn document_for<T: DeserializeOwned>(
        &self,
        url: Url,
        token: &str,
    ) -> Result<T, Unanswered> {
        Ok(self.0.send(self.0.get(url).bearer_auth(token)).await?.json()?)
    }
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = Unanswered;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Unanswered>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let read =
                self.0.execute(request.try_into().map_err(routewright_outbound::Unanswered::from)?).await?;
            let mut answer = HttpResponse::new(read.body.to_vec());
            *answer.status_mut() = read.status;
            *answer.headers_mut() = read.headers;
            Ok(answer)
        })
    }
}
