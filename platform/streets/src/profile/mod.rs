//! Who drives where and how fast: profiles, networks, surfaces and speeds by hour of the week, from a small file.

mod access;
mod by_hours;
mod conditional;
mod drive;
mod node;
mod numbers;
mod tags;
mod vehicle;

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Error;

pub(crate) use conditional::Conditions;
pub(crate) use drive::Way;
pub(crate) use node::Passage;
pub(crate) use tags::{OwnedTags, Tags};
pub use vehicle::Vehicle;

/// The file that comes with the crate: car, van, truck, truck with dangerous goods, bicycle.
const BUILT_IN: &str = include_str!("profiles.json");
/// Names of groups of roads that have a speed of their own by hour of the week; the last is every other road.
pub(crate) const GROUPS: [&str; 6] = ["motorway", "trunk", "primary", "secondary", "tertiary", "other"];
/// Hours of a week.
pub(crate) const WEEK: usize = 7 * 24;

/// Profiles and the speeds of the week.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profiles {
    /// Kinds of vehicles.
    pub profiles: Vec<Profile>,
    /// What is driven on, by the name of a network.
    pub(crate) networks: BTreeMap<String, Network>,
    /// Top speeds in km/h by key and value of a tag.
    pub(crate) surfaces: BTreeMap<String, BTreeMap<String, f64>>,
    /// Speeds at different hours; the first holds where `week` says nothing.
    pub metrics: Vec<Hours>,
    /// Which metric holds when.
    pub(crate) week: Vec<Span>,
    #[serde(skip)]
    text: String,
}

/// A kind of vehicle.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// The network that it drives on.
    pub(crate) network: String,
    /// Keys of access tags, the most specific first.
    pub(crate) access: Vec<String>,
    /// Names that a one-way street or a turn restriction may make an exception for, the most specific first.
    pub(crate) restrictions: Vec<String>,
    /// What limits it.
    pub size: Size,
    /// Whether it carries dangerous goods.
    #[serde(default)]
    pub hazmat: bool,
    /// Most km/h.
    pub(crate) top_speed: Option<f64>,
    /// How much longer than a car it needs for a turn.
    #[serde(default = "one")]
    pub(crate) turns: f64,
    /// How much of its speed a way with a toll counts with when ways are chosen: 1 where tolls do not matter, 0.1 where they are
    /// avoided as long as there is a way round that takes less than ten times as long.
    #[serde(default = "one")]
    pub(crate) tolls: f64,
    /// Whether places on streets that cannot be crossed are reached on their side of the street only.
    #[serde(default)]
    pub(crate) curb: bool,
}

/// Size of a vehicle: metres and tonnes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Metres.
    pub height: f64,
    /// Metres.
    pub width: f64,
    /// Metres.
    pub length: f64,
    /// Tonnes.
    pub weight: f64,
}

/// What vehicles of one sort drive on.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Network {
    /// km/h by the value of `highway`.
    pub(crate) speeds: BTreeMap<String, f64>,
    /// km/h of a ferry that tells no duration.
    pub(crate) ferry: f64,
    /// km/h on other ways that are marked as accessible.
    pub(crate) marked: f64,
    /// Whether speed limits say how fast it goes.
    pub(crate) limits: bool,
}

/// Speeds at some hours of the week.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hours {
    /// Name, such as `morning`.
    pub name: String,
    /// Share of the free speed by group of roads; 1 where it is not told.
    #[serde(default)]
    pub(crate) speed: BTreeMap<String, f64>,
}

/// What [`Profiles::with_hours`] reads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Week {
    #[serde(default)]
    metrics: Vec<serde_json::Value>,
    #[serde(default)]
    week: Vec<serde_json::Value>,
    #[serde(default)]
    profiles: BTreeMap<String, Vehicles>,
}

/// What an installation says about its vehicles of a profile.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vehicles {
    height: Option<f64>,
    width: Option<f64>,
    length: Option<f64>,
    weight: Option<f64>,
    tolls: Option<f64>,
    curb: Option<bool>,
}

