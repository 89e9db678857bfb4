//! Conditional tags, such as `no @ (Mo-Fr 07:00-10:00); delivery @ (weight>7.5)`: a value and when or for whom it holds.

use std::collections::HashMap;

use chrono::{Days, NaiveDate, NaiveTime};
use opening_hours::OpeningHours;

use super::tags::Direction;
use super::{Profile, Tags, WEEK, numbers};

/// Mondays of weeks in all four seasons: what holds in part of a year holds in some of them.
const MONDAYS: [(i32, u32, u32); 4] = [(2025, 1, 13), (2025, 4, 7), (2025, 7, 7), (2025, 10, 6)];
/// Whom a street is open for that is not for everybody.
const PEOPLE: [&str; 6] = ["destination", "delivery", "customers", "residents", "private", "permit"];
/// States of the road, which no plan knows beforehand.
const WEATHER: [&str; 8] = ["wet", "rain", "snow", "ice", "fog", "wind", "flood", "flooding"];

/// The hours of a week at which a condition holds.
pub(super) type HoursOfWeek = [bool; WEEK];

/// A value and when it holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clause<'a> {
    pub(crate) value: &'a str,
    pub(crate) hours: HoursOfWeek,
    /// Whether it was understood; what was not is taken to hold at every hour.
    pub(crate) understood: bool,
    /// Whether it is for those alone who have to do with a place there.
    pub(crate) to_places: bool,
}

impl Clause<'_> {
    /// Whether it is known to hold at every hour.
    pub(super) fn always(&self) -> bool {
        self.understood && self.hours.iter().all(|holds| *holds)
    }

    /// Whether it may hold at some hour.
    pub(crate) fn ever(&self) -> bool {
        self.hours.iter().any(|holds| *holds)
    }
}

/// Reads conditions. Each time is worked out once, as the same few are written everywhere.
#[derive(Default)]
pub(crate) struct Conditions {
    /// Hours by the text; `None` where it was not understood.
    known: HashMap<String, Option<HoursOfWeek>>,
}

impl Conditions {
    /// How many different texts were not understood.
    pub(crate) fn not_understood(&self) -> usize {
        self.known.values().filter(|hours| hours.is_none()).count()
    }

    /// The clauses of a text for a vehicle.
    pub(crate) fn clauses<'a>(&mut self, text: &'a str, profile: &Profile) -> Vec<Clause<'a>> {
        parts(text)
            .filter_map(|part| {
                let (value, condition) = part.split_once('@')?;
                let mut clause =
                    Clause { value: value.trim(), hours: [true; WEEK], understood: true, to_places: false };
                let condition = condition.trim();
                let inner = condition.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
                for one in inner.unwrap_or(condition).split(" AND ") {
                    self.narrow(&mut clause, one.trim(), profile);
                }
                Some(clause)
            })
            .collect()
    }

    fn narrow(&mut self, clause: &mut Clause, condition: &str, profile: &Profile) {
        let hours = if PEOPLE.contains(&condition) {
            clause.to_places = true;
            return;
        } else if WEATHER.contains(&condition) {
            Some([false; WEEK])
        } else if let Some(holds) = profile.compares(condition) {
            Some([holds; WEEK])
        } else {
            *self.known.entry(condition.to_owned()).or_insert_with(|| hours_of(condition))
        };
        match hours {
            Some(hours) => clause.hours.iter_mut().zip(hours).for_each(|(holds, hour)| *holds &= hour),
            None => clause.understood = false,
        }
    }
}

/// Parts between semicolons that are in no brackets.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ';' && depth == 0
    })
    .filter(|part| !part.trim().is_empty())
}

/// Hours of the week at whose middle it is open, in any season; `None` when it is no time.
fn hours_of(text: &str) -> Option<HoursOfWeek> {
    let times: OpeningHours = text.parse().ok()?;
    let mut week = [false; WEEK];
    for (year, month, day) in MONDAYS {
        let monday = NaiveDate::from_ymd_opt(year, month, day)?;
        for (hour, holds) in (0_u32..).zip(&mut week) {
            let day = monday.checked_add_days(Days::new(u64::from(hour / 24)))?;
            *holds |= times.is_open(day.and_time(NaiveTime::from_hms_opt(hour % 24, 30, 0)?));
        }
    }
    Some(week)
}

impl Profile {
    /// Whether the vehicle is such a one: `weight>7.5`, `length>=12`; `None` when the text compares nothing that is known.
    fn compares(&self, condition: &str) -> Option<bool> {
        let at = condition.find(['<', '>'])?;
        let size = match condition[..at].trim() {
            "weight" | "weightrating" | "maxweight" => self.size.weight,
            "height" => self.size.height,
            "width" => self.size.width,
            "length" => self.size.length,
            _ => return None,
        };
        let rest = &condition[at + 1..];
        let (equal, number) = rest.strip_prefix('=').map_or((false, rest), |number| (true, number));
        let limit = if condition.starts_with("weight") || condition.starts_with("maxweight") {
            numbers::tonnes(number)
        } else {
            numbers::metres(number)
        }?;
        let beyond = if condition.as_bytes()[at] == b'>' { size > limit } else { size < limit };
        Some(beyond || equal && (size - limit).abs() < 1e-9)
    }
}

impl<'a> Tags<'a> {
    /// The text of `key:conditional` in one direction.
    pub(crate) fn conditional(&self, key: &str, direction: Direction) -> Option<&'a str> {
        let along = match direction {
            Direction::Forward => "forward",
            Direction::Backward => "backward",
        };
        self.get(&format!("{key}:{along}:conditional")).or_else(|| self.get(&format!("{key}:conditional")))
    }
}
