//! Plans made with streets in the process.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use routewright_core::Clock;
use routewright_roads::Point;
use routewright_tenant::Config;
use routewright_testing::osm::Map;
use routewright_testing::{Client, Contract, TestOrganisation, variables};
use serde_json::{Value, json};

use crate::gateway::start_with;
use crate::jobs::{add, scenario};
use crate::moves::{assert_timed, job_at, put_on};
use crate::runs::{driver, run};
use crate::support::{CONTRACT, Tenant};

/// A place on the island.
const ISLAND: (f64, f64) = (41.152, -8.75);
/// The southern end of a street under a low bridge.
const BRIDGE: (f64, f64) = (41.20, -8.80);

/// A fresh organisation whose plans know the streets of Porto.
async fn tenant(folder: &Path) -> Tenant {
    tenant_in_traffic(folder, None).await
}

/// The same with a file that says how fast traffic is by the hour of the week.
pub(crate) async fn tenant_in_traffic(folder: &Path, hours: Option<&Path>) -> Tenant {
    let organisation = TestOrganisation::new().await;
    let porto = Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/local/data/porto");
    let island = folder.join("island.osm.pbf");
    island_map().write(&island).expect("a file");
    let mut variables = variables();
    variables.insert("ROADS".to_owned(), format!("{},{}", porto.display(), island.display()));
    variables.insert("ROADS_FOLDER".to_owned(), folder.display().to_string());
    if let Some(hours) = hours {
        variables.insert("ROADS_HOURS".to_owned(), hours.display().to_string());
    }
    let config = Config::from_source(&variables).expect("the test configuration is complete");
    let service = routewright_tenant::build(config, Clock::system()).await.expect("the service starts");
    let contract = CONTRACT.get_or_init(|| Contract::new(&service.api));
    let planner = Client::new(service.router.clone(), Some(organisation.token(organisation.planner)))
        .checked_by(Arc::clone(contract));
    let admin = planner.with_token(organisation.token(organisation.admin));
    let place = Point::new(41.1496, -8.6109).expect("a place");
    for _ in 0..600 {
        if service.app.roads.nearest(place).await.is_some() {
            return Tenant { planner, admin, app: service.app, organisation };
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the streets are not ready");
}

/// A street on an island in the sea before Porto, where no ferry goes.
fn island_map() -> Map {
    let mut map = Map::default();
    let ids: Vec<i64> = (0..5).map(|n| 9_000_000_000 + n).collect();
    for (id, lat) in ids.iter().zip([41.150, 41.151, 41.152, 41.153, 41.154]) {
        map.node(*id, lat, ISLAND.1, &[]);
    }
    map.way(9_000_000_100, &ids, &[("highway", "residential"), ("name", "Rua da Ilha")]);
    // On another one a street of 400 m passes under a bridge; round it are 1,200 m.
    let street = ("highway", "residential");
    for (north, east) in [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)] {
        let (lat, lon) = (BRIDGE.0 + north as f64 * 0.0018, BRIDGE.1 + east as f64 * 0.0048);
        map.node(9_000_001_000 + north * 10 + east, lat, lon, &[]);
    }
    let id = |node: i64| 9_000_001_000 + node;
    map.way(9_000_001_100, &[id(0), id(10), id(20)], &[street, ("maxheight", "3.5")]);
    map.way(9_000_001_101, &[id(0), id(1), id(21), id(20)], &[street]);
    map
}

fn legs(run: &Value) -> &Vec<Value> {
    run["route"]["legs"].as_array().expect("legs")
}

/// Issue 12.1: the service does not wait for its streets: it is ready while another process still makes the bundle, and opens or
/// makes it afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn the_service_is_ready_before_its_streets() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/local/data/porto/roads.osm.pbf");
    let lock = File::create(folder.path().join("lock")).expect("a file");
    lock.lock().expect("nobody has it");
    let roads = [("ROADS", &*map), ("ROADS_FOLDER", folder.path())];
    let (service, _) = start_with("routewright-tenant", &roads).await;
    let made = || {
        let entries = std::fs::read_dir(folder.path()).expect("a folder").flatten();
        entries.filter(|entry| entry.path().join("motor.graph").is_file()).count()
    };
    assert_eq!(made(), 0, "it answers /readyz before there are streets");
    lock.unlock().expect("it is ours");
    for _ in 0..600 {
        if made() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(made(), 1);
    drop(service);
}

/// Issue 12.1, 12.3: a plan is timed with streets, its lines follow them, and it says so; a place off the map is estimated.
#[tokio::test(flavor = "multi_thread")]
async fn plans_are_made_with_streets() {
    let folder = tempfile::tempdir().expect("a folder");
    let tenant = tenant(folder.path()).await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let mut jobs = Vec::new();
    for (uid, lat, lon) in [("A", 41.1569, -8.6194), ("B", 41.1496, -8.6109), ("C", 41.1621, -8.6290)] {
        jobs.push(add(&tenant, &scenario, job_at(uid, lat, lon, json!({"duration": 5}))).await);
    }
    let moved = put_on(&tenant, &made, &[&jobs[0], &jobs[1], &jobs[2]], json!({})).await;
    let planned = &moved["updated_runs"][0];
    assert_timed(planned);
    assert_eq!(planned["roads_source"], "streets");
    for leg in
        legs(planned).iter().filter(|leg| leg["from_job_id"].is_number() && leg["to_job_id"].is_number())
    {
        let line = leg["geometry"].as_str().expect("a line");
        // A straight line is two points, some sixteen letters.
        assert!(line.len() > 60, "{line}");
        assert!(leg["distance"].as_i64() > Some(800), "{leg}");
    }
    let body = json!({"driver_ids": [ana["id"]], "options": {"max_seconds": 1}});
    let answer = tenant.planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    assert_eq!(answer["summary"]["roads_source"], "streets");

    let far = add(&tenant, &scenario, job_at("D", 41.1, -9.4, json!({}))).await;
    let current = tenant.planner.get(&format!("/runs/{}", made["id"])).await.ok();
    let moved = put_on(&tenant, &current, &[&far], json!({})).await;
    assert_eq!(moved["updated_runs"][0]["roads_source"], "streets+great_circle");
}

/// Issue 12.2: a job that no street leads to is left unserved with that reason; the check and the doctor name it, and where
/// somebody puts it on a run all the same its times are estimated.
#[tokio::test(flavor = "multi_thread")]
async fn places_that_no_street_leads_to_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let tenant = tenant(folder.path()).await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    for (uid, lat, lon) in [("A", 41.1569, -8.6194), ("B", 41.1496, -8.6109)] {
        add(&tenant, &scenario, job_at(uid, lat, lon, json!({"duration": 5}))).await;
    }
    let lost = add(&tenant, &scenario, job_at("LOST", ISLAND.0, ISLAND.1, json!({}))).await;
    let body = json!({"driver_ids": [ana["id"]], "options": {"max_seconds": 1}});
    let answer = tenant.planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    assert_eq!(answer["summary"]["roads_source"], "streets", "{answer}");
    let jobs = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}")).await.ok();
    let reasons: Vec<(&str, &Value)> = jobs["data"]
        .as_array()
        .expect("jobs")
        .iter()
        .filter(|job| job["run_id"].is_null())
        .map(|job| (job["uid"].as_str().unwrap_or_default(), &job["unserved_reason"]))
        .collect();
    assert_eq!(reasons, [("LOST", &json!("unreachable"))]);

    let run = tenant.planner.get(&format!("/runs?scenario_id={scenario}")).await.ok()["data"][0].clone();
    let moved = put_on(&tenant, &run, &[&lost], json!({})).await;
    assert_eq!(moved["updated_runs"][0]["roads_source"], "streets+great_circle");
    assert_timed(&moved["updated_runs"][0]);
    let check = tenant.planner.get(&format!("/scenarios/{scenario}/constraints_check")).await.ok();
    let told = check["violations"].to_string();
    assert!(told.contains("There is no way to job LOST"), "{check}");
}

