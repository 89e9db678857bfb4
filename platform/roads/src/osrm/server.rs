//! Requests to the server and the shape of its answers.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use http::StatusCode;
use routewright_core::transaction;
use routewright_outbound::{Client, Limits, Unanswered};
use serde::{Deserialize, de::DeserializeOwned};
use url::Url;

use super::{OsrmOptions, Place};
use crate::{Point, RoadsError};

/// Wait before a request is sent again; doubled each time.
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// Time to reach the server.
const CONNECT: Duration = Duration::from_secs(3);

/// Largest answer: a route through 100 places across a continent has some ten megabytes of steps.
const LARGEST: usize = 64 * 1024 * 1024;
/// Redirects that are followed: from http to https, to another name.
const REDIRECTS: usize = 3;

#[derive(Debug)]
pub(super) struct Server {
    base: Url,
    patient: Caller,
    /// Who has a transaction open, which must not be for long.
    brief: Caller,
    rest: Duration,
}

/// How the server is asked.
#[derive(Debug)]
struct Caller {
    client: Client,
    retries: u32,
    /// Until when the server is left alone, and why.
    resting: Mutex<Option<(Instant, String)>>,
}

impl Caller {
    fn new(limits: Limits, retries: u32) -> Result<Self, RoadsError> {
        Ok(Self { client: Client::new(limits)?, retries, resting: Mutex::default() })
    }

