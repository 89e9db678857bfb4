//! Finds what an address means: the index tells what may be meant, and each of that is compared with the text.

use routewright_roads::{Place, PlaceKind, PlaceSource, Point};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Value as _};
use tantivy::{DocAddress, Searcher, TantivyDocument, TantivyError, Term};

use crate::abbreviations;
use crate::entry::{Entry, Spot, Street};
use crate::index::Opened;
use crate::number::{Found, Number, find};
use crate::text;

/// What the index may mean that is compared with the text.
const CANDIDATES: usize = 80;
/// Less sure than that is not what was meant.
const LEAST: f64 = 0.25;
/// What else is as sure, so far away, makes both doubtful: two streets of the same name, metres.
const ELSEWHERE: f64 = 400.0;
/// Differences of confidence that say nothing.
const ALIKE: f64 = 0.02;
/// What is left of the confidence then.
const DOUBT: f64 = 0.7;
/// A place as near as that is preferred to others that are alike, metres.
const NEAR: f64 = 30_000.0;
/// The part of a place's order that nearness can make up.
const NEARNESS: f64 = 0.05;
/// The part of a place's order that the exactness of its kind can make up.
const EXACTNESS: f64 = 0.05;

/// A word of the text.
#[derive(Debug)]
struct Word {
    text: String,
    weight: f64,
    /// The text may go on here.
    unfinished: bool,
    country: bool,
}

/// The text, and what it is compared by.
struct Asked {
    words: Vec<Word>,
}

impl Asked {
    fn of(text: &str) -> Self {
        let unfinished = text.ends_with(char::is_alphanumeric);
        let words = text::words(text);
        let last = words.len().saturating_sub(1);
        let word = |(index, text): (usize, String)| Word {
            weight: text::weight(&text),
            unfinished: unfinished && index == last,
            country: index > 0 && index == last && abbreviations::is_country(&text),
            text,
        };
        Self { words: words.into_iter().enumerate().map(word).collect() }
    }

    /// Whether the text begins with a kind of street that this name does not have.
    fn names_a_street(&self, entry: &Entry) -> bool {
        let first = self
            .words
            .first()
            .filter(|word| self.words.len() > 1 && abbreviations::is_street_type(&word.text));
        first.is_some_and(|first| {
            let same = |word: &String| text::likeness(&first.text, word, false) > 0.0;
            !entry.all_names().flat_map(text::words).any(|word| same(&word))
        })
    }

    /// What may be meant: something of the name has to be in the text.
    fn query(&self, opened: &Opened) -> BooleanQuery {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        let mut names: Vec<Box<dyn Query>> = Vec::new();
        for word in &self.words {
            // Every second street of a town has them.
            if word.weight >= 0.4 || self.words.len() == 1 {
                names.extend(forms(opened.fields.name, word));
            }
            let around = forms(opened.fields.around, word);
            clauses.extend(around.into_iter().map(|query| (Occur::Should, query)));
        }
        clauses.push((Occur::Must, Box::new(BooleanQuery::union(names))));
        BooleanQuery::new(clauses)
    }
}

/// A word in all the ways that it may be written.
fn forms(field: Field, word: &Word) -> Vec<Box<dyn Query>> {
    let exact = |text: &str| -> Box<dyn Query> {
        let term = TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::WithFreqs);
        Box::new(BoostQuery::new(Box::new(term), 2.0))
    };
    let mut forms = vec![exact(&word.text)];
    forms.extend(abbreviations::forms(&word.text).iter().map(|form| exact(form)));
    let term = Term::from_field_text(field, &word.text);
    let slips = text::slips(&word.text);
    if word.unfinished {
        forms.push(Box::new(FuzzyTermQuery::new_prefix(term.clone(), 0, true)));
    }
    if slips > 0 {
        forms.push(Box::new(FuzzyTermQuery::new(term, slips, true)));
    }
    forms
}

