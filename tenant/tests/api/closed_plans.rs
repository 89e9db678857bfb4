//! Plans that may not change: validated runs, plans that are being optimised, jobs that another planner has just moved,
//! links that would run in a circle. Whoever tries is told, and nothing changes.

use serde_json::{Value, json};

use crate::jobs::{add, job, scenario};
use crate::moves::{job_at, put_on, uids};
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant};

/// A run that was driven and validated, with two jobs; another run, and a job on none.
async fn validated(tenant: &Tenant) -> (Value, [Value; 2], Vec<Value>) {
    let scenario = scenario(tenant).await;
    let mut runs = Vec::new();
    for uid in ["Ana", "Rui"] {
        let driver = driver(tenant, uid, json!({})).await;
        runs.push(run(tenant, &scenario, &driver, json!({})).await);
    }
    let mut jobs = Vec::new();
    for (n, uid) in (0_u8..).zip(["A", "B", "C"]) {
        jobs.push(add(tenant, &scenario, job_at(uid, 41.16 + 0.01 * f64::from(n), -8.63, json!({}))).await);
    }
    let _ = put_on(tenant, &runs[0], &[&jobs[0], &jobs[1]], json!({})).await;
    let driven = json!({"actual_start_time": "2026-11-20T08:00:00Z", "actual_end_time": "2026-11-20T12:00:00Z",
        "billing_start_time": "2026-11-20T08:00:00Z", "start_odometer": 100, "end_odometer": 160, "force": true});
    let path = format!("/runs/{}", runs[0]["id"]);
    let _ = tenant.admin.patch(&path, driven).await.ok();
    let checked = tenant.admin.patch("/runs/validate", json!([runs[0]["id"]])).await.ok();
    assert_eq!(checked["validated"].as_array().map(Vec::len), Some(1), "{checked}");
    let [first, second]: [Value; 2] = runs.try_into().expect("two runs");
    (scenario, [first, second], jobs)
}

/// S-01, S-06, S-29: every way of changing the plan of a validated run is refused with 409 that names it.
#[tokio::test]
async fn a_validated_run_stays_as_it_is() {
    let tenant = tenant().await;
    let (scenario, [ana, rui], jobs) = validated(&tenant).await;
    let (a, b, c) = (&jobs[0]["id"], &jobs[1]["id"], &jobs[2]["id"]);
    let onto_ana = format!("/runs/move_job_to_new/{}", ana["id"]);
    let onto_rui = format!("/runs/move_job_to_new/{}", rui["id"]);
    let plan = async || {
        let run = tenant.admin.get(&format!("/runs/{}", ana["id"])).await.ok();
        (run, tenant.admin.get(&format!("/jobs?scenario_ids={scenario}")).await.ok())
    };
    let before = plan().await;
    for (method, path, body) in [
        ("PUT", onto_ana.as_str(), json!({"job_ids": [c]})),
        ("PUT", &onto_rui, json!({"job_ids": [a]})),
        ("PUT", "/runs/move_job_to_new/unserved", json!({"job_ids": [a]})),
        (
            "PUT",
            "/runs/bulk_move_jobs",
            json!({"moves": [{"run_id": rui["id"], "job_ids": [c]},
            {"run_id": ana["id"], "job_ids": [c]}]}),
        ),
        ("PUT", "/jobs/move_to_pool", json!({"job_ids": [c, a]})),
        ("POST", &format!("/runs/{}/delay", ana["id"]), json!({"delay": 10})),
        ("POST", &format!("/runs/{}/reverse_sequence", ana["id"]), json!({})),
        ("POST", &format!("/optimise/runs/{}", ana["id"]), json!({})),
        ("PATCH", &format!("/jobs/{a}"), json!({"duration": 50})),
        ("PATCH", "/jobs/bulk", json!([{"id": c, "duration": 50}, {"id": a, "duration": 50}])),
        ("PATCH", "/jobs/bulk_update", json!({"job_ids": [c, a], "values": {"duration": 50}})),
        ("PATCH", "/jobs/bulk_update", json!({"job_ids": [c, a], "values": {"run_id": null}})),
        ("PUT", "/jobs/merge", json!({"destination_id": a, "source_ids": [b]})),
        ("DELETE", &format!("/jobs/{a}"), Value::Null),
    ] {
        let method = method.parse().expect("a method");
        let body = (!body.is_null()).then_some(body);
        let refusal = tenant.admin.call(method, path, body.clone()).await.refused(409);
        let text = refusal["description"].as_str().unwrap_or_default();
        assert_eq!(text, "Run Ana is validated and cannot be changed: reopen it first", "{path} {body:?}");
    }
    assert_eq!(plan().await, before);
    // Optimising the scenario leaves it alone.
    let drivers = tenant.admin.get("/drivers").await.ok()["data"].as_array().cloned().unwrap_or_default();
    let ids: Vec<&Value> = drivers.iter().map(|driver| &driver["id"]).collect();
    let body = json!({"driver_ids": ids, "options": {"max_seconds": 1}});
    let answer = tenant.admin.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    assert_eq!(answer["success"], true);
    assert_eq!(tenant.admin.get(&format!("/runs/{}", ana["id"])).await.ok()["jobs"], before.0["jobs"]);
}

