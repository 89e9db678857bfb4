//! How a way is driven, from its tags.

use serde::{Deserialize, Serialize};

use super::access::{Access, access};
use super::conditional::Conditions;
use super::tags::Direction;
use super::{Network, Profile, Profiles, Tags, group, numbers};

/// Share of a speed limit that is driven on average.
pub(super) const OF_LIMIT: f64 = 0.8;

/// How a way is driven in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Drive {
    /// km/h.
    pub(crate) speed: f64,
    /// Share of the speed that a choice between ways counts with: less where driving is a nuisance.
    pub(crate) rate: f64,
    /// Whether it leads to places only, not through.
    pub(crate) restricted: bool,
    /// What is different in some parts of the week.
    pub(crate) by_hours: Option<ByHours>,
}

/// What is different in some parts of the week: metrics, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct ByHours {
    /// When it leads to places only.
    pub(crate) restricted: u32,
    /// When it has another speed, and which one in km/h.
    pub(crate) limited: u32,
    pub(crate) speed: f64,
}

impl Drive {
    /// km/h at the hours of a metric before traffic.
    pub(crate) fn speed_at(&self, metric: usize) -> f64 {
        self.by_hours.filter(|hours| hours.limited >> metric & 1 == 1).map_or(self.speed, |hours| hours.speed)
    }

    /// Whether it leads to places only at the hours of a metric.
    pub(crate) fn restricted_at(&self, metric: usize) -> bool {
        self.restricted || self.by_hours.is_some_and(|hours| hours.restricted >> metric & 1 == 1)
    }
}

/// A way in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Way {
    /// Along and against it; `None` where it is not driven.
    pub(crate) drives: [Option<Drive>; 2],
    /// Seconds from end to end, where the way tells them itself.
    pub(crate) seconds: Option<f64>,
    /// Group of roads that share speeds by hour of the week.
    pub(crate) group: u8,
    /// Whether it cannot be crossed, so that places are reached on their own side of it.
    pub(crate) divided: bool,
}

impl Profiles {
    /// How this profile drives a way with these tags; `None` where it does not.
    pub(crate) fn way(&self, profile: &Profile, tags: &Tags, conditions: &mut Conditions) -> Option<Way> {
        let network = self.networks.get(&profile.network)?;
        let highway = tags.get("highway").unwrap_or_default();
        let ferry = matches!(tags.get("route"), Some("ferry" | "shuttle_train"));
        if (highway.is_empty() && !ferry) || blocked(highway, tags) {
            return None;
        }
        let movable = tags.is("bridge", "movable");
        let seconds = if ferry || movable { tags.get("duration").and_then(numbers::seconds) } else { None };
        let [forward, backward] = profile.ways(highway, tags);
        let mut drive = |direction: Direction, open: bool| {
            let access = open.then(|| profile.access(highway, tags, direction))??;
            let hours = self.access_by_hours(profile, tags, direction, conditions);
            let access = match hours {
                _ if access == Some(Access::No) => hours.opened,
                _ if hours.closed => Some(Access::No),
                _ => access,
            };
            if access == Some(Access::No) {
                return None;
            }
            let speed = match network.speeds.get(highway) {
                _ if ferry => network.ferry,
                _ if movable && seconds.is_none() => network.ferry,
                Some(speed) => *speed,
                None if access == Some(Access::Yes) => network.marked,
                None => return None,
            };
            let most = |speed: f64| {
                let surfaces = self.surfaces.iter();
                let known = surfaces.filter_map(|(key, speeds)| speeds.get(tags.get(key)?));
                known.chain(&profile.top_speed).copied().fold(speed, f64::min)
            };
            let mut by_hours = ByHours { restricted: hours.restricted, limited: 0, speed };
            let mut usual = speed;
            if network.limits && !ferry {
                usual = limited(speed, tags, direction);
                self.limit_by_hours(profile, tags, direction, usual, conditions, &mut by_hours);
                by_hours.speed = most(by_hours.speed);
            }
            let differs = by_hours.restricted | by_hours.limited != 0;
            let restricted = access == Some(Access::Restricted);
            Some(Drive { speed: most(usual), rate: 1.0, restricted, by_hours: differs.then_some(by_hours) })
        };
        let mut drives = [drive(Direction::Forward, forward), drive(Direction::Backward, backward)];
        let both = drives.iter().all(Option::is_some);
        for (drive, direction) in drives.iter_mut().zip([Direction::Forward, Direction::Backward]) {
            if let Some(drive) = drive {
                drive.rate = rate(tags, both, direction, network) * profile.toll_rate(tags);
            }
        }
        let divided = profile.curb && both && divided(tags);
        drives.iter().any(Option::is_some).then_some(Way { drives, seconds, group: group(highway), divided })
    }
}

