//! The trail holds references as ids, so that a save costs little. Here they get the names of what they refer to: of now, or
//! as the trail last saw it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use routewright_core::Result;
use routewright_identity::Policy;
use serde_json::Value;
use sqlx::postgres::PgConnection;

/// Fields of an entry, each with its value before and after.
pub(super) type Changes = BTreeMap<String, [Value; 2]>;

/// Names by kind and id.
type Names = HashMap<(&'static str, i64), String>;

/// Fields that refer to users.
const USERS: [&str; 4] = ["driver_user_id", "validated_by_id", "handled_by", "decided_by"];

/// What a field refers to, be it one object or a list.
fn kind_of(field: &str) -> Option<&'static str> {
    Some(match field {
        "bill_id" => "bill",
        "billing_rate_id" | "billing_rate_ids" => "billing_rate",
        "checklist_definition_id" => "checklist",
        "client_id" => "client",
        "container_id" => "container",
        "driver_id" | "driver_ids" | "default_active_driver_ids" => "driver",
        "job_id" | "job_ids" | "stops" => "job",
        "location_id" | "start_location_id" | "end_location_id" => "location",
        "photo_ids" | "signature_id" => "file",
        "reason_id" => "reason",
        "return_id" => "return",
        "run_id" => "run",
        "scenario_id" | "copy_of_scenario_id" => "scenario",
        "tag_ids" => "tag",
        "template_id" => "scenario_template",
        "territory_ids" => "territory",
        "territory_group_ids" => "territory_group",
        "unit_id" => "unit",
        "vehicle_id" => "vehicle",
        _ => return None,
    })
}

/// Gives all references of entries their names. The place on a run is told with the run: `R2#4`.
///
/// # Errors
/// Database faults.
pub(super) async fn give(
    connection: &mut PgConnection,
    policy: &Policy,
    entries: &mut [&mut Changes],
) -> Result<()> {
    let mut wanted: BTreeSet<(&'static str, i64)> = BTreeSet::new();
    for (field, values) in entries.iter().flat_map(|changes| changes.iter()) {
        if let Some(kind) = kind_of(field) {
            wanted.extend(values.iter().flat_map(ids).map(|id| (kind, id)));
        }
    }
    let names = find(connection, wanted).await?;
    for changes in entries {
        **changes = named(std::mem::take(*changes), policy, &names);
    }
    Ok(())
}

async fn find(connection: &mut PgConnection, wanted: BTreeSet<(&'static str, i64)>) -> Result<Names> {
    let (kinds, ids): (Vec<&'static str>, Vec<i64>) = wanted.iter().copied().unzip();
    let found: Vec<(String, i64, Option<String>)> = sqlx::query_as(
        "select g.kind, n.id, n.name
         from (select kind, array_agg(id) as ids from unnest($1::text[], $2::bigint[]) as given (kind, id) group by kind) g
             cross join lateral audit_names(g.kind, g.ids) n",
    )
    .bind(kinds)
    .bind(ids)
    .fetch_all(connection)
    .await?;
    let found: HashMap<(String, i64), String> =
        found.into_iter().filter_map(|(kind, id, name)| Some(((kind, id), name?))).collect();
    let name =
        |(kind, id): (&'static str, i64)| Some(((kind, id), found.get(&(kind.to_owned(), id))?.clone()));
    Ok(wanted.into_iter().filter_map(name).collect())
}

fn ids(value: &Value) -> Vec<i64> {
    match value {
        Value::Array(items) => items.iter().filter_map(Value::as_i64).collect(),
        one => one.as_i64().into_iter().collect(),
    }
}

fn named(mut changes: Changes, policy: &Policy, names: &Names) -> Changes {
    let seq = changes.remove("seq").unwrap_or_default();
    let fields = changes.into_iter().map(|(field, values)| {
        let Some(kind) = kind_of(&field) else {
            if !USERS.contains(&field.as_str()) {
                return (field, values);
            }
            let user = |id: i64| policy.member(id).map(|member| member.name.clone());
            return (plain(&field), values.map(|value| replaced(value, &user)));
        };
        let name = |id: i64| names.get(&(kind, id)).cloned();
        let mut values = values.map(|value| replaced(value, &name));
        if field == "run_id" {
            for (value, seq) in values.iter_mut().zip(&seq) {
                if let (Value::String(run), Some(seq)) = (value, seq.as_i64()) {
                    *run = format!("{run}#{seq}");
                }
            }
        }
        (plain(&field), values)
    });
    fields.collect()
}

/// `client_id` becomes `client`, `tag_ids` becomes `tags`.
fn plain(field: &str) -> String {
    match (field.strip_suffix("_ids"), field.strip_suffix("_id")) {
        (Some("territory"), _) => "territories".to_owned(),
        (Some(list), _) => format!("{list}s"),
        (None, Some(one)) => one.to_owned(),
        (None, None) => field.to_owned(),
    }
}

fn replaced(value: Value, name: &impl Fn(i64) -> Option<String>) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|item| replaced(item, name)).collect(),
        Value::Number(id) => match id.as_i64() {
            Some(id) => name(id).unwrap_or_else(|| format!("#{id}")).into(),
            None => Value::Number(id),
        },
        other => other,
    }
}
