//! Optimisation of scenarios and single runs, directly and in the background.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::imports::rows;
use crate::jobs::{add, scenario};
use crate::moves::{job_at, put_on, uids};
use crate::runs::{driver, merge, run};
use crate::support::{Tenant, tenant};
use crate::worker::ONE_AT_A_TIME;

/// The eleven drivers of the Porto depot.
pub(crate) async fn porto_drivers(tenant: &Tenant) -> Vec<Value> {
    let mut drivers = Vec::new();
    for row in rows("porto-drivers.csv") {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| text(name).parse::<f64>().expect("a number");
        let mut body = json!({
            "uid": text("uid"), "email": text("email"), "phone_number": text("phone_number"),
            "location": {"address": "Depot, Vila Nova de Gaia", "lat": number("start_lat"), "lon": number("start_lon")},
            "capacity": text("capacity"), "spec_type": text("type"), "route_end": text("route_end"),
        });
        for name in ["shift_start", "shift_end", "lunch_time", "lunch_latest_start"] {
            body[name] = text(name).into();
        }
        body["lunch_duration"] = number("lunch_duration").into();
        drivers.push(tenant.planner.post("/drivers", body).await.ok());
    }
    drivers
}

/// The 320 deliveries of a day in Porto.
pub(crate) async fn porto_jobs(tenant: &Tenant, scenario: &Value) {
    let body = json!({"rows": rows("porto-jobs.csv"), "scenario_id": scenario});
    let answer = tenant.planner.post("/jobs/template_upload", body).await.ok();
    assert_eq!(answer["created"], 320);
}

/// Ids of objects.
pub(crate) fn ids(objects: &[Value]) -> Vec<&Value> {
    objects.iter().map(|object| &object["id"]).collect()
}

async fn optimise(tenant: &Tenant, scenario: &Value, drivers: &[Value], options: Value) -> Value {
    let mut options = options;
    if options["max_seconds"].is_null() {
        options["max_seconds"] = 1.into();
    }
    let body = json!({"driver_ids": ids(drivers), "options": options});
    tenant.planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok()
}

fn reasons(answer: &Value) -> BTreeMap<&str, &str> {
    answer["unservedJobs"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|job| Some((job["uid"].as_str()?, job["reason"].as_str()?)))
        .collect()
}

/// P-029, P-342, P-343, P-443: a whole day, 320 jobs and 11 drivers: no rule is broken, what is not served has a reason, the
/// stage is routing, every run is stored with its times.
#[tokio::test]
async fn a_day_in_porto_is_planned() {
    let tenant = tenant().await;
    tenant.organisation.settings(&json!({"optimisation": {"polling_threshold": 1000}})).await;
    tenant.app.gate.policies.poll().await.expect("policies are read");
    let scenario = scenario(&tenant).await;
    porto_jobs(&tenant, &scenario).await;
    let drivers = porto_drivers(&tenant).await;
    let answer = optimise(&tenant, &scenario, &drivers, json!({"max_seconds": 5})).await;
    assert_eq!((&answer["success"], &answer["data"]["scenario"]["stage"]), (&json!(true), &json!("routing")));
    let served: usize = answer["data"]["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| run["jobs"].as_array().map_or(0, Vec::len))
        .sum();
    let left = reasons(&answer);
    assert_eq!((served + left.len(), answer["data"]["jobs"].as_array().map(Vec::len)), (320, Some(320)));
    assert!(served >= 250, "only {served} of 320 are served: {left:?}");
    let check = tenant.planner.get(&format!("/scenarios/{scenario}/constraints_check")).await.ok();
    assert_eq!(check["violations"], json!([]));
    // Every move of such a plan times both runs again.
    let (first, second) = (&answer["data"]["runs"][0], &answer["data"]["runs"][1]);
    let moved = put_on(&tenant, second, &[&first["jobs"][0]], json!({"seq": 1})).await;
    assert!(moved["updated_runs"].as_array().is_some_and(|runs| runs.len() >= 2));
    // Again: the runs are used again, none is left over.
    let again = optimise(&tenant, &scenario, &drivers, json!({"max_seconds": 2})).await;
    let stored = tenant.planner.get(&format!("/runs?scenario_id={scenario}&per_page=100")).await.ok();
    assert_eq!(
        stored["total_count"].as_u64().map(|n| n as usize),
        again["data"]["runs"].as_array().map(Vec::len)
    );
    assert!(stored["data"].as_array().is_some_and(|runs| runs.iter().all(|run| run["jobs_count"] != 0)));
}

/// P-280, P-281, P-295, P-357, P-358: without jobs or drivers it is refused with the documented texts.
#[tokio::test]
async fn nothing_to_plan_or_nobody_to_drive() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let path = format!("/optimise/scenarios/{scenario}");
    let refusal = tenant.planner.post(&path, json!({"driver_ids": [ana["id"]]})).await.refused(400);
    assert_eq!(
        (&refusal["description"], &refusal["success"]),
        (&json!("You must add at least one job."), &json!(false))
    );
    let _ = add(&tenant, &scenario, job_at("A", 41.17, -8.63, json!({}))).await;
    for body in [json!({}), json!({"driver_ids": []})] {
        let refusal = tenant.planner.post(&path, body).await.refused(400);
        assert_eq!(refusal["description"], "You must select at least one driver.");
    }
    let body = json!({"driver_ids": [ana["id"]], "options": {"max_seconds": 601}});
    assert!(tenant.planner.post(&path, body).await.refused(400)["fields"]["options.max_seconds"].is_string());
    let _ = tenant.planner.post(&path, json!({"driver_ids": [0]})).await.refused(400);
    let _ =
        tenant.planner.post("/optimise/scenarios/0", json!({"driver_ids": [ana["id"]]})).await.refused(404);
}