impl Profile {
    /// Along and against the way: whether its one-way tags let this profile.
    fn ways(&self, highway: &str, tags: &Tags) -> [bool; 2] {
        let specific =
            self.restrictions.iter().find_map(|name| tags.get(&format!("oneway:{name}"))).or_else(|| {
                let contraflow = self.network == "cycle"
                    && ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"]
                        .iter()
                        .any(|key| tags.get(key).is_some_and(|value| value.starts_with("opposite")));
                contraflow.then_some("no")
            });
        match specific.or_else(|| tags.get("oneway")) {
            Some("-1" | "reverse") => [false, true],
            Some("yes" | "1" | "true") => [true, false],
            Some("reversible") => [false, false],
            Some("no") => [true, true],
            _ => {
                let implied =
                    highway == "motorway" || matches!(tags.get("junction"), Some("roundabout" | "circular"));
                [true, !implied]
            }
        }
    }

    /// What access tags say, `Some(None)` when they say nothing; `None` when limits of size keep it off.
    fn access(&self, highway: &str, tags: &Tags, direction: Direction) -> Option<Option<Access>> {
        let size = self.size;
        let below = |keys: &[&str], number: fn(&str) -> Option<f64>, needed: f64| {
            tags.directed(keys, direction).and_then(number).is_some_and(|limit| limit < needed)
        };
        // A road as wide as the vehicle is too narrow for it.
        let narrow = size.width > 2.2 && tags.is("narrow", "yes");
        if narrow
            || below(&["maxheight:physical", "maxheight"], numbers::metres, size.height)
            || below(
                &["maxwidth:physical", "maxwidth", "width", "est_width"],
                numbers::metres,
                size.width + 0.001,
            )
            || below(&["maxlength"], numbers::metres, size.length)
            || below(&["maxweightrating", "maxweight"], numbers::tonnes, size.weight)
            || self.hazmat && tags.is("hazmat", "no")
        {
            return None;
        }
        let keys: Vec<&str> = self.access.iter().map(String::as_str).collect();
        match tags.directed(&keys, direction).map(access) {
            // Private tracks and paths are not the last piece of a delivery.
            Some(Access::Restricted) if matches!(highway, "track" | "path") => None,
            known => Some(known),
        }
    }

    /// How much of its speed a way with a toll is worth.
    fn toll_rate(&self, tags: &Tags) -> f64 {
        let specific = self.access.iter().find_map(|key| tags.get(&format!("toll:{key}")));
        if specific.or_else(|| tags.get("toll")) == Some("yes") { self.tolls } else { 1.0 }
    }
}

/// Ways on which nobody drives, whatever else they say.
fn blocked(highway: &str, tags: &Tags) -> bool {
    tags.is("area", "yes")
        || matches!(highway, "steps" | "construction" | "proposed" | "abandoned" | "razed" | "platform")
        || tags.is("impassable", "yes")
        || tags.is("status", "impassable")
        || tags.is("smoothness", "impassable")
        || tags.is("service", "emergency_access")
        || tags.get("construction").is_some_and(|kind| !matches!(kind, "no" | "widening" | "minor"))
}

/// Whether vehicles do not cross the road to a place on its other side: something is in the middle, or it has four lanes.
fn divided(tags: &Tags) -> bool {
    tags.get("divider").is_some_and(|divider| !matches!(divider, "no" | "dashed_line" | "centre_line"))
        || tags.get("lanes").and_then(|lanes| lanes.parse::<f64>().ok()).is_some_and(|lanes| lanes >= 4.0)
}

/// Limits replace the usual speed of the road.
fn limited(speed: f64, tags: &Tags, direction: Direction) -> f64 {
    let keys = ["maxspeed:advisory", "maxspeed", "source:maxspeed", "maxspeed:type"];
    match tags.directed(&keys, direction).and_then(numbers::limit) {
        Some(limit) if limit > 0.0 => limit * OF_LIMIT,
        _ => speed,
    }
}

/// How much of its speed a way is worth when ways are chosen.
fn rate(tags: &Tags, both: bool, direction: Direction, network: &Network) -> f64 {
    if !network.limits {
        return 1.0;
    }
    let mut rate: f64 = 1.0;
    if let Some("alley" | "parking" | "parking_aisle" | "driveway" | "drive-through" | "drive-thru") =
        tags.get("service")
    {
        rate = rate.min(0.5);
    }
    if both {
        if tags.is("lane_markings", "no") {
            rate = rate.min(0.75);
        }
        let of_width = tags.get("width").and_then(numbers::metres).map_or(1.0, |width| match width {
            _ if width <= 3.0 => 0.5,
            _ if width < 4.0 => 0.6,
            _ if width < 5.0 => 0.75,
            _ if width < 6.0 => 0.8,
            _ => 1.0,
        });
        let lanes = tags.get("lanes").and_then(|lanes| lanes.parse::<f64>().ok());
        rate = rate.min(if lanes.is_some_and(|lanes| lanes <= 1.0) { 0.5 } else { of_width });
    }
    if tags.is("oneway", "alternating") {
        rate = rate.min(0.4);
    }
    if matches!(tags.get("side_road"), Some("yes" | "rotary")) {
        rate = rate.min(0.8);
    }
    let yields = match direction {
        Direction::Forward => "backward",
        Direction::Backward => "forward",
    };
    if tags.is("priority", yields) {
        rate = rate.min(0.7);
    }
    rate
}