/// P-277, P-278, R-22: a cycle is refused with its chain wherever links are given; nothing is stored.
#[tokio::test]
async fn cycles_are_refused_wherever_links_are_given() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut jobs = Vec::new();
    for (uid, from) in [("A", ""), ("B", "A"), ("C", "B")] {
        let mut body = job(uid);
        body["pickup_from"] = from.into();
        jobs.push(add(&tenant, &scenario, body).await);
    }
    let links = async || {
        let listed = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&sort_by=uid")).await.ok();
        let list = listed["data"].as_array().cloned().unwrap_or_default();
        list.iter().map(|job| json!([job["uid"], job["pickup_from"], job["deliver_to"]])).collect::<Vec<_>>()
    };
    let before = links().await;
    let start = "Job.pickup_from and Job.deliver_to relationships must not form a cycle: ";
    let chain = |refusal: &Value| -> Vec<String> {
        let text = refusal["description"].as_str().unwrap_or_default();
        let chain = text.strip_prefix(start).unwrap_or_else(|| panic!("{refusal}"));
        chain.split(" -> ").map(str::to_owned).collect()
    };
    let mut own = job("D");
    own["scenario_id"] = scenario.clone();
    own["pickup_from"] = "D".into();
    let refusal = tenant.planner.post("/jobs", own).await.refused(400);
    assert_eq!(chain(&refusal), ["D", "D"]);
    let mut between = job("D");
    between["scenario_id"] = scenario.clone();
    between["pickup_from"] = "C".into();
    between["deliver_to"] = "A".into();
    let refusal = tenant.planner.post("/jobs", between).await.refused(400);
    let named = chain(&refusal);
    assert!(named.len() == 5 && named.first() == named.last(), "{named:?}");
    for (method, path, body) in [
        ("PATCH", format!("/jobs/{}", jobs[0]["id"]), json!({"pickup_from": "C"})),
        ("PATCH", format!("/jobs/{}", jobs[2]["id"]), json!({"deliver_to": "A"})),
        ("PATCH", "/jobs/bulk".into(), json!([{"id": jobs[0]["id"], "pickup_from": "C"}])),
        (
            "PATCH",
            "/jobs/bulk_update".into(),
            json!({"job_ids": [jobs[0]["id"]], "values": {"pickup_from": "C"}}),
        ),
        (
            "PUT",
            "/jobs/merge".into(),
            json!({"destination_id": jobs[0]["id"], "source_ids": [jobs[2]["id"]]}),
        ),
    ] {
        let method = method.parse().expect("a method");
        let refusal = tenant.planner.call(method, &path, Some(body.clone())).await.refused(400);
        let named = chain(&refusal);
        assert!(named.len() >= 3 && named.first() == named.last(), "{path}: {named:?}");
    }
    let rows = json!([{"uid": "A", "pickup_from": "C"}]);
    let upload = json!({"rows": rows, "scenario_id": scenario});
    let refusal = tenant.planner.post("/jobs/template_upload", upload).await.refused(400);
    let told = &refusal["row_errors"][0];
    assert_eq!((&told["row"], &told["field"]), (&json!(1), &json!("pickup_from")));
    assert!(told["message"].as_str().is_some_and(|text| text.starts_with(start)), "{refusal}");
    assert_eq!(links().await, before);
}