/// S-04: every reason that a small case can show, and the options that switch rules off.
#[tokio::test]
async fn what_cannot_be_served_has_a_reason() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({"capacity": "boxes:5", "spec_type": "ambient"})).await;
    for (uid, fields) in [
        ("FITS", json!({"size": "boxes:2", "spec_type": "ambient"})),
        ("FROZEN", json!({"spec_type": "frozen"})),
        ("BIG", json!({"size": "boxes:9"})),
        ("EARLY", json!({"leave_by": "07:00"})),
        ("EVENING", json!({"arrive_after": "19:00"})),
    ] {
        let _ = add(&tenant, &scenario, job_at(uid, 41.17, -8.63, fields)).await;
    }
    let answer = optimise(&tenant, &scenario, std::slice::from_ref(&ana), json!({})).await;
    let expected =
        [("BIG", "capacity"), ("EARLY", "time_window"), ("EVENING", "shift"), ("FROZEN", "no_matching_type")];
    assert_eq!(reasons(&answer), BTreeMap::from(expected));
    let stored = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&uid_exact=BIG")).await.ok();
    assert_eq!(stored["data"][0]["unserved_reason"], "capacity");
    let ignored = json!({"ignore_type": true, "ignore_time_window": true, "ignore_capacity": true});
    let answer = optimise(&tenant, &scenario, std::slice::from_ref(&ana), ignored).await;
    assert!(reasons(&answer).is_empty());
    let check = tenant.planner.get(&format!("/scenarios/{scenario}/constraints_check")).await.ok();
    let kinds: Vec<&str> = check["violations"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|found| found["type"].as_str())
        .collect();
    for kind in ["capacity", "type_mismatch", "late_arrival", "outside_shift"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
}

/// S-04: runs that were handed out stay; empty runs go; a driver who was not selected gives his jobs back.
#[tokio::test]
async fn locked_runs_stay_and_empty_ones_go() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut runs = Vec::new();
    let mut drivers = Vec::new();
    let mut jobs = Vec::new();
    for (n, uid) in (0_u8..).zip(["Ana", "Rui", "Eva"]) {
        let one = driver(&tenant, uid, json!({})).await;
        runs.push(run(&tenant, &scenario, &one, json!({})).await);
        drivers.push(one);
        for half in 0..2_u8 {
            let body = job_at(
                &format!("{uid}{half}"),
                41.16 + 0.02 * f64::from(n),
                -8.63 + 0.01 * f64::from(half),
                json!({}),
            );
            jobs.push(add(&tenant, &scenario, body).await);
        }
    }
    for (n, one) in runs.iter().enumerate() {
        let _ = put_on(&tenant, one, &[&jobs[2 * n], &jobs[2 * n + 1]], json!({})).await;
    }
    let mut database = tenant.organisation.database().await;
    sqlx::query("update runs set dispatched = true where id = $1")
        .bind(runs[0]["id"].as_i64())
        .execute(&mut database)
        .await
        .expect("a dispatched run");
    let before = tenant.planner.get(&format!("/runs/{}", runs[0]["id"])).await.ok();
    let answer = optimise(&tenant, &scenario, &drivers[1..2], json!({"objective": "fewest_runs"})).await;
    assert_eq!(uids(&answer["data"]["runs"][0]).len(), 4, "Rui takes over what Eva had");
    let after = tenant.planner.get(&format!("/runs/{}", runs[0]["id"])).await.ok();
    assert_eq!(before["jobs"], after["jobs"]);
    let _ = tenant.planner.get(&format!("/runs/{}", runs[2]["id"])).await.refused(404);

    // keep_assigned: what has a run keeps it.
    let _ = add(&tenant, &scenario, job_at("NEW", 41.2, -8.63, json!({}))).await;
    let answer =
        optimise(&tenant, &scenario, &drivers[1..], json!({"keep_assigned": true, "objective": "balanced"}))
            .await;
    let rui = answer["data"]["runs"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|run| run["uid"] == "Rui")
        .expect("Rui's run");
    assert!(["Rui0", "Rui1", "Eva0", "Eva1"].iter().all(|uid| uids(rui).contains(uid)), "{:?}", uids(rui));
    // Only the named jobs.
    let other = add(&tenant, &scenario, job_at("LATER", 41.21, -8.63, json!({}))).await;
    let named = add(&tenant, &scenario, job_at("NOW", 41.19, -8.63, json!({}))).await;
    let _ = optimise(&tenant, &scenario, &drivers[1..2], json!({"job_ids": [named["id"]]})).await;
    assert!(tenant.planner.get(&format!("/jobs/{}", other["id"])).await.ok()["run_id"].is_null());
    assert!(tenant.planner.get(&format!("/jobs/{}", named["id"])).await.ok()["run_id"].is_number());
}

