//! The clock of one day's plan: whole seconds after local midnight of the scheduled date. Real seconds, so that a plan
//! stays right on the two days of a year that do not have 24 hours.

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Timelike, Utc};
use chrono_tz::Tz;

/// Seconds of a day with 24 hours.
pub(crate) const DAY: i64 = 24 * 3600;

/// A date in a time zone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Day {
    midnight: DateTime<Utc>,
    date: NaiveDate,
    zone: Tz,
}

impl Day {
    pub(crate) fn new(date: NaiveDate, zone: Tz) -> Self {
        Self { midnight: instant(zone, date.and_time(NaiveTime::MIN)), date, zone }
    }

    /// Seconds at which the local clock shows `time`.
    pub(crate) fn at(&self, time: NaiveTime) -> i64 {
        self.of(instant(self.zone, self.date.and_time(time)))
    }

    /// Seconds of a moment.
    pub(crate) fn of(&self, moment: DateTime<Utc>) -> i64 {
        (moment - self.midnight).num_seconds()
    }

    /// What the local clock shows so many seconds into the day: `14:37`.
    pub(crate) fn clock(&self, seconds: i64) -> String {
        self.moment(seconds).with_timezone(&self.zone).format("%H:%M").to_string()
    }

    /// Hour of the week on the local clock so many seconds into the day, 0 to 167 from Monday's first.
    pub(crate) fn hour_of_week(&self, seconds: i64) -> usize {
        let local = self.moment(seconds).with_timezone(&self.zone);
        local.weekday().num_days_from_monday() as usize * 24 + local.hour() as usize
    }

    /// The moment so many seconds into the day.
    pub(crate) fn moment(&self, seconds: i64) -> DateTime<Utc> {
        self.midnight + Duration::seconds(seconds)
    }
}

/// The moment at which a local clock shows `local`: the first of two, and the end of the gap where it shows it never.
fn instant(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    // Gaps are at most a day long (Samoa left out 30 December 2011), in steps of quarter hours.
    (0..=96)
        .find_map(|quarters| zone.from_local_datetime(&(local + Duration::minutes(15 * quarters))).earliest())
        .map_or_else(|| local.and_utc(), |moment| moment.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(year: i32, month: u32, date: u32) -> Day {
        Day::new(NaiveDate::from_ymd_opt(year, month, date).expect("a date"), chrono_tz::Europe::Lisbon)
    }

    fn time(hour: u32) -> NaiveTime {
        NaiveTime::from_hms_opt(hour, 0, 0).expect("a time")
    }

    #[test]
    fn seconds_are_real_ones_when_clocks_change() {
        assert_eq!(day(2026, 11, 23).at(time(9)), 9 * 3600);
        // The night of 29 March 2026 misses an hour, that of 25 October has one twice.
        assert_eq!(day(2026, 3, 29).at(time(9)), 8 * 3600);
        assert_eq!(day(2026, 10, 25).at(time(9)), 10 * 3600);
        assert_eq!(day(2026, 3, 29).at(time(1)), 3600, "a time that does not exist is the end of the gap");
        assert_eq!(day(2026, 10, 25).clock(10 * 3600 + 59), "09:00");
        let summer = day(2026, 7, 1);
        assert_eq!(summer.moment(summer.at(time(9))).to_rfc3339(), "2026-07-01T08:00:00+00:00");
    }
}