/// P-444, S-05: while one optimisation of a scenario is on its way a second is refused, directly and in the background, and
/// the first goes on.
#[tokio::test]
async fn a_second_optimisation_is_refused() {
    let _turn = crate::worker::ONE_AT_A_TIME.lock().await;
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    for n in 0..12_u8 {
        let place =
            job_at(&format!("J{n}"), 41.1 + 0.01 * f64::from(n), -8.6 - 0.01 * f64::from(n % 5), json!({}));
        let _ = add(&tenant, &scenario, place).await;
    }
    let path = format!("/optimise/scenarios/{scenario}");
    let background = format!("/optimise/background/scenarios/{scenario}");
    let body = json!({"driver_ids": [ana["id"]], "options": {"max_seconds": 3}});
    let first = tokio::spawn({
        let (planner, path, body) = (tenant.planner.clone(), path.clone(), body.clone());
        async move { planner.post(&path, body).await }
    });
    for _ in 0..200 {
        if tenant.admin.get(&background).await.status == 200 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    for path in [&path, &background] {
        let refusal = tenant.admin.post(path, body.clone()).await.refused(409);
        assert_eq!(refusal["description"], "This scenario is being optimised already");
    }
    let answer = first.await.expect("no panic").ok();
    assert_eq!(answer["unservedJobs"], json!([]));
    assert_eq!(uids(&answer["data"]["runs"][0]).len(), 12);
}

/// S-45: two planners who look at the same plan move the same job at the same moment: one wins, the other is told so with the
/// version of the plan, and the plan is the winner's.
#[tokio::test]
async fn of_two_at_the_same_moment_one_wins() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut runs = Vec::new();
    for uid in ["Ana", "Rui"] {
        let driver = driver(&tenant, uid, json!({})).await;
        runs.push(run(&tenant, &scenario, &driver, json!({})).await);
    }
    for n in 0..6_u8 {
        let made = add(&tenant, &scenario, job_at(&format!("J{n}"), 41.17, -8.62, json!({}))).await;
        let id = made["id"].to_string();
        let body = json!({"job_ids": [made["id"]], "expected": {id.as_str(): null}});
        let [to_ana, to_rui] = [0, 1].map(|n| format!("/runs/move_job_to_new/{}", runs[n]["id"]));
        let (one, two) =
            tokio::join!(tenant.planner.put(&to_ana, body.clone()), tenant.admin.put(&to_rui, body));
        let (won, lost, run) = if one.status == 200 { (one, two, &runs[0]) } else { (two, one, &runs[1]) };
        let version = won.ok()["version"].clone();
        let told = lost.refused(409);
        assert_eq!((&told["error"], &told["version"]), (&json!("PLAN_CHANGED"), &version));
        let stored = tenant.planner.get(&format!("/jobs/{}", made["id"])).await.ok();
        assert_eq!(stored["run_id"], run["id"]);
    }
}

/// Editing jobs and runs, moving and merging at the same time: every answer is a success or a clear 409, nobody waits for
/// another in a circle, and the times are those of the plan that came out.
#[tokio::test]
async fn edits_and_moves_do_not_wait_in_a_circle() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &scenario, &ana, json!({})).await;
    let mut jobs = Vec::new();
    for n in 0..4_u8 {
        let place = job_at(&format!("J{n}"), 41.17 + 0.01 * f64::from(n), -8.62, json!({}));
        jobs.push(add(&tenant, &scenario, place).await);
    }
    let _ = put_on(&tenant, &made, &jobs.iter().collect::<Vec<_>>(), json!({})).await;
    let mut storm = tokio::task::JoinSet::new();
    for n in 0..24_usize {
        let planner = tenant.planner.clone();
        let (job, run) = (jobs[n % 4]["id"].clone(), made["id"].clone());
        storm.spawn(async move {
            let answer = match n % 3 {
                0 => planner.patch(&format!("/jobs/{job}"), json!({"duration": 5 + n})).await,
                1 => {
                    planner
                        .put(&format!("/runs/move_job_to_new/{run}"), json!({"job_ids": [job], "seq": 1}))
                        .await
                }
                _ => {
                    planner
                        .patch(
                            &format!("/runs/{run}"),
                            json!({"speed_multiplier": ([1.0, 1.1, 1.2][n / 3 % 3])}),
                        )
                        .await
                }
            };
            (answer.status.as_u16(), answer.text())
        });
    }
    for (status, text) in storm.join_all().await {
        let told = text.contains("PLAN_CHANGED");
        assert!(status == 200 || status == 409 && told, "{status} {text}");
    }
    let after = tenant.planner.get(&format!("/runs/{}", made["id"])).await.ok();
    assert_eq!(uids(&after).len(), 4);
    crate::moves::assert_timed(&after);
}
