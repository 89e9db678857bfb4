//! The layer around every route: verifies the caller against the route's access, opens the unit of work on demand,
//! commits or rolls back, and answers a repeated submit with what the first one got.

use std::time::{Duration, Instant};

use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::middleware::{FromFnLayer, Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, StatusCode, Version, header};
use http_body_util::BodyExt;
use routewright_core::access::Who;
use routewright_core::error::{Error, Kind, Result};
use routewright_core::http::body::{self, Arrived, OwnOrganisation};
use routewright_core::http::request::{LoggedOrganisation, RequestId};
use routewright_core::http::routes::Row;
use routewright_core::transaction::{self, watched};
use routewright_governor::{Intake, Pace, Payer, Steps};
use routewright_identity::{Caller, CameBy, Gate};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::db::{By, Source, Unit};
use crate::guesses::Guesses;
use crate::pool;
use crate::submit::Submit;
use crate::trail::{About, Telling};

/// Header with which a client marks a submit, so that sending it twice does it once.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Header with which a client says which version of a plan it had before it.
const PLAN_VERSION: HeaderName = HeaderName::from_static("plan-version");
/// A request that has held a connection this long looks whether the database is still there.
const LOOK: Duration = Duration::from_secs(5);
/// Longest wait for whether a caller is admitted.
const ADMIT: Duration = Duration::from_secs(15);
/// Paths of the control plane whose answers hold tokens. Those are never kept.
const ANSWER_TOKENS: [&str; 2] = ["/auth/", "/users/me/"];
/// Largest answer that is kept for a repeated submit.
const LARGEST_KEPT: usize = 1024 * 1024;
/// Most bytes of a body that are counted, whatever it is told to have.
const LARGEST_TOLD: u64 = 32 << 20;
/// Room for a form or file that does not say how long it is, bytes: no browser sends one. It may become three times as long.
const UNTOLD: u64 = 8 << 20;

/// What somebody is told who would change accounts from inside a rehearsal.
const EARNEST: &str =
    "This is a rehearsal: accounts, roles and hauliers are changed in your own organisation.";

/// Makes the guard layers of a service's routes.
#[derive(Clone)]
pub struct Guard {
    gate: Gate,
    source: Source,
    guesses: Option<Guesses>,
    telling: Telling,
    rehearsable: &'static [&'static str],
    pace: Option<f64>,
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
        Self { gate, source, guesses: None, telling: Telling::default(), rehearsable: &[], pace: None }
    }

    /// The same, and addresses that try tokens of links are refused.
    #[must_use]
    pub fn counting(self, guesses: Guesses) -> Self {
        Self { guesses: Some(guesses), ..self }
    }

    /// The same, and the audit trail is told otherwise of some routes.
    #[must_use]
    pub fn telling(self, telling: Telling) -> Self {
        Self { telling, ..self }
    }

    /// The same, and who works in a rehearsal may change nothing of the control plane but by these paths: accounts and what
    /// they may do are real.
    #[must_use]
    pub fn rehearsing(self, paths: &'static [&'static str]) -> Self {
        Self { rehearsable: paths, ..self }
    }

    /// The same, and while others ask, too, the requests of one organisation, or of one address of strangers, follow one another no
    /// faster than what is done for them takes so many processors (see [`Pace`]).
    #[must_use]
    pub fn pacing(self, processors: f64) -> Self {
        Self { pace: Some(processors), ..self }
    }

    /// The layer for one row of the route table.
    pub fn layer(&self, row: Row) -> FromFnLayer<GuardFn, Guarded, (State<Guarded>, Request)> {
        let guarded = Guarded { guard: self.clone(), row };
        let check: GuardFn = |state, request, next| Box::pin(guard(state, request, next));
        from_fn_with_state(guarded, check)
    }
}

/// Counts wrong tokens where a token alone opens a route, or a public route takes one.
async fn guard(State(guarded): State<Guarded>, request: Request, next: Next) -> Response {
    let by_token = matches!(guarded.row.access.who, Who::Link(_) | Who::Public);
    let Some(guesses) = guarded.guard.guesses.clone().filter(|_| by_token) else {
        return admitted(guarded, request, next).await;
    };
    let (parts, body) = request.into_parts();
    let is_link = guarded.row.access.who != Who::Public;
    // The token of a public route may stand in the body: there every one counts.
    let tried = if is_link { parts.uri.path().to_owned() } else { routewright_core::token::random(12) };
    let address = guesses.address(&parts);
    if let Err(error) = guesses.admit(&address) {
        return error.into_response();
    }
    let response = admitted(guarded, Request::from_parts(parts, body), next).await;
    let wrong = match response.status() {
        StatusCode::UNAUTHORIZED => true,
        StatusCode::NOT_FOUND => is_link,
        _ => false,
    };
    if !wrong {
        return response;
    }
    match guesses.wrong(&address, &tried).await {
        Err(error) if error.kind() == Kind::TooManyRequests => error.into_response(),
        Err(error) => {
            tracing::warn!(?error, "wrong tokens cannot be counted");
            response
        }
        Ok(()) => response,
    }
}