/// Hours of some days.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Span {
    /// 1 is Monday, 7 Sunday.
    days: Vec<usize>,
    /// From the first hour to before the last.
    hours: [usize; 2],
    metric: String,
}

fn one() -> f64 {
    1.0
}

impl Profiles {
    /// The profiles that come with the crate.
    ///
    /// # Errors
    /// When the file of the crate is not right.
    pub fn built_in() -> Result<Self, Error> {
        Self::parse(BUILT_IN)
    }

    /// These with speeds by the hour of the week from a text of JSON, in the place of their own: `metrics`, each a `name` and under
    /// `speed` the shares of the free speed by group of roads, and `week`, which says on which `days` (1 is Monday) and between
    /// which `hours` each holds. Everywhere else streets are free. Under `profiles`, by name, what the vehicles are like: `height`,
    /// `width` and `length` in metres, `weight` in tonnes, `tolls` (the share of the speed that a way with a toll counts with when
    /// ways are chosen) and `curb` (whether places are reached on their side of a street that cannot be crossed).
    ///
    /// # Errors
    /// Naming what is wrong in it.
    pub fn with_hours(&self, hours: &str) -> Result<Self, Error> {
        let told = |error: serde_json::Error| Error::Profiles(format!("speeds by the hour: {error}"));
        let given: Week = serde_json::from_str(hours).map_err(told)?;
        let mut whole: serde_json::Value = serde_json::from_str(&self.text).map_err(told)?;
        let free = serde_json::json!({ "name": "free_flow" });
        whole["metrics"] = std::iter::once(free).chain(given.metrics).collect();
        whole["week"] = given.week.into();
        for (name, vehicles) in &given.profiles {
            let all = whole["profiles"].as_array_mut().into_iter().flatten();
            let known = all.into_iter().find(|profile| profile["name"] == name.as_str());
            let profile = known.ok_or(Error::Profiles(format!("profiles: there is no profile `{name}`")))?;
            let Vehicles { height, width, length, weight, .. } = vehicles;
            let sizes = [("height", height), ("width", width), ("length", length), ("weight", weight)];
            for (size, value) in sizes.into_iter().filter_map(|(size, value)| Some((size, (*value)?))) {
                profile["size"][size] = value.into();
            }
            if let Some(tolls) = vehicles.tolls {
                profile["tolls"] = tolls.into();
            }
            if let Some(curb) = vehicles.curb {
                profile["curb"] = curb.into();
            }
        }
        Self::parse(&whole.to_string())
    }

