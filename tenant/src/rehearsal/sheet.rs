//! What a simulated driver reads from his run sheet: where he goes next. Pure.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use serde::Deserialize;
use serde_json::Value;

use super::chance::Chance;
use super::script::{Here, Stop};
use super::way::{self, Way};
use crate::plan::{self, RunRoute};

/// How often a driver takes the next but one stop first.
const SWAPS: f64 = 0.012;
/// Straight lines are shorter than streets, which are driven at so many metres per second.
const BENT: f64 = 1.35;
const SPEED: f64 = 7.0;
/// A gap in the plan from which on it is a break, seconds, and the longest that is taken.
const BREAK: f64 = 600.0;
const LONGEST_BREAK: f64 = 3_600.0;

/// A run sheet, as far as a driver needs it.
#[derive(Debug, Deserialize)]
pub(super) struct Sheet {
    organisation: Organisation,
    scenario: Scenario,
    run: Run,
    jobs: Vec<Job>,
    reasons: Vec<Reason>,
}

#[derive(Debug, Deserialize)]
struct Organisation {
    timezone: String,
}

#[derive(Debug, Deserialize)]
struct Scenario {
    scheduled_date: NaiveDate,
}

#[derive(Debug, Deserialize)]
struct Run {
    start_location: Option<Place>,
    end_location: Option<Place>,
    route_end: String,
    planned_start_time: Option<DateTime<Utc>>,
    route: Option<RunRoute>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct Place {
    lat: f64,
    lon: f64,
}

#[derive(Debug, Deserialize)]
struct Job {
    id: i64,
    uid: String,
    customer_name: Option<String>,
    location: Place,
    arrive_after: Option<String>,
    leave_by: Option<String>,
    /// Minutes.
    duration: f64,
    eta: Option<DateTime<Utc>>,
    proofs: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct Reason {
    id: i64,
    ok: bool,
}

/// What a driver does next.
#[derive(Debug)]
pub(super) enum Next {
    /// Goes to a stop.
    Stop(Box<Stop>),
    /// Goes home: the way, and planned seconds.
    Home(Way, f64),
}

impl Job {
    fn is_visited(&self) -> bool {
        self.proofs
            .iter()
            .any(|proof| ["unit_id", "return_id", "container_id"].iter().all(|of| proof[*of].is_null()))
    }
}

impl Sheet {
    /// Reasons why a stop may fail.
    pub(super) fn reasons(&self) -> Vec<i64> {
        self.reasons.iter().filter(|reason| !reason.ok).map(|reason| reason.id).collect()
    }

    /// Where a driver goes from here.
    pub(super) fn next(&self, seed: i64, driver: &str, here: Here) -> Next {
        let open: Vec<usize> = (0..self.jobs.len()).filter(|at| !self.jobs[*at].is_visited()).collect();
        let Some(&first) = open.first() else { return self.home(here) };
        let swaps = Chance::of(seed, &["order", driver, &self.jobs[first].uid]).happens(SWAPS);
        let at = open.get(1).copied().filter(|_| swaps).unwrap_or(first);
        Next::Stop(Box::new(self.stop(at, here)))
    }

    fn stop(&self, at: usize, here: Here) -> Stop {
        let job = &self.jobs[at];
        let place = (job.location.lat, job.location.lon);
        let (way, drive) = self.way(Some(job.id), here, place);
        let opens = self.moment(job.arrive_after.as_deref());
        Stop {
            job_id: job.id,
            uid: job.uid.clone(),
            customer: job.customer_name.clone(),
            lat: place.0,
            lon: place.1,
            way,
            drive,
            pause: self.pause(at, opens),
            service: job.duration * 60.0,
            opens,
            closes: self.moment(job.leave_by.as_deref()),
            planned: job.eta,
            reasons: self.reasons(),
        }
    }

    /// Seconds that the plan leaves before a stop for a break: neither driven, nor waited for a window.
    fn pause(&self, at: usize, opens: Option<DateTime<Utc>>) -> f64 {
        let job = &self.jobs[at];
        let before = at.checked_sub(1).map(|before| &self.jobs[before]);
        let left = match before {
            None => self.run.planned_start_time,
            Some(before) => before.eta.map(|eta| eta + seconds(before.duration * 60.0)),
        };
        let (Some(left), Some(eta)) = (left, job.eta) else { return 0.0 };
        if opens.is_some_and(|opens| eta <= opens) {
            return 0.0;
        }
        let gap = (eta - left).as_seconds_f64() - self.leg(Some(job.id)).map_or(0.0, |leg| leg.0);
        if gap < BREAK { 0.0 } else { gap.min(LONGEST_BREAK) }
    }

    fn home(&self, here: Here) -> Next {
        let end = match self.run.route_end.as_str() {
            "start" => self.run.start_location,
            "end_location" => self.run.end_location,
            _ => None,
        };
        let end = end.map_or((here.lat, here.lon), |place| (place.lat, place.lon));
        let (way, drive) = self.way(None, here, end);
        Next::Home(way, drive)
    }

    /// The way from here to a place, and seconds: as planned where the plan's leg begins here.
    fn way(&self, to: Option<i64>, here: Here, place: (f64, f64)) -> (Way, f64) {
        let from = (here.lat, here.lon);
        let straight = Way::straight(from, place);
        let known = self.leg(to).map(|(duration, line)| (duration, Way::along(from, line, place)));
        match known {
            Some((duration, way)) if way != straight || way::metres(from, place) < 300.0 => (way, duration),
            _ => (straight, way::metres(from, place) * BENT / SPEED),
        }
    }

    fn leg(&self, to: Option<i64>) -> Option<(f64, &str)> {
        let route = self.run.route.as_ref()?;
        let leg = route.legs.iter().find(|leg| leg.to_job_id == to)?;
        Some((leg.duration as f64, leg.geometry.as_str()))
    }

    /// A time of day on the day of the run.
    fn moment(&self, time: Option<&str>) -> Option<DateTime<Utc>> {
        let time = NaiveTime::parse_from_str(time?, "%H:%M").ok()?;
        let zone: Tz = self.organisation.timezone.parse().unwrap_or(Tz::UTC);
        let day = plan::Day::new(self.scenario.scheduled_date, zone);
        Some(day.moment(day.at(time)))
    }
}

fn seconds(count: f64) -> TimeDelta {
    TimeDelta::milliseconds((count * 1000.0) as i64)
}
