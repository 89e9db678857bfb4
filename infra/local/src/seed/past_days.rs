//! Four weeks of deliveries that lie behind the demo organisation, so that its figures have a course: planned, dispatched,
//! driven, proved and validated through the product's own API. The start only makes the empty days, in their order; what
//! happened on them is told in the background, the latest day first.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::http::Method;
use chrono::{DateTime, Datelike as _, Days, Duration, NaiveDate, Utc, Weekday};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use serde::Deserialize;
use serde_json::{Value, json};

use super::caller::Caller;

const JOBS: &str = include_str!("../../data/porto/jobs.csv");
/// How far back the days go.
const DAYS: u64 = 28;
/// Drivers that were out each day, the first of the fleet: those with a vehicle.
const RUNS: usize = 3;
/// Jobs of a day, least and most.
const JOBS_OF_A_DAY: std::ops::RangeInclusive<usize> = 22..=30;
/// In the data folder as long as the days are not told to their end.
const UNDER_WAY: &str = "demo-days-under-way";

/// A delivery of `jobs.csv`.
#[derive(Clone, Deserialize)]
struct Delivery {
    address: String,
    lat: f64,
    lon: f64,
    duration: f64,
    #[serde(rename = "type")]
    types: String,
    customer_name: String,
    phone_number: String,
    size: String,
}

/// How a visit of a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visit {
    Delivered,
    Refused,
    /// The driver forgot to record it.
    NotRecorded,
}

/// Makes an empty plan with runs for each working day of the last weeks, and today's after them, because lists show the
/// latest plan first.
pub(super) async fn plan(admin: &Caller, folder: &Path, now: DateTime<Utc>) -> Result<()> {
    std::fs::write(folder.join(UNDER_WAY), "The past days of the demo are being told.\n")?;
    let drivers = drivers(admin).await?;
    let there = names(admin).await?;
    for day in working_days(now.date_naive()) {
        if !there.contains_key(&name(day)) {
            let new = json!({"name": name(day), "scheduled_date": day, "driver_ids": drivers});
            admin.post("/scenarios/advanced", new).await?;
        }
    }
    let found = admin.get(&format!("/scenarios?scheduled_date={}", now.date_naive())).await?;
    for first in found["data"].as_array().into_iter().flatten() {
        let again = json!({"name": first["name"], "scheduled_date": first["scheduled_date"]});
        admin.post("/scenarios", again).await?;
        admin.call(Method::DELETE, &format!("/scenarios/{}", first["id"]), None).await?;
    }
    Ok(())
}

/// Tells what happened on the past days of a new data folder; goes on where an earlier start was ended.
///
/// # Errors
/// When the product refuses something.
pub(crate) async fn carry_out(router: &Router, folder: &Path, now: DateTime<Utc>) -> Result<()> {
    let marker = folder.join(UNDER_WAY);
    if !marker.exists() {
        return Ok(());
    }
    let admin = Caller::sign_in(router, "admin@demo.routewright.test").await?;
    let there = names(&admin).await?;
    let deliveries = deliveries()?;
    let mut days: Vec<NaiveDate> = working_days(now.date_naive());
    days.reverse();
    for day in days {
        if let Some(&scenario) = there.get(&name(day)) {
            Past { admin: &admin, scenario, day }.carry_out(&deliveries).await?;
        }
    }
    std::fs::remove_file(marker)?;
    Ok(())
}

/// Mondays to Fridays of the weeks before a day, the earliest first.
fn working_days(today: NaiveDate) -> Vec<NaiveDate> {
    (1..=DAYS)
        .rev()
        .filter_map(|back| today.checked_sub_days(Days::new(back)))
        .filter(|day| !matches!(day.weekday(), Weekday::Sat | Weekday::Sun))
        .collect()
}

fn name(day: NaiveDate) -> String {
    format!("Porto {}", day.format("%A %-d %B %Y"))
}

