//! Moves by hand: both runs are timed anew, links come along, two planners cannot both have the same job.

use serde_json::{Value, json};

use crate::jobs::{add, job, scenario};
use crate::runs::{driver, merge, run};
use crate::support::{Tenant, tenant};

/// A job at a place, with further fields.
pub(crate) fn job_at(uid: &str, lat: f64, lon: f64, fields: Value) -> Value {
    let mut body = job(uid);
    body["location"]["lat"] = lat.into();
    body["location"]["lon"] = lon.into();
    merge(&mut body, fields);
    body
}

/// Moves jobs onto a run.
pub(crate) async fn put_on(tenant: &Tenant, run: &Value, jobs: &[&Value], fields: Value) -> Value {
    let ids: Vec<&Value> = jobs.iter().map(|job| &job["id"]).collect();
    let mut body = json!({ "job_ids": ids });
    merge(&mut body, fields);
    tenant.planner.put(&format!("/runs/move_job_to_new/{}", run["id"]), body).await.ok()
}

/// Uids of a run's jobs in order.
pub(crate) fn uids(run: &Value) -> Vec<&str> {
    run["jobs"].as_array().into_iter().flatten().filter_map(|job| job["uid"].as_str()).collect()
}

async fn current(tenant: &Tenant, run: &Value) -> Value {
    tenant.planner.get(&format!("/runs/{}", run["id"])).await.ok()
}

/// Two drivers with a run each and four jobs north of the depot.
pub(crate) async fn two_runs(tenant: &Tenant) -> (Value, [Value; 2], Vec<Value>) {
    let scenario = scenario(tenant).await;
    let mut runs = Vec::new();
    for uid in ["Ana", "Rui"] {
        let driver = driver(tenant, uid, json!({})).await;
        runs.push(run(tenant, &scenario, &driver, json!({})).await);
    }
    let mut jobs = Vec::new();
    for (n, uid) in (1_u8..).zip(["A", "B", "C", "D"]) {
        let body = job_at(uid, 41.16 + 0.01 * f64::from(n), -8.63, json!({"duration": 10}));
        jobs.push(add(tenant, &scenario, body).await);
    }
    let [first, second]: [Value; 2] = runs.try_into().expect("two runs");
    (scenario, [first, second], jobs)
}

/// Positions without gaps, times in order, the run's sums and way as the times say.
pub(crate) fn assert_timed(run: &Value) {
    let jobs = run["jobs"].as_array().expect("jobs");
    let legs = run["route"]["legs"].as_array();
    if jobs.is_empty() {
        assert!(
            run["planned_start_time"].is_null() && run["route"].is_null() && run["distance"] == 0,
            "{run}"
        );
        return;
    }
    let time = |value: &Value| -> chrono::DateTime<chrono::Utc> {
        value.as_str().and_then(|text| text.parse().ok()).expect("a time")
    };
    let mut at = time(&run["planned_start_time"]);
    let legs = legs.expect("legs");
    assert_eq!(legs.len(), jobs.len() + 1, "there and back");
    for (n, job) in jobs.iter().enumerate() {
        assert_eq!((&job["seq"], &job["run_id"]), (&json!(n + 1), &run["id"]));
        let driving = chrono::Duration::seconds(legs[n]["duration"].as_i64().expect("seconds"));
        let wait = chrono::Duration::seconds(job["wait_seconds"].as_i64().expect("seconds"));
        assert_eq!(time(&job["eta"]), at + driving + wait, "{}", job["uid"]);
        assert_eq!(legs[n]["to_job_id"], job["id"]);
        #[expect(clippy::cast_possible_truncation, reason = "minutes of a test")]
        let service = (job["duration"].as_f64().expect("minutes") * 60.0) as i64;
        at = time(&job["eta"]) + chrono::Duration::seconds(service);
        assert_eq!(time(&job["etd"]), at);
    }
    let sum = |field: &str| legs.iter().filter_map(|leg| leg[field].as_i64()).sum::<i64>();
    assert_eq!(
        (run["distance"].as_i64(), run["total_driving_time"].as_i64()),
        (Some(sum("distance")), Some(sum("duration")))
    );
    let last = legs[jobs.len()]["duration"].as_i64().expect("seconds");
    assert_eq!(time(&run["planned_end_time"]), at + chrono::Duration::seconds(last));
}