/// Issue 12.2: a vehicle drives as what it is; who takes over its run by bicycle needs longer.
#[tokio::test(flavor = "multi_thread")]
async fn vehicles_drive_by_their_own_streets() {
    let folder = tempfile::tempdir().expect("a folder");
    let tenant = tenant(folder.path()).await;
    let scenario = scenario(&tenant).await;
    let vehicle = |uid: &str, profile: Value| {
        tenant.admin.post("/vehicles", json!({"uid": uid, "road_profile": profile}))
    };
    let fault = vehicle("X", json!("sledge")).await.refused(400);
    assert!(fault["fields"]["road_profile"].is_string(), "{fault}");
    let (plain, bicycle) =
        (vehicle("CAR", Value::Null).await.ok(), vehicle("BIKE", json!("bicycle")).await.ok());
    assert_eq!((&plain["road_profile"], &bicycle["road_profile"]), (&Value::Null, &json!("bicycle")));
    let cargo = json!({"group": "vehicle_definition", "key": "cargo", "value": {"name": "Cargo bike", "road_profile": "bicycle"}});
    let _ = tenant.admin.post("/config_values", cargo.clone()).await.ok();
    let typed = tenant.admin.post("/vehicles", json!({"uid": "TYPED", "vehicle_type": "cargo"})).await.ok();
    assert_eq!(typed["road_profile"], "bicycle", "filled by its type");
    let mut wrong = cargo;
    wrong["key"] = json!("other");
    wrong["value"]["road_profile"] = json!(7);
    let fault = tenant.admin.post("/config_values", wrong).await.refused(400);
    assert!(fault["fields"].to_string().contains("value.road_profile"), "{fault}");

    let ana = driver(&tenant, "Ana", json!({"vehicle_id": plain["id"]})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let mut jobs = Vec::new();
    for (uid, lat, lon) in [("A", 41.1569, -8.6194), ("B", 41.1496, -8.6109), ("C", 41.1621, -8.6290)] {
        jobs.push(add(&tenant, &scenario, job_at(uid, lat, lon, json!({"duration": 5}))).await);
    }
    let moved = put_on(&tenant, &made, &[&jobs[0], &jobs[1], &jobs[2]], json!({})).await;
    let by_car = moved["updated_runs"][0].clone();
    let body = json!({"vehicle_id": bicycle["id"]});
    let _ = tenant.planner.patch(&format!("/runs/{}", made["id"]), body).await.ok();
    let by_bicycle = tenant.planner.get(&format!("/runs/{}", made["id"])).await.ok();
    assert_eq!(by_bicycle["vehicle_id"], bicycle["id"], "{by_bicycle}");
    let driving = |run: &Value| legs(run).iter().filter_map(|leg| leg["duration"].as_i64()).sum::<i64>();
    assert!(driving(&by_bicycle) > driving(&by_car), "{} {}", driving(&by_bicycle), driving(&by_car));
    assert_eq!(by_bicycle["roads_source"], "streets");

    // Planned together: each drives by its own.
    let rui = driver(&tenant, "Rui", json!({"vehicle_id": plain["id"]})).await;
    let body = json!({"driver_ids": [ana["id"], rui["id"]], "options": {"max_seconds": 1}});
    let answer = tenant.planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    assert_eq!(answer["summary"]["roads_source"], "streets", "{answer}");
}

/// Issue 12.2: a truck of 3.8 m goes round a bridge that one of 3.0 m passes under: in a run that is changed, in its line, where it is
/// checked, and where it is optimised, alone and with others. Sizes have bounds, and a type fills those that are empty.
#[tokio::test(flavor = "multi_thread")]
async fn vehicles_have_sizes_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let tenant = tenant(folder.path()).await;
    for (field, value) in [
        ("height", json!(0.4)),
        ("height", json!(6.1)),
        ("width", json!(5.5)),
        ("length", json!(41)),
        ("weight", json!(-3)),
        ("tolls", json!("never")),
    ] {
        let fault = tenant.admin.post("/vehicles", json!({"uid": "X", field: value})).await.refused(400);
        assert!(fault["fields"][field].is_string(), "{field} {value}: {fault}");
        let key = format!("wrong-{field}");
        let kind = json!({"group": "vehicle_definition", "key": key, "value": {"name": "X", field: value}});
        let fault = tenant.admin.post("/config_values", kind).await.refused(400);
        assert!(fault["fields"].to_string().contains(&format!("value.{field}")), "{fault}");
    }
    let kind = json!({"group": "vehicle_definition", "key": "tall", "value": {"name": "Tall", "road_profile": "truck",
        "height": 3.8, "weight": 12, "hazardous_goods": false, "tolls": "avoid"}});
    let _ = tenant.admin.post("/config_values", kind).await.ok();
    let typed = json!({"uid": "HIGH", "vehicle_type": "tall", "weight": 11.99});
    let high = tenant.admin.post("/vehicles", typed).await.ok();
    assert_eq!(
        [&high["road_profile"], &high["height"], &high["weight"], &high["hazardous_goods"], &high["tolls"]],
        [&json!("truck"), &json!(3.8), &json!(11.99), &json!(false), &json!("avoid")]
    );
    let low = json!({"uid": "LOW", "road_profile": "truck", "height": 3.0});
    let low = tenant.admin.post("/vehicles", low).await.ok();

    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({"vehicle_id": high["id"]})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let mut jobs = Vec::new();
    for (uid, north) in [("A", 0.0), ("B", 0.0036)] {
        jobs.push(
            add(&tenant, &scenario, job_at(uid, BRIDGE.0 + north, BRIDGE.1, json!({"duration": 5}))).await,
        );
    }
    // Metres between the two jobs, and points of the line.
    let between = |run: &Value| {
        let leg = legs(run)
            .iter()
            .find(|leg| leg["from_job_id"].is_number() && leg["to_job_id"].is_number())
            .expect("a leg between them");
        (leg["distance"].as_i64().expect("metres"), leg["geometry"].as_str().expect("a line").len())
    };
    let moved = put_on(&tenant, &made, &[&jobs[0], &jobs[1]], json!({})).await;
    let (round, line) = between(&moved["updated_runs"][0]);
    assert!(round > 1_100, "{round}");
    let current = async || tenant.planner.get(&format!("/runs/{}", made["id"])).await.ok();
    let drive_by = async |vehicle: &Value| {
        let _ = tenant
            .planner
            .patch(&format!("/runs/{}", made["id"]), json!({"vehicle_id": vehicle["id"]}))
            .await
            .ok();
    };
    drive_by(&low).await;
    let (under, straight) = between(&current().await);
    assert!((390..410).contains(&under) && straight < line, "{under} {straight} {line}");
    let alone = format!("/optimise/runs/{}", made["id"]);
    let _ = tenant.planner.post(&alone, json!({})).await.ok();
    assert_eq!(between(&current().await).0, under);
    drive_by(&high).await;
    let _ = tenant.planner.post(&alone, json!({})).await.ok();
    assert_eq!(between(&current().await).0, round);

    // The whole plan anew.
    for (vehicle, metres) in [(&high, round), (&low, under)] {
        drive_by(vehicle).await;
        let body = json!({"driver_ids": [ana["id"]], "options": {"max_seconds": 1}});
        let answer = tenant.planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
        assert_eq!(between(&current().await).0, metres, "{answer}");
    }
}
