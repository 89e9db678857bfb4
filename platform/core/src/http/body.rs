//! JSON bodies that answer faults in the one error shape.

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::Operation;
use axum::extract::{FromRequest, Request};
use bytes::BytesMut;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use crate::apart;
use crate::check::UNKNOWN;
use crate::error::{Error, Kind, Problems, Result};
use crate::transaction;

/// Largest JSON body; routes that take imports raise it with [`crate::Routes::largest_body`].
pub const DEFAULT_LIMIT: usize = 2 * 1024 * 1024;

/// Request extension with the largest body of a route, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLimit(pub usize);

/// Request extension: the whole body has arrived, so that reading it is no wait.
#[derive(Clone, Copy, Debug)]
pub struct Arrived;

/// Request extension: whose rows the request may write. Their `organisation_id` may then be given, and only be this.
#[derive(Clone, Copy, Debug)]
pub struct OwnOrganisation(pub i64);

impl OwnOrganisation {
    /// Takes the caller's own `organisation_id` from an object, or from each of a list.
    ///
    /// # Errors
    /// 400 when it is another's.
    pub fn take(self, body: &mut Value) -> Result<()> {
        const FIELD: &str = "organisation_id";
        let rows = match body {
            Value::Array(rows) => rows.as_mut_slice(),
            row => std::slice::from_mut(row),
        };
        for row in rows.iter_mut().filter_map(Value::as_object_mut) {
            match row.remove(FIELD) {
                Some(given) if !given.is_null() && given != self.0 => {
                    return Err(Error::field(FIELD, "Value does not exist"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// A JSON request body of type `T`. Wrong media type: 415; too large: 413; malformed JSON, a wrong, unknown
/// or read-only field: 400 that names the field.
pub struct Body<T>(pub T);

impl<T, S> FromRequest<S> for Body<T>
where
    T: DeserializeOwned + Send + 'static,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        from_json(request, from_value).await.map(Self)
    }
}

/// Bytes up to which a body is parsed in an instant.
const SMALL: usize = 64 * 1024;

/// Large bodies are parsed one after the other, apart from the threads on which everybody's requests wait.
static PARSING: Semaphore = Semaphore::const_new(1);

/// The JSON body of a request, and what `parse` makes of it.
async fn from_json<T: Send + 'static>(
    request: Request,
    parse: impl FnOnce(Value) -> Result<T> + Send + 'static,
) -> Result<T> {
    if !is_json(request.headers()) {
        return Err(Error::new(Kind::UnsupportedMedia, "Content-Type must be application/json"));
    }
    let limit = request.extensions().get::<BodyLimit>().map_or(DEFAULT_LIMIT, |limit| limit.0);
    let own = request.extensions().get::<OwnOrganisation>().copied();
    let bytes = read(request, limit).await?;
    let large = bytes.len() > SMALL;
    let parsed = move || {
        let mut value = json(&bytes)?;
        if let Some(own) = own {
            own.take(&mut value)?;
        }
        parse(value)
    };
    if !large {
        return parsed();
    }
    let _turn = PARSING.acquire().await.map_err(Error::internal)?;
    apart::on_own_thread("body", apart::WORK, parsed).await?
}

/// Whether a body is said to be JSON.
#[must_use]
pub fn is_json(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
        let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        essence == "application/json" || essence.ends_with("+json")
    })
}

/// Bytes that a body is said to have.
#[must_use]
pub fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads a whole body of at most `limit` bytes.
///
/// # Errors
/// 413 when it is larger, 400 when it ends early.
pub async fn read(request: Request, limit: usize) -> Result<bytes::Bytes> {
    if request.extensions().get::<Arrived>().is_none() {
        transaction::slow("the request's body");
    }
    let announced = announced(request.headers()).and_then(|length| usize::try_from(length).ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    let mut body = Limited::new(request.into_body(), limit);
    // As long as was announced, so that nothing is copied once more when all of it is there; memory is taken as it comes.
    let mut bytes = BytesMut::with_capacity(announced.unwrap_or_default());
    let ended = loop {
        match body.frame().await {
            None => break Ok(bytes.freeze()),
            Some(Ok(frame)) => bytes.extend_from_slice(frame.data_ref().map_or(&[][..], |data| &data[..])),
            Some(Err(error)) => break Err(error),
        }
    };
    match ended {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.downcast_ref::<LengthLimitError>().is_some() => Err(too_large(limit)),
        Err(error) if came_too_slowly(&*error) => {
            Err(Error::new(Kind::RequestTimeout, "The request did not arrive in time. Please try again."))
        }
        Err(error) => Err(Error::bad_request("The request body ended early").caused_by(error)),
    }
}

/// Whether the body was given up because nothing more of it came.
fn came_too_slowly(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source())
        .any(<dyn std::error::Error>::is::<tower_http::timeout::TimeoutError>)
}

/// 413 that names the limit.
#[must_use]
pub fn too_large(limit: usize) -> Error {
    Error::new(Kind::TooLarge, format!("The request is larger than {} KiB", limit / 1024))
}

/// Parses JSON text into `T` with the product's checks.
///
/// # Errors
/// 400 naming the field.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    from_value(json(bytes)?)
}

fn json(bytes: &[u8]) -> Result<Value> {
    serde_json::from_slice(bytes).map_err(|error| {
        Error::bad_request(format!("Malformed JSON at line {} column {}", error.line(), error.column()))
            .caused_by(error)
    })
}

/// Turns a JSON value into `T` with the product's checks. Every struct in it is strict: a field that it does not have is
/// refused, so that nothing looks saved that was not. Only what serde buffers (flattened structs, untagged and tagged
/// enums) says so itself, by `deny_unknown_fields`.
///
/// # Errors
/// 400 naming the field.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T> {
    let mut path = String::new();
    refuse_nul(&value, &mut path)?;
    strictly(value)
}

