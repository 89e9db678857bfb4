//! Calls that nobody would make: made up from the API document, partly as it says and partly not. None of them may end in
//! a fault of ours, and every answer is as documented.

use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::contract::{Contract, Operation};

/// Texts that have broken programs before.
const TEXTS: [&str; 32] = [
    "",
    " ",
    "x",
    "a\u{0}b",
    "'; drop table jobs; --",
    "%_\\",
    "\u{1F69A}",
    "العربية",
    "<b>",
    "2026-11-23",
    "2026-02-30",
    "0000-01-01",
    "99999-12-31",
    "25:61",
    "08:30",
    "9:00 am",
    "1e9",
    "boxes:2",
    "boxes:-1|&",
    "boxes:99999999999999999999",
    "+351220000001",
    "a@example.org",
    "#34495e",
    "null",
    "{}",
    "../../etc/passwd",
    "http://127.0.0.1/",
    "a,b,,c",
    "monday",
    "\u{202e}txt",
    "-0",
    "Ⅷ",
];
/// Whole numbers at the edges of what anything can hold.
const NUMBERS: [i64; 14] = [
    0,
    -1,
    1,
    2,
    100,
    32_768,
    2_147_483_647,
    2_147_483_648,
    -2_147_483_649,
    9_007_199_254_740_993,
    i64::MAX,
    i64::MIN,
    365,
    24,
];
/// Numbers at the edges of what a plan can hold.
const FLOATS: [f64; 10] = [0.0, -0.5, 1e-9, 41.15, -8.61, 90.1, 181.0, 1e12, 1e308, -1e308];

/// Makes calls up, the same ones for the same seed.
pub struct Fuzz<'a> {
    contract: &'a Contract,
    random: StdRng,
    /// Tokens and uids to be used in paths.
    tokens: Vec<String>,
}

impl<'a> Fuzz<'a> {
    /// Makes calls up from a document; `tokens` stand in paths now and then.
    #[must_use]
    pub fn new(contract: &'a Contract, seed: u64, tokens: Vec<String>) -> Self {
        Self { contract, random: StdRng::seed_from_u64(seed), tokens }
    }

    /// Makes a call of an operation up and judges its answer. Answers the status.
    ///
    /// # Errors
    /// The call and what is wrong with its answer.
    pub async fn call(&mut self, client: &Client, operation: &Operation) -> Result<StatusCode, String> {
        let target = self.target(operation);
        let body = self.body(operation);
        let mut request = Request::builder().method(operation.method.clone()).uri(&target);
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let sent = body.clone().map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let Ok(request) = request.body(sent) else { return Ok(StatusCode::BAD_REQUEST) };
        let answer = client.unchecked().send(request).await;
        let fault = if answer.status.is_server_error() {
            Some(format!("answers {}: {} {:?}", answer.status, answer.text(), answer.causes()))
        } else {
            self.contract.judge(&operation.method, &target, &answer).err()
        };
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        match fault {
            None => Ok(answer.status),
            Some(fault) => {
                let body: String = body.chars().take(1500).collect();
                Err(format!("{} {target} {body}\n    {fault}", operation.method))
            }
        }
    }

    fn chance(&mut self, of: f64) -> bool {
        self.random.random_bool(of)
    }

    fn pick<T: Clone>(&mut self, among: &[T]) -> T {
        among.choose(&mut self.random).expect("something to choose from").clone()
    }

