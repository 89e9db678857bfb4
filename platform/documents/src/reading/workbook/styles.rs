//! How numbers of cells are shown, as far as that changes what they mean.

use std::collections::HashMap;

use super::super::Unreadable;
use super::package::Package;

/// Most formats of cells; spreadsheets keep 64,000.
const MOST: usize = 65_536;

/// What a number is shown as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Format {
    #[default]
    Number,
    /// With zeros in front, up to so many digits.
    Digits(usize),
    Date,
    Time,
    DateTime,
    /// Hours beyond a day.
    Elapsed,
}

/// The formats of cells by their place in the list of styles.
pub(super) fn read(package: &mut Package<'_>, part: &str) -> Result<Vec<Format>, Unreadable> {
    let mut own: HashMap<String, Format> = HashMap::new();
    let mut formats = Vec::new();
    let mut of_cells = false;
    let Some(mut xml) = package.part(part)? else { return Ok(formats) };
    while let Some(node) = xml.next()? {
        let Some(element) = node.opened() else { continue };
        match element.name() {
            "numFmt" => {
                if let (Some(id), Some(code)) = (element.get("numFmtId")?, element.get("formatCode")?) {
                    own.insert(id, of_code(&code));
                }
            }
            "cellXfs" => of_cells = true,
            "cellStyles" | "dxfs" | "cellStyleXfs" => of_cells = false,
            "xf" if of_cells => {
                let id = element.get("numFmtId")?.unwrap_or_default();
                formats.push(own.get(&id).copied().unwrap_or_else(|| built_in(&id)));
            }
            _ => {}
        }
        if formats.len() > MOST || own.len() > MOST {
            return Err(Unreadable::TooMuch);
        }
    }
    Ok(formats)
}

/// Formats that have a number instead of a code.
fn built_in(id: &str) -> Format {
    match id.parse::<u16>() {
        Ok(14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58) => Format::Date,
        Ok(18..=21 | 32..=35 | 45 | 47 | 55 | 56) => Format::Time,
        Ok(22) => Format::DateTime,
        Ok(46) => Format::Elapsed,
        _ => Format::Number,
    }
}

/// What a code such as `dd/mm/yyyy hh:mm` or `[h]:mm` shows.
fn of_code(code: &str) -> Format {
    let code: &str = code.split(';').next().unwrap_or_default();
    if code.len() > 1 && code.len() <= 15 && code.bytes().all(|digit| digit == b'0') {
        return Format::Digits(code.len());
    }
    let (mut day, mut time, mut month) = (false, false, false);
    let mut marks = code.chars();
    while let Some(mark) = marks.next() {
        match mark {
            '\\' | '_' | '*' => drop(marks.next()),
            '"' => drop(marks.by_ref().find(|mark| *mark == '"')),
            '[' => {
                let inside: String = marks.by_ref().take_while(|mark| *mark != ']').collect();
                if !inside.is_empty()
                    && inside.chars().all(|mark| matches!(mark, 'h' | 'H' | 'm' | 'M' | 's' | 'S'))
                {
                    return Format::Elapsed;
                }
            }
            'y' | 'Y' | 'd' | 'D' => day = true,
            'h' | 'H' | 's' | 'S' => time = true,
            'm' | 'M' => month = true,
            // `General` is no era.
            'G' | 'g' => return Format::Number,
            _ => {}
        }
    }
    match (day, time, month) {
        (true, true, _) => Format::DateTime,
        (false, true, _) => Format::Time,
        (true, false, _) | (false, false, true) => Format::Date,
        (false, false, false) => Format::Number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// V-13: a number is a day or a time because of its format alone.
    #[test]
    fn codes() {
        for (code, format) in [
            ("General", Format::Number),
            ("0.00", Format::Number),
            ("#,##0.00 \"days\"", Format::Number),
            ("[Red]0", Format::Number),
            ("00000", Format::Digits(5)),
            ("yyyy-mm-dd", Format::Date),
            ("mmm", Format::Date),
            ("[$-409]d/m/yy;@", Format::Date),
            ("hh:mm", Format::Time),
            ("h:mm AM/PM", Format::Time),
            ("dd/mm/yyyy\\ hh:mm", Format::DateTime),
            ("[h]:mm", Format::Elapsed),
            ("0.0\\d", Format::Number),
        ] {
            assert_eq!(of_code(code), format, "{code}");
        }
    }
}
