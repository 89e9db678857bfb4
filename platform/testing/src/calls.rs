//! Calls written with names for what they refer to, so that the same call can be made with what one organisation has and
//! with what another one has: `PATCH /units/$unit {"job_id": "$job"}`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use regex::Regex;
use routewright_core::http::routes::Row;
use serde_json::Value;

use crate::answer::Answer;
use crate::client::Client;
use crate::contract::fits;

/// What an organisation has, by name: ids and tokens.
pub type Things = BTreeMap<String, Value>;

/// One call of a route.
#[derive(Debug, Clone)]
pub struct Call {
    /// Method.
    pub method: Method,
    target: String,
    body: Option<String>,
    media: &'static str,
}

/// Where a call refers to something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Which part of the request.
    pub part: Part,
    /// The name, without `$`.
    pub name: String,
    range: Range<usize>,
}

/// A part of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The path.
    Path,
    /// The query.
    Query,
    /// The body.
    Body,
}

fn names() -> &'static Regex {
    static NAMES: OnceLock<Regex> = OnceLock::new();
    NAMES.get_or_init(|| Regex::new(r#""?\$([a-z][a-z_0-9]*)"?"#).expect("a pattern"))
}

impl Call {
    /// A call without a body.
    #[must_use]
    pub fn new(method: &str, target: &str) -> Self {
        Self {
            method: method.parse().expect("a method"),
            target: target.to_owned(),
            body: None,
            media: "application/json",
        }
    }

    /// The same with a JSON body.
    #[must_use]
    pub fn with(self, body: &Value) -> Self {
        Self { body: Some(body.to_string()), ..self }
    }

    /// The same with lines of JSON.
    #[must_use]
    pub fn lines(self, lines: &str) -> Self {
        Self { body: Some(lines.to_owned()), media: "application/x-ndjson", ..self }
    }

    /// The same call once for each object in its body, in which that object has `field` as well. Objects under the names
    /// of `free` are left alone: their keys are the sender's.
    #[must_use]
    pub fn with_field(&self, field: &str, free: &[&str]) -> Vec<Self> {
        let Some(body) = self.body.as_deref().and_then(|body| serde_json::from_str::<Value>(body).ok())
        else {
            return Vec::new();
        };
        let mut places = Vec::new();
        objects(&body, "", free, &mut places);
        let changed = |place: &String| {
            let mut body = body.clone();
            body.pointer_mut(place).expect("an object of the body")[field] = 1.into();
            Self { body: Some(body.to_string()), ..self.clone() }
        };
        places.iter().map(changed).collect()
    }

    /// The route of the table that answers this call: of several patterns the one with the fewest parameters.
    #[must_use]
    pub fn route<'a>(&self, table: &'a [Row]) -> Option<&'a Row> {
        let path = self.target.split('?').next().unwrap_or_default();
        table
            .iter()
            .filter(|row| row.method == self.method && fits(row.path, path))
            .min_by_key(|row| row.path.matches('{').count())
    }

    /// Whether it deletes many at once, which is answered thing by thing.
    #[must_use]
    pub fn deletes_many(&self) -> bool {
        self.method == Method::DELETE && self.target.ends_with("/bulk")
    }

    /// Everything that the call refers to.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        let query = self.target.find('?').unwrap_or(self.target.len());
        let found = |text: &str, part: fn(usize, usize) -> Part| -> Vec<Place> {
            let names = names().captures_iter(text);
            names
                .map(|found| {
                    let range = found.get(0).expect("the match").range();
                    Place { part: part(range.start, query), name: found[1].to_owned(), range }
                })
                .collect()
        };
        let mut places = found(&self.target, |at, query| if at < query { Part::Path } else { Part::Query });
        places.extend(found(self.body.as_deref().unwrap_or_default(), |_, _| Part::Body));
        places
    }

    /// Makes the call with what `own` has; at `other`, if given, with what that has.
    pub async fn make(&self, client: &Client, own: &Things, other: Option<(&Place, &Things)>) -> Answer {
        let target = fill(&self.target, own, other.filter(|(place, _)| place.part != Part::Body), false);
        let other = other.filter(|(place, _)| place.part == Part::Body);
        let body = self.body.as_deref().map(|body| fill(body, own, other, true));
        let mut request = Request::builder().method(self.method.clone()).uri(target);
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, self.media);
        }
        client.send(request.body(body.map_or_else(Body::empty, Body::from)).expect("a request")).await
    }
}

/// JSON pointers of all objects in a value.
fn objects(value: &Value, at: &str, free: &[&str], found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.push(at.to_owned());
            for (name, value) in fields.iter().filter(|(name, _)| !free.contains(&name.as_str())) {
                objects(value, &format!("{at}/{name}"), free, found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{at}/{index}"), free, found);
            }
        }
        _ => {}
    }
}