    fn resting(&self) -> Option<String> {
        let resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        resting.as_ref().filter(|(until, _)| Instant::now() < *until).map(|(_, reason)| reason.clone())
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoAnswer {
    /// The server knows no way between some of the points.
    #[error("no way between the points")]
    NoWay,
    /// The server refuses this request; the next one may work.
    #[error("the server refuses: {0}")]
    Refused(String),
    /// The server cannot be reached, is too slow, or answers nonsense.
    #[error("{0}")]
    Down(String),
}

impl Server {
    pub(super) fn new(url: &str, options: &OsrmOptions) -> Result<Self, RoadsError> {
        let wrong = |reason: String| RoadsError::Url { url: url.to_owned(), reason };
        let mut base = Url::parse(url).map_err(|error| wrong(error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(wrong(format!("the scheme is {}, not http or https", base.scheme())));
        }
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        let limits = Limits { time: options.timeout, connect: CONNECT, bytes: LARGEST, redirects: REDIRECTS };
        let brief = Limits { time: options.timeout.min(transaction::BRIEF), ..limits };
        Ok(Self {
            base,
            patient: Caller::new(limits, options.retries)?,
            brief: Caller::new(brief, 0)?,
            rest: options.rest,
        })
    }

    /// Table from each of `sources` to each of `destinations`.
    pub(super) async fn table(&self, sources: &[Place], destinations: &[Place]) -> Result<Table, NoAnswer> {
        let numbers = |from: usize, count: usize| {
            (from..from + count).map(|i| i.to_string()).collect::<Vec<_>>().join(";")
        };
        let query = format!(
            "table/v1/driving/{};{}?annotations=duration,distance&sources={}&destinations={}",
            coordinates(sources),
            coordinates(destinations),
            numbers(0, sources.len()),
            numbers(sources.len(), destinations.len()),
        );
        let table: Table = self.get(&query).await?;
        let rows = |rows: &[Vec<Option<f64>>]| {
            rows.len() == sources.len() && rows.iter().all(|row| row.len() == destinations.len())
        };
        if rows(&table.durations)
            && rows(&table.distances)
            && table.sources.len() == sources.len()
            && table.destinations.len() == destinations.len()
        {
            return Ok(table);
        }
        Err(self.down("the table does not have the size asked for".into()))
    }

    /// Route through these places.
    pub(super) async fn route(&self, places: &[Place]) -> Result<(Vec<WireLeg>, Vec<Snapped>), NoAnswer> {
        let query = format!(
            "route/v1/driving/{}?overview=false&steps=true&geometries=polyline&continue_straight=false",
            coordinates(places)
        );
        let answer: RouteAnswer = self.get(&query).await?;
        match answer.routes.into_iter().next() {
            Some(route) if route.legs.len() + 1 == places.len() && answer.waypoints.len() == places.len() => {
                Ok((route.legs, answer.waypoints))
            }
            _ => Err(self.down("the route does not have a leg for each pair of points".into())),
        }
    }

    /// The nearest place on a road and its distance in metres.
    pub(super) async fn nearest(&self, point: Point) -> Result<(Option<Point>, f64), NoAnswer> {
        let answer: NearestAnswer =
            self.get(&format!("nearest/v1/driving/{}?number=1", coordinates(&[point.rounded()]))).await?;
        match answer.waypoints.first() {
            Some(waypoint) => {
                let [lon, lat] = waypoint.location;
                Ok((Point::new(lat, lon).ok(), waypoint.distance))
            }
            None => Ok((None, f64::INFINITY)),
        }
    }

    async fn get<T: DeserializeOwned>(&self, query: &str) -> Result<T, NoAnswer> {
        let caller = self.caller();
        // What the patient one gave up, the brief one need not try.
        if let Some(reason) = self.patient.resting().or_else(|| caller.resting()) {
            return Err(NoAnswer::Down(reason));
        }
        let url = self.base.join(query).map_err(|error| NoAnswer::Refused(error.to_string()))?;
        let mut wait = FIRST_WAIT;
        for attempt in 0.. {
            match try_once(&caller.client, url.clone()).await {
                Err(NoAnswer::Down(reason)) if attempt < caller.retries => {
                    tracing::debug!(%reason, attempt, "road server failed, trying again");
                    tokio::time::sleep(wait).await;
                    wait *= 2;
                }
                Err(NoAnswer::Down(reason)) => return Err(self.down(reason)),
                answer => return answer,
            }
        }
        Err(NoAnswer::Down("no attempt was made".into()))
    }

    fn caller(&self) -> &Caller {
        if transaction::is_open() { &self.brief } else { &self.patient }
    }

    /// Notes that the server failed, so that the next callers do not wait for it.
    fn down(&self, reason: String) -> NoAnswer {
        let mut resting = self.caller().resting.lock().unwrap_or_else(PoisonError::into_inner);
        *resting = Some((Instant::now() + self.rest, reason.clone()));
        NoAnswer::Down(reason)
    }
}

async fn try_once<T: DeserializeOwned>(client: &Client, url: Url) -> Result<T, NoAnswer> {
    let answer = client.send(client.get(url)).await.map_err(|error| NoAnswer::Down(describe(&error)))?;
    let (status, body) = (answer.status, answer.body);
    if status.is_success() {
        return serde_json::from_slice(&body)
            .map_err(|error| NoAnswer::Down(format!("unreadable answer: {error}")));
    }
    // OSRM explains a 400 in its body; anything else that is not JSON comes from a proxy in between.
    let problem = serde_json::from_slice::<Problem>(&body).ok();
    match problem {
        Some(problem) if matches!(problem.code.as_str(), "NoRoute" | "NoTable") => Err(NoAnswer::NoWay),
        Some(problem) if status == StatusCode::BAD_REQUEST => {
            Err(NoAnswer::Refused(format!("{}: {}", problem.code, problem.message)))
        }
        _ => Err(NoAnswer::Down(format!("status {status}"))),
    }
}

/// What went wrong. Which address it was is left out: it holds where the customers live.
fn describe(error: &Unanswered) -> String {
    match error {
        Unanswered::Unreachable(_) => "not reachable".into(),
        other => other.to_string(),
    }
}

fn coordinates(places: &[Place]) -> String {
    let one = |(lat, lon): &Place| format!("{:.5},{:.5}", f64::from(*lon) / 1e5, f64::from(*lat) / 1e5);
    places.iter().map(one).collect::<Vec<_>>().join(";")
}

#[derive(Deserialize)]
struct Problem {
    code: String,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
pub(super) struct Table {
    /// Seconds.
    pub(super) durations: Vec<Vec<Option<f64>>>,
    /// Metres.
    pub(super) distances: Vec<Vec<Option<f64>>>,
    pub(super) sources: Vec<Snapped>,
    pub(super) destinations: Vec<Snapped>,
}

/// A place put on the nearest road.
#[derive(Deserialize)]
pub(super) struct Snapped {
    /// Longitude and latitude on the road.
    pub(super) location: [f64; 2],
    /// Metres from the place to the road.
    #[serde(default)]
    pub(super) distance: f64,
}

#[derive(Deserialize)]
struct NearestAnswer {
    waypoints: Vec<Snapped>,
}

#[derive(Deserialize)]
struct RouteAnswer {
    routes: Vec<WireRoute>,
    waypoints: Vec<Snapped>,
}

#[derive(Deserialize)]
struct WireRoute {
    legs: Vec<WireLeg>,
}

#[derive(Deserialize)]
pub(super) struct WireLeg {
    /// Seconds.
    pub(super) duration: f64,
    /// Metres.
    pub(super) distance: f64,
    pub(super) steps: Vec<WireStep>,
}

#[derive(Deserialize)]
pub(super) struct WireStep {
    pub(super) geometry: String,
}