    fn target(&mut self, operation: &Operation) -> String {
        let parts: Vec<String> = operation.path.split('/').map(|part| self.part(part)).collect();
        let mut target = parts.join("/");
        let parameters = operation.about["parameters"].as_array().cloned().unwrap_or_default();
        let mut query: Vec<(String, Value)> = Vec::new();
        for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap_or_default();
            if parameter["required"] == true || self.chance(0.3) {
                query.push((name.to_owned(), self.value(name, &parameter["schema"], 3)));
            }
        }
        if operation.method == Method::GET && self.chance(0.1) {
            let name = self.pick(&["colour", "id", "job_ids", "scenario_id", "search", "sort_by", "lat"]);
            query.push((name.to_owned(), self.text().into()));
        }
        for (at, (name, value)) in query.iter().enumerate() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let encoded = utf8_percent_encode(&text, NON_ALPHANUMERIC);
            target.push_str(&format!("{}{name}={encoded}", if at == 0 { "?" } else { "&" }));
        }
        target
    }

    fn part(&mut self, part: &str) -> String {
        if !part.starts_with('{') {
            return part.to_owned();
        }
        if ["{token}", "{uid}", "{ticket}"].contains(&part) && !self.tokens.is_empty() && self.chance(0.8) {
            let tokens = self.tokens.clone();
            return self.pick(&tokens);
        }
        if part == "{group}" && self.chance(0.8) {
            let groups = [
                "reschedule_settings",
                "notification_settings",
                "app_settings",
                "pod_settings",
                "delivery_tracking_settings",
                "dispatch_settings",
                "udf_config",
            ];
            return self.pick(&groups).to_owned();
        }
        if self.chance(0.8) {
            return self.random.random_range(1..=4).to_string();
        }
        self.pick(&[
            "0",
            "-1",
            "99999999999999999999",
            "abc",
            "%00",
            "%F0%9F%9A%9A",
            "1%2F2",
            "bulk",
            "9223372036854775807",
        ])
        .to_owned()
    }

    fn body(&mut self, operation: &Operation) -> Option<Value> {
        let content = &operation.about["requestBody"]["content"]["application/json"];
        content.is_object().then(|| self.value("", &content["schema"], 6))
    }

    fn text(&mut self) -> String {
        if self.chance(0.05) { "x".repeat(5000) } else { self.pick(&TEXTS).to_owned() }
    }

    /// A value for a schema, now and then one that does not fit.
    fn value(&mut self, name: &str, schema: &Value, depth: u8) -> Value {
        if self.chance(0.04) {
            let odd = [
                json!(null),
                json!([]),
                json!({}),
                json!(-1),
                json!(""),
                json!(true),
                json!([null]),
                json!(1e300),
            ];
            return self.pick(&odd);
        }
        let schema = self.contract.schema(schema);
        for key in ["anyOf", "oneOf", "allOf"] {
            if let Some(choices) = schema[key].as_array().filter(|choices| !choices.is_empty()) {
                let choice = self.pick(choices);
                return self.value(name, &choice, depth);
            }
        }
        if let Some(choices) = schema["enum"].as_array().filter(|choices| !choices.is_empty()) {
            return self.pick(choices);
        }
        let kinds: Vec<String> = match &schema["type"] {
            Value::String(kind) => vec![kind.clone()],
            Value::Array(kinds) => kinds.iter().filter_map(|kind| kind.as_str().map(str::to_owned)).collect(),
            _ => ["object", "array", "string", "integer", "null"].map(str::to_owned).to_vec(),
        };
        let kind = if kinds.len() > 1 && self.chance(0.8) { kinds[0].clone() } else { self.pick(&kinds) };
        match kind.as_str() {
            "object" => self.object(schema, depth),
            "array" => self.array(name, schema, depth),
            "string" => self.string(name, schema),
            "integer" if name.ends_with("id") || name.ends_with("ids") => {
                if self.chance(0.8) {
                    self.random.random_range(1..=4).into()
                } else {
                    self.pick(&NUMBERS).into()
                }
            }
            "integer" => self.pick(&NUMBERS).into(),
            "number" => self.pick(&FLOATS).into(),
            "boolean" => self.chance(0.5).into(),
            _ => Value::Null,
        }
    }

    fn string(&mut self, name: &str, schema: &Value) -> Value {
        let fitting = match (schema["format"].as_str(), name) {
            (Some("date"), _) => Some("2026-11-24"),
            (Some("date-time" | "partial-date-time"), _) => Some("2026-11-24T09:30:00Z"),
            (_, name) if name.ends_with("email") => Some("a@example.org"),
            (_, name) if name.contains("colour") || name == "color" => Some("#34495e"),
            (_, "shift_start" | "arrive_after") => Some("08:00"),
            (_, "shift_end" | "leave_by") => Some("17:00"),
            _ => None,
        };
        match fitting {
            Some(text) if self.chance(0.7) => text.into(),
            _ => self.text().into(),
        }
    }

    fn array(&mut self, name: &str, schema: &Value, depth: u8) -> Value {
        if depth == 0 {
            return json!([]);
        }
        let length = if self.chance(0.02) { 200 } else { self.random.random_range(0..=3) };
        (0..length).map(|_| self.value(name, &schema["items"], depth - 1)).collect()
    }

    fn object(&mut self, schema: &Value, depth: u8) -> Value {
        let mut object = Map::new();
        if depth == 0 {
            return object.into();
        }
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            let wanted = if required.iter().any(|one| one == name) { 0.95 } else { 0.4 };
            if self.chance(wanted) {
                object.insert(name.clone(), self.value(name, schema, depth - 1));
            }
        }
        if schema["additionalProperties"].is_object() || (object.is_empty() && self.chance(0.5)) {
            for _ in 0..self.random.random_range(0..=2) {
                let name = self.text();
                object.insert(name, self.value("", &schema["additionalProperties"], depth - 1));
            }
        }
        object.into()
    }
}