/// W-003: jobs that have a run keep it, however many more could be served otherwise, also where their run carries too much
/// already.
#[tokio::test]
async fn kept_jobs_stay() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({"capacity": "boxes:6"})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let mut kept = Vec::new();
    for (uid, size) in [("BIG", "boxes:6"), ("MORE", "boxes:2")] {
        kept.push(add(&tenant, &scenario, job_at(uid, 41.2, -8.63, json!({"size": size}))).await);
    }
    for n in 0..8_u8 {
        let body = job_at(&format!("S{n}"), 41.17, -8.63, json!({"size": "boxes:1", "priority": true}));
        let _ = add(&tenant, &scenario, body).await;
    }
    for count in [1, 2] {
        let _ = put_on(&tenant, &made, &kept[..count].iter().collect::<Vec<_>>(), json!({})).await;
        let answer =
            optimise(&tenant, &scenario, std::slice::from_ref(&ana), json!({"keep_assigned": true})).await;
        let mut stayed = uids(&answer["data"]["runs"][0]);
        stayed.sort_unstable();
        assert_eq!(stayed, ["BIG", "MORE"][..count]);
        assert!(reasons(&answer).into_values().all(|reason| reason == "capacity"));
    }
}

/// W-005: a plan is never replaced by a worse one, which is told; going on from it needs no drivers.
#[tokio::test]
async fn a_plan_is_only_replaced_by_a_better_one() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let drivers = [driver(&tenant, "Ana", json!({})).await, driver(&tenant, "Rui", json!({})).await];
    for n in 0..6_u8 {
        let _ =
            add(&tenant, &scenario, job_at(&format!("J{n}"), 41.1 + 0.02 * f64::from(n), -8.6, json!({})))
                .await;
    }
    let first = optimise(&tenant, &scenario, &drivers, json!({})).await;
    assert_eq!(first["improved"], true);
    let body = json!({"options": {"improve": true, "max_seconds": 1}});
    let again = tenant.planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    assert_eq!((&again["improved"], again.get("meanwhile")), (&json!(false), None));
    let plan = |answer: &Value| -> Vec<(Value, Vec<String>)> {
        let runs = answer["data"]["runs"].as_array().into_iter().flatten();
        runs.map(|run| (run["id"].clone(), uids(run).into_iter().map(str::to_owned).collect())).collect()
    };
    assert_eq!(plan(&first), plan(&again), "six stops are planned best at once");
    // The same jobs the other way round cost more: the new plan is taken.
    let run = &first["data"]["runs"][0];
    let longer: Vec<&Value> = run["jobs"].as_array().expect("jobs").iter().collect();
    let (ends, middle) = ([longer[longer.len() - 1], longer[0]], &longer[1..longer.len() - 1]);
    let worse: Vec<&Value> = middle.iter().copied().chain(ends).collect();
    let _ = put_on(&tenant, run, &worse, json!({})).await;
    let better = optimise(&tenant, &scenario, &drivers, json!({})).await;
    assert_eq!(better["improved"], true);
}

