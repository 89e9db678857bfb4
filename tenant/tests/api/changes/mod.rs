//! W-001: every change of a plan is one step of its version, and what is told of it turns the plan before into the server's.

mod kinds;
mod logged;
mod screen;
mod steps;
mod storm;

use serde_json::{Value, json};

use crate::execution::ready;
use crate::jobs::{add, scenario};
use crate::moves::{job_at, put_on};
use crate::realtime::{Socket, replica};
use crate::runs::{driver, run};
use crate::support::{neighbour, tenant};
use screen::Screen;

/// W-001: moves, edits, imports, the pool, merging, copying, deleting, optimising: one step each, and told in full.
#[tokio::test]
async fn every_change_of_a_plan_is_one_step() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let [ana, rui] = [driver(&tenant, "Ana", json!({})).await, driver(&tenant, "Rui", json!({})).await];
    let [ana_run, rui_run] =
        [run(&tenant, &scenario, &ana, json!({})).await, run(&tenant, &scenario, &rui, json!({})).await];
    let mut jobs = Vec::new();
    for (at, uid) in ["A", "B", "C", "D", "E"].into_iter().enumerate() {
        let lat = 41.15 + 0.01 * f64::from(u8::try_from(at).expect("few"));
        jobs.push(add(&tenant, &scenario, job_at(uid, lat, -8.62, json!({}))).await);
    }
    let planner = &tenant.planner;
    let mut screen = Screen::open(&tenant.planner, &scenario).await;
    let id = |at: usize| jobs[at]["id"].clone();

    let moved = put_on(&tenant, &ana_run, &[&jobs[0], &jobs[1], &jobs[2]], json!({})).await;
    let told = screen.follow(1, "a move").await;
    assert_eq!(moved["version"], told["version"], "the answer of a move carries the version after it");
    let change = &told["changes"][0];
    assert_eq!(change["user_id"], json!(tenant.organisation.planner.id));
    assert_eq!(change["action"], "PUT /runs/move_job_to_new/{run_id}");
    let moves = json!([{"run_id": rui_run["id"], "job_ids": [id(1)]}, {"run_id": null, "job_ids": [id(2)]}]);
    let _ = planner.put("/runs/bulk_move_jobs", json!({"moves": moves})).await.ok();
    let _ = screen.follow(1, "several moves").await;
    let _ = put_on(&tenant, &ana_run, &[&jobs[2]], json!({})).await;
    let _ = screen.follow(1, "a move back").await;
    let path = format!("/runs/{}", ana_run["id"]);
    let _ = planner.post(&format!("{path}/reverse_sequence"), json!({})).await.ok();
    let _ = screen.follow(1, "the other way round").await;
    let _ = planner.post(&format!("{path}/delay"), json!({"delay": 15})).await.ok();
    let _ = screen.follow(1, "a delay").await;
    let _ = planner.patch(&path, json!({"capacity": "boxes:9"})).await.ok();
    let _ = screen.follow(1, "a run's field").await;
    let _ = planner.patch(&path, json!({"shift_start": "09:30"})).await.ok();
    let _ = screen.follow(1, "a run's shift").await;
    let _ = planner.patch(&format!("/jobs/{}", id(0)), json!({"comments": "Ring"})).await.ok();
    let _ = screen.follow(1, "a job's field").await;
    let _ = planner.patch(&format!("/jobs/{}", id(0)), json!({"duration": 25})).await.ok();
    let _ = screen.follow(1, "a job's time").await;
    let bulk = json!({"job_ids": [id(3), id(4)], "values": {"colour": "#112233"}});
    let _ = planner.patch("/jobs/bulk_update", bulk).await.ok();
    let _ = screen.follow(1, "fields of several jobs").await;
    let rows = json!([{"uid": "B", "duration": 9}, {"uid": "N", "address": "41.2, -8.6"}]);
    let _ = planner.post("/jobs/template_upload", json!({"rows": rows, "scenario_id": scenario})).await.ok();
    let _ = screen.follow(1, "an import").await;
    let unit = planner.post("/units", json!({"uid": "U1", "job_id": id(0)})).await.ok();
    assert_eq!(screen.follow(1, "a unit").await["items"], true);
    let _ = planner.delete(&format!("/units/{}", unit["id"])).await.ok();
    let _ = screen.follow(1, "a unit less").await;
    let tag = tenant.admin.post("/tags", json!({"name": "Cold"})).await.ok()["id"].clone();
    let _ = planner.put(&format!("/jobs/{}/assign_tags", id(0)), json!({"tag_ids": [tag]})).await.ok();
    let _ = screen.follow(1, "a tag").await;
    let copy = planner.post("/duplicate_job", json!({"job_id": id(4)})).await.ok();
    let _ = screen.follow(1, "a copy of a job").await;
    let merge = json!({"destination_id": id(4), "source_ids": [copy["id"]], "is_pool": false});
    let _ = planner.put("/jobs/merge", merge).await.ok();
    let _ = screen.follow(1, "a merge").await;
    let _ = planner.put("/jobs/move_to_pool", json!({"job_ids": [id(1)]})).await.ok();
    let told = screen.follow(1, "the pool").await;
    assert_eq!(told["removed_job_ids"], json!([id(1)]));
    let back = json!([{"id": id(1), "scenario_id": scenario}]);
    let _ = planner.put("/jobs/move_jobs_from_pool", back).await.ok();
    let _ = screen.follow(1, "back from the pool").await;
    let _ = tenant.admin.delete(&format!("/jobs/{}", id(0))).await.ok();
    let _ = screen.follow(1, "a job deleted").await;
    let _ = planner.delete(&format!("/runs/{}", rui_run["id"])).await.ok();
    let _ = screen.follow(1, "a run deleted").await;
    let body = json!({"driver_ids": [ana["id"], rui["id"]], "options": {"max_seconds": 1}});
    let _ = planner.post(&format!("/optimise/scenarios/{scenario}"), body).await.ok();
    let told = screen.follow(2, "an optimisation that begins and ends").await;
    assert_eq!(told["changes"][1]["user_id"], json!(tenant.organisation.planner.id));
    assert_eq!(told["changes"][1]["action"], "optimise");
    let _ = planner.patch(&format!("/scenarios/{scenario}"), json!({"name": "Other"})).await.ok();
    assert_eq!(screen.follow(1, "the scenario's name").await["scenario"], true);
    // What changes nothing is no step, and neither is the pool's own business.
    let _ = planner.patch(&format!("/jobs/{}", id(4)), json!({"colour": "#112233"})).await.ok();
    let _ = planner.post("/jobs", job_at("P", 41.1, -8.6, json!({}))).await.ok();
    let _ = screen.follow(0, "nothing").await;
}

