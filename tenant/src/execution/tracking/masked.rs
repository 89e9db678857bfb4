//! Addresses and numbers of people in what was written about a delivery. Whoever has the link may be anybody: he sees enough
//! of them to know his own, and no more. Pure.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A mail address, or what may be a telephone number.
static CONTACT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?x)
        (?<first>[\w+]) [\w.+-]* (?<host>@[\w-]+(?:\.[\w-]+)+)
        | (?<number>\+? [0-9] [0-9\ ()./-]{6,} [0-9])";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("{error}"))
});
/// A day, which is no number of a telephone.
static DAY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b")
        .unwrap_or_else(|error| unreachable!("{error}"))
});
/// Digits of the shortest number that is called from anywhere in a country. Postal codes have fewer.
const DIGITS: usize = 9;
/// Digits that are left of a number.
const LEFT: usize = 3;

/// The text with `a…@example.org` and `…789` in the place of addresses and numbers.
pub(super) fn masked(text: &str) -> String {
    CONTACT.replace_all(text, |found: &Captures<'_>| short(found)).into_owned()
}

fn short(found: &Captures<'_>) -> String {
    if let (Some(first), Some(host)) = (found.name("first"), found.name("host")) {
        return format!("{}…{}", first.as_str(), host.as_str());
    }
    let digits: Vec<char> = found[0].chars().filter(char::is_ascii_digit).collect();
    if digits.len() < DIGITS || DAY.is_match(&found[0]) {
        return found[0].to_owned();
    }
    let last: String = digits[digits.len() - LEFT..].iter().collect();
    format!("…{last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 13.4: addresses and numbers are masked, other figures are not.
    #[test]
    fn people_are_not_told_by_their_link() {
        for (text, shown) in [
            ("Mail ana.maria+x@example.org first", "Mail a…@example.org first"),
            ("a@b.example.org,rui@example.org", "a…@b.example.org,r…@example.org"),
            ("Ring +351 912 345 789.", "Ring …789."),
            ("Ring 912345789 or (0)22 000-0001", "Ring …789 or (…001"),
            ("Porto 4000-123, gate 12, code 4711", "Porto 4000-123, gate 12, code 4711"),
            ("From 2026-11-25 09:00 on", "From 2026-11-25 09:00 on"),
            ("25/11/2026 12-14", "25/11/2026 12-14"),
            ("Ring twice", "Ring twice"),
            ("@ home", "@ home"),
        ] {
            assert_eq!(masked(text), shown);
        }
    }
}