/// W-004: a run leaves as late as costs nothing, also after a move by hand, unless somebody decided when or the organisation
/// wants the start of the shift.
#[tokio::test]
async fn a_run_leaves_as_late_as_costs_nothing() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let late = json!({"arrive_after": "11:00", "duration": 10});
    let first = add(&tenant, &scenario, job_at("LATE", 41.17, -8.63, late)).await;
    let left = |run: &Value| {
        let start: chrono::DateTime<chrono::Utc> =
            run["planned_start_time"].as_str().and_then(|text| text.parse().ok()).expect("a start");
        start
    };
    let waits = |run: &Value| run["jobs"][0]["wait_seconds"].clone();
    let answer = optimise(&tenant, &scenario, std::slice::from_ref(&ana), json!({})).await;
    let run = answer["data"]["runs"][0].clone();
    let ten: chrono::DateTime<chrono::Utc> = "2026-11-20T10:00:00Z".parse().expect("a time");
    let day = |at: chrono::DateTime<chrono::Utc>| at.time();
    assert!(day(left(&run)) > day(ten), "{}", run["planned_start_time"]);
    assert!(waits(&run) == json!(0) || waits(&run).is_null());
    // A job that opens at once is put before it: the run leaves at the start of its shift again, or later.
    let early = add(&tenant, &scenario, job_at("EARLY", 41.2, -8.63, json!({"leave_by": "09:00"}))).await;
    let moved = put_on(&tenant, &run, &[&early], json!({"seq": 1})).await["updated_runs"][0].clone();
    assert!(day(left(&moved)) < day(ten));
    // Decided by hand: it stays so.
    let path = format!("/runs/{}/delay", run["id"]);
    let _ = tenant.planner.post(&path, json!({"delay": 20})).await.ok();
    let delayed = tenant.planner.get(&format!("/runs/{}", run["id"])).await.ok();
    let back = put_on(&tenant, &run, &[&first], json!({"seq": 1})).await["updated_runs"][0].clone();
    assert_eq!(left(&back), left(&delayed));
    // The organisation wants shift start.
    tenant.organisation.settings(&json!({"optimisation": {"depart": "shift_start"}})).await;
    tenant.app.gate.policies.poll().await.expect("policies are read");
    let _ =
        tenant.planner.put("/runs/move_job_to_new/unserved", json!({"job_ids": [early["id"]]})).await.ok();
    let answer = tenant.planner.post(&format!("/optimise/runs/{}", run["id"]), json!({})).await.ok();
    let start = left(&answer["data"]["runs"][0]);
    assert_eq!(start.time(), chrono::NaiveTime::from_hms_opt(8, 0, 0).expect("a time"));
}

