//! Calls made up from the API document: none ends in a fault of ours, every answer is as documented.

use std::collections::BTreeMap;

use routewright_core::access::Who;
use routewright_testing::contract::fits;
use routewright_testing::fuzz::Fuzz;

use super::fill::Filled;
use crate::support::CONTRACT;

/// Calls of each route; `FUZZ_ROUNDS` for more.
const ROUNDS: usize = 5;

#[tokio::test]
async fn no_call_ends_in_a_fault() {
    let filled = Filled::new("Wombat", None).await;
    let contract = CONTRACT.get().expect("made with the first organisation");
    let table = routewright_tenant::routes::table().rows();
    let tokens = ["run_token", "ws_token", "job_tracking", "file_uid", "check_token", "ticket"];
    let tokens = tokens.iter().map(|name| filled.things[*name].as_str().unwrap().to_owned()).collect();
    let mut fuzz = Fuzz::new(contract, 7, tokens);
    let rounds = std::env::var("FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    let (mut faults, mut answers) = (Vec::new(), BTreeMap::new());
    for round in 0..rounds {
        for operation in contract.operations() {
            let row = table.iter().find(|row| row.method == operation.method && row.path == operation.path);
            let row = row.unwrap_or_else(|| panic!("{} {} is no route", operation.method, operation.path));
            // What is deleted early is missing for the rest, and a search takes its time.
            let rare = operation.method == "DELETE" || fits("/optimise/scenarios/{id}", row.path);
            if rare && round + 2 < rounds {
                continue;
            }
            let client = match row.access.who {
                Who::User | Who::RunsheetOrUser => filled.admin.clone(),
                Who::Runsheet => filled.driver.clone(),
                Who::Public | Who::Link(_) => filled.admin.nobody(),
            };
            match fuzz.call(&client, &operation).await {
                Ok(status) => *answers.entry(status.as_u16()).or_insert(0) += 1,
                Err(fault) => faults.push(fault),
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    // Made-up calls get as far as the handlers, and some of them do something.
    let (all, good): (usize, usize) = answers.iter().fold((0, 0), |(all, good), (status, count)| {
        (all + count, good + if *status < 300 { *count } else { 0 })
    });
    assert!(good * 5 > all && answers[&400] * 10 > all && answers[&404] > 0, "{answers:?}");
}