/// W-001: what the driver does is told to the office: start, proof, correction, end; and so is the validation.
#[tokio::test]
async fn the_road_is_told_step_by_step() {
    let ready = ready().await;
    let mut screen = Screen::open(&ready.tenant.planner, &ready.scenario["id"]).await;
    let driver = ready.driver().await;
    let _ = driver.put("/v2/runsheet/start_route", json!({"odometer": 100})).await.ok();
    let told = screen.follow(1, "a start").await;
    assert_eq!(
        (&told["changes"][0]["user_id"], &told["changes"][0]["actor"]),
        (&Value::Null, &json!("The driver of Ana"))
    );
    let _ = ready.prove(0, json!({"record_time": "2026-11-23T08:10:00Z"})).await;
    let told = screen.follow(1, "a proof").await;
    assert!(told["jobs"].as_array().is_some_and(|jobs| jobs.iter().any(|job| job["visited"] == true)));
    let end = json!({"actual_end_time": "2026-11-23T12:00:00Z", "end_odometer": 150, "force": true});
    let _ = ready.tenant.admin.post(&format!("/runs/{}/finish", ready.run["id"]), end).await.ok();
    let _ = screen.follow(1, "an end").await;
    let more = json!({"billing_start_time": "2026-11-23T07:55:00Z", "force": true});
    let _ = ready.tenant.admin.patch(&format!("/runs/{}", ready.run["id"]), more).await.ok();
    let _ = screen.follow(1, "a start of billing").await;
    let checked = ready.tenant.admin.patch("/runs/validate", json!([ready.run["id"]])).await.ok();
    assert_eq!(checked["failed"], json!([]));
    let told = screen.follow(1, "a validation").await;
    assert_eq!(told["changes"][0]["user_id"], json!(ready.tenant.organisation.admin.id));
}

