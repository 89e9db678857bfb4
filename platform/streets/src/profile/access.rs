//! Who may use a way.

/// What an access tag allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    /// Nobody of this sort.
    No,
    /// Nothing is known about this value.
    Other,
    /// Whoever has to do with a place there: it may be reached, not passed through.
    Restricted,
    /// Everybody.
    Yes,
}

/// Meaning of the value of an access tag; of several values the most permissive counts.
pub(super) fn access(value: &str) -> Access {
    value.split(';').map(|value| one(value.trim())).max().unwrap_or(Access::Other)
}

fn one(value: &str) -> Access {
    match value {
        "yes" | "motorcar" | "motor_vehicle" | "vehicle" | "permissive" | "designated" | "hov" => Access::Yes,
        "private" | "delivery" | "destination" | "customers" | "permit" | "residents" | "unknown" => {
            Access::Restricted
        }
        "no" | "agricultural" | "forestry" | "emergency" | "psv" | "taxi" | "share_taxi" | "minibus"
        | "bus" | "foot" | "emergency_vehicle" | "restricted" | "military" | "official" => Access::No,
        _ => Access::Other,
    }
}
