//! Checks of single values and the texts that the specification gives for them.

use crate::error::Problems;

/// Longest one-line text.
pub const SHORT_TEXT: usize = 255;
/// Longest free text.
pub const LONG_TEXT: usize = 4000;
/// Reason for an overlong text.
pub const TOO_LONG: &str = "Value is too long";
/// Reason for blank text.
pub const BLANK: &str = "Value cannot be blank";
/// Reason for a missing value.
pub const REQUIRED: &str = "This item is required";
/// Reason for a field that nobody can write.
pub const UNKNOWN: &str = "This field is unknown or read-only";
/// Reason for a bad address.
pub const EMAIL: &str = "Invalid email address";
/// Reason for a bad phone number.
pub const PHONE: &str = "Invalid phone number, must be international format (e.g +61412345678)";
/// Reason for markup or control characters in a name.
pub const SPECIAL: &str = "Value cannot contain special characters";

/// Whether `text` looks like one e-mail address.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let plain = |c: char| {
        !c.is_whitespace() && !c.is_control() && !matches!(c, ',' | ';' | '<' | '>' | '"' | '(' | ')' | '\\')
    };
    text.len() <= 254
        && !local.is_empty()
        && local.len() <= 64
        && local.chars().all(|c| plain(c) && c != '@')
        && !local.starts_with('.')
        && !local.ends_with('.')
        && domain.split('.').count() >= 2
        && domain.split('.').all(|label| {
            !label.is_empty()
                && label.len() <= 63
                && label.chars().all(|c| c.is_alphanumeric() || c == '-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        })
}

/// Whether `text` is a comma-separated list of addresses.
#[must_use]
pub fn is_email_list(text: &str) -> bool {
    text.split(',').all(|part| is_email(part.trim()))
}

/// Whether `text` is an international phone number: a plus and 7 to 15 digits (ITU-T E.164), with spaces,
/// dashes or brackets between them.
#[must_use]
pub fn is_phone(text: &str) -> bool {
    let Some(rest) = text.trim().strip_prefix('+') else { return false };
    let digits = rest.chars().filter(char::is_ascii_digit).count();
    (7..=15).contains(&digits)
        && rest.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | '.'))
        && !rest.starts_with('0')
}

/// Whether `text` is a colour like `#34495e`.
#[must_use]
pub fn is_colour(text: &str) -> bool {
    text.len() == 7 && text.starts_with('#') && text[1..].chars().all(|c| c.is_ascii_hexdigit())
}

/// Whether a name holds control characters or markup brackets.
#[must_use]
pub fn has_special(text: &str) -> bool {
    text.chars().any(|c| c.is_control() || matches!(c, '<' | '>' | '{' | '}' | '\\' | '`' | '$' | '^' | '"'))
}

/// Parses a time of day: `HH:mm`, `HH:mm:ss` or 12-hour with am/pm. Answers `HH:mm`.
#[must_use]
pub fn time_of_day(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let (clock, half) = match text
        .strip_suffix("am")
        .map(|t| (t, Some(false)))
        .or_else(|| text.strip_suffix("pm").map(|t| (t, Some(true))))
    {
        Some((clock, half)) => (clock.trim().to_owned(), half),
        None => (text.clone(), None),
    };
    let mut parts = clock.split(':');
    let number = |part: Option<&str>| -> Option<u32> {
        let part = part?;
        (!part.is_empty() && part.len() <= 2 && part.chars().all(|c| c.is_ascii_digit()))
            .then(|| part.parse().ok())?
    };
    let mut hour = number(parts.next())?;
    let minute = match parts.next() {
        Some(part) if part.len() == 2 => number(Some(part))?,
        Some(_) => return None,
        None if half.is_some() => 0,
        None => return None,
    };
    if let Some(seconds) = parts.next()
        && (seconds.len() != 2 || number(Some(seconds))? > 59)
    {
        return None;
    }
    if parts.next().is_some() {
        return None;
    }
    match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(true) if hour < 12 => hour += 12,
        Some(false) if hour == 12 => hour = 0,
        _ => {}
    }
    (hour <= 23 && minute <= 59).then(|| format!("{hour:02}:{minute:02}"))
}

impl Problems {
    /// A required one-line text: present, not blank, not overlong.
    pub fn text(&mut self, field: &str, value: &str, longest: usize) {
        self.require(!value.trim().is_empty(), field, BLANK);
        self.require(value.chars().count() <= longest, field, TOO_LONG);
    }

    /// An optional text: if given, not blank and not overlong.
    pub fn optional_text(&mut self, field: &str, value: Option<&str>, longest: usize) {
        if let Some(value) = value {
            self.text(field, value, longest);
        }
    }

    /// An optional list of e-mail addresses.
    pub fn emails(&mut self, field: &str, value: Option<&str>) {
        if let Some(value) = value {
            if value.trim().is_empty() {
                self.add(field, BLANK);
            } else {
                self.require(is_email_list(value), field, EMAIL);
                self.require(value.chars().count() <= LONG_TEXT, field, TOO_LONG);
            }
        }
    }

    /// An optional phone number.
    pub fn phone(&mut self, field: &str, value: Option<&str>) {
        if let Some(value) = value {
            if value.trim().is_empty() {
                self.add(field, BLANK);
            } else {
                self.require(is_phone(value), field, PHONE);
            }
        }
    }

    /// An optional list of phone numbers, comma-separated.
    pub fn phones(&mut self, field: &str, value: Option<&str>) {
        if let Some(value) = value {
            if value.trim().is_empty() {
                self.add(field, BLANK);
            } else {
                self.require(value.split(',').all(|number| is_phone(number.trim())), field, PHONE);
                self.require(value.chars().count() <= LONG_TEXT, field, TOO_LONG);
            }
        }
    }

    /// An optional colour.
    pub fn colour(&mut self, field: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.require(is_colour(value), field, "Value is not a colour (e.g #34495e)");
        }
    }

    /// `arrive_after` not later than `leave_by`, both `HH:mm`.
    pub fn window(&mut self, arrive_after: Option<&str>, leave_by: Option<&str>) {
        if let (Some(from), Some(to)) = (arrive_after, leave_by)
            && from > to
        {
            self.add("arrive_after", format!("Time should be before leave by ({to})"));
            self.add("leave_by", format!("Time should be after arrive after ({from})"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P-3xx: time inputs accept HH:mm and 12-hour forms.
    #[test]
    fn times_of_day_in_both_clocks() {
        let cases = [
            ("09:30", Some("09:30")),
            ("9:30", Some("09:30")),
            ("9:30 pm", Some("21:30")),
            ("12:15am", Some("00:15")),
            ("12:15 PM", Some("12:15")),
            ("7am", Some("07:00")),
            ("23:59:59", Some("23:59")),
            ("25:61", None),
            ("13:00pm", None),
            ("9:3", None),
            ("", None),
            ("noon", None),
        ];
        for (text, expected) in cases {
            assert_eq!(time_of_day(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn addresses_and_numbers() {
        assert!(is_email("driver1@example.org"));
        assert!(is_email_list("a@example.org, b@example.org"));
        for bad in
            ["", "not-an-address", "a@b", "a b@example.org", "a@example.org\r\nBcc: x@y.zz", "a@@example.org"]
        {
            assert!(!is_email(bad), "{bad}");
        }
        assert!(is_phone("+351 220 000 001"));
        for bad in ["12", "0351220000", "+12", "+0351220000", "+35122000000112345"] {
            assert!(!is_phone(bad), "{bad}");
        }
        assert!(is_colour("#34495e") && !is_colour("34495e") && !is_colour("#34495"));
    }
}