async fn admitted(guarded: Guarded, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let (mut parts, body) = request.into_parts();
    let admitted = guarded.guard.gate.admit(&guarded.row.access, &mut parts);
    let caller = match tokio::time::timeout(ADMIT, admitted).await {
        Ok(Ok(caller)) => caller,
        Ok(Err(error)) => return error.into_response(),
        Err(_) => return pool::silent().into_response(),
    };
    if guarded.is_earnest() && caller.rehearses() {
        return Error::new(Kind::Forbidden, EARNEST).into_response();
    }
    let organisation = caller.organisation().ok().map(|id| LoggedOrganisation(id.get()));
    let plan_version = match plan_version(parts.headers.get(&PLAN_VERSION)) {
        Ok(version) => version,
        Err(error) => return error.into_response(),
    };
    let action = format!("{} {}", guarded.row.method, guarded.row.path);
    let request = parts.extensions.get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default();
    let caller = caller.who_came_by(CameBy { action, request });
    let by = By {
        plan_version,
        told: guarded.guard.telling.of(&guarded.row),
        about: About::of(guarded.row.path, parts.uri.path()),
        ..By::of(&caller)
    };
    let (steps, pace) = (Steps::of_machine(), Pace::of_process());
    let payer = guarded.payer(&caller, &parts);
    let of = caller.organisation().ok();
    let arriving = arriving(&guarded.row, &parts);
    if let Some(processors) = guarded.guard.pace {
        pace.keep(payer, processors).await;
    }
    // Held until the answer is there.
    let _room = match Intake::of_process().room(of, arriving).await {
        Ok(room) => room,
        Err(error) => return error.into_response(),
    };
    let (content, submit) = match steps.fair(of, payer, arrived(&guarded, &caller, &mut parts, body)).await {
        Ok(read) => read,
        Err(error) => return error.into_response(),
    };
    let unit = Unit::new(guarded.guard.source.clone(), caller.clone(), by, submit);
    parts.extensions.insert(caller.clone());
    parts.extensions.insert(unit.clone());
    if let (Source::Tenants(_), Ok(id)) = (&guarded.guard.source, caller.organisation()) {
        parts.extensions.insert(OwnOrganisation(id.get()));
    }
    let name = format!("{} {}", guarded.row.method, guarded.row.path);
    let answer = answer(&unit, Request::from_parts(parts, content), next, organisation);
    // Large as it is, it is moved about no more.
    let answer = Box::pin(watched(name, answer));
    let response = steps.fair(of, payer, Pace::work_for(payer, answer)).await;
    let answered =
        response.body().size_hint().exact().or_else(|| body::announced(response.headers())).unwrap_or(0);
    pace.carried(payer, arriving.min(LARGEST_TOLD).saturating_add(answered));
    // A refusal may have changed something too: a copied token ends its session.
    if guarded.row.method != Method::GET && matches!(guarded.guard.source, Source::Control(_)) {
        // A change of rights, or the end of a session, is in force everywhere when its answer is given.
        if let Err(error) = guarded.guard.gate.policies.settled(began).await {
            tracing::warn!(?error, "policy changes cannot be read");
        }
    }
    response
}

async fn answer(
    unit: &Unit,
    request: Request,
    next: Next,
    organisation: Option<LoggedOrganisation>,
) -> Response {
    let work = async {
        let response = once(unit, request, next).await.unwrap_or_else(IntoResponse::into_response);
        let success = response.status().as_u16() < 400;
        match unit.finish(success).await {
            Err(error) if success => error.into_response(),
            _ => response,
        }
    };
    let mut response = while_database_answers(unit, work).await.unwrap_or_else(|| {
        unit.abandon();
        pool::silent().into_response()
    });
    if let Some(organisation) = organisation {
        response.extensions_mut().insert(organisation);
    }
    response
}

/// Does the work. None when its database has stopped: a server that is frozen keeps the connection and says nothing, for
/// ever, so that no statement waiting for it would end.
async fn while_database_answers<T>(unit: &Unit, work: impl Future<Output = T>) -> Option<T> {
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return Some(done),
            () = tokio::time::sleep(LOOK) => {}
        }
        if transaction::is_open() {
            // The work goes on while the database is asked.
            tokio::select! {
                done = &mut work => return Some(done),
                answers = unit.database_answers() => if !answers { return None },
            }
        }
    }
}

/// The version of the plan that the caller looks at.
fn plan_version(header: Option<&HeaderValue>) -> Result<Option<i64>> {
    let Some(header) = header else { return Ok(None) };
    let version = header.to_str().ok().and_then(|text| text.parse().ok()).filter(|version| *version >= 0);
    version.map(Some).ok_or_else(|| Error::bad_request("Plan-Version must be a version of a plan"))
}

