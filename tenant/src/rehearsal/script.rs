//! What simulated drivers do. Pure: from the seed and what a driver finds on his run sheet follow the acts, each with the
//! moment at which it happens and the one at which the phone sends it.
//!
//! A driver has a pace of his own for the whole day; every leg and every service varies besides, traffic slows all down at
//! times, and now and then something happens that no plan knows: a stop fails, a vehicle stands for long, goes astray or takes
//! the stops in another order, a phone is silent, a driver does not come.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::chance::Chance;
use super::way::Way;

/// How the pace of drivers differs from the plan: mean and deviation of its logarithm.
const PACE: (f64, f64) = (0.03, 0.10);
/// How a drive differs from the driver's pace, and a service.
const DRIVE: (f64, f64) = (-0.015, 0.17);
const SERVICE: (f64, f64) = (-0.045, 0.30);
/// How often things happen: to a driver in a day, or at a stop.
const NO_SHOW: f64 = 0.06;
const LATE_START: f64 = 0.12;
const SILENT: f64 = 0.35;
const FAILS: f64 = 0.05;
const LONG_STOP: f64 = 0.012;
const ASTRAY: f64 = 0.012;
const TELLS: f64 = 0.5;
const PHOTO: f64 = 0.4;
/// Seconds between two positions, on the way and where the vehicle stands.
const MOVING: i64 = 20;
const STANDING: i64 = 60;
/// Seconds of positions that a phone sends at once.
const BATCH: i64 = 60;
/// Minutes behind the plan at which a driver tells the office.
const LATE: i64 = 20;

/// What happens in the whole town.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Town {
    /// When traffic is slow: from, until, and how many times as long a drive takes.
    slow: Vec<(DateTime<Utc>, DateTime<Utc>, f64)>,
}

impl Town {
    /// The traffic of a day that begins at this moment.
    pub(super) fn of(seed: i64, day: DateTime<Utc>) -> Self {
        let mut chance = Chance::of(seed, &["traffic"]);
        let count = 1 + (chance.part() * 3.0) as usize;
        let slow = (0..count)
            .map(|_| {
                let from = day + minutes(chance.between(20.0, 540.0));
                (from, from + minutes(chance.between(25.0, 70.0)), chance.between(1.2, 1.7))
            })
            .collect();
        Self { slow }
    }

    fn at(&self, moment: DateTime<Utc>) -> f64 {
        let there = self.slow.iter().filter(|(from, until, _)| *from <= moment && moment < *until);
        there.map(|(_, _, factor)| *factor).fold(1.0, f64::max)
    }
}

/// What a driver is like on this day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Traits {
    /// Whether he comes.
    pub(super) comes: bool,
    /// Seconds after the planned departure at which he leaves.
    departs: i64,
    /// How many times as long as planned everything takes him.
    pace: f64,
    /// When his phone is silent.
    silence: Option<(DateTime<Utc>, DateTime<Utc>)>,
}

impl Traits {
    /// Of the driver with this name, on a day that begins at this moment.
    pub(super) fn of(seed: i64, driver: &str, day: DateTime<Utc>) -> Self {
        let mut chance = Chance::of(seed, &["driver", driver]);
        let comes = !chance.happens(NO_SHOW);
        let late = chance.happens(LATE_START);
        let departs = if late { chance.between(14.0, 35.0) } else { 2.0 + 3.0 * chance.normal() };
        let pace = chance.factor(PACE.0, PACE.1);
        let silent = chance.happens(SILENT);
        let from = day + minutes(chance.between(60.0, 420.0));
        let until = from + minutes(chance.between(18.0, 45.0));
        Self {
            comes,
            departs: (departs.max(-4.0) * 60.0) as i64,
            pace,
            silence: silent.then_some((from, until)),
        }
    }

    /// When what happens at a moment is sent.
    fn sent(&self, at: DateTime<Utc>) -> DateTime<Utc> {
        match self.silence {
            Some((from, until)) if from <= at && at < until => until,
            _ => at,
        }
    }

    fn is_silent(&self, at: DateTime<Utc>) -> bool {
        self.sent(at) != at
    }
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Position {
    pub(super) lat: f64,
    pub(super) lon: f64,
    /// Metres per second.
    pub(super) speed: f64,
    pub(super) at: DateTime<Utc>,
}

/// What a driver, or his phone, does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Deed {
    /// The phone reports itself; what the office changed is confirmed the next time.
    Contact,
    /// The phone sends positions.
    Positions { positions: Vec<Position> },
    /// The route begins.
    Start { odometer: f64, lat: f64, lon: f64 },
    /// A stop is recorded. `reached`: when the service began.
    Stop {
        job_id: i64,
        job_uid: String,
        success: bool,
        reason_id: Option<i64>,
        reached: DateTime<Utc>,
        signed_by: Option<String>,
        /// Whether there is a photo.
        photo: bool,
        lat: f64,
        lon: f64,
    },
    /// A word to the office.
    Note { job_id: i64, text: String },
    /// The route ends.
    End { odometer: f64, lat: f64, lon: f64 },
}