/// P-127, P-128, P-262, P-264, P-438, P-439: jobs are put in order at the wanted place; both runs are timed anew; unserved
/// jobs lose run and position; the stage becomes routing.
#[tokio::test]
async fn every_move_times_both_runs() {
    let tenant = tenant().await;
    let (scenario, [ana, rui], jobs) = two_runs(&tenant).await;
    let moved = put_on(&tenant, &ana, &[&jobs[0], &jobs[1], &jobs[2]], json!({})).await;
    assert_eq!(uids(&moved["updated_runs"][0]), ["A", "B", "C"]);
    assert_timed(&moved["updated_runs"][0]);
    assert_eq!(
        moved["updated_runs"][0]["planned_start_time"].as_str().map(|text| &text[11..]),
        Some("08:00:00Z")
    );
    assert_eq!(tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok()["stage"], "routing");

    let moved = put_on(&tenant, &rui, &[&jobs[1]], json!({})).await;
    let updated = moved["updated_runs"].as_array().expect("runs");
    assert_eq!((updated.len(), uids(&updated[0]), uids(&updated[1])), (2, vec!["A", "C"], vec!["B"]));
    updated.iter().for_each(assert_timed);
    // In front of A; D from unserved; within the same run.
    let moved = put_on(&tenant, &ana, &[&jobs[3], &jobs[1]], json!({"seq": 1})).await;
    assert_eq!(uids(&moved["updated_runs"][0]), ["D", "B", "A", "C"]);
    moved["updated_runs"].as_array().expect("runs").iter().for_each(assert_timed);
    let moved = put_on(&tenant, &ana, &[&jobs[3]], json!({"seq": 3})).await;
    assert_eq!(uids(&moved["updated_runs"][0]), ["B", "A", "D", "C"]);

    let body = json!({"job_ids": [jobs[0]["id"], jobs[2]["id"]]});
    let moved = tenant.planner.put("/runs/move_job_to_new/unserved", body).await.ok();
    let left: Vec<_> =
        moved["jobs_to_unserved"].as_array().expect("jobs").iter().map(|job| &job["uid"]).collect();
    assert_eq!(left, ["A", "C"]);
    assert!(
        moved["jobs_to_unserved"][0]["run_id"].is_null() && moved["jobs_to_unserved"][0]["eta"].is_null()
    );
    assert_timed(&moved["updated_runs"][0]);
    let mut database = tenant.organisation.database().await;
    let (change, inverse): (Value, Value) =
        sqlx::query_as("select change, inverse from plan_changes order by id desc limit 1")
            .fetch_one(&mut database)
            .await
            .expect("the history");
    let key = ana["id"].to_string();
    assert_eq!(change["runs"][&key], json!([jobs[1]["id"], jobs[3]["id"]]));
    assert_eq!(inverse["runs"][&key], json!([jobs[1]["id"], jobs[0]["id"], jobs[3]["id"], jobs[2]["id"]]));
    let _ =
        tenant.planner.put("/runs/move_job_to_new/0", json!({"job_ids": [jobs[0]["id"]]})).await.refused(404);
    let _ = tenant.planner.put("/runs/move_job_to_new/unserved", json!({"job_ids": [0]})).await.refused(404);
    let _ = tenant.planner.put("/runs/move_job_to_new/unserved", json!({"job_ids": []})).await.refused(400);
}

