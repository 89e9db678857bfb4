//! Names and days of copies. Pure.

use chrono::{Datelike, Days, NaiveDate, Weekday};
use routewright_core::check;
use routewright_core::error::Problems;

/// Longest name of a scenario.
const LONGEST: usize = 200;
/// Most scenarios of one call.
pub(super) const MOST: usize = 366;

/// Day of the week on the wire.
pub(super) fn weekday(name: &str) -> Option<Weekday> {
    let days = [
        ("monday", Weekday::Mon),
        ("tuesday", Weekday::Tue),
        ("wednesday", Weekday::Wed),
        ("thursday", Weekday::Thu),
        ("friday", Weekday::Fri),
        ("saturday", Weekday::Sat),
        ("sunday", Weekday::Sun),
    ];
    days.into_iter().find(|(known, _)| *known == name).map(|(_, day)| day)
}

/// The first copy has the name, further ones a number behind it.
pub(super) fn numbered(name: &str, number: usize) -> String {
    let suffix = if number < 2 { String::new() } else { format!(" ({number})") };
    let kept: String = name.trim().chars().take(LONGEST - suffix.len()).collect();
    format!("{kept}{suffix}")
}

/// Notes a name that no scenario can have.
pub(super) fn check(field: &str, name: Option<&str>, problems: &mut Problems) {
    problems.optional_text(field, name, LONGEST);
    if let Some(name) = name {
        problems.require(!name.chars().any(char::is_control), field, check::SPECIAL);
    }
}

/// The days from first to last, both included, that fall on one of the weekdays.
pub(super) fn days(first: NaiveDate, last: NaiveDate, weekdays: &[Weekday]) -> Vec<NaiveDate> {
    let mut days = Vec::new();
    let mut day = Some(first);
    while let Some(date) = day.filter(|date| *date <= last) {
        if weekdays.contains(&date.weekday()) {
            days.push(date);
        }
        // More than can be made are not counted to the end.
        if days.len() > MOST {
            break;
        }
        day = date.checked_add_days(Days::new(1));
    }
    days
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_fall_on_the_weekdays() {
        let date = |text: &str| text.parse::<NaiveDate>().unwrap();
        let found = days(date("2026-11-02"), date("2026-11-15"), &[Weekday::Mon, Weekday::Sun]);
        let expected = ["2026-11-02", "2026-11-08", "2026-11-09", "2026-11-15"].map(date);
        assert_eq!(found, expected);
        assert!(days(date("2026-11-03"), date("2026-11-02"), &[Weekday::Mon]).is_empty());
        assert!(days(date("2026-01-01"), date("2999-01-01"), &[Weekday::Mon]).len() > MOST);
    }

    #[test]
    fn copies_are_numbered_from_two() {
        assert_eq!((numbered("Day", 1), numbered("Day", 3)), ("Day".to_owned(), "Day (3)".to_owned()));
        assert_eq!(numbered(&"x".repeat(300), 12).chars().count(), LONGEST);
    }
}
