//! From bytes to text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::Unreadable;

/// Bytes from which an encoding is told.
const SAMPLE: usize = 256 * 1024;

/// The text, and the name of the encoding that it was read in. A byte order mark goes before what was asked for.
pub(super) fn decode(bytes: &[u8], label: Option<&str>) -> Result<(String, &'static str), Unreadable> {
    let asked = match label {
        None => None,
        Some(label) => Some(
            Encoding::for_label(label.trim().as_bytes())
                .ok_or_else(|| Unreadable::Encoding(label.chars().take(40).collect()))?,
        ),
    };
    let encoding =
        Encoding::for_bom(bytes).map(|(encoding, _)| encoding).or(asked).unwrap_or_else(|| detect(bytes));
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    Ok((text.into_owned(), encoding.name()))
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    if let Some(encoding) = wide(bytes) {
        return encoding;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    // A long file can begin without a letter that tells anything.
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or_default().saturating_sub(1024);
    let sample = &bytes[first..bytes.len().min(first + SAMPLE)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    // UTF-8 with a broken place is still UTF-8: its broken cells are told.
    let (utf8, _) = UTF_8.decode_without_bom_handling(sample);
    let broken = utf8.chars().filter(|c| *c == '\u{fffd}').count();
    let whole = utf8.chars().filter(|c| !c.is_ascii() && *c != '\u{fffd}').count();
    if whole > 10 * broken {
        return UTF_8;
    }
    // The detector does not know the old Macintosh: where its letters stand in words, others have signs.
    let best = if guess.is_single_byte() && in_words(sample, WINDOWS_1252) > in_words(sample, guess) {
        WINDOWS_1252
    } else {
        guess
    };
    let mac = best.is_single_byte() && in_words(sample, MACINTOSH) > in_words(sample, best);
    if mac { MACINTOSH } else { best }
}

/// How many letters stand in words, less the signs that do.
fn in_words(sample: &[u8], encoding: &'static Encoding) -> i64 {
    let (text, _) = encoding.decode_without_bom_handling(sample);
    let (mut score, mut before) = (0, false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let behind = rest.peek().is_some_and(|next| next.is_alphabetic());
        match c {
            c if c.is_ascii() => {}
            c if c.is_alphabetic() && (before || behind) => score += 1,
            '\u{2019}' if before && behind => score += 1,
            c if !c.is_alphabetic() && before && behind => score -= 1,
            _ => {}
        }
        before = c.is_alphabetic();
    }
    score
}

/// UTF-16 without a byte order mark: text of few languages has a zero in every second byte.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(4096)];
    let zeros = |odd: usize| sample.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let half = sample.len() / 2;
    if half < 2 {
        return None;
    }
    if zeros(1) * 2 > half && zeros(0) * 10 < half {
        return Some(UTF_16LE);
    }
    (zeros(0) * 2 > half && zeros(1) * 10 < half).then_some(UTF_16BE)
}
