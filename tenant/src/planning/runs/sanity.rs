//! Whether what was recorded of a run can be true: what cannot is refused, what is unusual has to be meant. Pure.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;

use super::model::Run;

/// Longest way of a run that is usual, and that is possible, km.
const WAY: (f64, f64) = (3_000.0, 20_000.0);
/// Kilometres beyond the odometers that are usual, and that are possible.
const MORE: (f64, f64) = (500.0, 20_000.0);
/// Hours on the road, and billed, that are usual, and that are possible.
const HOURS: (f64, f64) = (24.0, 168.0);
/// Hours that are usually billed at least, and that can be.
const LEAST: (f64, f64) = (24.0, 168.0);
/// Days around the run's day in which it usually starts and ends, and in which it can.
const AROUND: (u64, u64) = (2, 31);
/// By how much a clock may be fast, and by how much a moment can lie ahead.
const AHEAD: (TimeDelta, TimeDelta) = (TimeDelta::minutes(15), TimeDelta::days(1));

/// A value that cannot be true, or hardly.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    /// The field.
    pub(super) field: &'static str,
    /// Fields of which one was given, when it matters.
    pub(super) of: &'static [&'static str],
    /// Whether nobody may mean it.
    pub(super) impossible: bool,
    /// Why.
    pub(super) text: String,
}

/// What of a run's actuals is in doubt.
pub(super) fn doubts(run: &Run, zone: Tz, now: DateTime<Utc>) -> Vec<Doubt> {
    let mut found = Doubts(Vec::new());
    found.times(run, zone, now);
    found.hours(run);
    found.way(run);
    found.0
}

const ODOMETERS: &[&str] = &["start_odometer", "end_odometer"];
const KILOMETRES: &[&str] = &["start_odometer", "end_odometer", "additional_billing_kms"];

struct Doubts(Vec<Doubt>);

impl Doubts {
    fn add(
        &mut self,
        field: &'static str,
        of: &'static [&'static str],
        impossible: bool,
        text: impl Into<String>,
    ) {
        self.0.push(Doubt { field, of, impossible, text: text.into() });
    }

    /// Above the first bound it has to be meant, above the second it cannot be.
    fn above(
        &mut self,
        field: &'static str,
        of: &'static [&'static str],
        (value, (usual, possible)): (f64, (f64, f64)),
        text: impl Fn(f64) -> String,
    ) {
        if value > possible {
            self.add(field, of, true, format!("{}, more than {possible} is not possible", text(value)));
        } else if value > usual {
            self.add(field, of, false, format!("{}, more than {usual} is unusual", text(value)));
        }
    }

    /// Against the run's day and the present.
    fn times(&mut self, run: &Run, zone: Tz, now: DateTime<Utc>) {
        let day = run.scenario.scheduled_date;
        for (field, of, name, at) in [
            (
                "actual_start_time",
                &["actual_start_time"] as &'static [&'static str],
                "Actual start time",
                run.actual_start_time,
            ),
            ("actual_end_time", &["actual_end_time"], "Actual end time", run.actual_end_time),
            ("billing_start_time", &["billing_start_time"], "Billing start time", run.billing_start_time),
        ] {
            let Some(at) = at else { continue };
            if at > now + AHEAD.0 {
                let impossible = at > now + AHEAD.1 && !around(day, at, zone, AROUND.0);
                self.add(field, of, impossible, format!("{name} lies in the future"));
            } else if !around(day, at, zone, AROUND.0) {
                let text = format!("{name} is not on the run's day, {}", day.format("%d/%m/%Y"));
                self.add(field, of, !around(day, at, zone, AROUND.1), text);
            }
        }
    }

    fn hours(&mut self, run: &Run) {
        let hours = |from: DateTime<Utc>, to: DateTime<Utc>| (to - from).as_seconds_f64() / 3600.0;
        if let (Some(start), Some(end)) = (run.actual_start_time, run.actual_end_time) {
            let times = &["actual_start_time", "actual_end_time"];
            self.above("actual_end_time", times, (hours(start, end), HOURS), |hours| {
                format!("The run takes {hours:.1} h")
            });
        }
        if let (Some(start), Some(end)) = (run.billing_start_time, run.actual_end_time) {
            let times = &["billing_start_time", "actual_end_time"];
            if start > end {
                let text = "Billing start time should be before actual end time";
                self.add("billing_start_time", times, true, text);
            }
            self.above("billing_start_time", times, (hours(start, end), HOURS), |hours| {
                format!("{hours:.1} h would be billed")
            });
        }
        let least = (run.min_billing_hours, LEAST);
        self.above("min_billing_hours", &["min_billing_hours"], least, |hours| {
            format!("{hours:.1} h are billed at least")
        });
    }

    fn way(&mut self, run: &Run) {
        let more = run.additional_billing_kms;
        let way = run.start_odometer.zip(run.end_odometer).map(|(start, end)| end - start);
        if let Some(way) = way {
            self.above("end_odometer", ODOMETERS, (way, WAY), |km| format!("The run drove {km:.1} km"));
        }
        self.above("additional_billing_kms", &["additional_billing_kms"], (more, MORE), |km| {
            format!("{km:.1} km are billed beyond the odometers")
        });
        match way {
            // Odometers have two decimals.
            Some(way) if way + more < -0.001 => {
                let text = format!("{more:.2} km would make the billed distance negative");
                self.add("additional_billing_kms", KILOMETRES, true, text);
            }
            None if more < 0.0 => {
                let text = "Kilometres can be taken off once both odometers are there";
                self.add("additional_billing_kms", &["additional_billing_kms"], true, text);
            }
            _ => {}
        }
    }
}

/// Whether a moment is at most so many days from the run's, by the organisation's calendar.
fn around(day: NaiveDate, at: DateTime<Utc>, zone: Tz, days: u64) -> bool {
    let midnight = |day: Option<NaiveDate>| {
        let midnight = zone.from_local_datetime(&day?.and_time(NaiveTime::MIN));
        midnight.earliest().map(|at| at.with_timezone(&Utc))
    };
    let first = midnight(day.checked_sub_days(Days::new(days)));
    let after = midnight(day.checked_add_days(Days::new(days + 1)));
    first.is_none_or(|first| at >= first) && after.is_none_or(|after| at < after)
}