    /// Reads a file of profiles.
    ///
    /// # Errors
    /// Naming what is wrong in it: a field, a speed that is no speed, a name that is not there.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let profiles: Self =
            serde_json::from_str(text).map_err(|error| Error::Profiles(error.to_string()))?;
        Self { text: text.to_owned(), ..profiles }.checked().map_err(Error::Profiles)
    }

    fn checked(self) -> Result<Self, String> {
        let speed = |name: String, kmh: f64| {
            (kmh.is_finite() && (1.0..=250.0).contains(&kmh))
                .then_some(())
                .ok_or(format!("{name}: {kmh} km/h is not a speed between 1 and 250"))
        };
        for (name, network) in &self.networks {
            for (highway, kmh) in &network.speeds {
                speed(format!("networks.{name}.speeds.{highway}"), *kmh)?;
            }
            speed(format!("networks.{name}.ferry"), network.ferry)?;
            speed(format!("networks.{name}.marked"), network.marked)?;
        }
        for (key, values) in &self.surfaces {
            for (value, kmh) in values {
                speed(format!("surfaces.{key}.{value}"), *kmh)?;
            }
        }
        for profile in &self.profiles {
            let name = format!("profiles.{}", profile.name);
            if !self.networks.contains_key(&profile.network) {
                return Err(format!("{name}.network: there is no network `{}`", profile.network));
            }
            profile.top_speed.map_or(Ok(()), |kmh| speed(format!("{name}.top_speed"), kmh))?;
            let size = profile.size;
            let sizes = [size.height, size.width, size.length, size.weight, profile.turns];
            if sizes.iter().any(|size| !size.is_finite() || *size < 0.0 || *size > 1_000.0) {
                return Err(format!("{name}: a size or `turns` is not a number between 0 and 1000"));
            }
        }
        for Profile { name, tolls, .. } in &self.profiles {
            if !(0.01..=1.0).contains(tolls) {
                return Err(format!("{name}: `tolls` is {tolls}, not a number between 0.01 and 1"));
            }
        }
        if self.metrics.len() > 32 {
            return Err("metrics: there may be at most 32".to_owned());
        }
        if self.profiles.len() > 8 {
            return Err("profiles: there may be at most 8".to_owned());
        }
        for metric in &self.metrics {
            for (group, share) in &metric.speed {
                let name = format!("metrics.{}.speed.{group}", metric.name);
                if !GROUPS.contains(&group.as_str()) {
                    return Err(format!("{name}: there is no such group, but {}", GROUPS.join(", ")));
                }
                if !(0.05..=2.0).contains(share) {
                    return Err(format!("{name}: {share} is not between 0.05 and 2"));
                }
            }
        }
        if self.profiles.is_empty() || self.metrics.is_empty() {
            return Err("profiles and metrics: at least one of each is needed".to_owned());
        }
        for span in &self.week {
            let days = span.days.iter().all(|day| (1..=7).contains(day));
            if !days || span.hours[0] >= span.hours[1] || span.hours[1] > 24 {
                return Err(format!("week: days {:?}, hours {:?} are not in a week", span.days, span.hours));
            }
            if !self.metrics.iter().any(|metric| metric.name == span.metric) {
                return Err(format!("week: there is no metric `{}`", span.metric));
            }
        }
        Ok(self)
    }

    /// The file as it was read.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Profiles of a network, with their indices.
    pub(crate) fn members<'a>(&'a self, network: &'a str) -> impl Iterator<Item = (usize, &'a Profile)> + 'a {
        self.profiles.iter().enumerate().filter(move |(_, profile)| profile.network == network)
    }

    /// Index of the metric of every hour of the week, Monday's first hour first.
    pub(crate) fn hours(&self) -> [usize; WEEK] {
        let mut hours = [0; WEEK];
        for span in &self.week {
            let metric = self.metrics.iter().position(|metric| metric.name == span.metric).unwrap_or(0);
            for day in &span.days {
                hours[(day - 1) * 24 + span.hours[0]..(day - 1) * 24 + span.hours[1]].fill(metric);
            }
        }
        hours
    }

    /// Metrics of whose hours enough are among these, one bit each; `enough` is asked with how many are and how many there are.
    fn metrics_at(&self, hours: &[bool; WEEK], enough: impl Fn(usize, usize) -> bool) -> u32 {
        let week = self.hours();
        (0..self.metrics.len()).fold(0, |bits, metric| {
            // A metric without hours of its own is asked for by nobody but those who name no hour.
            let unused = !week.contains(&metric);
            let own = (0..WEEK).filter(|hour| unused || week[*hour] == metric);
            let (among, all) =
                own.fold((0, 0), |(among, all), hour| (among + usize::from(hours[hour]), all + 1));
            bits | u32::from(enough(among, all)) << metric
        })
    }

    /// Share of the free speed by metric and group.
    pub(crate) fn shares(&self) -> Vec<[f64; GROUPS.len()]> {
        let share = |metric: &Hours| GROUPS.map(|group| metric.speed.get(group).copied().unwrap_or(1.0));
        self.metrics.iter().map(share).collect()
    }
}

/// Index of the group of a `highway`.
pub(crate) fn group(highway: &str) -> u8 {
    let name = highway.trim_end_matches("_link");
    let other = GROUPS.len() - 1;
    u8::try_from(GROUPS.iter().position(|group| *group == name).unwrap_or(other)).unwrap_or(0)
}

#[cfg(test)]
mod tests;
