//! Holds every answer against the API document, so that each API test is a contract test too.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use aide::openapi::OpenApi;
use boon::{Compiler, Draft, SchemaIndex, Schemas};
use http::{HeaderMap, Method, StatusCode, header};
use serde_json::{Map, Value};

use crate::answer::Answer;

/// The API document, ready to be compared with answers.
pub struct Contract {
    paths: Vec<Path>,
    document: Value,
    schemas: Mutex<HashMap<String, Arc<(Schemas, SchemaIndex)>>>,
}

/// One documented call.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Method.
    pub method: Method,
    /// Path pattern, `/jobs/{id}`.
    pub path: String,
    /// What the document says about it.
    pub about: Value,
}

struct Path {
    pattern: String,
    operations: Map<String, Value>,
}

/// What a caller sent and got.
pub(crate) struct Exchange<'a> {
    pub method: &'a Method,
    pub path: &'a str,
    /// Whether the caller asked for some fields only.
    pub partial: bool,
    pub status: StatusCode,
    pub headers: &'a HeaderMap,
    pub bytes: &'a [u8],
}

impl Contract {
    /// Reads the document.
    #[must_use]
    pub fn new(api: &OpenApi) -> Arc<Self> {
        Self::of(serde_json::to_value(api).expect("the API document is JSON"))
    }

    fn of(document: Value) -> Arc<Self> {
        let paths = document["paths"].as_object().cloned().unwrap_or_default();
        let paths = paths.into_iter().map(|(pattern, operations)| Path {
            pattern,
            operations: operations.as_object().cloned().unwrap_or_default(),
        });
        Arc::new(Self { paths: paths.collect(), document, schemas: Mutex::default() })
    }

    /// All documented calls.
    #[must_use]
    pub fn operations(&self) -> Vec<Operation> {
        self.paths
            .iter()
            .flat_map(|path| {
                path.operations.iter().map(|(method, about)| Operation {
                    method: method.to_uppercase().parse().expect("a method"),
                    path: path.pattern.clone(),
                    about: about.clone(),
                })
            })
            .collect()
    }

    /// What a reference to a named schema means; anything else is itself.
    #[must_use]
    pub fn schema<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|text| text.strip_prefix("#/components/schemas/"));
        name.map_or(schema, |name| &self.document["components"]["schemas"][name])
    }

    /// Says what is wrong with the answer to a call of `path`.
    ///
    /// # Errors
    /// What is wrong.
    pub fn judge(&self, method: &Method, path: &str, answer: &Answer) -> Result<(), String> {
        let (status, headers, bytes) = (answer.status, &answer.headers, &answer.bytes);
        self.check(&Exchange { method, path, partial: false, status, headers, bytes })
    }

    /// Says what is wrong with an answer.
    pub(crate) fn check(&self, exchange: &Exchange<'_>) -> Result<(), String> {
        let path = exchange.path.split('?').next().unwrap_or_default();
        let operation = self.operation(exchange.method, path);
        let Some((pattern, operation)) = operation else {
            let refused = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED].contains(&exchange.status);
            return if refused { Ok(()) } else { Err("the path is not documented".to_owned()) };
        };
        let responses = &operation["responses"];
        let status = exchange.status.as_u16().to_string();
        let failed = exchange.status.as_u16() >= 400;
        let key = match (responses.get(&status), responses.get("default")) {
            (Some(_), _) => status.as_str(),
            (None, Some(_)) if failed => "default",
            _ => return Err(format!("the status {status} is not documented")),
        };
        let media = media(exchange.headers);
        let content = &responses[key]["content"];
        let Some(documented) = content.as_object().filter(|content| !content.is_empty()) else {
            return match (media.as_str(), exchange.bytes.is_empty()) {
                ("application/json", false) => {
                    Err(format!("status {status}: the JSON body is not documented"))
                }
                _ => Ok(()),
            };
        };
        if !documented.contains_key(&media) {
            let known: Vec<&String> = documented.keys().collect();
            return Err(format!("status {status}: the media type `{media}` is not among {known:?}"));
        }
        if media != "application/json" || exchange.partial {
            return Ok(());
        }
        let body: Value = serde_json::from_slice(exchange.bytes)
            .map_err(|error| format!("the body is not JSON: {error}"))?;
        let method = exchange.method.as_str().to_lowercase();
        let place = ["paths", pattern, &method, "responses", key, "content", &media, "schema"];
        self.validate(&pointer(&place), &body)
    }

    fn operation(&self, method: &Method, path: &str) -> Option<(&str, &Value)> {
        let method = method.as_str().to_lowercase();
        // Of several patterns the one with the fewest parameters is meant, as in the router.
        self.paths
            .iter()
            .filter(|known| known.operations.contains_key(&method) && fits(&known.pattern, path))
            .min_by_key(|known| known.pattern.matches('{').count())
            .map(|known| (known.pattern.as_str(), &known.operations[&method]))
    }

    fn validate(&self, place: &str, body: &Value) -> Result<(), String> {
        let schema = {
            let mut schemas = self.schemas.lock().unwrap_or_else(PoisonError::into_inner);
            match schemas.get(place) {
                Some(known) => Arc::clone(known),
                None => {
                    let compiled =
                        self.compile(place).map_err(|error| format!("no schema at {place}: {error}"))?;
                    Arc::clone(schemas.entry(place.to_owned()).or_insert(Arc::new(compiled)))
                }
            }
        };
        schema.0.validate(body, schema.1).map_err(|error| format!("the body is not as documented: {error}"))
    }

    fn compile(&self, place: &str) -> Result<(Schemas, SchemaIndex), Box<boon::CompileError>> {
        let mut compiler = Compiler::new();
        compiler.set_default_draft(Draft::V2020_12);
        compiler.add_resource(DOCUMENT, self.document.clone())?;
        let mut schemas = Schemas::new();
        let index = compiler.compile(&format!("{DOCUMENT}#{place}"), &mut schemas)?;
        Ok((schemas, index))
    }
}

