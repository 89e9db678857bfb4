//! What conditional tags of a way say at the hours of every metric.

use super::access::{Access, access};
use super::conditional::Conditions;
use super::drive::ByHours;
use super::tags::Direction;
use super::{Profile, Profiles, Tags, numbers};

/// Access by the hour.
#[derive(Debug, Clone, Copy)]
pub(super) struct AccessByHours {
    /// What a way that is closed otherwise is open for at every hour.
    pub(super) opened: Option<Access>,
    /// Whether it is closed at every hour.
    pub(super) closed: bool,
    /// Metrics at whose hours it may be closed, one bit each: it is reached then, not passed through.
    pub(super) restricted: u32,
}

impl Profiles {
    /// What `access:conditional` and the like say.
    pub(super) fn access_by_hours(
        &self,
        profile: &Profile,
        tags: &Tags,
        direction: Direction,
        conditions: &mut Conditions,
    ) -> AccessByHours {
        let mut by_hours = AccessByHours { opened: Some(Access::No), closed: false, restricted: 0 };
        for key in &profile.access {
            if let Some(text) = tags.conditional(key, direction) {
                for clause in conditions.clauses(text, profile) {
                    let value = access(clause.value);
                    if matches!(value, Access::Restricted | Access::Yes) && clause.always() {
                        let value = if clause.to_places { Access::Restricted } else { value };
                        by_hours.opened = by_hours.opened.max(Some(value));
                    }
                    if value == Access::No && clause.always() && !clause.to_places {
                        by_hours.closed = true;
                    } else if matches!(value, Access::No | Access::Restricted) {
                        by_hours.restricted |= self.metrics_at(&clause.hours, |hours, _| hours > 0);
                    }
                }
            }
            // What is said of this vehicle goes before what is said of others.
            if tags.directed(&[key], direction).is_some() {
                break;
            }
        }
        by_hours
    }

    /// What `maxspeed:conditional` says: a limit counts where it holds during most of the hours of a metric, one that was not
    /// understood where it is slower.
    pub(super) fn limit_by_hours(
        &self,
        profile: &Profile,
        tags: &Tags,
        direction: Direction,
        usual: f64,
        conditions: &mut Conditions,
        by_hours: &mut ByHours,
    ) {
        let Some(text) = tags.conditional("maxspeed", direction) else { return };
        for clause in conditions.clauses(text, profile) {
            let limit = numbers::limit(clause.value).filter(|limit| *limit > 0.0);
            let Some(speed) = limit.map(|limit| limit * super::drive::OF_LIMIT) else { continue };
            let metrics = match clause.understood {
                true => self.metrics_at(&clause.hours, |hours, all| hours * 2 > all),
                false if speed < usual => u32::MAX,
                false => 0,
            };
            if metrics != 0 {
                by_hours.limited |= metrics;
                by_hours.speed = speed;
            }
        }
    }
}