/// W-001: who was away for too long, or has a version that was never there, reads the plan anew.
#[tokio::test]
async fn who_was_away_too_long_reads_anew() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    for uid in ["A", "B", "C"] {
        let _ = add(&tenant, &scenario, job_at(uid, 41.15, -8.62, json!({}))).await;
    }
    let path = |since: i64| format!("/scenarios/{scenario}/changes?since={since}");
    let told = tenant.planner.get(&path(0)).await.ok();
    assert_eq!((&told["version"], &told["reload"]), (&json!(3), &json!(false)));
    assert_eq!(tenant.planner.get(&path(9)).await.ok()["reload"], true);
    let mut database = tenant.organisation.database().await;
    sqlx::query("delete from plan_log where version = 1")
        .execute(&mut database)
        .await
        .expect("a shorter log");
    assert_eq!(tenant.planner.get(&path(0)).await.ok()["reload"], true);
    assert_eq!(tenant.planner.get(&path(1)).await.ok()["changes"].as_array().map(Vec::len), Some(2));
    let _ = tenant.planner.get("/scenarios/999999/changes?since=0").await.refused(404);
    let other = neighbour(&tenant, routewright_core::Clock::system()).await;
    let told = other.planner.get("/scenarios/1/changes?since=0").await.ok();
    assert_eq!((&told["version"], &told["jobs"]), (&json!(0), &json!([])), "the same number, another plan");
}

/// W-001: steps have no gaps and are in the order of the commits, however many write at once.
#[tokio::test]
async fn versions_have_no_gaps_under_load() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut jobs = Vec::new();
    for uid in ["A", "B", "C", "D"] {
        jobs.push(add(&tenant, &scenario, job_at(uid, 41.15, -8.62, json!({}))).await);
    }
    let mut screen = Screen::open(&tenant.planner, &scenario).await;
    let mut writers = tokio::task::JoinSet::new();
    for n in 0..24_usize {
        let planner = tenant.planner.clone();
        let path = format!("/jobs/{}", jobs[n % 4]["id"]);
        writers.spawn(async move { planner.patch(&path, json!({"comments": format!("{n}")})).await.ok() });
    }
    let _ = writers.join_all().await;
    let told = screen.follow(24, "edits by many").await;
    let versions: Vec<i64> = told["changes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|change| change["version"].as_i64())
        .collect();
    assert!(versions.windows(2).all(|pair| pair[1] == pair[0] + 1), "{versions:?}");
}

/// W-001, S-45: a write made on an older version merges when nobody else touched the same run or job, and is refused with
/// who changed what when somebody did. One's own changes never conflict.
#[tokio::test]
async fn writes_on_an_older_version_merge_or_are_refused() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let mut runs = Vec::new();
    for uid in ["Ana", "Rui", "Eva"] {
        let driver = driver(&tenant, uid, json!({})).await;
        runs.push(run(&tenant, &scenario, &driver, json!({})).await);
    }
    let mut jobs = Vec::new();
    for uid in ["A", "B", "C", "D"] {
        jobs.push(add(&tenant, &scenario, job_at(uid, 41.15, -8.62, json!({}))).await);
    }
    let id = |at: usize| jobs[at]["id"].clone();
    let version =
        async || tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok()["version"].clone();
    let since = |version: &Value, fields: Value| {
        let mut body = fields;
        body["version"] = version.clone();
        body
    };
    let to = |run: usize| format!("/runs/move_job_to_new/{}", runs[run]["id"]);
    let before = version().await;
    let _ = put_on(&tenant, &runs[0], &[&jobs[0]], json!({})).await;
    // Elsewhere: merges. The same run, or the same job: refused, with a sentence.
    let _ = tenant.admin.put(&to(1), since(&before, json!({"job_ids": [id(1)]}))).await.ok();
    let told =
        tenant.admin.put(&to(0), since(&before, json!({"job_ids": [id(2)], "seq": 1}))).await.refused(409);
    assert_eq!((&told["error"], &told["version"]), (&json!("PLAN_CHANGED"), &version().await));
    let told = tenant.admin.put(&to(2), since(&before, json!({"job_ids": [id(0)]}))).await.refused(409);
    let text = told["description"].as_str().expect("a text");
    assert!(text.contains(" moved A to Ana at "), "{text}");
    // The planner who moved it may go on from his old screen.
    let _ = tenant.planner.put(&to(2), since(&before, json!({"job_ids": [id(0)]}))).await.ok();
    let _ = tenant.admin.put(&to(2), json!({"job_ids": [id(2)]})).await.ok();

    // Fields: another field of the same job merges, the same one does not.
    let before = version().await.as_i64().expect("a version");
    let path = format!("/jobs/{}", id(3));
    let _ = tenant.planner.patch(&path, json!({"comments": "Ring"})).await.ok();
    let with = |client: &routewright_testing::Client| client.on_plan(before);
    let _ = with(&tenant.admin).patch(&path, json!({"reference": "R"})).await.ok();
    let told = with(&tenant.admin).patch(&path, json!({"comments": "Knock"})).await.refused(409);
    assert!(told["description"].as_str().is_some_and(|text| text.contains(" changed D at ")), "{told}");
    let _ = with(&tenant.admin).delete(&path).await.refused(409);
    let _ = with(&tenant.planner).patch(&path, json!({"comments": "Knock twice"})).await.ok();
    let path = format!("/runs/{}", runs[0]["id"]);
    let _ = tenant.planner.patch(&path, json!({"capacity": "boxes:3"})).await.ok();
    let _ = with(&tenant.admin).patch(&path, json!({"route_colour": "#112233"})).await.ok();
    let _ = with(&tenant.admin).patch(&path, json!({"capacity": "boxes:4"})).await.refused(409);
    // Whoever decides when a run leaves has seen when it leaves.
    let departs = json!({"planned_start_time": "2026-11-23T08:20:00Z"});
    let told = with(&tenant.admin).patch(&path, departs).await.refused(409);
    assert!(told["description"].as_str().is_some_and(|text| text.contains(" changed Ana at ")), "{told}");
    let stored = tenant.planner.get(&path).await.ok();
    assert_eq!((&stored["capacity"], &stored["route_colour"]), (&json!("boxes:3"), &json!("#112233")));
}