/// A deed with its moments.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Act {
    pub(super) happened: DateTime<Utc>,
    pub(super) sent: DateTime<Utc>,
    pub(super) deed: Deed,
}

/// Where a driver is, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Here {
    pub(super) lat: f64,
    pub(super) lon: f64,
    pub(super) at: DateTime<Utc>,
    /// Kilometres.
    pub(super) odometer: f64,
}

/// The stop that a driver goes to next, as his sheet has it.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    pub(super) job_id: i64,
    pub(super) uid: String,
    pub(super) customer: Option<String>,
    /// Where it is.
    pub(super) lat: f64,
    pub(super) lon: f64,
    /// The way there.
    pub(super) way: Way,
    /// Planned seconds of the drive.
    pub(super) drive: f64,
    /// Planned seconds of a break before it.
    pub(super) pause: f64,
    /// Planned seconds of service.
    pub(super) service: f64,
    /// When its window opens and closes, and when it is planned.
    pub(super) opens: Option<DateTime<Utc>>,
    pub(super) closes: Option<DateTime<Utc>>,
    pub(super) planned: Option<DateTime<Utc>>,
    /// Reasons to choose from when it fails.
    pub(super) reasons: Vec<i64>,
}

/// A driver on his day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Driver<'a> {
    pub(super) seed: i64,
    pub(super) name: &'a str,
    pub(super) traits: &'a Traits,
    pub(super) town: &'a Town,
}

