//! What must hold of a run (specification of execution, §5), with its texts. Pure.

use routewright_core::error::Problems;

use super::model::Run;
use crate::fleet::drivers::{Shift, check_shift};
use crate::fleet::vehicles::{check_capacity, check_speed};
use crate::planning::scenarios::check_day;

/// Everything that can be told from the row itself.
pub(super) fn run(run: &Run, problems: &mut Problems) {
    planning(run, problems);
    actuals(run, problems);
}

fn planning(run: &Run, problems: &mut Problems) {
    problems.text("uid", &run.uid, 100);
    problems.colour("route_colour", Some(&run.route_colour));
    problems.emails("email", run.email.as_deref());
    problems.phones("phone_number", run.phone_number.as_deref());
    for (field, value) in [
        ("alternatives_group", &run.alternatives_group),
        ("spec_type", &run.spec_type),
        ("device_id", &run.device_id),
    ] {
        problems.optional_text(field, value.as_deref(), 255);
    }
    for (field, place) in [("start_location", &run.start_location), ("end_location", &run.end_location)] {
        if let Some(place) = place {
            place.check(field, problems);
        }
    }
    choice("route_end", &run.route_end, &["start", "end_location", "anywhere"], problems);
    choice("preferred_method", &run.preferred_method, &["email", "sms", "qr_code"], problems);
    if run.route_end == "end_location" {
        problems.require(run.end_location.is_some(), "end_location", routewright_core::check::REQUIRED);
    }
    check_shift(
        &Shift {
            start: &run.shift_start,
            end: &run.shift_end,
            break_earliest: run.lunch_time.as_deref(),
            break_latest: run.lunch_latest_start.as_deref(),
        },
        problems,
    );
    problems.require(
        (0.0..=1440.0).contains(&run.lunch_duration),
        "lunch_duration",
        "Value must be between 0 and 1440",
    );
    check_capacity("capacity", Some(&run.capacity), problems);
    check_speed(Some(run.speed_multiplier), problems);
    if let (Some(start), Some(end)) = (run.planned_start_time, run.planned_end_time)
        && start >= end
    {
        problems.add("planned_start_time", "Planned start time should be before planned end time");
        problems.add("planned_end_time", "Planned end time should be after planned start time");
    }
}

fn actuals(run: &Run, problems: &mut Problems) {
    if let (Some(start), Some(end)) = (run.actual_start_time, run.actual_end_time)
        && start >= end
    {
        problems.add("actual_start_time", "Actual start time should be before actual end time");
        problems.add("actual_end_time", "Actual end time should be after actual start time");
    }
    if let (Some(start), Some(end)) = (run.start_odometer, run.end_odometer)
        && start > end
    {
        problems.add("start_odometer", "End odometer should be greater start odometer");
        problems.add("end_odometer", "End odometer should be greater start odometer");
    }
    for (field, moment) in [
        ("planned_start_time", run.planned_start_time),
        ("planned_end_time", run.planned_end_time),
        ("actual_start_time", run.actual_start_time),
        ("actual_end_time", run.actual_end_time),
        ("billing_start_time", run.billing_start_time),
    ] {
        check_day(field, moment.map(|moment| moment.date_naive()), problems);
    }
    for (field, value) in [("start_odometer", run.start_odometer), ("end_odometer", run.end_odometer)] {
        if let Some(value) = value {
            problems.require(value >= 0.0, field, "Value cannot be negative");
            problems.require(value <= 1e9, field, "Value must be less than 100000000");
        }
    }
    problems.require(
        (-1e9..=1e9).contains(&run.additional_billing_kms),
        "additional_billing_kms",
        "Value must be less than 100000000",
    );
    problems.require(
        (0.0..=1e5).contains(&run.min_billing_hours),
        "min_billing_hours",
        "Value cannot be negative",
    );
}

fn choice(field: &str, value: &str, of: &[&str], problems: &mut Problems) {
    problems.require(of.contains(&value), field, &format!("Value is not one of {}", of.join(", ")));
}