/// The same for rows of a file, where a NUL is the fault of its cell and told with all the others.
///
/// # Errors
/// 400 naming the field.
pub fn strictly<T: DeserializeOwned>(value: Value) -> Result<T> {
    let (mut track, mut unknown) = (serde_path_to_error::Track::new(), Problems::default());
    let tracked = serde_path_to_error::Deserializer::new(value, &mut track);
    let parsed = serde_ignored::deserialize(tracked, |path| unknown.add(name_of(&path), UNKNOWN));
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let field = track.path().to_string();
            let inside = |name: &str| if field == "." { name.to_owned() } else { format!("{field}.{name}") };
            let reason = in_words(error.to_string());
            if let Some(name) = quoted(&reason, "missing field `") {
                return Err(Error::field(inside(name), crate::check::REQUIRED));
            }
            let Some(name) = quoted(&reason, "unknown field `") else {
                return Err(if field == "." {
                    Error::bad_request(reason)
                } else {
                    Error::field(field, reason)
                });
            };
            // The parser stopped at the field itself, or at the struct around it.
            let at_it = field.rsplit('.').next() == Some(name);
            unknown.add(if at_it { field } else { inside(name) }, UNKNOWN);
            return Err(unknown.into_error());
        }
    };
    unknown.finish()?;
    Ok(parsed)
}

/// Name of a field in the way [`serde_path_to_error`] writes it: `units[2].uid`.
fn name_of(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path as P;
    match path {
        P::Root => String::new(),
        P::Seq { parent, index } => format!("{}[{index}]", name_of(parent)),
        P::Map { parent, key } => match name_of(parent) {
            outer if outer.is_empty() => key.clone(),
            outer => format!("{outer}.{key}"),
        },
        P::Some { parent } | P::NewtypeStruct { parent } | P::NewtypeVariant { parent } => name_of(parent),
    }
}

/// What is wrong with a value, in the words of a form instead of a parser's.
fn in_words(reason: String) -> String {
    const OF_PARSER: [&str; 6] = [
        "input is out of range",
        "no possible date and time matching input",
        "input is not enough for unique date and time",
        "input contains invalid characters",
        "premature end of input",
        "trailing input",
    ];
    if OF_PARSER.contains(&reason.as_str()) {
        return "Value is not a valid date or time".to_owned();
    }
    if reason.starts_with("data did not match any variant") {
        return "Value does not have the expected form".to_owned();
    }
    let wrong = reason.starts_with("invalid type: ") || reason.starts_with("invalid value: ");
    match reason.rsplit_once(", expected ") {
        Some((_, expected)) if wrong => format!("Value must be {}", kind_in_words(expected)),
        Some((found, expected)) if found.starts_with("unknown variant ") => {
            let known = expected.trim_start_matches("one of ").replace(" or ", ", ").replace('`', "");
            format!("Value is not one of {known}")
        }
        _ => reason,
    }
}

/// What a parser expected, without the names of a programming language.
fn kind_in_words(expected: &str) -> &str {
    match expected {
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative",
        "f32" | "f64" => "a number",
        "a string" | "string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => other,
    }
}

/// The name that a parser's reason quotes after `start`.
fn quoted<'r>(reason: &'r str, start: &str) -> Option<&'r str> {
    reason.strip_prefix(start)?.split('`').next()
}

/// Postgres text cannot hold NUL; saying so with the field beats a database error.
fn refuse_nul(value: &Value, path: &mut String) -> Result<()> {
    match value {
        Value::String(text) if text.contains('\0') => Err(Error::field(
            path.trim_start_matches('.').to_owned(),
            "Value cannot contain special characters",
        )),
        Value::Array(items) => items.iter().enumerate().try_for_each(|(index, item)| {
            let length = path.len();
            path.push_str(&format!(".{index}"));
            refuse_nul(item, path)?;
            path.truncate(length);
            Ok(())
        }),
        Value::Object(map) => map.iter().try_for_each(|(key, item)| {
            if key.contains('\0') {
                return Err(Error::bad_request("Field names cannot contain special characters"));
            }
            let length = path.len();
            path.push('.');
            path.push_str(key);
            refuse_nul(item, path)?;
            path.truncate(length);
            Ok(())
        }),
        _ => Ok(()),
    }
}

