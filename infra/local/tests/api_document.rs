//! The API document: the committed copy, from which the web apps' types are generated, says what the services say.

use std::collections::BTreeMap;
use std::path::Path;

use aide::openapi::OpenApi;
use routewright_core::http::document;
use serde_json::Value;
use tower::layer::util::Identity;

const COPY: &str = "../../platform/web/openapi.json";

/// Keys in alphabetical order, so that a difference is one of meaning.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let sorted: BTreeMap<String, Value> =
                object.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            Value::Object(sorted.into_iter().collect())
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        other => other,
    }
}

/// After a change: `UPDATE=1 cargo test --test api_document`, then `npm run generate --workspace platform/web`.
#[test]
fn the_committed_document_is_current() {
    let (mut control, mut tenant) = (OpenApi::default(), OpenApi::default());
    let _ = routewright_control_plane::routes::table().finish(&mut control, |_| Identity::new());
    let _ = routewright_tenant::routes::table().finish(&mut tenant, |_| Identity::new());
    let merged = document::merge(&[&control, &tenant], "Routewright").expect("no two schemas of one name");
    let current = sorted(serde_json::to_value(merged).expect("a document"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(COPY);
    if std::env::var_os("UPDATE").is_some() {
        let text = serde_json::to_string_pretty(&current).expect("a text") + "\n";
        std::fs::write(&file, text).expect("the copy is written");
    }
    let copy: Value = serde_json::from_str(&std::fs::read_to_string(&file).expect("a copy")).expect("JSON");
    let changed: Vec<String> = ["/paths", "/components/schemas"]
        .into_iter()
        .flat_map(|part| {
            let names = |document: &Value| {
                document.pointer(part).and_then(Value::as_object).cloned().unwrap_or_default()
            };
            let (here, there) = (names(&current), names(&copy));
            let differs = |name: &String| here.get(name) != there.get(name);
            here.keys().chain(there.keys()).filter(|name| differs(name)).cloned().collect::<Vec<_>>()
        })
        .collect();
    assert!(changed.is_empty() && current == copy, "platform/web/openapi.json is out of date: {changed:?}");
}