fn deliveries() -> Result<Vec<Delivery>> {
    let all: Vec<Delivery> =
        csv::Reader::from_reader(JOBS.as_bytes()).deserialize().collect::<Result<_, _>>()?;
    Ok(all.into_iter().filter(|delivery| delivery.types == "ambient").collect())
}

async fn drivers(admin: &Caller) -> Result<Vec<i64>> {
    let found = admin.get("/drivers?per_page=300").await?;
    let mut ids: Vec<i64> = found["data"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|driver| !driver["vehicle_id"].is_null())
        .filter_map(|driver| driver["id"].as_i64())
        .collect();
    ids.sort_unstable();
    ids.truncate(RUNS);
    Ok(ids)
}

/// Ids of the plans by their names.
async fn names(admin: &Caller) -> Result<HashMap<String, i64>> {
    let found = admin.get("/scenarios?per_page=300").await?;
    let rows = found["data"].as_array().into_iter().flatten();
    Ok(rows.filter_map(|row| Some((row["name"].as_str()?.to_owned(), row["id"].as_i64()?))).collect())
}

/// One of the days. All that is by chance comes from the date, so that a day that was half told is told the same way.
struct Past<'a> {
    admin: &'a Caller,
    scenario: i64,
    day: NaiveDate,
}

/// A job as the plan of the day holds it.
#[derive(Deserialize)]
struct Stop {
    id: i64,
    uid: String,
    run_id: Option<i64>,
    seq: Option<i64>,
    eta: Option<DateTime<Utc>>,
    duration: f64,
    customer_name: Option<String>,
    location: Place,
}

#[derive(Deserialize)]
struct Place {
    lat: f64,
    lon: f64,
}

#[derive(Deserialize)]
struct Tour {
    id: i64,
    token: String,
    planned_start_time: Option<DateTime<Utc>>,
    planned_end_time: Option<DateTime<Utc>>,
    actual_start_time: Option<DateTime<Utc>>,
    actual_end_time: Option<DateTime<Utc>>,
    /// Metres.
    distance: f64,
    dispatched: bool,
    validated_at: Option<DateTime<Utc>>,
}

