//! Words of addresses, folded so that what is meant alike is written alike.

use tantivy::tokenizer::{AsciiFoldingFilter, LowerCaser, SimpleTokenizer, TextAnalyzer};
use unicode_normalization::UnicodeNormalization as _;

use crate::abbreviations;

/// Most words of a text that are looked at; an address has fewer.
pub(crate) const MOST_WORDS: usize = 24;
/// Most characters of a text that are looked at.
const MOST_CHARACTERS: usize = 500;

/// Cuts a text into words in lower case and without accents.
pub(crate) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser).filter(AsciiFoldingFilter).build()
}

/// Accents that are characters of their own put together with their letters: they would cut the word.
pub(crate) fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// The words of a text, folded. A text that is longer than any address is cut.
pub(crate) fn words(text: &str) -> Vec<String> {
    let text: String = composed(&text.chars().take(MOST_CHARACTERS).collect::<String>());
    let mut analyzer = analyzer();
    let mut stream = analyzer.token_stream(&text);
    let mut words = Vec::new();
    while words.len() < MOST_WORDS && stream.advance() {
        words.push(stream.token().text.clone());
    }
    words
}

/// Whether a word is a number, be it with a letter: `12`, `12a`.
pub(crate) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// How much a word says about which place is meant.
pub(crate) fn weight(word: &str) -> f64 {
    if abbreviations::is_connector(word) {
        0.1
    } else if abbreviations::is_street_type(word) {
        0.4
    } else {
        1.0
    }
}

/// The letters that a word may be wrong in.
pub(crate) fn slips(word: &str) -> u8 {
    match word.chars().count() {
        _ if is_number(word) => 0,
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// How alike a typed word and a word of a name are: 1 the same or its abbreviation, less with every wrong letter, 0 another
/// word. `unfinished`: the word may go on.
pub(crate) fn likeness(typed: &str, named: &str, unfinished: bool) -> f64 {
    if typed == named || abbreviations::same(typed, named) {
        return 1.0;
    }
    let (short, long) = (typed.chars().count(), named.chars().count());
    #[expect(clippy::cast_precision_loss, reason = "letters of a word")]
    let share = |part: usize, whole: usize| part as f64 / whole as f64;
    if unfinished && named.starts_with(typed) {
        return 0.8 + 0.2 * share(short, long);
    }
    let allowed = usize::from(slips(typed));
    if allowed == 0 || is_number(named) || long + allowed < short || short + allowed < long {
        return 0.0;
    }
    let wrong = strsim::osa_distance(typed, named);
    if wrong <= allowed { 1.0 - share(wrong, short.max(long)) } else { 0.0 }
}

/// A name by which streets are told apart: without connectors, abbreviations written out.
pub(crate) fn key(name: &str) -> String {
    let words = words(name);
    let told: Vec<&str> = words
        .iter()
        .filter(|word| !abbreviations::is_connector(word))
        .map(|word| abbreviations::full(word))
        .collect();
    told.join(" ")
}
