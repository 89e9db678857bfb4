//! A user of the running product, who calls it as any program does.

use anyhow::{Context as _, Result, bail};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Method, Request, header};
use serde_json::{Value, json};
use sqlx::PgPool;
use tower::ServiceExt as _;

use super::PASSWORD;

/// Largest answer that is read.
const LARGEST: usize = 10 * 1024 * 1024;

/// A signed-in user of the running product.
#[derive(Clone)]
pub(super) struct Caller {
    router: Router,
    token: String,
}

impl Caller {
    /// Signs in one of the demo's users.
    pub(super) async fn sign_in(router: &Router, email: &str) -> Result<Self> {
        let nobody = Self { router: router.clone(), token: String::new() };
        let answer = nobody.post("/users/login", json!({"email": email, "password": PASSWORD})).await?;
        let token = answer["token"].as_str().context("a sign-in answers with a token")?.to_owned();
        Ok(nobody.with(token))
    }

    /// The same, by another token: that of a run sheet.
    pub(super) fn with(&self, token: String) -> Self {
        Self { router: self.router.clone(), token }
    }

    /// The organisation of this name, made when it is missing.
    pub(super) async fn organisation(&self, control: &PgPool, new: Value) -> Result<i64> {
        let there: Option<i64> =
            sqlx::query_scalar("select id from organisations where name = $1 and deleted_at is null and parent_organisation_id is null")
                .bind(new["name"].as_str())
                .fetch_optional(control)
                .await?;
        match there {
            Some(id) => Ok(id),
            None => {
                self.post("/organisations", new).await?["id"].as_i64().context("an organisation has an id")
            }
        }
    }

    /// The planner of an organisation, made when missing.
    pub(super) async fn planner(
        &self,
        control: &PgPool,
        organisation: i64,
        email: &str,
        first_name: &str,
        last_name: &str,
    ) -> Result<()> {
        let there: bool =
            sqlx::query_scalar("select exists (select from users where email = $1 and deleted_at is null)")
                .bind(email)
                .fetch_one(control)
                .await?;
        if there {
            return Ok(());
        }
        let role: i64 =
            sqlx::query_scalar("select id from roles where organisation_id = $1 and name = 'user'")
                .bind(organisation)
                .fetch_one(control)
                .await?;
        let user = json!({"email": email, "password": PASSWORD, "first_name": first_name, "last_name": last_name, "role_id": role,
            "organisation_id": organisation});
        self.post("/users", user).await?;
        Ok(())
    }

    /// The row with the same value in `key`, made when it is missing.
    pub(super) async fn ensure(&self, path: &str, key: &str, body: Value) -> Result<Value> {
        let wanted = body[key].as_str().unwrap_or_default();
        let found = self.call(Method::GET, &format!("{path}?per_page=300"), None).await?;
        match found["data"].as_array().into_iter().flatten().find(|row| row[key] == wanted) {
            Some(row) => Ok(row.clone()),
            None => self.post(path, body).await,
        }
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> Result<Value> {
        self.call(Method::POST, path, Some(body)).await
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value> {
        self.call(Method::GET, path, None).await
    }

    pub(super) async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value> {
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let bytes = self.send(method, path, "application/json", body).await?;
        Ok(serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    /// Sends one value per line and reads as many.
    pub(super) async fn lines(&self, path: &str, lines: &[Value]) -> Result<Vec<Value>> {
        let body: Vec<String> = lines.iter().map(Value::to_string).collect();
        let bytes =
            self.send(Method::POST, path, "application/x-ndjson", Body::from(body.join("\n"))).await?;
        Ok(serde_json::Deserializer::from_slice(&bytes).into_iter().collect::<Result<_, _>>()?)
    }

    async fn send(&self, method: Method, path: &str, media: &str, body: Body) -> Result<Bytes> {
        let mut request = Request::builder()
            .method(method.clone())
            .uri(format!("/api{path}"))
            .header(header::CONTENT_TYPE, media);
        if !self.token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        }
        let mut request = request.body(body)?;
        request
            .extensions_mut()
            .insert(axum::extract::ConnectInfo(std::net::SocketAddr::from(([127, 0, 0, 1], 0))));
        let response = self.router.clone().oneshot(request).await?;
        let status = response.status();
        let bytes = to_bytes(response.into_body(), LARGEST).await?;
        if !status.is_success() {
            bail!("{method} {path} answered {status}: {}", String::from_utf8_lossy(&bytes));
        }
        Ok(bytes)
    }
}