impl Past<'_> {
    async fn carry_out(&self, deliveries: &[Delivery]) -> Result<()> {
        let tours = self.tours().await?;
        if tours.is_empty() || tours.iter().all(|tour| tour.validated_at.is_some()) {
            return Ok(());
        }
        if self.stops().await?.is_empty() {
            self.load(deliveries, &tours).await?;
        }
        let waiting: Vec<Value> = tours
            .iter()
            .filter(|tour| !tour.dispatched)
            .map(|tour| json!({"run_id": tour.id, "method": "qrcode"}))
            .collect();
        if !waiting.is_empty() {
            self.admin.post("/runs/dispatch", waiting.into()).await?;
        }
        let mut stops = self.stops().await?;
        stops.sort_by_key(|stop| stop.seq);
        let reason = self.reason().await?;
        for (at, tour) in self.tours().await?.iter().enumerate() {
            let own: Vec<&Stop> = stops.iter().filter(|stop| stop.run_id == Some(tour.id)).collect();
            self.drive(at, tour, &own, reason).await?;
        }
        let ids: Vec<i64> = tours.iter().map(|tour| tour.id).collect();
        // Some customers were not there, and are not charged.
        let body = json!({"run_ids": ids, "force": true});
        self.admin.call(Method::PATCH, "/runs/validate", Some(body)).await?;
        Ok(())
    }

    /// Chance that is the same every time, for one part of the day.
    fn chance(&self, part: usize) -> StdRng {
        StdRng::seed_from_u64(u64::from(self.day.num_days_from_ce().unsigned_abs()) * 100 + part as u64)
    }

    async fn tours(&self) -> Result<Vec<Tour>> {
        let mut found = self.admin.get(&format!("/runs?scenario_id={}&per_page=300", self.scenario)).await?;
        let mut tours: Vec<Tour> = serde_json::from_value(found["data"].take())?;
        tours.sort_by_key(|tour| tour.id);
        Ok(tours)
    }

    async fn stops(&self) -> Result<Vec<Stop>> {
        let mut found = self.admin.get(&format!("/jobs?scenario_ids={}&per_page=300", self.scenario)).await?;
        Ok(serde_json::from_value(found["data"].take())?)
    }

    /// A reason that is not OK, for what could not be delivered.
    async fn reason(&self) -> Result<Option<i64>> {
        let found = self.admin.get("/reasons?per_page=300").await?;
        let mut rows = found["data"].as_array().into_iter().flatten();
        Ok(rows.find(|reason| reason["ok"] == json!(false)).and_then(|reason| reason["id"].as_i64()))
    }

    /// Brings in the day's jobs and gives each run those of its direction.
    async fn load(&self, deliveries: &[Delivery], tours: &[Tour]) -> Result<()> {
        let mut chance = self.chance(0);
        let count = chance.random_range(JOBS_OF_A_DAY);
        let chosen: Vec<&Delivery> = deliveries.choose_multiple(&mut chance, count).collect();
        let stamp = self.day.format("%m%d");
        let lines: Vec<Value> =
            chosen.iter().enumerate().map(|(at, job)| job.line(&format!("{stamp}-{:02}", at + 1))).collect();
        let answers =
            self.admin.lines(&format!("/jobs/bulk_upload?scenario_id={}", self.scenario), &lines).await?;
        let mut jobs = Vec::with_capacity(count);
        for answer in answers.iter().filter(|answer| answer["done"].is_null()) {
            let id = answer["id"].as_i64().with_context(|| format!("a job was not taken: {answer}"))?;
            let line = answer["n"].as_u64().context("an answer names its line")?;
            let delivery = chosen[usize::try_from(line)? - 1];
            jobs.push((id, (delivery.lat, delivery.lon)));
        }
        // Now and then there was one too many for the day.
        if chance.random_bool(0.3) {
            jobs.pop();
        }
        let moves: Vec<Value> = rounds(jobs, tours.len())
            .into_iter()
            .zip(tours)
            .map(|(jobs, tour)| json!({"run_id": tour.id, "job_ids": jobs}))
            .collect();
        self.admin.call(Method::PUT, "/runs/bulk_move_jobs", Some(json!({"moves": moves}))).await?;
        Ok(())
    }

    /// What the driver of a run recorded: start, a proof for nearly every stop, end.
    async fn drive(&self, at: usize, tour: &Tour, stops: &[&Stop], reason: Option<i64>) -> Result<()> {
        let mut chance = self.chance(at + 1);
        let (Some(start), Some(end)) = (tour.planned_start_time, tour.planned_end_time) else {
            return Ok(());
        };
        let exchange = json!({"token_uid": tour.token});
        let token = self.admin.post("/auth/runsheet_token", exchange).await?;
        let token = token["runsheet_token"].as_str().context("a run's link is good for a token")?;
        let driver = self.admin.with(token.to_owned());
        let mut late = Duration::minutes(chance.random_range(-4..=6));
        // Three vehicles that drive some 40 km a day.
        let odometer = 30_000 + 15_000 * at + 40 * usize::try_from(self.day.num_days_from_ce())? % 15_000;
        if tour.actual_start_time.is_none() {
            let body = json!({"odometer": odometer, "actual_start_time": start + late});
            driver.call(Method::PUT, "/v2/runsheet/start_route", Some(body)).await?;
        }
        for stop in stops {
            late = (late + Duration::seconds(chance.random_range(-240..=250))).max(Duration::minutes(-6));
            let visit = Visit::by(&mut chance);
            let Some(eta) = stop.eta else { continue };
            #[expect(clippy::cast_possible_truncation, reason = "minutes of a stop")]
            let time = eta + late + Duration::seconds((stop.duration * 30.0) as i64);
            if visit == Visit::NotRecorded {
                continue;
            }
            let good = visit == Visit::Delivered;
            let proof = json!({"job_id": stop.id, "success": good, "record_time": time.format("%Y-%m-%d %H:%M:%S").to_string(),
                "lat": stop.location.lat, "lon": stop.location.lon, "reason_id": reason.filter(|_| !good),
                "signature_name": stop.customer_name.as_deref().filter(|_| good)});
            driver
                .post(&format!("/runsheet/{}/job_proofs", tour.token), proof)
                .await
                .with_context(|| format!("job {}", stop.uid))?;
        }
        if tour.actual_end_time.is_none() {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "kilometres of a day"
            )]
            let driven = (tour.distance / 1000.0 * chance.random_range(1.0..1.15)).ceil() as usize;
            let end = end + late.max(Duration::zero()) + Duration::minutes(5);
            let body = json!({"odometer": odometer + driven, "actual_end_time": end});
            driver.call(Method::PUT, "/v2/runsheet/end_route", Some(body)).await?;
        }
        Ok(())
    }
}