/// Places for a text, those first whose names are most like it.
///
/// # Errors
/// When the index cannot be read.
pub(crate) fn search(
    opened: &Opened,
    text: &str,
    limit: usize,
    near: Option<Point>,
) -> Result<Vec<Place>, TantivyError> {
    let asked = Asked::of(text);
    if limit == 0 || !asked.words.iter().any(|word| word.weight >= 0.4) {
        return Ok(Vec::new());
    }
    let searcher = opened.reader.searcher();
    let best = TopDocs::with_limit(CANDIDATES).order_by_score();
    let mut ordered = Vec::new();
    for (_, address) in searcher.search(&asked.query(opened), &best)? {
        let (entry, street) = read(opened, &searcher, address)?;
        if let Some((sure, place)) = compare(&asked, &entry, street.as_ref()) {
            let nearness = near
                .map_or(0.0, |near| NEARNESS * (1.0 - spot(near).metres(spot(place.point)) / NEAR).max(0.0));
            // The text decides what is meant; how exactly that is known, only between names that are as good.
            ordered.push((sure + EXACTNESS * place.kind.exactness() + nearness, place));
        }
    }
    ordered.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.address.cmp(&other.address)));
    let mut places: Vec<Place> = ordered.into_iter().map(|(_, place)| place).collect();
    places.dedup_by(|a, b| a.address == b.address);
    doubt(&mut places);
    places.truncate(limit);
    Ok(places)
}

fn spot(point: Point) -> Spot {
    Spot::new(point.lat(), point.lon())
}

/// What was stored for a document.
pub(crate) fn read(
    opened: &Opened,
    searcher: &Searcher,
    address: DocAddress,
) -> Result<(Entry, Option<Street>), TantivyError> {
    let document: TantivyDocument = searcher.doc(address)?;
    let bytes = |field| document.get_first(field).and_then(|value| value.as_bytes().map(<[u8]>::to_vec));
    let fault = |error: serde_json::Error| TantivyError::InternalError(error.to_string());
    let entry = serde_json::from_slice(&bytes(opened.fields.entry).unwrap_or_default()).map_err(fault)?;
    let street = bytes(opened.fields.street).map(|bytes| serde_json::from_slice(&bytes).map_err(fault));
    Ok((entry, street.transpose()?))
}

/// How well a text fits a name and what is around it.
struct Fit {
    /// Part of the text that was found.
    text: f64,
    /// Part of the name that was in the text.
    name: f64,
    /// Weight of all words of the name.
    weight: f64,
    /// Words of the text that are in neither.
    left: Vec<usize>,
}

fn compare(asked: &Asked, entry: &Entry, street: Option<&Street>) -> Option<(f64, Place)> {
    let around: Vec<String> =
        entry.surroundings().filter(|around| *around != entry.name).flat_map(text::words).collect();
    let mut numbers: Vec<usize> = (0..asked.words.len()).collect();
    numbers.retain(|&index| text::is_number(&asked.words[index].text));
    let fit = entry
        .all_names()
        .map(|name| fit(asked, &text::words(name), &around))
        .max_by(|a, b| (a.text * a.name).total_cmp(&(b.text * b.name)))?;
    // Half of a name is another name; and one that only says what kind of street it is, is none among other words.
    if fit.name < 0.5 || (fit.weight < 1.0 && asked.words.len() > 1) {
        return None;
    }
    let mut sure = fit.text * (0.6 + 0.4 * fit.name);
    if street.is_none() && asked.names_a_street(entry) {
        sure *= DOUBT;
    }
    numbers.retain(|index| fit.left.contains(index));
    let numbers: Vec<Number> = numbers
        .into_iter()
        .filter(|&index| !postcode(&asked.words, index))
        .filter_map(|index| number(&asked.words, index))
        .collect();
    let (kind, house, postcode, spot) = match street {
        Some(street) => at_number(street, &numbers, entry),
        None => (entry.kind, None, None, entry.spot),
    };
    let confidence = (sure * kind.exactness()).clamp(0.0, 1.0);
    if confidence < LEAST {
        return None;
    }
    let address = entry.label(house.as_deref(), postcode.as_deref());
    Some((sure, Place { address, point: spot.point()?, confidence, kind, source: PlaceSource::Map }))
}