/// P-440: several moves are made in order and together, or not at all.
#[tokio::test]
async fn bulk_moves_are_all_or_nothing() {
    let tenant = tenant().await;
    let (_, [ana, rui], jobs) = two_runs(&tenant).await;
    let moves = json!({"moves": [
        {"run_id": ana["id"], "job_ids": [jobs[0]["id"], jobs[1]["id"]]},
        {"run_id": rui["id"], "job_ids": [jobs[2]["id"]]},
        {"run_id": rui["id"], "job_ids": [jobs[1]["id"]], "seq": 1},
    ]});
    let moved = tenant.planner.put("/runs/bulk_move_jobs", moves).await.ok();
    assert_eq!(moved["updated_runs"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        (uids(&current(&tenant, &ana).await), uids(&current(&tenant, &rui).await)),
        (vec!["A"], vec!["B", "C"])
    );
    let moves = json!({"moves": [
        {"run_id": null, "job_ids": [jobs[0]["id"]]},
        {"run_id": 0, "job_ids": [jobs[1]["id"]]},
    ]});
    let _ = tenant.planner.put("/runs/bulk_move_jobs", moves).await.refused(404);
    assert_eq!(uids(&current(&tenant, &ana).await), ["A"], "nothing of a refused bulk is stored");
}

/// P-279, S-06: linked jobs come along, pickup first; a partner that the run cannot hold goes to unserved; half a link
/// is not left behind.
#[tokio::test]
async fn linked_jobs_come_along() {
    let tenant = tenant().await;
    let (scenario, [ana, rui], jobs) = two_runs(&tenant).await;
    let pickup = add(&tenant, &scenario, job_at("P", 41.17, -8.62, json!({}))).await;
    let delivery = add(&tenant, &scenario, job_at("Q", 41.18, -8.62, json!({"pickup_from": "P"}))).await;
    let moved = put_on(&tenant, &ana, &[&jobs[0], &jobs[1]], json!({})).await;
    assert_eq!(uids(&moved["updated_runs"][0]), ["A", "B"]);
    let moved = put_on(&tenant, &ana, &[&delivery], json!({"seq": 1})).await;
    assert_eq!(uids(&moved["updated_runs"][0]), ["P", "Q", "A", "B"]);
    // Pulling the delivery in front of its pickup is put right.
    let moved = put_on(&tenant, &ana, &[&pickup], json!({"seq": 4})).await;
    assert_eq!(uids(&moved["updated_runs"][0]), ["A", "B", "P", "Q"]);
    let moved = put_on(&tenant, &rui, &[&pickup], json!({})).await;
    assert_eq!(uids(&moved["updated_runs"][1]), ["P", "Q"]);
    moved["updated_runs"].as_array().expect("runs").iter().for_each(assert_timed);

    let _ =
        tenant.planner.patch(&format!("/jobs/{}", pickup["id"]), json!({"spec_type": "frozen"})).await.ok();
    let moved = put_on(&tenant, &ana, &[&delivery], json!({})).await;
    assert_eq!(moved["jobs_to_unserved"][0]["uid"], "P", "Ana serves no frozen goods");
    assert_eq!(uids(&current(&tenant, &ana).await), ["A", "B", "Q"]);
    let moved =
        tenant.planner.put("/runs/move_job_to_new/unserved", json!({"job_ids": [delivery["id"]]})).await.ok();
    assert_eq!(moved["jobs_to_unserved"].as_array().map(Vec::len), Some(1));
}

/// R-18, P-246: jobs of the pool are taken into the scenario and the run, with what is linked to them.
#[tokio::test]
async fn pool_jobs_are_taken_onto_a_run() {
    let tenant = tenant().await;
    let (scenario, [ana, _], jobs) = two_runs(&tenant).await;
    let pickup = tenant.planner.post("/jobs", job_at("PP", 41.17, -8.62, json!({}))).await.ok();
    let delivery =
        tenant.planner.post("/jobs", job_at("PQ", 41.18, -8.62, json!({"pickup_from": "PP"}))).await.ok();
    let refusal = tenant
        .planner
        .put(&format!("/runs/move_job_to_new/{}", ana["id"]), json!({"job_ids": [delivery["id"]]}))
        .await;
    let _ = refusal.refused(404);
    let moved = put_on(&tenant, &ana, &[&delivery], json!({"pool": true})).await;
    assert_eq!(uids(&moved["updated_runs"][0]), ["PP", "PQ"]);
    assert_eq!(moved["updated_runs"][0]["jobs"][0]["scenario_id"], scenario);
    assert_eq!(tenant.planner.get("/jobs/pool").await.ok()["total_count"], 0);
    let _ = (pickup, jobs);
}

/// Issue 13.3: a job goes to another day in one go: with its run timed anew and its reason, or not at all.
#[tokio::test]
async fn a_job_goes_to_another_day_or_stays() {
    let tenant = tenant().await;
    let (scenario, [ana, _], jobs) = two_runs(&tenant).await;
    let _ = put_on(&tenant, &ana, &[&jobs[0], &jobs[1], &jobs[2]], json!({})).await;
    let body = json!({"name": "Tuesday", "scheduled_date": "2026-11-24"});
    let tuesday = tenant.planner.post("/scenarios", body).await.ok();
    let go = async |ids: Value, to: Value| {
        tenant.planner.put("/jobs/move_to_day", json!({"job_ids": ids, "scenario_id": to})).await
    };
    let moved = go(json!([jobs[1]["id"]]), tuesday["id"].clone()).await.ok();
    assert_eq!(moved["job_ids"], json!([jobs[1]["id"]]));
    assert_eq!(uids(&moved["updated_runs"][0]), ["A", "C"]);
    assert_timed(&moved["updated_runs"][0]);
    let there = tenant.planner.get(&format!("/jobs/{}", jobs[1]["id"])).await.ok();
    assert_eq!(
        (&there["scenario_id"], &there["run_id"], &there["seq"]),
        (&tuesday["id"], &Value::Null, &Value::Null)
    );

    let gone = json!(999_999_999);
    go(json!([jobs[0]["id"]]), gone.clone()).await.refused(404);
    go(json!([jobs[0]["id"], gone]), tuesday["id"].clone()).await.refused(404);
    let refused = go(json!([jobs[0]["id"]]), scenario.clone()).await.refused(400);
    assert!(refused["fields"]["scenario_id"].is_string(), "{refused}");
    let before = current(&tenant, &ana).await["jobs"].clone();
    // One of a pair that is linked stays until it is said what becomes of the other; nothing waits in the pool meanwhile.
    let pickup = add(&tenant, &scenario, job_at("P", 41.2, -8.63, json!({}))).await;
    let _ = add(&tenant, &scenario, job_at("Q", 41.21, -8.63, json!({"pickup_from": "P"}))).await;
    let refused = go(json!([pickup["id"]]), tuesday["id"].clone()).await.refused(409);
    assert_eq!(refused["error"], "LINKED_JOBS");
    assert_eq!(current(&tenant, &ana).await["jobs"], before);
    assert_eq!(tenant.planner.get("/jobs/pool").await.ok()["total_count"], 0);
    let body = json!({"job_ids": [pickup["id"]], "scenario_id": tuesday["id"], "linked": "take"});
    let moved = tenant.planner.put("/jobs/move_to_day", body).await.ok();
    assert_eq!(moved["job_ids"].as_array().map(Vec::len), Some(2));
    let path = format!("/jobs?scenario_ids={}", tuesday["id"]);
    assert_eq!(tenant.planner.get(&path).await.ok()["total_count"], 3);
    // From the pool as well.
    let _ = tenant.planner.put("/jobs/move_to_pool", json!({"job_ids": [jobs[0]["id"]]})).await.ok();
    let _ = go(json!([jobs[0]["id"], jobs[0]["id"]]), tuesday["id"].clone()).await.ok();
    assert_eq!(tenant.planner.get(&path).await.ok()["total_count"], 4);
}

/// P-442: the sequence is reversed unless links forbid it.
#[tokio::test]
async fn a_sequence_is_reversed_unless_links_forbid_it() {
    let tenant = tenant().await;
    let (scenario, [ana, _], jobs) = two_runs(&tenant).await;
    let _ = put_on(&tenant, &ana, &[&jobs[0], &jobs[1], &jobs[2]], json!({})).await;
    let path = format!("/runs/{}/reverse_sequence", ana["id"]);
    let reversed = tenant.planner.post(&path, json!({})).await.ok();
    assert_eq!(uids(&reversed), ["C", "B", "A"]);
    assert_timed(&reversed);
    let _ = add(&tenant, &scenario, job_at("E", 41.2, -8.63, json!({"pickup_from": "A"}))).await;
    let last = tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&uid_exact=E")).await.ok()["data"]
        [0]
    .clone();
    let _ = put_on(&tenant, &ana, &[&last], json!({})).await;
    let refusal = tenant.planner.post(&path, json!({})).await.refused(400);
    assert_eq!(refusal["description"], "Reversed order breaks pickup and delivery links");
}

/// S-06: what was delivered or validated stays where it is.
#[tokio::test]
async fn delivered_jobs_and_validated_runs_refuse() {
    let tenant = tenant().await;
    let (_, [ana, rui], jobs) = two_runs(&tenant).await;
    let _ = put_on(&tenant, &ana, &[&jobs[0], &jobs[1]], json!({})).await;
    let mut database = tenant.organisation.database().await;
    sqlx::query("insert into job_proofs (job_id, record_time) values ($1, now())")
        .bind(jobs[0]["id"].as_i64())
        .execute(&mut database)
        .await
        .expect("a proof");
    let to_rui = format!("/runs/move_job_to_new/{}", rui["id"]);
    let refusal = tenant.planner.put(&to_rui, json!({"job_ids": [jobs[0]["id"]]})).await.refused(409);
    assert_eq!(refusal["description"], "Job A has proofs and cannot be moved");
    sqlx::query("update runs set validated_at = now(), validated_by_id = 1 where id = $1")
        .bind(ana["id"].as_i64())
        .execute(&mut database)
        .await
        .expect("a validated run");
    let refusal = tenant.planner.put(&to_rui, json!({"job_ids": [jobs[1]["id"]]})).await.refused(409);
    assert_eq!(refusal["description"], "Run Ana is validated and cannot be changed: reopen it first");
    let to_ana = format!("/runs/move_job_to_new/{}", ana["id"]);
    let _ = tenant.planner.put(&to_ana, json!({"job_ids": [jobs[2]["id"]]})).await.refused(409);
    let _ =
        tenant.planner.post(&format!("/runs/{}/delay", ana["id"]), json!({"delay": 5})).await.refused(409);
    let _ =
        tenant.planner.post(&format!("/runs/{}/reverse_sequence", ana["id"]), json!({})).await.refused(409);
}

/// S-45: two planners who move the same job: whoever is second is told, and the plan is that of the first.
#[tokio::test]
async fn of_two_planners_one_is_told() {
    let tenant = tenant().await;
    let (_, [ana, rui], jobs) = two_runs(&tenant).await;
    let _ = put_on(&tenant, &ana, &[&jobs[0]], json!({})).await;
    let id = jobs[0]["id"].to_string();
    let expected = json!({ id.as_str(): ana["id"] });
    let body = json!({"job_ids": [jobs[0]["id"]], "expected": expected});
    let _ = tenant.planner.put(&format!("/runs/move_job_to_new/{}", rui["id"]), body.clone()).await.ok();
    let told = tenant.admin.put("/runs/move_job_to_new/unserved", body).await.refused(409);
    assert_eq!(told["error"], "PLAN_CHANGED");
    assert_eq!(uids(&current(&tenant, &rui).await), ["A"]);
    let stale = json!({"job_ids": [jobs[1]["id"]], "version": 1});
    let _ = tenant.admin.put(&format!("/runs/move_job_to_new/{}", rui["id"]), stale).await.refused(409);
    let fresh = json!({"job_ids": [jobs[1]["id"]], "version": told["version"]});
    let _ = tenant.admin.put(&format!("/runs/move_job_to_new/{}", rui["id"]), fresh).await.ok();
}

/// Many planners at the same moment: every answer is a success or a clear 409, and the plan stays whole.
#[tokio::test]
async fn a_storm_of_moves_leaves_a_whole_plan() {
    let tenant = tenant().await;
    let (_, [ana, rui], jobs) = two_runs(&tenant).await;
    let mut storm = tokio::task::JoinSet::new();
    for n in 0..24 {
        let planner = tenant.planner.clone();
        let target = if n % 2 == 0 { ana["id"].clone() } else { rui["id"].clone() };
        let job = jobs[n % 4]["id"].clone();
        storm.spawn(async move {
            planner
                .put(&format!("/runs/move_job_to_new/{target}"), json!({"job_ids": [job], "seq": 1}))
                .await
                .status
        });
    }
    let answers: Vec<u16> = storm.join_all().await.into_iter().map(|status| status.as_u16()).collect();
    assert!(answers.iter().all(|status| [200, 409].contains(status)), "{answers:?}");
    assert!(answers.contains(&200));
    let runs = [current(&tenant, &ana).await, current(&tenant, &rui).await];
    runs.iter().for_each(assert_timed);
    let mut all: Vec<&str> = runs.iter().flat_map(uids).collect();
    all.sort_unstable();
    assert_eq!(all, ["A", "B", "C", "D"]);
}

/// P-245, P-263, P-410: whatever takes a job off its run closes the gap and times the rest anew: deleting, the pool, unserving
/// many at once.
#[tokio::test]
async fn jobs_that_leave_in_other_ways_are_timed_out_of_their_run() {
    let tenant = tenant().await;
    let (scenario, [ana, _], jobs) = two_runs(&tenant).await;
    let _ = put_on(&tenant, &ana, &[&jobs[0], &jobs[1], &jobs[2], &jobs[3]], json!({})).await;
    let _ = tenant.planner.delete(&format!("/jobs/{}", jobs[0]["id"])).await.ok();
    let left = current(&tenant, &ana).await;
    assert_eq!(uids(&left), ["B", "C", "D"]);
    assert_timed(&left);
    let answer = tenant.planner.put("/jobs/move_to_pool", json!({"job_ids": [jobs[2]["id"]]})).await.ok();
    assert_eq!(uids(&answer["updated_runs"][0]), ["B", "D"]);
    assert_timed(&answer["updated_runs"][0]);
    assert_eq!(tenant.planner.get("/jobs/pool").await.ok()["data"][0]["uid"], "C");
    let body = json!({"job_ids": [jobs[1]["id"]], "values": {"run_id": null, "priority": true}});
    let changed = tenant.planner.patch("/jobs/bulk_update", body).await.ok();
    assert_eq!((&changed[0]["run_id"], &changed[0]["priority"]), (&Value::Null, &json!(true)));
    let left = current(&tenant, &ana).await;
    assert_eq!(uids(&left), ["D"]);
    assert_timed(&left);
    let body = json!({"job_ids": [jobs[1]["id"]], "values": {"run_id": ana["id"]}});
    let _ = tenant.planner.patch("/jobs/bulk_update", body).await.refused(400);
    assert_eq!(tenant.planner.get(&format!("/jobs?scenario_ids={scenario}")).await.ok()["total_count"], 2);
}
