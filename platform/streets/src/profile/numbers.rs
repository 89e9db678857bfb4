//! Numbers with units in tags.

/// The number that a text begins with, and the rest.
fn number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    Some((text[..end].parse().ok()?, text[end..].trim()))
}

/// Metres from `3.5`, `3.5 m`, `11'6"` or `11 ft`.
pub(super) fn metres(text: &str) -> Option<f64> {
    let text = text.replace(',', ".");
    let (value, unit) = number(&text)?;
    match unit {
        "" | "m" => Some(value),
        "ft" | "feet" | "'" => Some(value * 0.3048),
        unit if unit.starts_with('\'') => {
            let (inches, _) = number(&unit[1..])?;
            Some(value * 0.3048 + inches * 0.0254)
        }
        _ => None,
    }
}

/// Tonnes from `7.5`, `7.5 t`, `3500 kg` or `16000 lbs`.
pub(super) fn tonnes(text: &str) -> Option<f64> {
    let text = text.replace(',', ".");
    let (value, unit) = number(&text)?;
    match unit {
        "" | "t" => Some(value),
        "kg" => Some(value / 1_000.0),
        "st" => Some(value * 0.907_184_74),
        "lbs" | "lb" => Some(value * 0.000_453_592_37),
        _ => None,
    }
}

/// km/h of a speed limit: `50`, `30 mph`, `PT:urban`, `none`.
pub(super) fn limit(text: &str) -> Option<f64> {
    if let Some((value, unit)) = number(text) {
        return match unit {
            "" | "km/h" | "kmh" | "kph" => Some(value),
            "mph" => Some(value * 1.609_344),
            "knots" => Some(value * 1.852),
            _ => None,
        };
    }
    let text = text.to_ascii_lowercase();
    match text.as_str() {
        "none" => return Some(140.0),
        "walk" => return Some(6.0),
        "gb:nsl_single" | "uk:nsl_single" => return Some(96.5),
        "gb:nsl_dual" | "uk:nsl_dual" | "gb:motorway" | "uk:motorway" => return Some(112.6),
        _ => {}
    }
    let (country, kind) = text.split_once(':')?;
    Some(match (country, kind) {
        ("pl" | "bg", "motorway") => 140.0,
        ("be" | "ch" | "es" | "pt" | "nl", "motorway") => 120.0,
        ("no" | "ru", "motorway") => 110.0,
        ("ph", "motorway") => 100.0,
        ("at" | "ch" | "de" | "nl" | "pt" | "ro", "trunk") | ("de" | "at" | "pl" | "za", "rural") => 100.0,
        ("es", "trunk") => 90.0,
        ("ch" | "dk" | "fr" | "nl" | "no" | "ph", "rural") => 80.0,
        ("ru" | "za" | "by", "urban") => 60.0,
        ("ar" | "ph", "urban") => 40.0,
        (_, "motorway") => 130.0,
        (_, "trunk") => 110.0,
        (_, "rural") => 90.0,
        (_, "urban") => 50.0,
        (_, "living_street") => 20.0,
        _ => return None,
    })
}

/// Seconds from `00:12`, `1:05:30`, `12` (minutes) or `PT1H5M`.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(period) = text.strip_prefix("PT") {
        let mut total = 0.0;
        let mut rest = period;
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            let value: f64 = rest[..end].parse().ok()?;
            total += value
                * match rest.as_bytes()[end] {
                    b'H' => 3_600.0,
                    b'M' => 60.0,
                    b'S' => 1.0,
                    _ => return None,
                };
            rest = &rest[end + 1..];
        }
        return (total > 0.0).then_some(total);
    }
    let parts: Vec<f64> = text.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let total = match parts[..] {
        [minutes] => minutes * 60.0,
        [hours, minutes] => hours * 3_600.0 + minutes * 60.0,
        [hours, minutes, seconds] => hours * 3_600.0 + minutes * 60.0 + seconds,
        _ => return None,
    };
    (total.is_finite() && total > 0.0).then_some(total)
}