/// The first of the numbers that the street has, else the first one between others, else the street.
fn at_number(
    street: &Street,
    numbers: &[Number],
    entry: &Entry,
) -> (PlaceKind, Option<String>, Option<String>, Spot) {
    let found: Vec<(&Number, Found<'_>)> =
        numbers.iter().filter_map(|number| Some((number, find(street, number)?))).collect();
    // A number after the first is a floor or a door, unless only it is a house.
    let house = found.iter().find_map(|(_, found)| match found {
        Found::House(house) => Some(house),
        _ => None,
    });
    if let Some(house) = house {
        return (PlaceKind::House, Some(house.text.clone()), house.postcode.clone(), house.spot);
    }
    match found.first() {
        Some((number, Found::Between(spot))) => {
            let text = format!("{}{}", number.from, number.letter.to_uppercase());
            (PlaceKind::Interpolated, Some(text), None, *spot)
        }
        Some((_, Found::Beside(spot))) => (PlaceKind::Street, None, None, *spot),
        _ => (PlaceKind::Street, None, None, entry.spot),
    }
}

/// A number, with the letter that may stand behind it.
fn number(words: &[Word], index: usize) -> Option<Number> {
    let mut number = Number::of_word(&words[index].text)?;
    let next = words.get(index + 1).map(|word| word.text.as_str()).unwrap_or_default();
    if number.letter.is_empty() && next.len() == 1 && next.starts_with(|c: char| c.is_ascii_lowercase()) {
        next.clone_into(&mut number.letter);
    }
    Some(number)
}

/// Whether a number is, or belongs to, a postcode: `4000-123`, `75001`.
fn postcode(words: &[Word], index: usize) -> bool {
    let digits = |index: Option<usize>| {
        let text =
            index.and_then(|index| words.get(index)).map(|word| word.text.as_str()).unwrap_or_default();
        if text.chars().all(|c| c.is_ascii_digit()) { text.len() } else { 0 }
    };
    match digits(Some(index)) {
        5 => true,
        4 => index > 0 && digits(Some(index + 1)) == 3,
        3 => digits(index.checked_sub(1)) == 4 && index > 1,
        _ => false,
    }
}

fn fit(asked: &Asked, name: &[String], around: &[String]) -> Fit {
    let mut named = vec![0.0_f64; name.len()];
    let (mut found, mut whole) = (0.0, 0.0);
    let mut left = Vec::new();
    for (index, word) in asked.words.iter().enumerate() {
        let like = |other: &String| text::likeness(&word.text, other, word.unfinished);
        let in_name = name.iter().map(like).enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
        let outside = around.iter().map(like).fold(0.0, f64::max);
        let number = text::is_number(&word.text);
        let (at, likeness) = in_name.unwrap_or((0, 0.0));
        let best = if likeness >= outside && likeness > 0.0 {
            // The town says less of a name that has it too.
            let told = if outside >= likeness { likeness / 2.0 } else { likeness };
            named[at] = named[at].max(told);
            likeness
        } else {
            outside
        };
        if best == 0.0 {
            left.push(index);
        }
        // A number that is nowhere is the house's, a floor or a postcode that the map lacks; the map does not name its own
        // country.
        let weight = match best > 0.0 {
            false if word.country => 0.0,
            false if number => 0.05,
            _ => word.weight,
        };
        found += weight * best;
        whole += weight;
    }
    let weights = || name.iter().map(|word| text::weight(word));
    let all: f64 = weights().sum();
    let in_text: f64 = weights().zip(&named).map(|(weight, likeness)| weight * likeness).sum();
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    Fit { text: share(found, whole), name: share(in_text, all), weight: all, left }
}

/// Takes confidence from the best where another place elsewhere is as good.
fn doubt(places: &mut [Place]) {
    let Some(best) = places.first().cloned() else { return };
    let alike = |place: &Place| best.confidence - place.confidence <= ALIKE;
    let elsewhere = |place: &Place| spot(best.point).metres(spot(place.point)) > ELSEWHERE;
    if places.iter().any(|place| alike(place) && elsewhere(place)) {
        for place in places.iter_mut().filter(|place| best.confidence - place.confidence <= ALIKE) {
            place.confidence *= DOUBT;
        }
    }
}
