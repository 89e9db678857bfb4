//! Sizes of jobs and capacities of runs, e.g. `pallets:2&weight:350|size:5`.
//!
//! ```text
//! size   := clause ('|' clause)*        clause := part ('&' part)*
//! part   := [name ':'] number           name   := [A-Za-z_][A-Za-z0-9_]*
//! number >= 0, up to 3 decimals; spaces around separators allowed; no name means the key `size`
//! ```
//!
//! Numbers are held exactly as thousandths. For a job `|` lists alternative measures: the first clause whose
//! keys the capacity knows is counted. For a capacity `|` lists alternative load layouts: the load must fit
//! one of them. Keys missing in a capacity are unlimited.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Key of a part written without a name.
pub const DEFAULT_KEY: &str = "size";
/// Thousandths in one unit.
pub const THOUSAND: i64 = 1000;
/// Most digits accepted before the decimal point; keeps every sum over a plan far inside `i64`.
const MAX_WHOLE_DIGITS: usize = 11;

/// One `name:number` of a size.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Part {
    /// What is measured; `size` when the text named nothing.
    pub key: String,
    /// How much, in thousandths.
    pub amount: i64,
}

/// Parts that hold together (`&`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Clause(pub Vec<Part>);

impl Clause {
    /// Amount of `key` in thousandths, summed over repeated parts; `None` when the clause does not name it.
    pub fn amount(&self, key: &str) -> Option<i64> {
        let mut found = None;
        for part in self.0.iter().filter(|part| part.key == key) {
            found = Some(found.unwrap_or(0) + part.amount);
        }
        found
    }
}

/// What a job takes up. No clause at all means it takes up nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size(pub Vec<Clause>);

/// What a run can hold. No clause at all means not limited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Capacity(pub Vec<Clause>);

/// The text does not follow the size grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeError;

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Value is not a valid size")
    }
}

impl std::error::Error for SizeError {}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        clauses(text).map(Self)
    }
}

impl Capacity {
    /// Not limited.
    pub const UNLIMITED: Self = Self(Vec::new());

    /// Reads a capacity. Blank text is not limited; a bare zero (`0`) is not limited either when
    /// `zero_is_unlimited`, because that is what an empty form field is stored as.
    ///
    /// # Errors
    /// [`SizeError`] when the text does not follow the grammar.
    pub fn parse(text: &str, zero_is_unlimited: bool) -> Result<Self, SizeError> {
        if text.trim().is_empty() {
            return Ok(Self::UNLIMITED);
        }
        let clauses = clauses(text)?;
        let bare_zero = matches!(clauses.as_slice(), [Clause(parts)]
            if matches!(parts.as_slice(), [part] if part.key == DEFAULT_KEY && part.amount == 0));
        if bare_zero && zero_is_unlimited {
            return Ok(Self::UNLIMITED);
        }
        Ok(Self(clauses))
    }

    /// Whether any layout limits `key`.
    pub fn knows(&self, key: &str) -> bool {
        self.0.iter().any(|clause| clause.0.iter().any(|part| part.key == key))
    }

    /// The clause of `size` that counts against this capacity: the first one all of whose keys are known
    /// here, else the first with any known key, else none (nothing of it is limited).
    pub fn counted<'a>(&self, size: &'a Size) -> Option<&'a Clause> {
        let known = |part: &Part| self.knows(&part.key);
        size.0
            .iter()
            .find(|clause| clause.0.iter().all(known))
            .or_else(|| size.0.iter().find(|clause| clause.0.iter().any(known)))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_clauses(&self.0, f)
    }
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("0") } else { write_clauses(&self.0, f) }
    }
}

fn write_clauses(clauses: &[Clause], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, clause) in clauses.iter().enumerate() {
        if i > 0 {
            f.write_str("|")?;
        }
        for (j, part) in clause.0.iter().enumerate() {
            if j > 0 {
                f.write_str("&")?;
            }
            if part.key != DEFAULT_KEY {
                write!(f, "{}:", part.key)?;
            }
            f.write_str(&format_amount(part.amount))?;
        }
    }
    Ok(())
}

/// Thousandths as the shortest decimal text: `2500` is `2.5`.
pub fn format_amount(thousandths: i64) -> String {
    let sign = if thousandths < 0 { "-" } else { "" };
    let (whole, rest) = (thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{}", format!("{rest:03}").trim_end_matches('0'))
}

fn clauses(text: &str) -> Result<Vec<Clause>, SizeError> {
    text.split('|')
        .map(|clause| clause.split('&').map(part).collect::<Result<Vec<_>, _>>().map(Clause))
        .collect()
}

fn part(text: &str) -> Result<Part, SizeError> {
    let (key, number) = match text.split_once(':') {
        Some((name, number)) => (name.trim(), number.trim()),
        None => (DEFAULT_KEY, text.trim()),
    };
    let mut letters = key.chars();
    let starts_well = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(SizeError);
    }
    Ok(Part { key: key.to_owned(), amount: amount(number)? })
}

fn amount(text: &str) -> Result<i64, SizeError> {
    let (whole, decimals) = match text.split_once('.') {
        Some((whole, decimals)) if (1..=3).contains(&decimals.len()) => (whole, decimals),
        Some(_) => return Err(SizeError),
        None => (text, ""),
    };
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || whole.len() > MAX_WHOLE_DIGITS || !digits(whole) || !digits(decimals) {
        return Err(SizeError);
    }
    format!("{whole}{decimals:0<3}").parse().map_err(|_| SizeError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_exactly() {
        for (text, written) in [
            ("5", "5"),
            (" pallets : 2 & weight:350.250 | size:5 ", "pallets:2&weight:350.25|5"),
            ("0.001", "0.001"),
            ("a:1&a:2.5", "a:1&a:2.5"),
            ("99999999999.999", "99999999999.999"),
        ] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), written);
            assert_eq!(written.parse::<Size>(), text.parse::<Size>());
        }
    }

    #[test]
    fn refuses_what_the_grammar_does_not_know() {
        for text in
            ["", " ", "a", "a:", ":1", "1.", ".5", "1.2345", "-1", "1e3", "1 2", "1&", "|1", "2a:1", "a-b:1"]
        {
            assert_eq!(text.parse::<Size>(), Err(SizeError), "{text}");
        }
        assert_eq!("100000000000".parse::<Size>(), Err(SizeError));
    }

    #[test]
    fn the_first_clause_that_the_capacity_knows_is_counted() {
        let size: Size = "pallets:2&weight:350|weight:10|size:5".parse().unwrap();
        let counted = |capacity: &str| {
            let capacity = Capacity::parse(capacity, true).unwrap();
            capacity.counted(&size).map(|clause| Size(vec![clause.clone()]).to_string())
        };
        assert_eq!(counted("pallets:9&weight:9").unwrap(), "pallets:2&weight:350");
        assert_eq!(counted("weight:9").unwrap(), "weight:10");
        assert_eq!(counted("4").unwrap(), "5");
        assert_eq!(counted("pallets:9").unwrap(), "pallets:2&weight:350");
        assert_eq!(counted("litres:9"), None);
    }

    /// R-03: an empty field is stored as '0' and does not limit.
    #[test]
    fn zero_capacity() {
        for text in ["0", "0.0", "size:0", "", "  "] {
            assert_eq!(Capacity::parse(text, true), Ok(Capacity::UNLIMITED));
        }
        assert!(Capacity::parse("0", false).unwrap().knows("size"));
        assert!(Capacity::parse("weight:0", true).unwrap().knows("weight"));
        assert_eq!(Capacity::UNLIMITED.to_string(), "0");
    }
}