fn fill(text: &str, own: &Things, other: Option<(&Place, &Things)>, json: bool) -> String {
    let mut filled = String::new();
    let mut end = 0;
    for found in names().captures_iter(text) {
        let range = found.get(0).expect("the match").range();
        let things = match other {
            Some((place, things)) if place.range == range => things,
            _ => own,
        };
        let value = things.get(&found[1]).unwrap_or_else(|| panic!("nobody has a `{}`", &found[1]));
        filled.push_str(&text[end..range.start]);
        match value {
            Value::String(text) if !json => filled.push_str(text),
            other => filled.push_str(&other.to_string()),
        }
        end = range.end;
    }
    filled.push_str(&text[end..]);
    filled
}

/// What is wrong with the answer to a call that refers, at `place`, to what another organisation has: it must be refused,
/// show nothing of the other (of which `word` is in all texts), and not differ from the answer about what nobody has.
/// `by_item`: the route answers for each item of its body.
#[must_use]
pub fn judge(
    place: &Place,
    by_item: bool,
    word: &str,
    theirs: (&Answer, &Value),
    nobodys: (&Answer, &Value),
) -> Option<String> {
    let (answer, status) = (theirs.0, theirs.0.status);
    let hidden = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::NOT_FOUND].contains(&status);
    let refused = hidden || status == StatusCode::BAD_REQUEST;
    let allowed = match place.part {
        Part::Path => hidden,
        Part::Query => refused || status == StatusCode::OK,
        Part::Body => refused || by_item,
    };
    let start = || answer.text().chars().take(300).collect::<String>();
    if !allowed {
        return Some(format!("answers {status}: {}", start()));
    }
    if answer.text().to_lowercase().contains(word) {
        return Some(format!("shows what it must not: {}", start()));
    }
    if place.part == Part::Body && !names_the_reference(answer) {
        return Some(format!("is refused for another reason: {}", start()));
    }
    let file = answer.json.is_null() && status == StatusCode::OK;
    let same = status == nobodys.0.status
        && (file || anonymous(answer, [theirs.1, nobodys.1]) == anonymous(nobodys.0, [theirs.1, nobodys.1]));
    if same {
        None
    } else {
        Some(format!("tells that it exists: {} instead of {}", start(), nobodys.0.text()))
    }
}

/// The text of an answer without its title and without what names the things that were asked for, of which one may be as
/// small as a number of the answer itself.
fn anonymous(answer: &Answer, things: [&Value; 2]) -> String {
    let things = things.map(|thing| thing.as_str().map_or_else(|| thing.to_string(), str::to_owned));
    let mut json = answer.json.clone();
    if let Some(body) = json.as_object_mut() {
        body.remove("title");
    }
    let text = if json.is_null() { answer.text() } else { json.to_string() };
    // An id may also be part of another number.
    let whole = Regex::new(&format!(r"\b({})\b", things.map(|thing| regex::escape(&thing)).join("|")))
        .expect("a pattern");
    whole.replace_all(&text, "#").into_owned()
}

/// Whether a refusal is about the reference and not about something else in the body.
fn names_the_reference(answer: &Answer) -> bool {
    let text = format!("{} {}", answer.json["fields"], answer.json["description"]);
    let reasons = ["not found", "not exist", "does not belong", "not in the scenario", "cannot move"];
    answer.status != StatusCode::BAD_REQUEST || reasons.iter().any(|reason| text.contains(reason))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_object_of_a_body_gets_the_field() {
        let call = Call::new("POST", "/x").with(&json!([{"a": {"b": []}, "free": {"c": {}}}, 1]));
        let bodies: Vec<String> =
            call.with_field("z", &["free"]).into_iter().filter_map(|call| call.body).collect();
        assert_eq!(
            bodies,
            [r#"[{"a":{"b":[]},"free":{"c":{}},"z":1},1]"#, r#"[{"a":{"b":[],"z":1},"free":{"c":{}}},1]"#]
        );
        assert_eq!(Call::new("POST", "/x").with_field("z", &[]).len(), 0);
    }

    #[test]
    fn every_place_is_found_and_filled() {
        let call =
            Call::new("PATCH", "/jobs/$job/x?run_id=$run").with(&json!({"a": ["$job"], "b": "$token"}));
        let places = call.places();
        let parts: Vec<(&str, Part)> = places.iter().map(|place| (place.name.as_str(), place.part)).collect();
        assert_eq!(
            parts,
            [("job", Part::Path), ("run", Part::Query), ("job", Part::Body), ("token", Part::Body)]
        );
        let own =
            Things::from([("job".into(), json!(1)), ("run".into(), json!(2)), ("token".into(), json!("T"))]);
        let theirs = Things::from([("job".into(), json!(9)), ("run".into(), json!(8))]);
        assert_eq!(fill(&call.target, &own, Some((&places[1], &theirs)), false), "/jobs/1/x?run_id=8");
        let body = fill(call.body.as_deref().unwrap(), &own, Some((&places[2], &theirs)), true);
        assert_eq!(body, r#"{"a":[9],"b":"T"}"#);
    }
}
