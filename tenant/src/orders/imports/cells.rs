//! From a cell's text to a value. Pure.

use routewright_core::TimeOfDay;
use routewright_core::check;
use routewright_core::error::Problems;

use super::mapping::Target;

/// Reason of a text that was read in the wrong encoding, or broken before.
const UNREADABLE: &str = "Value has unreadable characters: choose the encoding of the file, or correct it";
/// Reason of a long number that a spreadsheet rounded.
const ROUNDED: &str =
    "Value was rounded by a spreadsheet: give the column the format Text there and type it again";
/// Reason of a number whose comma may mean two things.
const AMBIGUOUS: &str = "Value can mean a decimal or thousands: write it without the comma or dot";

/// Fields that name something: a rounded number in them names something else.
const NAMES: [&str; 7] =
    ["uid", "phone_number", "invoice", "reference", "pickup_from", "deliver_to", "extra_field"];

/// Why a cell must not be stored, whatever its column.
pub(super) fn fault(target: &Target, text: &str) -> Option<&'static str> {
    if text.contains('\0') {
        return Some(check::SPECIAL);
    }
    let odd = |c: char| c == '\u{fffd}' || (c.is_control() && !matches!(c, '\t' | '\n' | '\r'));
    if text.contains(odd) {
        return Some(UNREADABLE);
    }
    let names = match target {
        Target::Job(field) | Target::Unit(field) | Target::Return(field) | Target::Client(field) => {
            NAMES.contains(&field.as_str())
        }
        Target::Extra(_) => true,
        Target::Upload | Target::Ignore => false,
    };
    (names && is_rounded(text.trim())).then_some(ROUNDED)
}

/// Whether a text is how spreadsheets write a number of more digits than they hold: `1.23457E+16`.
fn is_rounded(text: &str) -> bool {
    let Some((digits, exponent)) = text.split_once("E+") else { return false };
    let mut digits = digits.chars();
    digits.next().is_some_and(|first| first.is_ascii_digit())
        && digits.next().is_some_and(|point| matches!(point, '.' | ','))
        && digits.all(|digit| digit.is_ascii_digit())
        && exponent.parse::<u16>().is_ok_and(|exponent| exponent >= 9)
}

/// Decimal degrees. Spreadsheets of many countries write a decimal comma, and degrees have no thousands.
pub(super) fn degrees(field: &str, text: &str, faults: &mut Problems) -> Option<f64> {
    parsed(field, &text.replace(',', "."), faults)
}

/// An amount, with decimals by point or comma. `1,200` and `1.200` may be either and are a fault; no spreadsheet writes a
/// decimal with a zero at its end by itself, so `1.125` is one.
pub(super) fn amount(field: &str, text: &str, faults: &mut Problems) -> Option<f64> {
    let marks: Vec<char> = text.chars().filter(|c| matches!(c, ',' | '.')).collect();
    let behind = text.rsplit([',', '.']).next().unwrap_or_default().len();
    let plain = match marks.as_slice() {
        [mark] if behind == 3 && (*mark == ',' || text.ends_with('0')) => {
            faults.add(field, AMBIGUOUS);
            return None;
        }
        // The last mark is the decimal one where both occur; a mark that repeats divides thousands.
        [first, .., last] if first != last => text.replace(*first, "").replace(',', "."),
        [first, .., last] if first == last && behind == 3 => text.replace(*first, ""),
        _ => text.replace(',', "."),
    };
    parsed(field, &plain, faults)
}

fn parsed(field: &str, text: &str, faults: &mut Problems) -> Option<f64> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    if number.is_none() {
        faults.add(field, "Value is not a number");
    }
    number
}

/// A time of day.
pub(super) fn time(field: &str, text: &str, faults: &mut Problems) -> Option<TimeOfDay> {
    if text.is_empty() {
        return None;
    }
    let time = TimeOfDay::parse(text);
    if time.is_none() {
        faults.add(field, "Value is not a time of day (HH:mm)");
    }
    time
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W-023, V-13: numbers of several countries; what may be two things is a fault.
    #[test]
    fn amounts_of_many_countries() {
        let read = |text: &str| amount("duration", text, &mut Problems::default());
        for (text, number) in [
            ("5", Some(5.0)),
            ("5,5", Some(5.5)),
            ("5.25", Some(5.25)),
            ("1.200,5", Some(1200.5)),
            ("1,200.5", Some(1200.5)),
            ("1.200.300", Some(1_200_300.0)),
            ("1,200", None),
            ("1.200", None),
            ("1.125", Some(1.125)),
            ("1,2,3", None),
            ("five", None),
            ("NaN", None),
        ] {
            assert_eq!(read(text), number, "{text}");
        }
        assert_eq!(degrees("lat", "41,150", &mut Problems::default()), Some(41.15));
    }

    /// W-023: nothing unreadable is stored, and no number that a spreadsheet rounded stands for a name.
    #[test]
    fn cells_that_must_not_be_stored() {
        let uid = Target::Job("uid".into());
        let name = Target::Job("customer_name".into());
        for (target, text, faulty) in [
            (&name, "Caf\u{fffd}", true),
            (&name, "S\u{8b}o", true),
            (&name, "two\nlines", false),
            (&name, "Café", false),
            (&uid, "1.23457E+16", true),
            (&uid, "1,23457E+16", true),
            (&uid, "12345678901234567", false),
            (&uid, "1E+5", false),
            (&name, "1.23457E+16", false),
        ] {
            assert_eq!(fault(target, text).is_some(), faulty, "{text}");
        }
    }
}
