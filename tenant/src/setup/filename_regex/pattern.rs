//! Patterns and what they find. The engine takes time linear in the name, whatever the pattern.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use chrono::format::{Item, StrftimeItems};
use regex::{Regex, RegexBuilder};

/// Named groups that mean something.
const GROUPS: [&str; 4] = ["scenario", "date", "client_uid", "job_uid"];
/// Most memory of a compiled pattern, bytes.
const LARGEST: usize = 1024 * 1024;

/// Compiles a pattern.
///
/// # Errors
/// What is wrong with it.
pub(super) fn compile(pattern: &str) -> Result<Regex, String> {
    let regex = RegexBuilder::new(pattern).size_limit(LARGEST).build().map_err(|error| {
        // The last line says what is wrong, the others draw the place in several lines.
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default().trim_start_matches("error:").trim().to_owned();
        format!("Value is not a valid regular expression: {reason}")
    })?;
    match regex.capture_names().flatten().find(|name| !GROUPS.contains(name)) {
        Some(unknown) => Err(format!("Group {unknown} is not one of {}", GROUPS.join(", "))),
        None => Ok(regex),
    }
}

/// Whether chrono can read a date with this format.
pub(super) fn is_date_format(format: &str) -> bool {
    !format.is_empty() && StrftimeItems::new(format).all(|item| !matches!(item, Item::Error))
}

/// What the groups of a pattern hold for a file name, or nothing when it does not match. The date is read with the
/// format, else as `YYYY-MM-DD` or `YYYYMMDD`.
pub(super) fn find(
    regex: &Regex,
    name: &str,
    date_format: Option<&str>,
) -> Option<(BTreeMap<String, String>, Option<NaiveDate>)> {
    let captures = regex.captures(name)?;
    let groups: BTreeMap<String, String> = GROUPS
        .into_iter()
        .filter_map(|group| Some((group.to_owned(), captures.name(group)?.as_str().to_owned())))
        .collect();
    let formats: Vec<&str> = date_format.map_or_else(|| vec!["%Y-%m-%d", "%Y%m%d"], |format| vec![format]);
    let date = groups
        .get("date")
        .and_then(|text| formats.iter().find_map(|format| NaiveDate::parse_from_str(text, format).ok()));
    Some((groups, date))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_dates_are_found() {
        let regex = compile(r"^(?P<scenario>.+)_(?<date>\d{8})\.csv$").unwrap();
        let (groups, date) = find(&regex, "Porto north_20261120.csv", None).unwrap();
        assert_eq!(groups["scenario"], "Porto north");
        assert_eq!(date, NaiveDate::from_ymd_opt(2026, 11, 20));
        assert_eq!(find(&regex, "Porto_20261399.csv", None).unwrap().1, None);
        assert!(find(&regex, "Porto.csv", None).is_none());
        let regex = compile(r"(?P<date>\d\d\.\d\d\.\d{4})").unwrap();
        assert_eq!(
            find(&regex, "pod 20.11.2026.pdf", Some("%d.%m.%Y")).unwrap().1,
            NaiveDate::from_ymd_opt(2026, 11, 20)
        );
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        assert!(
            compile("(").unwrap_err().starts_with("Value is not a valid regular expression: unclosed group")
        );
        assert!(compile(r"(?=x)").is_err(), "look-around is not linear");
        assert!(compile(r"(\w{1000}){1000}").is_err(), "too large");
        assert_eq!(
            compile("(?P<job>.*)").unwrap_err(),
            "Group job is not one of scenario, date, client_uid, job_uid"
        );
        assert!(is_date_format("%Y%m%d") && !is_date_format("%Q") && !is_date_format(""));
    }
}