/// S-04: of several variants in one alternatives group at most one gets a run; jobs are served inside territories only
/// where the organisation wants so.
#[tokio::test]
async fn alternatives_and_territories() {
    let tenant = tenant().await;
    tenant.organisation.settings(&json!({"optimisation": {"territory_mode": "only"}})).await;
    tenant.app.gate.policies.poll().await.expect("policies are read");
    let scenario = scenario(&tenant).await;
    let group = json!({"alternatives_group": "van"});
    let drivers = [driver(&tenant, "Ana", group.clone()).await, driver(&tenant, "Rui", group).await];
    for (uid, lat) in [("NORTH", 41.2), ("SOUTH", 41.1)] {
        let _ = add(&tenant, &scenario, job_at(uid, lat, -8.63, json!({}))).await;
    }
    let mut database = tenant.organisation.database().await;
    let ring = r#"{"type": "Polygon", "coordinates": [[[-9, 41.15], [-8, 41.15], [-8, 42], [-9, 42], [-9, 41.15]]]}"#;
    let south =
        r#"{"type": "Polygon", "coordinates": [[[-9, 41], [-8, 41], [-8, 41.15], [-9, 41.15], [-9, 41]]]}"#;
    let mut territories = Vec::new();
    for geometry in [ring, south] {
        let id: i64 = sqlx::query_scalar(
            "insert into territories (name, geometry) values ('T', $1::jsonb) returning id",
        )
        .bind(geometry)
        .fetch_one(&mut database)
        .await
        .expect("a territory");
        territories.push(id);
    }
    for one in &drivers {
        let path = format!("/drivers/{}/territories", one["id"]);
        let _ = tenant.planner.put(&path, json!({"territory_ids": [territories[0]]})).await.ok();
    }
    let answer = optimise(&tenant, &scenario, &drivers, json!({})).await;
    assert_eq!(answer["data"]["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(reasons(&answer), BTreeMap::from([("SOUTH", "territory")]));
}

/// P-289 to P-294, P-355, P-356, P-445, R-19, R-21: one run in a better order, its departure within a window.
#[tokio::test]
async fn one_run_is_put_in_order() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({"capacity": "boxes:3"})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let path = format!("/optimise/runs/{}", made["id"]);
    assert_eq!(
        tenant.planner.post(&path, json!({})).await.refused(400)["description"],
        "You must add at least one job."
    );
    let mut jobs = Vec::new();
    for (uid, lat) in [("FAR", 41.25), ("NEAR", 41.17), ("MIDDLE", 41.2)] {
        jobs.push(add(&tenant, &scenario, job_at(uid, lat, -8.63, json!({"size": "boxes:1"}))).await);
    }
    let before =
        put_on(&tenant, &made, &[&jobs[1], &jobs[0], &jobs[2]], json!({})).await["updated_runs"][0].clone();
    let refusal =
        tenant.planner.post(&path, json!({"delay_start_time": 60, "delay_end_time": 30})).await.refused(400);
    assert_eq!(refusal["description"], "Delay end time cannot be before delay start time.");
    let answer = tenant.planner.post(&path, json!({"fix_job_start": true})).await.ok();
    let run_after = &answer["data"]["runs"][0];
    assert_eq!(uids(run_after)[0], "NEAR");
    assert!(run_after["total_driving_time"].as_i64() <= before["total_driving_time"].as_i64());
    let answer = tenant.planner.post(&path, json!({"delay_start_time": 30, "delay_end_time": 90})).await.ok();
    let start = answer["data"]["runs"][0]["planned_start_time"].as_str().map(|text| text[11..16].to_owned());
    assert!(start.as_deref().is_some_and(|start| ("08:30"..="09:30").contains(&start)), "{start:?}");
    // Too much for the run: something is left, unless capacity is ignored, which is then told.
    let extra = add(&tenant, &scenario, job_at("EXTRA", 41.18, -8.63, json!({"size": "boxes:1"}))).await;
    let _ = put_on(&tenant, &made, &[&extra], json!({})).await;
    let answer = tenant.planner.post(&path, json!({"ignore_capacity": true})).await.ok();
    assert_eq!((reasons(&answer).len(), &answer["violations"][0]["type"]), (0, &json!("capacity")));
    let answer = tenant.planner.post(&path, json!({})).await.ok();
    assert_eq!(reasons(&answer).into_values().collect::<Vec<_>>(), ["capacity"]);
}

/// P-282 to P-284, P-444, S-05: from the threshold on, or when forced, the direct call answers a task; one at a time.
#[tokio::test]
async fn the_threshold_sends_it_to_the_background() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let tenant = tenant().await;
    tenant.organisation.settings(&json!({"optimisation": {"polling_threshold": 4}})).await;
    tenant.app.gate.policies.poll().await.expect("policies are read");
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let path = format!("/optimise/scenarios/{scenario}");
    let background = format!("/optimise/background/scenarios/{scenario}");
    let _ = tenant.planner.get(&background).await.refused(404);
    for uid in ["A", "B"] {
        let _ = add(&tenant, &scenario, job_at(uid, 41.17, -8.63, json!({}))).await;
    }
    let body = json!({"driver_ids": [ana["id"]], "options": {"max_seconds": 1}});
    let direct = tenant.planner.post(&path, body.clone()).await;
    assert_eq!(
        (direct.status.as_u16(), &direct.json["success"]),
        (200, &json!(true)),
        "three are below four"
    );
    let _ = add(&tenant, &scenario, job_at("C", 41.17, -8.63, json!({}))).await;
    let queued = tenant.planner.post(&path, body.clone()).await;
    assert_eq!((queued.status.as_u16(), &queued.json["status"]), (202, &json!("queued")));
    for path in [&path, &background] {
        let refusal = tenant.planner.post(path, body.clone()).await.refused(409);
        assert_eq!(refusal["description"], "This scenario is being optimised already");
    }
    let cancelled = tenant.planner.delete(&background).await.ok();
    assert_eq!((&cancelled["status"], &cancelled["task_id"]), (&json!("failed"), &queued.json["task_id"]));
    let _ = tenant.planner.delete(&background).await.refused(409);
    let mut forced = body;
    merge(&mut forced, json!({"options": {"polling": true, "job_ids": null}}));
    assert_eq!(tenant.planner.post(&path, forced).await.status.as_u16(), 202);
}

/// Waits for the end of a background optimisation.
pub(crate) async fn wait_for_end(tenant: &Tenant, scenario: &Value) -> Value {
    // Longer than an abandoned task takes to be noticed, on a busy machine.
    for _ in 0..3000 {
        let task = tenant.planner.get(&format!("/optimise/background/scenarios/{scenario}")).await.ok();
        if task["status"] == "done" || task["status"] == "failed" {
            return task;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the optimisation does not end");
}
