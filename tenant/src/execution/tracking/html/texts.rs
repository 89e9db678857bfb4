//! What the page says.

use super::super::state::State;

pub(super) const TITLE: &str = "Delivery Tracking";
pub(super) const TRACKING_NUMBER: &str = "Tracking number";
pub(super) const ADD: &str = "Add delivery";
pub(super) const REHEARSAL: &str = "Rehearsal: nothing is delivered, and nothing leaves.";
pub(super) const UNKNOWN: &str = "Job not found.";
pub(super) const EXPECTED: &str = "Expected";
pub(super) const DELAYED: &str = "Delayed";
pub(super) const DELAYED_UNKNOWN: &str = "Your delivery is late. A new time is not known yet.";
pub(super) const ASKED: &str = "You asked for another time";
pub(super) const PROOF: &str = "Proof of delivery";
pub(super) const DOWNLOAD: &str = "Download PoD";
pub(super) const ATTACHMENTS: &str = "Units and returns";
pub(super) const CONTACT: &str = "Questions about your delivery";
pub(super) const SHOW_MAP: &str = "Show on the map";
pub(super) const RESCHEDULE: &str = "Ask for another time";
pub(super) const RESCHEDULE_DATE: &str = "Date";
pub(super) const RESCHEDULE_FROM: &str = "From";
pub(super) const RESCHEDULE_TO: &str = "To";
pub(super) const RESCHEDULE_NOTE: &str = "Note";
pub(super) const RESCHEDULE_TIME: &str = "Time";
pub(super) const RESCHEDULE_SENT: &str = "Your request has been sent";
pub(super) const RESCHEDULED: &str = "Your delivery has been moved";
pub(super) const LOOKING: &str = "Looking for days and times on which somebody can come…";
pub(super) const NO_SLOTS: &str =
    "There is no other day on which somebody can come. Please get in touch with us.";
pub(super) const ANY_TIME: &str = "Any time";
pub(super) const NEAREST: &str = "The nearest times";
pub(super) const SEND: &str = "Send";
pub(super) const SAVE: &str = "Save";
pub(super) const FAILED: &str = "That did not work. Please try again.";
pub(super) const WISHES: &str = "Tell the driver something";
pub(super) const WISHES_SENT: &str = "Saved. The driver will read it.";
pub(super) const WISHES_HELP: &str = "The driver reads this as you write it. Empty a field to take it back.";
pub(super) const INSTRUCTIONS: &str = "Instructions for the driver";
pub(super) const INSTRUCTIONS_HINT: &str = "Ring at the back door";
pub(super) const SAFE_PLACE: &str = "Where it can be left";
pub(super) const SAFE_PLACE_HINT: &str = "Behind the gate, with a neighbour";

/// The state in a word or two.
pub(super) const fn name(state: State) -> &'static str {
    match state {
        State::Received => "Received",
        State::NotPlanned => "Not planned yet",
        State::Planned => "Planned",
        State::OutForDelivery => "Out for delivery",
        State::Next => "Next stop",
        State::Arrived => "Arrived",
        State::Delivered => "Delivered",
        State::NotDelivered => "Not delivered",
    }
}

/// What it means for the customer.
pub(super) const fn meaning(state: State) -> &'static str {
    match state {
        State::Received => "We know of your delivery. Its day is not decided yet.",
        State::NotPlanned => {
            "Nobody has been found yet who brings your delivery. Its time will be shown here."
        }
        State::Planned => "Your delivery is planned. The driver has not started yet.",
        State::OutForDelivery => "The driver is on the road.",
        State::Next => "You are the next stop.",
        State::Arrived => "The driver is at your address.",
        State::Delivered => "Your delivery has been made.",
        State::NotDelivered => {
            "Your delivery could not be made. The sender plans another attempt or gets in touch with you."
        }
    }
}

/// When it is expected while the driver is on the road.
pub(super) fn between(from: &str, to: &str) -> String {
    format!("between {from} and {to}")
}

/// The same where it is known to the minute.
pub(super) fn about(at: &str) -> String {
    format!("at about {at}")
}

/// The vehicle has told nothing for a while.
pub(super) fn not_heard_since(at: &str) -> String {
    format!("The vehicle was last heard of at {at}. It may come earlier or later than expected.")
}

/// Stops that come first.
pub(super) fn stops_before(stops: i64) -> String {
    match stops {
        0 => "You are the next stop".to_owned(),
        1 => "1 stop before yours".to_owned(),
        stops => format!("{stops} stops before yours"),
    }
}

/// What became of a unit or a return.
pub(super) fn mode(mode: Option<&str>) -> &'static str {
    match mode {
        Some("load") => "Loaded",
        Some("pickup") => "Picked up",
        Some("at_depot") => "At depot",
        Some("return") => "Returned",
        _ => "Unloaded",
    }
}
