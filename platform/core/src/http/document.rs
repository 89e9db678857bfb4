//! What the API document says beyond what handlers' types tell: path parameters, filters of lists, and which fields an
//! answer always has.

use std::collections::BTreeSet;

use aide::openapi::{
    OpenApi, Operation, Parameter, ParameterData, ParameterSchemaOrContent, PathStyle, QueryStyle,
    ReferenceOr, SchemaObject, Server,
};
use schemars::{Schema, json_schema};
use serde_json::{Map, Value};

use crate::list::Filter;

/// Where components lie in a reference.
const SCHEMAS: &str = "#/components/schemas/";
/// Marks a property that is left out of answers when there is nothing to say: `#[schemars(extend("x-optional" = true))]`.
const OPTIONAL: &str = "x-optional";

fn data(name: &str, required: bool, schema: Schema) -> ParameterData {
    ParameterData {
        name: name.to_owned(),
        description: None,
        required,
        deprecated: None,
        format: ParameterSchemaOrContent::Schema(SchemaObject {
            json_schema: schema,
            external_docs: None,
            example: None,
        }),
        example: None,
        examples: Default::default(),
        explode: None,
        extensions: Default::default(),
    }
}

fn declares(operation: &Operation, name: &str) -> bool {
    operation.parameters.iter().filter_map(ReferenceOr::as_item).any(|parameter| {
        let (Parameter::Query { parameter_data, .. }
        | Parameter::Header { parameter_data, .. }
        | Parameter::Path { parameter_data, .. }
        | Parameter::Cookie { parameter_data, .. }) = parameter;
        parameter_data.name == name
    })
}

/// One document of several services that answer under the same base. Names of schemas on which they differ are told,
/// because the later one would be lost.
///
/// # Errors
/// The names.
pub fn merge(documents: &[&OpenApi], title: &str) -> Result<OpenApi, Vec<String>> {
    let mut merged = OpenApi::default();
    title.clone_into(&mut merged.info.title);
    env!("CARGO_PKG_VERSION").clone_into(&mut merged.info.version);
    merged.servers = vec![Server { url: "/api".to_owned(), ..Server::default() }];
    let mut differing = Vec::new();
    for document in documents {
        if let Some(paths) = &document.paths {
            merged.paths.get_or_insert_default().paths.extend(paths.paths.clone());
        }
        let schemas = &mut merged.components.get_or_insert_default().schemas;
        for (name, schema) in document.components.iter().flat_map(|components| &components.schemas) {
            match schemas.get(name) {
                Some(known) if known != schema => differing.push(name.clone()),
                Some(_) => {}
                None => {
                    schemas.insert(name.clone(), schema.clone());
                }
            }
        }
    }
    if differing.is_empty() { Ok(merged) } else { Err(differing) }
}

/// Declares the parameters of a path pattern that no extractor's type names: ids are numbers, tokens and names texts.
pub(super) fn path_parameters(operation: &mut Operation, path: &str) {
    for name in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        if declares(operation, name) {
            continue;
        }
        let schema = if name == "id" || name.ends_with("_id") {
            json_schema!({"type": "integer", "format": "int64"})
        } else {
            json_schema!({"type": "string"})
        };
        let parameter =
            Parameter::Path { parameter_data: data(name, true, schema), style: PathStyle::default() };
        operation.parameters.push(ReferenceOr::Item(parameter));
    }
}

/// Declares the filters of a list.
pub(super) fn filters<'f>(operation: &mut Operation, filters: impl IntoIterator<Item = &'f Filter>) {
    for (name, schema) in filters.into_iter().flat_map(Filter::parameters) {
        if declares(operation, &name) {
            continue;
        }
        let parameter = Parameter::Query {
            parameter_data: data(&name, false, schema),
            allow_reserved: false,
            style: QueryStyle::default(),
            allow_empty_value: None,
        };
        operation.parameters.push(ReferenceOr::Item(parameter));
    }
}

/// Answers carry every field of theirs, be it as `null`. Schemas that only answers refer to say so; those that requests
/// refer to as well stay as they are.
pub(super) fn require_answered_fields(api: &mut OpenApi) {
    let Ok(document) = serde_json::to_value(&*api) else { return };
    let (mut asked, mut answered) = (BTreeSet::new(), BTreeSet::new());
    for operation in operations(&document) {
        for part in ["parameters", "requestBody"] {
            references(&operation[part], &document, &mut asked);
        }
        references(&operation["responses"], &document, &mut answered);
    }
    let Some(components) = &mut api.components else { return };
    for name in answered.difference(&asked) {
        if let Some(schema) = components.schemas.get_mut(name.as_str())
            && let Some(object) = schema.json_schema.as_object_mut()
        {
            require_all(object);
        }
    }
}

fn operations(document: &Value) -> impl Iterator<Item = &Value> {
    document["paths"]
        .as_object()
        .into_iter()
        .flat_map(Map::values)
        .filter_map(Value::as_object)
        .flat_map(Map::values)
}

/// Names of all schemas that are referred to, directly and through others.
fn references(value: &Value, document: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            if let Some(name) =
                object.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix(SCHEMAS))
                && found.insert(name.to_owned())
            {
                references(&document["components"]["schemas"][name], document, found);
            }
            object.values().for_each(|value| references(value, document, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, document, found)),
        _ => {}
    }
}

fn require_all(schema: &mut Map<String, Value>) {
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let required: Vec<Value> = properties
            .iter()
            .filter(|(_, property)| property.get(OPTIONAL).is_none())
            .map(|(name, _)| Value::from(name.clone()))
            .collect();
        if !required.is_empty() {
            schema.insert("required".to_owned(), required.into());
        }
    }
    for part in schema.values_mut() {
        parts_require_all(part);
    }
}

fn parts_require_all(value: &mut Value) {
    match value {
        Value::Object(object) => require_all(object),
        Value::Array(items) => items.iter_mut().for_each(parts_require_all),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_the_path_are_declared_once() {
        let mut operation = Operation::default();
        path_parameters(&mut operation, "/jobs/{id}/files/{uid}");
        path_parameters(&mut operation, "/jobs/{id}");
        let names: Vec<Value> = operation
            .parameters
            .iter()
            .filter_map(|p| serde_json::to_value(p).ok())
            .map(|p| p["name"].clone())
            .collect();
        assert_eq!(names, ["id", "uid"]);
    }

    #[test]
    fn fields_are_required_unless_marked() {
        let mut schema = json_schema!({"type": "object", "properties": {
            "a": {"type": "object", "properties": {"b": {}}},
            "c": {"x-optional": true},
        }});
        schema.as_object_mut().map(require_all);
        let schema = schema.to_value();
        assert_eq!(schema["required"], serde_json::json!(["a"]));
        assert_eq!(schema["properties"]["a"]["required"], serde_json::json!(["b"]));
    }
}
