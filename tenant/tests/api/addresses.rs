//! Addresses of the map data, with the demonstration's streets of Porto: search, imports, and what somebody has to confirm.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use routewright_core::Clock;
use routewright_tenant::Config;
use routewright_testing::{Client, Contract, TestOrganisation, variables};
use serde_json::{Value, json};

use crate::realtime::replica;
use crate::support::CONTRACT;
use crate::worker::ONE_AT_A_TIME;

/// A street of more than a kilometre, without a number.
const STREET: &str = "Rua de Santa Catarina, Porto";

/// An organisation whose service has map data, and its planner.
async fn mapped() -> (TestOrganisation, Client) {
    /// One index for all tests.
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder"));
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/local/data/porto/roads.osm.pbf");
    let organisation = TestOrganisation::new().await;
    let mut variables = variables();
    variables.insert("ROADS".to_owned(), map.display().to_string());
    variables.insert("ROADS_FOLDER".to_owned(), folder.path().display().to_string());
    let config = Config::from_source(&variables).expect("the test configuration is complete");
    let service = routewright_tenant::build(config, Clock::system()).await.expect("the service starts");
    let contract = CONTRACT.get_or_init(|| Contract::new(&service.api));
    let planner = Client::new(service.router, Some(organisation.token(organisation.planner)))
        .checked_by(std::sync::Arc::clone(contract));
    for _ in 0..1200 {
        if planner.get("/location_options?text=Porto").await.ok() != json!([]) {
            return (organisation, planner);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the index of addresses is not ready");
}

async fn scenario(planner: &Client) -> i64 {
    let body = json!({"name": "A day to come", "scheduled_date": "2099-01-01"});
    planner.post("/scenarios", body).await.ok()["id"].as_i64().expect("an id")
}

async fn import(planner: &Client, scenario: i64, rows: Value) -> Value {
    planner.post("/jobs/template_upload", json!({"scenario_id": scenario, "rows": rows})).await.ok()
}

/// Where the job with this number is.
async fn place(planner: &Client, uid: &str) -> (f64, f64) {
    let jobs = planner.get(&format!("/jobs?search={uid}")).await.ok();
    let jobs = jobs["data"].as_array().cloned().unwrap_or_default();
    let job = jobs.iter().find(|job| job["uid"] == uid).unwrap_or_else(|| panic!("{uid} is not in {jobs:?}"));
    let degrees = |field: &str| job["location"][field].as_f64().expect("degrees");
    (degrees("lat"), degrees("lon"))
}

/// W-031, A-269: without a server and without a key an address is found, and each says how sure it is, what was found and who
/// knows it.
#[tokio::test]
async fn w_031_addresses_of_the_map_are_found() {
    let (_, planner) = mapped().await;
    let found = planner.get("/location_options?text=R.%20Sta.%20Catarina%20429").await.ok();
    let best = &found[0];
    assert_eq!(best["label"], "Rua de Santa Catarina 429, Porto");
    assert_eq!((&best["kind"], &best["source"]), (&json!("house"), &json!("map")));
    assert!(best["confidence"].as_f64().is_some_and(|sure| (0.75..=1.0).contains(&sure)), "{best}");
    let id = best["id"].as_str().unwrap_or_default();
    let place = planner.get(&format!("/location_options/{id}")).await.ok();
    assert!(place["lat"].as_f64().is_some_and(|lat| (lat - 41.15).abs() < 0.001), "{place}");
    let at = planner.get("/location_options/at?lat=41.14997&lon=-8.60581").await.ok();
    assert_eq!((&at["address"], &at["source"]), (&json!("Rua de Santa Catarina 429, Porto"), &json!("map")));

    let depot =
        json!({"name": "Depot", "address": "Rua de Santa Catarina 429, Porto", "lat": 41.1, "lon": -8.6});
    let _ = planner.post("/locations", depot).await.ok();
    let found = planner.get("/location_options?text=Rua%20de%20Santa%20Catarina%20429").await.ok();
    assert_eq!((&found[0]["source"], &found[0]["confidence"]), (&json!("organisation"), &json!(1.0)));
    assert_eq!(found[1]["source"], "map");

    for absurd in ["%2C%2C%2C", "%07%1B%5B", "%25%25", "%F0%9F%A6%80%F0%9F%A6%80", "999999999999"] {
        let _ = planner.get(&format!("/location_options?text={absurd}")).await.ok();
    }
    let long = planner.get(&format!("/location_options?text={}", "x".repeat(501))).await.refused(400);
    assert!(long.to_string().contains("text must have at most 500 characters"), "{long}");
}

/// An address that was found for sure is taken; one that is doubtful waits until somebody has looked at the map. The pin that he
/// sets is kept for later imports.
#[tokio::test]
async fn doubtful_addresses_wait_to_be_confirmed() {
    let (_, planner) = mapped().await;
    let day = scenario(&planner).await;
    let rows = json!([{"uid": "SURE", "address": "Rua de Santa Catarina 429, Porto"}, {"uid": "DOUBT", "address": STREET}]);
    let imported = import(&planner, day, rows.clone()).await;
    assert_eq!((&imported["created"], &imported["to_confirm"]), (&json!(2), &json!(1)));
    let waiting = planner.get("/addresses_to_confirm").await.ok();
    assert_eq!(waiting.as_array().map(Vec::len), Some(1), "{waiting}");
    let doubt = &waiting[0];
    assert_eq!(
        (&doubt["address"], &doubt["kind"], &doubt["source"]),
        (&json!(STREET), &json!("street"), &json!("map"))
    );
    assert_eq!((&doubt["job_uids"], &doubt["client_id"]), (&json!(["DOUBT"]), &Value::Null));
    assert!(doubt["confidence"].as_f64().is_some_and(|sure| sure < 0.75), "{doubt}");

    let confirm = |body: Value| planner.post("/addresses_to_confirm/confirm", body);
    let fault =
        confirm(json!({"address": STREET, "client_id": null, "lat": 91, "lon": -8.6})).await.refused(400);
    assert!(fault["fields"].to_string().contains("lat"), "{fault}");
    confirm(json!({"address": "Rua Nova 1", "client_id": null, "lat": 41.1, "lon": -8.6})).await.refused(404);
    confirm(json!({"address": STREET, "client_id": 987_654, "lat": 41.1, "lon": -8.6})).await.refused(404);

    let pin = (41.151_5, -8.605_1);
    let version = planner.get(&format!("/scenarios/{day}/changes?since=0")).await.ok()["version"].clone();
    let done = confirm(json!({"address": STREET, "client_id": null, "lat": pin.0, "lon": pin.1})).await.ok();
    assert_eq!(done["job_ids"], doubt["job_ids"]);
    assert_eq!(place(&planner, "DOUBT").await, pin);
    assert_eq!(planner.get("/addresses_to_confirm").await.ok(), json!([]));
    let changes = planner.get(&format!("/scenarios/{day}/changes?since={version}")).await.ok();
    assert_eq!(changes["jobs"].as_array().map(Vec::len), Some(1), "open plans are told: {changes}");

    // The same file again, and another day: nobody is asked again.
    let again = import(&planner, day, rows).await;
    assert_eq!((&again["unchanged"], &again["to_confirm"]), (&json!(2), &json!(0)));
    let rows = json!([{"uid": "LATER", "address": STREET.to_uppercase()}]);
    let later = import(&planner, scenario(&planner).await, rows).await;
    assert_eq!((&later["created"], &later["to_confirm"]), (&json!(1), &json!(0)));
    assert_eq!(place(&planner, "LATER").await, pin);
}

/// Issue 12.4: addresses of days long past wait as those of days to come do, also when what was looked up is forgotten otherwise;
/// the pin moves their jobs too.
#[tokio::test]
async fn addresses_of_past_days_wait_too() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let (organisation, planner) = mapped().await;
    let mut days = Vec::new();
    for (date, uid) in [("2026-01-05", "LONG_AGO"), ("2099-01-01", "TO_COME")] {
        let body = json!({"name": uid, "scheduled_date": date});
        let day = planner.post("/scenarios", body).await.ok()["id"].as_i64().expect("an id");
        let done = import(&planner, day, json!([{"uid": uid, "address": STREET}])).await;
        assert_eq!(done["to_confirm"], 1, "{uid}: {done}");
        days.push(day);
    }
    let mut database = organisation.database().await;
    sqlx::query("insert into looked_up_addresses (address, lat, lon) values ('nobody stands here', 1, 1)")
        .execute(&mut database)
        .await
        .expect("an address that is sure");
    sqlx::query("update looked_up_addresses set looked_up = now() - interval '100 days'")
        .execute(&mut database)
        .await
        .expect("what was looked up grows old");
    let worker = replica(1).await;
    let mut kept = Vec::new();
    for _ in 0..2400 {
        kept = sqlx::query_scalar::<_, String>("select address from looked_up_addresses")
            .fetch_all(&mut database)
            .await
            .expect("addresses");
        if kept.len() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(worker);
    assert_eq!(kept, [STREET.to_lowercase()], "the sweep forgets what nobody waits for");
    let waiting = planner.get("/addresses_to_confirm").await.ok();
    assert_eq!(waiting[0]["job_uids"], json!(["LONG_AGO", "TO_COME"]), "{waiting}");
    let pin = json!({"address": STREET, "client_id": null, "lat": 41.151_5, "lon": -8.605_1});
    let done = planner.post("/addresses_to_confirm/confirm", pin).await.ok();
    assert_eq!(done["job_ids"], waiting[0]["job_ids"]);
    assert_eq!(place(&planner, "LONG_AGO").await, (41.151_5, -8.605_1));
}

/// A pin is kept for the client and the address: others with the same address are asked about on their own.
#[tokio::test]
async fn a_confirmed_pin_is_its_clients() {
    let (_, planner) = mapped().await;
    let client =
        json!({"uid": "K", "name": "Padaria", "location": {"address": "Rua 9", "lat": 41.1, "lon": -8.6}});
    let client = planner.post("/clients", client).await.ok()["id"].clone();
    let day = scenario(&planner).await;
    let rows = json!([
        {"uid": "OF-K", "client.uid": "K", "address": STREET},
        {"uid": "OF-NOBODY", "client.uid": "", "address": STREET},
    ]);
    assert_eq!(import(&planner, day, rows).await["to_confirm"], 2);
    let waiting = planner.get("/addresses_to_confirm").await.ok();
    assert_eq!(waiting.as_array().map(Vec::len), Some(2), "{waiting}");
    let pin = (41.152, -8.605);
    let body = json!({"address": STREET, "client_id": client, "lat": pin.0, "lon": pin.1});
    let _ = planner.post("/addresses_to_confirm/confirm", body).await.ok();
    assert_eq!(place(&planner, "OF-K").await, pin);
    assert_ne!(place(&planner, "OF-NOBODY").await, pin);
    let waiting = planner.get("/addresses_to_confirm").await.ok();
    assert_eq!((waiting.as_array().map(Vec::len), &waiting[0]["job_uids"]), (Some(1), &json!(["OF-NOBODY"])));
    let rows = json!([
        {"uid": "OF-K-2", "client.uid": "K", "address": STREET},
        {"uid": "OF-NOBODY-2", "client.uid": "", "address": STREET},
    ]);
    let later = import(&planner, scenario(&planner).await, rows).await;
    assert_eq!(later["to_confirm"], 1, "{later}");
    assert_eq!(place(&planner, "OF-K-2").await, pin);
}
