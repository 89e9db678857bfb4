//! The layer around every route: verifies the caller against the route's access, opens the unit of work on demand,
//! commits or rolls back, and answers a repeated submit with what the first one got.

use axum::extract::{Request, State};
use axum::middleware::{FromFnLayer, Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use http_body_util::BodyExt;
use routewright_core::error::{Error, Result};
use routewright_core::http::body::{self, OwnOrganisation};
use routewright_core::http::request::LoggedOrganisation;
use routewright_core::http::routes::Row;
use routewright_identity::{Caller, Gate};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::db::{By, Db, Source, Unit};

/// Header with which a client marks a submit, so that sending it twice does it once.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Header with which a client says which version of a plan it had before it.
const PLAN_VERSION: HeaderName = HeaderName::from_static("plan-version");
/// Largest answer that is kept for a repeated submit.
const LARGEST_KEPT: usize = 1024 * 1024;
/// Largest body of a marked submit: that of an import. A handler may allow less.
const LARGEST_SUBMIT: usize = 25 * 1024 * 1024;
/// Text when a key marks two different submits: the second would be lost behind the answer of the first.
const OTHER_SUBMIT: &str = "Idempotency-Key was used before for other values. Please send a new one.";
/// Text when a submit was carried out and its answer cannot be repeated.
const DONE_BEFORE: &str =
    "This was submitted before and has been carried out. Please reload to see the result.";

/// Makes the guard layers of a service's routes.
#[derive(Clone)]
pub struct Guard {
    gate: Gate,
    source: Source,
}

/// State of one route's guard.
#[derive(Clone)]
pub struct Guarded {
    guard: Guard,
    row: Row,
}

type GuardFn = fn(State<Guarded>, Request, Next) -> std::pin::Pin<Box<dyn Future<Output = Response> + Send>>;

impl Guard {
    /// Admits by `gate`, connects by `source`.
    #[must_use]
    pub fn new(gate: Gate, source: Source) -> Self {
        Self { gate, source }
    }

    /// The layer for one row of the route table.
    pub fn layer(&self, row: Row) -> FromFnLayer<GuardFn, Guarded, (State<Guarded>, Request)> {
        let guarded = Guarded { guard: self.clone(), row };
        let check: GuardFn = |state, request, next| Box::pin(guard(state, request, next));
        from_fn_with_state(guarded, check)
    }
}

async fn guard(State(guarded): State<Guarded>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let caller = match guarded.guard.gate.admit(&guarded.row.access, &mut parts).await {
        Ok(caller) => caller,
        Err(error) => return error.into_response(),
    };
    let organisation = caller.organisation().ok().map(|id| LoggedOrganisation(id.get()));
    let plan_version = match plan_version(parts.headers.get(&PLAN_VERSION)) {
        Ok(version) => version,
        Err(error) => return error.into_response(),
    };
    let action = format!("{} {}", guarded.row.method, guarded.row.path);
    let by = By { user: caller.user_id(), run: caller.run_id(), action, plan_version };
    let unit = Unit::new(guarded.guard.source.clone(), caller.clone(), by);
    let key = submit_key(&guarded, &parts.method, parts.headers.get(&IDEMPOTENCY_KEY));
    parts.extensions.insert(caller.clone());
    parts.extensions.insert(unit.clone());
    if let (Source::Tenants(_), Ok(id)) = (&guarded.guard.source, caller.organisation()) {
        parts.extensions.insert(OwnOrganisation(id.get()));
    }
    let request = Request::from_parts(parts, body);

    let mut response = match key {
        None => next.run(request).await,
        Some(Err(error)) => error.into_response(),
        Some(Ok(key)) => match once(&unit, &caller, &guarded.row, &key, request, next).await {
            Ok(response) => response,
            Err(error) => error.into_response(),
        },
    };
    let success = response.status().as_u16() < 400;
    if let Err(error) = unit.finish(success).await
        && success
    {
        response = error.into_response();
    }
    if success && matches!(guarded.guard.source, Source::Control(_)) && guarded.row.method != Method::GET {
        // A change of rights, or the end of a session, is in force when its answer is given; the watch tells the others.
        if let Err(error) = guarded.guard.gate.policies.poll().await {
            tracing::warn!(?error, "policy changes cannot be read");
        }
    }
    if let Some(organisation) = organisation {
        response.extensions_mut().insert(organisation);
    }
    response
}

/// The version of the plan that the caller looks at.
fn plan_version(header: Option<&HeaderValue>) -> Result<Option<i64>> {
    let Some(header) = header else { return Ok(None) };
    let version = header.to_str().ok().and_then(|text| text.parse().ok()).filter(|version| *version >= 0);
    version.map(Some).ok_or_else(|| Error::bad_request("Plan-Version must be a version of a plan"))
}

/// The key of a marked submit. Only organisations' data is guarded this way.
fn submit_key(guarded: &Guarded, method: &Method, header: Option<&HeaderValue>) -> Option<Result<String>> {
    if *method != Method::POST || !matches!(guarded.guard.source, Source::Tenants(_)) {
        return None;
    }
    let header = header?;
    let valid = header
        .to_str()
        .ok()
        .filter(|text| (1..=200).contains(&text.len()))
        .map(str::to_owned)
        .ok_or_else(|| Error::bad_request("Idempotency-Key must have 1 to 200 printable characters"));
    Some(valid)
}

/// Runs the handler unless its submit was already answered. A second submit that arrives while the first one runs
/// waits at the unique key until the first has committed.
async fn once(
    unit: &Unit,
    caller: &Caller,
    row: &Row,
    key: &str,
    request: Request,
    next: Next,
) -> Result<Response> {
    let route = format!("{} {}", row.method, request.uri().path());
    let (request, asked) = asked(request).await?;
    let mut db = unit.open().await?;
    let claimed: Option<i64> = sqlx::query_scalar(
        "insert into idempotency_keys (key, user_id, run_id, route, asked) values ($1, $2, $3, $4, $5)
         on conflict on constraint idempotency_keys_key_key do nothing returning id",
    )
    .bind(key)
    .bind(caller.user_id())
    .bind(caller.run_id())
    .bind(&route)
    .bind(&asked)
    .fetch_optional(&mut *db)
    .await?;
    let Some(id) = claimed else { return replay(&mut db, caller, key, &route, asked).await };
    drop(db);
    let response = next.run(request).await;
    if response.status().as_u16() >= 400 {
        return Ok(response);
    }
    remember(unit, id, response).await
}

/// What a submit asks for, in short. Forms with files are not compared: the text around their parts is made anew each
/// time.
async fn asked(request: Request) -> Result<(Request, Option<Vec<u8>>)> {
    if !body::is_json(request.headers()) {
        return Ok((request, None));
    }
    let (parts, content) = request.into_parts();
    let bytes = body::read(Request::from_parts(parts.clone(), content), LARGEST_SUBMIT).await?;
    let mut sum = Sha256::new_with_prefix(parts.uri.query().unwrap_or_default());
    sum.update([0]);
    sum.update(&bytes);
    Ok((Request::from_parts(parts, bytes.into()), Some(sum.finalize().to_vec())))
}

async fn replay(
    db: &mut Db,
    caller: &Caller,
    key: &str,
    route: &str,
    asked: Option<Vec<u8>>,
) -> Result<Response> {
    let kept: (Option<i32>, Option<Value>, Option<Vec<u8>>) = sqlx::query_as(
        "select response_status, response, asked from idempotency_keys
         where key = $1 and user_id is not distinct from $2 and run_id is not distinct from $3 and route = $4",
    )
    .bind(key)
    .bind(caller.user_id())
    .bind(caller.run_id())
    .bind(route)
    .fetch_one(&mut **db)
    .await?;
    if kept.2.is_some() && asked.is_some() && kept.2 != asked {
        return Err(Error::conflict(OTHER_SUBMIT));
    }
    let status = kept
        .0
        .and_then(|status| u16::try_from(status).ok())
        .and_then(|status| StatusCode::from_u16(status).ok());
    let mut response = match (status, kept.1) {
        (Some(status), Some(body)) => (status, axum::Json(body)).into_response(),
        (Some(StatusCode::NO_CONTENT), None) => StatusCode::NO_CONTENT.into_response(),
        // Too large to be kept, a file, or the process was lost between its work and its answer.
        _ => return Err(Error::conflict(DONE_BEFORE)),
    };
    response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
    Ok(response)
}

async fn remember(unit: &Unit, id: i64, response: Response) -> Result<Response> {
    let json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with("application/json"));
    // A stream may still be at work with the request's connection.
    if !json && response.status() != StatusCode::NO_CONTENT {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let (kept, body): (Option<Value>, _) = if json {
        let bytes = body.collect().await.map_err(Error::internal)?.to_bytes();
        let kept = (bytes.len() <= LARGEST_KEPT).then(|| serde_json::from_slice(&bytes).ok()).flatten();
        (kept, axum::body::Body::from(bytes))
    } else {
        (None, body)
    };
    let mut db = unit.open().await?;
    sqlx::query("update idempotency_keys set response_status = $2, response = $3 where id = $1")
        .bind(id)
        .bind(i32::from(parts.status.as_u16()))
        .bind(kept)
        .execute(&mut *db)
        .await?;
    Ok(Response::from_parts(parts, body))
}