/// A JSON object of which it matters which fields were given: the body of a create or PATCH. `T` has an `Option` for every
/// field (`#[serde(default)]` on the struct); a field that is absent keeps or defaults, `null` clears, a value sets.
#[derive(Debug, Clone)]
pub struct Given<T> {
    /// The typed fields; `None` for both absent and `null`.
    pub value: T,
    /// The given fields in their checked form, `null` where they clear.
    pub fields: Map<String, Value>,
}

impl<T: DeserializeOwned + Serialize> Given<T> {
    /// Checks the fields of a JSON object.
    ///
    /// # Errors
    /// 400 naming the field.
    pub fn parse(value: Value) -> Result<Self> {
        let Value::Object(given) = value else {
            return Err(Error::bad_request("The body must be a JSON object"));
        };
        let value: T = from_value(Value::Object(given.clone()))?;
        let Value::Object(mut fields) = serde_json::to_value(&value)? else {
            return Err(Error::internal("fields must be a struct"));
        };
        fields.retain(|name, _| given.contains_key(name));
        Ok(Self { value, fields })
    }

    /// The fields of a value made by the program itself; empty ones count as absent.
    ///
    /// # Errors
    /// When the value cannot be written as JSON.
    pub fn of(value: T) -> Result<Self> {
        let Value::Object(mut fields) = serde_json::to_value(&value)? else {
            return Err(Error::internal("fields must be a struct"));
        };
        fields.retain(|_, value| !value.is_null());
        Ok(Self { value, fields })
    }
}

impl<T> Given<T> {
    /// Whether the field was given, be it as `null`.
    #[must_use]
    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }
}

impl<T, S> FromRequest<S> for Given<T>
where
    T: DeserializeOwned + Serialize + Send + 'static,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        from_json(request, Self::parse).await
    }
}

impl<T: JsonSchema> OperationInput for Given<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        <axum::Json<T> as OperationInput>::operation_input(ctx, operation);
    }
}

impl<T: JsonSchema> OperationInput for Body<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        <axum::Json<T> as OperationInput>::operation_input(ctx, operation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::MOST_NAMED;

    #[derive(Debug, serde::Deserialize)]
    #[expect(dead_code, reason = "only parsed")]
    struct Job {
        uid: String,
        size: Vec<i32>,
        inner: Option<Inner>,
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only parsed")]
    struct Inner {
        #[serde(flatten)]
        place: Place,
    }

    #[derive(Debug, serde::Deserialize)]
    #[expect(dead_code, reason = "only parsed")]
    struct Place {
        lat: i32,
    }

    #[test]
    fn faults_name_their_field() {
        let fault = |text: &str| match parse::<Job>(text.as_bytes()) {
            Ok(job) => format!("{job:?}"),
            Err(error) => format!("{} {:?}", error.description(), error.named_fields()),
        };
        assert_eq!(fault("{"), "Malformed JSON at line 1 column 1 {}");
        assert_eq!(fault(r#"{"size":[]}"#), r#"This item is required {"uid": "This item is required"}"#);
        assert!(fault(r#"{"uid":"a","size":[1,"x"]}"#).contains("size[1]"));
        assert_eq!(
            fault(r#"{"uid":5,"size":[]}"#),
            r#"Value must be a text {"uid": "Value must be a text"}"#
        );
        assert!(fault(r#"{"uid":"a","size":7}"#).starts_with("Value must be a list"));
        assert!(fault(r#"{"uid":"a","size":[1.5]}"#).starts_with("Value must be a whole number"));
        assert_eq!(
            fault(r#"{"uid":"a","size":[1],"eta":1,"inner":{"lat":1,"bogus":2}}"#),
            format!(r#"{UNKNOWN} {{"eta": "{UNKNOWN}", "inner.bogus": "{UNKNOWN}"}}"#)
        );
        assert!(fault("{\"uid\":\"a\\u0000\",\"size\":[]}").contains("uid"));
        let many = (0..20_000).map(|n| format!("\"x{n}\":1")).collect::<Vec<_>>().join(",");
        let named = parse::<Job>(format!(r#"{{"uid":"a","size":[1],{many}}}"#).as_bytes())
            .err()
            .map(|error| error.named_fields().len());
        assert_eq!(named, Some(MOST_NAMED), "an answer is no longer than somebody reads");
        let day =
            parse::<Vec<chrono::NaiveDate>>(br#"["2026-02-30"]"#).err().map(|error| error.description());
        assert_eq!(day.as_deref(), Some("Value is not a valid date or time"));
    }
}