/// Bytes of a body that may wait in memory; what is told to be too large is refused before it is read. The server lets nobody
/// send more than he tells.
fn arriving(row: &Row, parts: &Parts) -> u64 {
    let told = body::announced(&parts.headers);
    let is_silent =
        parts.version <= Version::HTTP_11 && !parts.headers.contains_key(header::TRANSFER_ENCODING);
    if told.is_none() && (is_silent || row.method == Method::GET) {
        0
    } else if body::is_json(&parts.headers) {
        let most = row.largest_body as u64;
        told.map_or(most, |told| told.min(most))
    } else {
        told.unwrap_or(UNTOLD)
    }
}

/// Reads a JSON body before anything is opened for the request: a caller that sends slowly holds no connection meanwhile.
/// Answers it together with what marks it.
async fn arrived(
    guarded: &Guarded,
    caller: &Caller,
    parts: &mut Parts,
    content: axum::body::Body,
) -> Result<(axum::body::Body, Option<Submit>)> {
    let key = submit_key(guarded, caller, parts)?;
    let (content, asked) = if body::is_json(&parts.headers) {
        let request = Request::from_parts(parts.clone(), content);
        let bytes = body::read(request, guarded.row.largest_body).await?;
        parts.extensions.insert(Arrived);
        let asked = key.is_some().then(|| guarded.asked(parts, &bytes));
        (bytes.into(), asked)
    } else {
        (content, None)
    };
    let submit = key.map(|key| Submit {
        key,
        user: caller.user_id(),
        run: caller.run_id(),
        route: format!("{} {}", guarded.row.method, parts.uri.path()),
        asked,
    });
    Ok((content, submit))
}

/// The key of a marked submit. A caller of no organisation has nothing to change.
fn submit_key(guarded: &Guarded, caller: &Caller, parts: &Parts) -> Result<Option<String>> {
    let markable = match &guarded.guard.source {
        Source::Tenants(_) => caller.organisation().is_ok(),
        Source::Control(_) => {
            caller.user_id().is_some() && !ANSWER_TOKENS.iter().any(|path| guarded.row.path.starts_with(path))
        }
    };
    if parts.method != Method::POST || !markable {
        return Ok(None);
    }
    let Some(header) = parts.headers.get(&IDEMPOTENCY_KEY) else { return Ok(None) };
    let key = header.to_str().ok().filter(|text| (1..=200).contains(&text.len())).map(str::to_owned);
    key.map(Some).ok_or_else(|| Error::bad_request("Idempotency-Key must have 1 to 200 printable characters"))
}

impl Guarded {
    /// Who is asked to leave others their share.
    fn payer(&self, caller: &Caller, parts: &Parts) -> Payer {
        let address =
            || self.guard.guesses.as_ref().map(|guesses| guesses.address(parts)).unwrap_or_default();
        caller.organisation().map_or_else(|_| Payer::stranger(&address()), Payer::from)
    }

    /// Whether the route changes something of the control plane that is real in a rehearsal as well.
    fn is_earnest(&self) -> bool {
        matches!(self.guard.source, Source::Control(_))
            && self.row.method != Method::GET
            && !self.guard.rehearsable.contains(&self.row.path)
    }

    /// What a submit asks for, in short. Forms with files are not compared: the text around their parts is made anew each
    /// time.
    fn asked(&self, parts: &Parts, bytes: &[u8]) -> Vec<u8> {
        let mut sum = Sha256::new_with_prefix(parts.uri.query().unwrap_or_default());
        sum.update([0]);
        sum.update(bytes);
        let sum = sum.finalize();
        match &self.guard.source {
            Source::Tenants(_) => sum.to_vec(),
            // Passwords are set here: nobody with a copy of the database may try them out on what is kept.
            Source::Control(_) => self.guard.gate.links.seal(&format!("submit {sum:x}")).into_bytes(),
        }
    }
}

/// Runs the handler unless its submit was already answered. A second submit that arrives while the first one runs waits at
/// the unique key until the first has committed. A form may take long to arrive: its key is claimed when its handler opens
/// the unit of work.
async fn once(unit: &Unit, request: Request, next: Next) -> Result<Response> {
    let Some(submit) = unit.submit() else { return Ok(next.run(request).await) };
    let arrived = request.extensions().get::<Arrived>().is_some();
    let first = if arrived && unit.claim().await? { None } else { unit.repeated(&submit).await? };
    if let Some(first) = first {
        return Ok(first);
    }
    let response = next.run(request).await;
    if response.status().as_u16() >= 400 {
        let first = if unit.is_late() { unit.repeated(&submit).await? } else { None };
        return Ok(first.unwrap_or(response));
    }
    remember(unit, response).await
}

async fn remember(unit: &Unit, response: Response) -> Result<Response> {
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
    unit.answered(parts.status, kept).await?;
    Ok(Response::from_parts(parts, body))
}