impl Visit {
    fn by(chance: &mut StdRng) -> Self {
        match chance.random_range(0..100) {
            0..=3 => Self::Refused,
            4..=5 => Self::NotRecorded,
            _ => Self::Delivered,
        }
    }
}

impl Delivery {
    fn line(&self, uid: &str) -> Value {
        json!({"uid": uid, "location": {"address": self.address, "lat": self.lat, "lon": self.lon}, "duration": self.duration,
            "customer_name": self.customer_name, "phone_number": self.phone_number, "size": self.size})
    }
}

/// Jobs of as many runs, as somebody would share them out by hand: by direction from the depot, then the nearest next.
fn rounds(mut jobs: Vec<(i64, (f64, f64))>, runs: usize) -> Vec<Vec<i64>> {
    let (lat, lon) = super::DEPOT;
    jobs.sort_by(|(_, a), (_, b)| {
        let direction = |place: &(f64, f64)| (place.0 - lat).atan2(place.1 - lon);
        direction(a).total_cmp(&direction(b))
    });
    let each = jobs.len().div_ceil(runs.max(1)).max(1);
    jobs.chunks(each).map(|round| nearest_first(round.to_vec(), (lat, lon))).collect()
}

fn nearest_first(mut jobs: Vec<(i64, (f64, f64))>, from: (f64, f64)) -> Vec<i64> {
    let mut here = from;
    let mut order = Vec::with_capacity(jobs.len());
    let away = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot((a.1 - b.1) * 0.75);
    while let Some(at) =
        (0..jobs.len()).min_by(|&a, &b| away(jobs[a].1, here).total_cmp(&away(jobs[b].1, here)))
    {
        let (id, place) = jobs.swap_remove(at);
        here = place;
        order.push(id);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn four_weeks_have_twenty_working_days() {
        for today in ["2026-11-22", "2026-11-23", "2026-03-01", "2028-02-29"] {
            let days = working_days(day(today));
            assert_eq!(days.len(), 20, "{today}");
            assert!(days.is_sorted() && days.iter().all(|past| *past < day(today)), "{today}");
        }
        assert_eq!(name(day("2026-11-05")), "Porto Thursday 5 November 2026");
    }

    #[test]
    fn every_job_is_on_one_round() -> Result<()> {
        let jobs: Vec<(i64, (f64, f64))> =
            (1..).zip(deliveries()?).map(|(id, job)| (id, (job.lat, job.lon))).take(26).collect();
        let rounds = rounds(jobs, RUNS);
        let mut all: Vec<i64> = rounds.iter().flatten().copied().collect();
        all.sort_unstable();
        assert_eq!((rounds.len(), all), (3, (1..=26).collect()));
        assert_eq!(
            nearest_first(vec![(1, (0.0, 9.0)), (2, (0.0, 2.0)), (3, (0.0, 5.0))], (0.0, 0.0)),
            [2, 3, 1]
        );
        Ok(())
    }
}
