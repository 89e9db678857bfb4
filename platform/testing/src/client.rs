//! Calls a router in process, as a browser would over the wire.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use http::{Method, Request, header};
use http_body_util::BodyExt;
use routewright_core::http::respond::Logged;
use serde_json::Value;
use tower::ServiceExt;

use crate::answer::Answer;
use crate::contract::{Contract, Exchange};

/// A caller of a service.
#[derive(Clone)]
pub struct Client {
    router: Router,
    token: Option<String>,
    contract: Option<Arc<Contract>>,
    plan_version: Option<i64>,
}

impl Client {
    /// Calls with a token, or as nobody.
    #[must_use]
    pub fn new(router: Router, token: Option<String>) -> Self {
        Self { router, token, contract: None, plan_version: None }
    }

    /// The same, and every answer must be as the API document says.
    #[must_use]
    pub fn checked_by(self, contract: Arc<Contract>) -> Self {
        Self { contract: Some(contract), ..self }
    }

    /// The same, and its answers are not held against the API document.
    #[must_use]
    pub fn unchecked(&self) -> Self {
        Self { contract: None, ..self.clone() }
    }

    /// The same service with another token.
    #[must_use]
    pub fn with_token(&self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self.clone() }
    }

    /// The same, with a plan of this version before it.
    #[must_use]
    pub fn on_plan(&self, version: i64) -> Self {
        Self { plan_version: Some(version), ..self.clone() }
    }

    /// The same caller at another replica.
    #[must_use]
    pub fn elsewhere(&self, router: Router) -> Self {
        Self { router, ..self.clone() }
    }

    /// The same service without a token.
    #[must_use]
    pub fn nobody(&self) -> Self {
        Self { token: None, ..self.clone() }
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path, None).await
    }

    /// `POST` with JSON.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call(Method::POST, path, Some(body)).await
    }

    /// `PUT` with JSON.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.call(Method::PUT, path, Some(body)).await
    }

    /// `PATCH` with JSON.
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.call(Method::PATCH, path, Some(body)).await
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Answer {
        self.call(Method::DELETE, path, None).await
    }

    /// Any method, with or without JSON.
    pub async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let marked = method == Method::POST;
        let mut request = Request::builder().method(method).uri(path);
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        // Every submit is marked, as the apps mark theirs: what a handler waits for meanwhile, it waits for with the mark.
        if marked {
            request = request.header("idempotency-key", routewright_core::token::random(20));
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.send(request.body(body).expect("a request")).await
    }

    /// One file as `multipart/form-data`, with further text fields.
    pub async fn upload(
        &self,
        path: &str,
        name: &str,
        content_type: &str,
        bytes: &[u8],
        fields: &[(&str, &str)],
    ) -> Answer {
        const BOUNDARY: &str = "----routewright-test-boundary";
        let mut body = Vec::new();
        for (field, value) in fields {
            body.extend(
                format!(
                    "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n"
                )
                .bytes(),
            );
        }
        body.extend(
            format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: {content_type}\r\n\r\n"
            )
            .bytes(),
        );
        body.extend(bytes);
        body.extend(format!("\r\n--{BOUNDARY}--\r\n").bytes());
        let request = Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"))
            .body(Body::from(body));
        self.send(request.expect("a request")).await
    }

    /// Sends a request as it is, with this client's token unless it has its own.
    pub async fn send(&self, mut request: Request<Body>) -> Answer {
        if let Some(token) = &self.token
            && !request.headers().contains_key(header::AUTHORIZATION)
        {
            request
                .headers_mut()
                .insert(header::AUTHORIZATION, format!("Bearer {token}").parse().expect("a header"));
        }
        if let Some(version) = self.plan_version {
            request.headers_mut().insert("plan-version", version.into());
        }
        let (method, uri) = (request.method().clone(), request.uri().to_string());
        let partial = request.headers().contains_key("lookup-fields");
        let call = format!("{method} {uri}");
        let response = self.router.clone().oneshot(request).await.expect("the router answers");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a whole body").to_bytes();
        if let Some(contract) = &self.contract {
            let exchange = Exchange {
                method: &method,
                path: &uri,
                partial,
                status: parts.status,
                headers: &parts.headers,
                bytes: &bytes,
            };
            if let Err(fault) = contract.check(&exchange) {
                panic!("{call}: {fault}");
            }
        }
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let causes = parts.extensions.get::<Logged>().and_then(|logged| logged.causes.clone());
        Answer { status: parts.status, headers: parts.headers, bytes, json, call, causes }
    }
}