/// W-001: who has the plan open hears of every change, by whom, on every replica; and who else is there and what he does.
/// A scenario's link does not open it, nor does the session of another organisation or of somebody without rights.
#[tokio::test]
async fn screens_hear_of_the_plan_and_of_each_other() {
    let tenant = tenant().await;
    let body = json!({"name": "Ours alone", "scheduled_date": "2026-11-23"});
    let scenario = tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
    let [one, two] = [replica(0).await, replica(0).await];
    let organisation = &tenant.organisation;
    let [planner, admin] = [organisation.planner, organisation.admin];
    let link = tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok()["ws_token"].clone();
    let other = neighbour(&tenant, routewright_core::Clock::system()).await;
    let nobody = organisation.person_with(&["scenarios_read"]).await;
    let refused = [
        (link.as_str().expect("a token").to_owned(), "Incorrect or expired token"),
        (String::new(), "Incorrect or expired token"),
        (other.organisation.token(other.organisation.planner), "Scenario not found"),
        (organisation.token(nobody), "User is not authorized to perform this action"),
    ];
    for (token, text) in refused {
        let (_, answer) = Socket::plan(&one, &token, &scenario).await;
        assert!(answer["sid"].is_null(), "{answer}");
        assert_eq!(answer["message"], text);
    }
    let (mut first, answer) = Socket::plan(&one, &organisation.token(planner), &scenario).await;
    assert!(answer["sid"].is_string(), "{answer}");
    let (mut second, _) = Socket::plan(&two, &organisation.token(admin), &scenario).await;
    let both = |told: &Value| told["people"].as_array().map(Vec::len) == Some(2);
    let told = first.hears("presence", both).await;
    assert_eq!(told["scenario_id"], scenario);
    let _ = second.hears("presence", both).await;

    let made = add(&tenant, &scenario, job_at("A", 41.15, -8.62, json!({}))).await;
    for socket in [&mut first, &mut second] {
        let told = socket.hears("plan_changed", |_| true).await;
        assert_eq!((&told["scenario_id"], &told["version"]), (&scenario, &json!(1)));
        assert_eq!((&told["user_id"], &told["action"]), (&json!(planner.id), &json!("POST /jobs")));
        assert!(told["actor"].as_str().is_some_and(|name| !name.is_empty()), "{told}");
    }
    first.say("doing", json!({"doing": {"kind": "dragging", "job_ids": [made["id"]]}})).await;
    let in_hand = |told: &Value| {
        told["people"].as_array().is_some_and(|people| people.iter().any(|one| !one["doing"].is_null()))
    };
    let told = second.hears("presence", in_hand).await;
    let person = told["people"]
        .as_array()
        .and_then(|people| people.iter().find(|one| one["user_id"] == json!(planner.id)));
    let doing = &person.expect("the planner")["doing"];
    assert_eq!((&doing["kind"], &doing["job_ids"]), (&json!("dragging"), &json!([made["id"]])));
    first.say("doing", json!({"doing": {"kind": "juggling"}})).await;
    drop(first);
    let alone = |told: &Value| told["people"].as_array().map(Vec::len) == Some(1);
    let told = second.hears("presence", alone).await;
    assert_eq!(told["people"][0]["user_id"], json!(admin.id));
}
