//! Every route of the table, tried with what another organisation has.

use routewright_core::access::Who;
use routewright_core::http::routes::Row;
use routewright_testing::Client;
use routewright_testing::calls::{Call, Part, Place, Things, judge};
use serde_json::{Value, json};

use super::fill::Filled;
use super::{calls, changed, digest};

/// Routes that answer for each item of their body what became of it, or with what is found of them.
const BY_ITEM: [&str; 3] = ["/jobs/send_tracking_urls", "/runs/dispatch", "/jobs/excel_export"];

/// What nobody has, in the shape of what `ours` has.
fn nowhere(ours: &Filled) -> Things {
    let organisation = &ours.tenant.organisation;
    let invent = |(at, (name, value)): (usize, (&String, &Value))| {
        let invented = match (name.as_str(), value) {
            (_, Value::Number(_)) => json!(900_000_000 + at),
            ("location_option" | "client_option" | "job_option", _) => {
                json!(format!("{}900000000", &value.as_str().unwrap()[..1]))
            }
            ("ticket", _) => json!("not.a.ticket"),
            (name, _) if name.ends_with("_tracking") => json!(organisation.links.short(organisation.id)),
            _ => json!(organisation.links.long(organisation.id)),
        };
        (name.clone(), invented)
    };
    ours.things.iter().enumerate().map(invent).collect()
}

/// Who may call a route.
fn callers(filled: &Filled, row: &Row) -> Vec<Client> {
    match row.access.who {
        Who::User => vec![filled.admin.clone()],
        Who::RunsheetOrUser => vec![filled.admin.clone(), filled.driver.clone()],
        Who::Runsheet => vec![filled.driver.clone()],
        Who::Public | Who::Link(_) => vec![filled.admin.nobody()],
    }
}

/// A link opens what it was made for to whoever has it: what else it opens is tried in `tokens`.
fn is_own_key(row: &Row, place: &Place) -> bool {
    matches!(row.access.who, Who::Public | Who::Link(_))
        && (place.part == Part::Path || place.name.ends_with("token"))
}

/// A-3xx, architecture §9: every id, token and file of the route table, in path, query and body, tried with another
/// organisation's. It is as if it did not exist, and the other organisation stays as it was.
#[tokio::test]
async fn no_route_reaches_another_organisation() {
    // Workers of other tests send what waits in any organisation.
    let _turn = crate::worker::ONE_AT_A_TIME.lock().await;
    let (theirs, ours) = (Filled::new("Quokka", Some(2_000_000)).await, Filled::new("Wombat", None).await);
    let nowhere = nowhere(&ours);
    let table = routewright_tenant::routes::table().rows();
    let before = (digest(&theirs).await, digest(&ours).await);
    let (mut faults, mut tried) = (Vec::new(), 0);
    for call in calls::all() {
        let row = call.route(&table).unwrap_or_else(|| panic!("{call:?} is no call of a route"));
        for client in callers(&ours, row) {
            for place in call.places().iter().filter(|place| !is_own_key(row, place)) {
                let answer = call.make(&client, &ours.things, Some((place, &theirs.things))).await;
                let nobodys = call.make(&client, &ours.things, Some((place, &nowhere))).await;
                let thing = (&theirs.things[&place.name], &nowhere[&place.name]);
                tried += 1;
                let by_item = BY_ITEM.contains(&row.path) || call.deletes_many();
                if let Some(fault) = judge(place, by_item, "quokka", (&answer, thing.0), (&nobodys, thing.1))
                {
                    let (name, part) = (&place.name, place.part);
                    faults.push(format!(
                        "{} {} with another's {name} in its {part:?} {fault}",
                        row.method, row.path
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
    assert!(tried > 450, "{tried}");
    assert_eq!(changed(&before.0, &digest(&theirs).await), [""; 0], "theirs");
    let ours_changed = changed(&before.1, &digest(&ours).await);
    assert_eq!(ours_changed, [""; 0], "what was refused changed nothing here either");
}

/// The calls are good ones: with what the organisation has itself, each is admitted. Whatever it does, the others stay as
/// they were.
#[tokio::test]
async fn every_route_serves_its_own_organisation() {
    // Workers of other tests send what waits in any organisation.
    let _turn = crate::worker::ONE_AT_A_TIME.lock().await;
    let ours = Filled::new("Wombat", None).await;
    let theirs = ours.beside("Quokka").await;
    let before = digest(&theirs).await;
    let table = routewright_tenant::routes::table().rows();
    let calls = calls::all();
    let missing: Vec<String> = table
        .iter()
        .filter(|row| {
            !calls.iter().any(|call| {
                call.route(&table).is_some_and(|found| found.path == row.path && found.method == row.method)
            })
        })
        .map(|row| format!("{} {}", row.method, row.path))
        .collect();
    assert!(missing.is_empty(), "routes without a call in calls.rs: {missing:#?}");
    let is = |method: &'static str| move |call: &&Call| call.method.as_str() == method;
    let reads = calls.iter().filter(is("GET"));
    let writes = calls.iter().filter(|call| !is("GET")(call) && !is("DELETE")(call));
    let deletes = calls.iter().rev().filter(is("DELETE"));
    let mut faults = Vec::new();
    for call in reads.chain(writes).chain(deletes) {
        let row = call.route(&table).unwrap();
        for client in callers(&ours, row) {
            let answer = call.make(&client, &ours.things, None).await;
            let status = answer.status.as_u16();
            let good = if call.method == "GET" {
                // The delivery was made: no other time can be asked for.
                status < 300 || (status == 409 && row.path.ends_with("/slots"))
            } else {
                status < 500 && ![401, 403, 404].contains(&status)
            };
            if !good {
                faults.push(format!(
                    "{call:?}: {status} {}",
                    answer.text().chars().take(300).collect::<String>()
                ));
            }
            if answer.text().to_lowercase().contains("quokka") {
                faults.push(format!("{call:?} shows what is another organisation's"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(changed(&before, &digest(&theirs).await), [""; 0]);
}