impl Driver<'_> {
    /// The departure: the sheet is opened, the route begins.
    pub(super) fn departure(&self, planned: DateTime<Utc>, (lat, lon): (f64, f64)) -> (Vec<Act>, Here) {
        let mut chance = Chance::of(self.seed, &["departure", self.name]);
        let at = planned + TimeDelta::seconds(self.traits.departs);
        let odometer = (20_000.0 + 60_000.0 * chance.part()).round();
        let mut acts = Vec::new();
        self.act(&mut acts, at - TimeDelta::minutes(6), Deed::Contact);
        self.act(&mut acts, at, Deed::Start { odometer, lat, lon });
        (acts, Here { lat, lon, at, odometer })
    }

    /// The way to a stop and the service there.
    pub(super) fn leg(&self, here: Here, stop: &Stop) -> (Vec<Act>, Here) {
        let mut chance = Chance::of(self.seed, &["leg", self.name, &stop.uid]);
        let mut acts = Vec::new();
        let left = self.pause(&mut acts, here, stop, &mut chance);
        let (arrives, driven) = self.drive(&mut acts, here, left, stop, &mut chance);
        let reached = stop.opens.map_or(arrives, |opens| opens.max(arrives));
        let success = !chance.happens(FAILS);
        let service = stop.service * self.traits.pace * chance.factor(SERVICE.0, SERVICE.1);
        // Who is not there is not waited for as long as unloading takes.
        let service = if success { service } else { service * 0.5 };
        let done = reached + seconds(service.max(60.0));
        self.stand(&mut acts, (stop.lat, stop.lon), arrives, done, &mut chance);
        self.tell(&mut acts, stop, arrives, &mut chance);
        let reason = stop.reasons.get((chance.part() * stop.reasons.len() as f64) as usize).copied();
        let deed = Deed::Stop {
            job_id: stop.job_id,
            job_uid: stop.uid.clone(),
            success,
            reason_id: reason.filter(|_| !success),
            reached,
            photo: !success || chance.happens(PHOTO),
            signed_by: stop.customer.clone().filter(|_| success),
            lat: stop.lat,
            lon: stop.lon,
        };
        self.act(&mut acts, done, deed);
        self.act(&mut acts, done + TimeDelta::seconds(20), Deed::Contact);
        acts.sort_by_key(|act| act.sent);
        let odometer = here.odometer + driven / 1000.0;
        (acts, Here { lat: stop.lat, lon: stop.lon, at: done, odometer })
    }

    /// The way home, and the end of the route.
    pub(super) fn home(&self, here: Here, way: &Way, drive: f64) -> (Vec<Act>, Here) {
        let mut chance = Chance::of(self.seed, &["home", self.name]);
        let mut acts = Vec::new();
        let taken = drive * self.traits.pace * self.town.at(here.at) * chance.factor(DRIVE.0, DRIVE.1);
        let at = here.at + seconds(taken);
        self.move_along(&mut acts, way, here.at, at);
        let (lat, lon) = way.end().unwrap_or((here.lat, here.lon));
        let odometer = (here.odometer + way.metres() / 1000.0).ceil();
        let end = at + TimeDelta::minutes(2);
        self.act(&mut acts, end, Deed::End { odometer, lat, lon });
        acts.sort_by_key(|act| act.sent);
        (acts, Here { lat, lon, at: end, odometer })
    }

    /// The break, where the vehicle stands; answers when it is over.
    fn pause(&self, acts: &mut Vec<Act>, here: Here, stop: &Stop, chance: &mut Chance) -> DateTime<Utc> {
        let varied = stop.pause * chance.factor(0.0, 0.1);
        let over = here.at + seconds(varied);
        if stop.pause > 0.0 {
            self.stand(acts, (here.lat, here.lon), here.at, over, chance);
        }
        over
    }

    /// The drive; answers when it is over, and metres driven.
    fn drive(
        &self,
        acts: &mut Vec<Act>,
        here: Here,
        left: DateTime<Utc>,
        stop: &Stop,
        chance: &mut Chance,
    ) -> (DateTime<Utc>, f64) {
        let varied = self.traits.pace * self.town.at(left) * chance.factor(DRIVE.0, DRIVE.1);
        // Parking and the way to the door take their time however near it is.
        let taken = (stop.drive * varied).max(40.0);
        let (stands, astray) = (chance.happens(LONG_STOP), chance.happens(ASTRAY));
        if stands {
            let middle = left + seconds(taken / 2.0);
            let on = middle + minutes(chance.between(18.0, 32.0));
            let (first, second) = stop.way.halves();
            let place = first.end().unwrap_or((here.lat, here.lon));
            self.move_along(acts, &first, left, middle);
            self.stand(acts, place, middle, on, chance);
            let arrives = on + seconds(taken / 2.0);
            self.move_along(acts, &second, on, arrives);
            return (arrives, stop.way.metres());
        }
        let way = if astray { stop.way.astray(chance.between(2_600.0, 3_600.0)) } else { stop.way.clone() };
        // What lies beside the way is driven as fast as a town allows.
        let more = (way.metres() - stop.way.metres()).max(0.0) / 9.0;
        let arrives = left + seconds(taken + more);
        self.move_along(acts, &way, left, arrives);
        (arrives, way.metres())
    }

    /// Positions along a way.
    fn move_along(&self, acts: &mut Vec<Act>, way: &Way, from: DateTime<Utc>, until: DateTime<Utc>) {
        let length = (until - from).as_seconds_f64();
        if length <= 0.0 {
            return;
        }
        let speed = way.metres() / length;
        let mut positions = Vec::new();
        let mut at = from;
        while at < until {
            let part = (at - from).as_seconds_f64() / length;
            if let Some((lat, lon)) = way.at(part) {
                positions.push(Position { lat, lon, speed, at });
            }
            at += TimeDelta::seconds(MOVING);
        }
        self.send(acts, &positions);
    }

    /// Positions where the vehicle stands; devices are off by some metres.
    fn stand(
        &self,
        acts: &mut Vec<Act>,
        (lat, lon): (f64, f64),
        from: DateTime<Utc>,
        until: DateTime<Utc>,
        chance: &mut Chance,
    ) {
        let mut positions = Vec::new();
        let mut at = from;
        while at < until {
            let off = |chance: &mut Chance| chance.normal() * 6.0 / 111_195.0;
            let (lat, lon) = (lat + off(chance), lon + off(chance) / lat.to_radians().cos().max(0.01));
            positions.push(Position { lat, lon, speed: 0.0, at });
            at += TimeDelta::seconds(STANDING);
        }
        self.send(acts, &positions);
    }

    fn send(&self, acts: &mut Vec<Act>, positions: &[Position]) {
        let batch = |position: &Position| position.at.timestamp().div_euclid(BATCH);
        for together in positions.chunk_by(|a, b| batch(a) == batch(b)) {
            let Some(last) = together.last() else { continue };
            self.act(acts, last.at, Deed::Positions { positions: together.to_vec() });
        }
    }

    /// Who is late says so, sometimes.
    fn tell(&self, acts: &mut Vec<Act>, stop: &Stop, arrives: DateTime<Utc>, chance: &mut Chance) {
        let Some(planned) = stop.planned else { return };
        let late = (arrives - planned).num_minutes();
        let breaks = stop.closes.is_some_and(|closes| arrives > closes);
        if late >= LATE && breaks && chance.happens(TELLS) {
            let text = format!("I am about {late} minutes late.");
            let at = arrives - TimeDelta::minutes(3);
            self.act(acts, at, Deed::Note { job_id: stop.job_id, text });
        }
    }

    /// A phone that is silent keeps what it has to say; that it is there it does not say later.
    fn act(&self, acts: &mut Vec<Act>, happened: DateTime<Utc>, deed: Deed) {
        if deed == Deed::Contact && self.traits.is_silent(happened) {
            return;
        }
        acts.push(Act { happened, sent: self.traits.sent(happened), deed });
    }
}

fn seconds(count: f64) -> TimeDelta {
    TimeDelta::milliseconds((count * 1000.0) as i64)
}

fn minutes(count: f64) -> TimeDelta {
    seconds(count * 60.0)
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
