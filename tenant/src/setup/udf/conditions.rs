//! Conditions of actions: a field, an operator, a value; all must hold. Pure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Operators.
pub(super) const OPERATORS: [&str; 6] = ["=", "!=", "contains", ">", "<", "empty"];

/// One condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Condition {
    /// Field of the event's data; dots lead inside.
    pub field: String,
    /// `=`, `!=`, `contains`, `>`, `<` or `empty`.
    pub operator: String,
    /// What it is compared with; nothing for `empty`.
    #[serde(default)]
    pub value: Option<Value>,
}

/// Whether all conditions hold for the data.
pub(super) fn hold(conditions: &[Condition], data: &Value) -> bool {
    conditions.iter().all(|condition| condition.holds(data))
}

impl Condition {
    fn holds(&self, data: &Value) -> bool {
        let found =
            self.field.split('.').try_fold(data, |inside, key| inside.get(key)).map(text).unwrap_or_default();
        let wanted = self.value.as_ref().map(text).unwrap_or_default();
        match self.operator.as_str() {
            "=" => same(&found, &wanted),
            "!=" => !same(&found, &wanted),
            "contains" => found.to_lowercase().contains(&wanted.to_lowercase()),
            ">" => greater(&found, &wanted),
            "<" => greater(&wanted, &found) && !found.is_empty(),
            "empty" => found.trim().is_empty(),
            _ => false,
        }
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Numbers are compared as numbers, everything else as text without regard to case.
fn same(a: &str, b: &str) -> bool {
    match (a.trim().parse::<f64>(), b.trim().parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-9,
        _ => a.trim().to_lowercase() == b.trim().to_lowercase(),
    }
}

/// Numbers as numbers; times and dates in their wire format compare as text.
fn greater(a: &str, b: &str) -> bool {
    match (a.trim().parse::<f64>(), b.trim().parse::<f64>()) {
        (Ok(a), Ok(b)) => a > b,
        _ => !a.is_empty() && a.trim().to_lowercase() > b.trim().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_operator_holds_and_fails() {
        let data = json!({"uid": "A-1", "duration": 10, "priority": true, "comments": null, "leave_by": "12:00",
            "extra_fields": {"gate": "2"}});
        let holds = |field: &str, operator: &str, value: Value| {
            hold(&[Condition { field: field.into(), operator: operator.into(), value: Some(value) }], &data)
        };
        assert!(holds("uid", "=", json!("a-1")) && !holds("uid", "=", json!("A-2")));
        assert!(holds("duration", "=", json!("10.0")) && holds("duration", "!=", json!(11)));
        assert!(holds("duration", ">", json!(9)) && !holds("duration", ">", json!(10)));
        assert!(holds("leave_by", "<", json!("13:00")) && !holds("leave_by", "<", json!("11:00")));
        assert!(holds("uid", "contains", json!("-1")) && !holds("uid", "contains", json!("x")));
        assert!(holds("comments", "empty", json!(null)) && !holds("uid", "empty", json!(null)));
        assert!(!holds("comments", "<", json!("z")), "nothing is not less than something");
        assert!(holds("extra_fields.gate", "=", json!(2)) && holds("priority", "=", json!("true")));
        assert!(hold(&[], &data));
    }
}
