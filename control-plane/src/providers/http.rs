//! The HTTP client for all of them: follows no redirects, waits for nobody long, reads no endless answer.

use std::pin::Pin;
use std::time::Duration;

use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use routewright_core::{Error, Result};
use serde::de::DeserializeOwned;
use url::Url;

const LARGEST_ANSWER: usize = 512 * 1024;

/// HTTP to a configured service.
#[derive(Clone)]
pub(super) struct Http(reqwest::Client);

/// Why a service did not answer.
#[derive(Debug)]
pub(super) struct Unanswered(String);

impl std::fmt::Display for Unanswered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unanswered {}

impl From<reqwest::Error> for Unanswered {
    fn from(error: reqwest::Error) -> Self {
        // Without the address, which may carry a code.
        let error = error.without_url();
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(next) = cause {
            text = format!("{text}: {next}");
            cause = next.source();
        }
        Self(text)
    }
}

impl Http {
    pub(super) fn new() -> Result<Self> {
        let client = reqwest::Client::builder()
            .user_agent("Routewright")
            .timeout(Duration::from_secs(10))
            .connect_timeout(Duration::from_secs(5))
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(Error::internal)?;
        Ok(Self(client))
    }

    /// Reads a JSON document.
    pub(super) async fn document<T: DeserializeOwned>(&self, url: Url) -> Result<T, Unanswered> {
        answer(self.0.get(url)).await
    }

    /// Posts a form and reads the JSON answer.
    pub(super) async fn form<T: DeserializeOwned>(
        &self,
        url: Url,
        form: &[(&str, &str)],
    ) -> Result<T, Unanswered> {
        answer(self.0.post(url).form(form)).await
    }

    /// Reads a JSON document that is shown to the holder of a token only.
    pub(super) async fn document_for<T: DeserializeOwned>(
        &self,
        url: Url,
        token: &str,
    ) -> Result<T, Unanswered> {
        answer(self.0.get(url).bearer_auth(token)).await
    }
}

async fn answer<T: DeserializeOwned>(request: reqwest::RequestBuilder) -> Result<T, Unanswered> {
    let response = request.send().await?;
    let status = response.status();
    let body = read(response).await?;
    if !status.is_success() {
        return Err(Unanswered(format!("answered {status}")));
    }
    serde_json::from_slice(&body).map_err(|error| Unanswered(error.to_string()))
}

async fn read(mut response: reqwest::Response) -> Result<Vec<u8>, Unanswered> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > LARGEST_ANSWER {
            return Err(Unanswered("the answer is too large".to_owned()));
        }
    }
    Ok(body)
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = Unanswered;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Unanswered>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let response = self.0.execute(reqwest::Request::try_from(request)?).await?;
            let mut answer = HttpResponse::new(Vec::new());
            *answer.status_mut() = response.status();
            *answer.headers_mut() = response.headers().clone();
            *answer.body_mut() = read(response).await?;
            Ok(answer)
        })
    }
}