/// Name under which schemas refer to the document.
const DOCUMENT: &str = "http://localhost/openapi.json";

/// A JSON pointer as the fragment of an address.
fn pointer(parts: &[&str]) -> String {
    let escape = |part: &&str| format!("/{}", part.replace('~', "~0").replace('/', "~1"));
    let text: String = parts.iter().map(escape).collect();
    text.replace('{', "%7B").replace('}', "%7D")
}

/// Media type without parameters, in lower case.
fn media(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether a path is one of a pattern's.
#[must_use]
pub fn fits(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given))
                if wanted == given || (wanted.starts_with('{') && !given.is_empty()) => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn contract() -> Arc<Contract> {
        let document = json!({
            "openapi": "3.1.0", "info": {"title": "T", "version": "1"},
            "paths": {
                "/tags/{id}": {"get": {"responses": {
                    "200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tag"}}}},
                    "default": {"description": ""}
                }}},
                "/tags/bulk": {"get": {"responses": {"204": {"description": ""}}}}
            },
            "components": {"schemas": {"Tag": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}
        });
        Contract::of(document)
    }

    fn check(path: &str, status: u16, body: &str) -> Result<(), String> {
        let headers = [(header::CONTENT_TYPE, "application/json; charset=utf-8".parse().expect("a value"))];
        contract().check(&Exchange {
            method: &Method::GET,
            path,
            partial: false,
            status: StatusCode::from_u16(status).expect("a status"),
            headers: &headers.into_iter().collect(),
            bytes: body.as_bytes(),
        })
    }

    #[test]
    fn answers_are_held_against_the_document() {
        assert_eq!(check("/tags/7?x=1", 200, r#"{"id": 7}"#), Ok(()));
        assert!(check("/tags/7", 200, r#"{"id": "7"}"#).is_err_and(|fault| fault.contains("/id")));
        assert!(check("/tags/7", 200, "{}").is_err());
        assert!(check("/tags/7", 201, r#"{"id": 7}"#).is_err(), "only errors may be left to the default");
        assert!(check("/tags/bulk", 200, "{}").is_err(), "a fixed path comes before a parameter");
        assert_eq!(check("/nowhere", 404, "{}"), Ok(()));
        assert!(check("/nowhere", 200, "{}").is_err());
    }
}
