//! Two planners and a driver do what comes to mind, all at the same time: whoever follows the changes has what the server has.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::Utc;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use routewright_testing::{Answer, Client};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::screen::Screen;
use crate::jobs::add;
use crate::moves::job_at;
use crate::realtime::{Socket, replica};
use crate::runs::{driver, merge, run};
use crate::support::tenant;

/// Actions of each planner.
const PLANNED: usize = 80;
/// Actions of the driver.
const DRIVEN: usize = 40;

/// What became of the actions of one person.
#[derive(Default)]
struct Tally {
    done: usize,
    /// Refused because somebody else changed the same.
    conflicts: usize,
    /// Refused for what the plan is by now: without the thing, or with a proof on it.
    late: usize,
}

impl Tally {
    fn count(&mut self, what: &str, answer: &Answer) {
        let text = answer.json["description"].as_str().unwrap_or_default();
        match (answer.status.as_u16(), answer.json["error"].as_str()) {
            (200..300, _) => self.done += 1,
            (409, Some("PLAN_CHANGED")) => {
                assert!(says_who(text), "{what} is refused without a word of who did what: {text}");
                self.conflicts += 1;
            }
            (404, _) | (409, None) => self.late += 1,
            // A job that is picked up or delivered with another, a run without stops, a sheet that was started already.
            (400, _) if text.len() > 10 => self.late += 1,
            (status, _) => panic!("{what} answered {status}: {}", answer.text()),
        }
    }
}

/// `Test user moved S3 from Ana to Rui at 14:02.`
fn says_who(text: &str) -> bool {
    let who = ["Test user ", "Test admin ", "The driver of Ana ", "The driver "];
    let what = ["moved ", "took ", "changed ", "deleted "];
    let rest = who.iter().find_map(|who| text.strip_prefix(who)).unwrap_or_default();
    let time = text.strip_suffix('.').and_then(|text| text.rsplit_once(" at ")).unwrap_or_default().1;
    what.iter().any(|what| rest.starts_with(what)) && time.len() == 5 && time.as_bytes()[2] == b':'
}

/// A planner at a screen that is brought up to date now and then.
struct Planner {
    name: &'static str,
    client: Client,
    screen: Screen,
    dice: StdRng,
    tally: Tally,
}

impl Planner {
    async fn work(mut self, drivers: Value) -> Tally {
        for n in 0..PLANNED {
            if self.dice.random_bool(0.5) {
                let _ = self.screen.catch_up().await;
            }
            let kind = self.dice.random_range(0..22);
            let answer = self.act(n, kind, &drivers).await;
            self.tally.count(&format!("action {kind} of {}", self.name), &answer);
            // Nobody is done while somebody else's optimisation still goes on.
            tokio::time::sleep(Duration::from_millis(self.dice.random_range(0..80))).await;
        }
        self.tally
    }

    fn job(&mut self) -> i64 {
        pick(&mut self.dice, &self.screen.jobs.keys().copied().collect::<Vec<_>>())
    }

    fn run(&mut self) -> i64 {
        pick(&mut self.dice, &self.screen.runs.keys().copied().collect::<Vec<_>>())
    }

    /// Does something with what the screen shows.
    async fn act(&mut self, n: usize, kind: u32, drivers: &Value) -> Answer {
        let client = self.client.on_plan(self.screen.version);
        let (of, name) = (self.screen.scenario.clone(), format!("{}{n}", self.name));
        let (job, other, run) = (self.job(), self.job(), self.run());
        let at = f64::from(self.dice.random_range(0..100_u8)) / 1000.0;
        let minutes = self.dice.random_range(1..20_i32);
        let one = format!("/jobs/{job}");
        match kind {
            0..=4 => {
                let body =
                    json!({"job_ids": BTreeSet::from([job, other]), "seq": self.dice.random_range(1..4)});
                client.put(&format!("/runs/move_job_to_new/{run}"), body).await
            }
            5 | 6 => client.put("/runs/move_job_to_new/unserved", json!({"job_ids": [job]})).await,
            7 => {
                let moves = json!([{"run_id": run, "job_ids": [job]}, {"run_id": null, "job_ids": [other]}]);
                client.put("/runs/bulk_move_jobs", json!({"moves": moves})).await
            }
            8 => client.patch(&one, json!({"comments": name})).await,
            9 => client.patch(&one, json!({"duration": minutes})).await,
            10 => {
                let body = json!({"job_ids": BTreeSet::from([job, other]), "values": {"colour": "#112233"}});
                client.patch("/jobs/bulk_update", body).await
            }
            11 => client.post(&format!("/runs/{run}/delay"), json!({"delay": minutes})).await,
            12 => client.post(&format!("/runs/{run}/reverse_sequence"), json!({})).await,
            13 => {
                client.patch(&format!("/runs/{run}"), json!({"capacity": format!("boxes:{minutes}")})).await
            }
            14 | 15 => {
                let mut body = job_at(&name, 41.12 + at, -8.62, json!({}));
                merge(&mut body, json!({"scenario_id": of}));
                client.post("/jobs", body).await
            }
            16 if self.screen.jobs.len() > 8 => client.delete(&one).await,
            17 => {
                let known = self.screen.jobs[&job]["uid"].clone();
                let rows = json!([
                    {"uid": format!("{name}-a"), "address": format!("{}, -8.6", 41.12 + at)},
                    {"uid": known, "comments": "Imported"},
                ]);
                client.post("/jobs/template_upload", json!({"rows": rows, "scenario_id": of})).await
            }
            18 => client.put("/jobs/move_to_pool", json!({"job_ids": [job]})).await,
            19 => {
                let pool = client.get("/jobs/pool").await.ok();
                let found = pool["data"][0]["id"].clone();
                let body = json!([{"id": found, "scenario_id": of}]);
                if found.is_null() {
                    client.post("/units", json!({"uid": name, "job_id": job})).await
                } else {
                    client.put("/jobs/move_jobs_from_pool", body).await
                }
            }
            20 if n.is_multiple_of(4) => {
                let body = json!({"driver_ids": drivers, "options": {"max_seconds": 1}});
                client.post(&format!("/optimise/scenarios/{of}"), body).await
            }
            20 => client.post(&format!("/optimise/runs/{run}"), json!({})).await,
            21 => client.post("/runs/dispatch", json!([{"run_id": run, "method": "qrcode"}])).await,
            _ => client.post("/duplicate_job", json!({"job_id": job})).await,
        }
    }
}

fn pick(dice: &mut StdRng, ids: &[i64]) -> i64 {
    ids[dice.random_range(0..ids.len())]
}

/// The driver of a run: starts, records proofs and positions, ends.
async fn drive(client: Client, run: Value, mut dice: StdRng) -> Tally {
    let mut tally = Tally::default();
    let started = client.put("/v2/runsheet/start_route", json!({"odometer": 100})).await;
    tally.count("a start", &started);
    let proofs = format!("/runsheet/{}/job_proofs", run["token"].as_str().expect("a token"));
    for _ in 2..DRIVEN {
        let sheet = client.get("/v2/runsheet").await.ok();
        let open: Vec<i64> = sheet["jobs"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|job| job["visited"] == false)
            .filter_map(|job| job["id"].as_i64())
            .collect();
        // Some stay open, for the planners to move.
        let answer = if open.len() > 2 && dice.random_bool(0.4) {
            let body = json!({"job_id": pick(&mut dice, &open), "success": dice.random_bool(0.8)});
            client.nobody().post(&proofs, body).await
        } else {
            let lat = 41.12 + f64::from(dice.random_range(0..100_u8)) / 1000.0;
            let point = json!([{"lat": lat, "lon": -8.62, "recorded_at": Utc::now()}]);
            client.post("/v2/runsheet/gps_points", point).await
        };
        tally.count("an action of the driver", &answer);
        tokio::time::sleep(Duration::from_millis(dice.random_range(0..80))).await;
    }
    tally.count("an end", &client.put("/v2/runsheet/end_route", json!({"odometer": 180})).await);
    tally
}

/// Follows by `/changes` alone, after pauses of any length, until told that nothing more comes.
async fn follow(mut screen: Screen, mut dice: StdRng, over: watch::Receiver<bool>) -> Screen {
    while !*over.borrow() {
        let _ = screen.catch_up().await;
        let pause = if dice.random_bool(0.1) { 900 } else { dice.random_range(0..120) };
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
    let _ = screen.catch_up().await;
    screen
}

/// Versions as a socket is told them, until the last one comes.
async fn listen(mut socket: Socket, mut last: watch::Receiver<i64>) -> Vec<i64> {
    let mut heard = Vec::new();
    loop {
        let now = *last.borrow();
        if now > 0 && heard.last().is_some_and(|version| *version >= now) {
            return heard;
        }
        tokio::select! {
            told = socket.hears("plan_changed", |_| true) => heard.push(told["version"].as_i64().expect("a version")),
            changed = last.changed() => changed.expect("the test goes on"),
        }
    }
}

/// W-001, S-45: 200 actions of two planners and a driver at the same time. Who follows by `/changes` ends with the server's
/// plan, versions have no gap, the socket is told each of them in order, and a refusal says who did what.
#[tokio::test]
async fn whoever_follows_a_storm_has_the_servers_plan() {
    let tenant = tenant().await;
    let body = json!({"name": "Storm", "scheduled_date": Utc::now().date_naive()});
    let scenario = tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
    let (mut drivers, mut runs) = (Vec::new(), Vec::new());
    for uid in ["Ana", "Rui", "Eva"] {
        let made = driver(&tenant, uid, json!({})).await;
        runs.push(run(&tenant, &scenario, &made, json!({})).await);
        drivers.push(made["id"].clone());
    }
    let mut ids = Vec::new();
    for n in 0..24_u8 {
        let body = job_at(&format!("S{n}"), 41.12 + 0.003 * f64::from(n), -8.62, json!({"size": "boxes:1"}));
        ids.push(add(&tenant, &scenario, body).await["id"].clone());
    }
    let first = format!("/runs/move_job_to_new/{}", runs[0]["id"]);
    let _ = tenant.planner.put(&first, json!({"job_ids": &ids[..10]})).await.ok();
    let body = json!({"token_uid": runs[0]["token"]});
    let sheet = tenant.planner.nobody().post("/auth/runsheet_token", body).await.ok();
    let road = tenant.planner.with_token(sheet["runsheet_token"].as_str().expect("a token"));

    // The refusal that there has to be, however fast the rest is brought up to date.
    let stale = Screen::open(&tenant.admin, &scenario).await.version;
    let onto = |at: usize| format!("/runs/move_job_to_new/{}", runs[at]["id"]);
    let _ = tenant.planner.put(&onto(1), json!({"job_ids": [ids[20]]})).await.ok();
    let refusal = tenant.admin.on_plan(stale).put(&onto(2), json!({"job_ids": [ids[20]]})).await;
    let mut sure = Tally::default();
    sure.count("a move of what was moved", &refusal);
    assert_eq!(sure.conflicts, 1, "{}", refusal.text());

    let replica = replica(0).await;
    let organisation = &tenant.organisation;
    let (socket, _) = Socket::plan(&replica, &organisation.token(organisation.admin), &scenario).await;
    let screen = Screen::open(&tenant.admin, &scenario).await;
    let began = screen.version;
    let (over, is_over) = watch::channel(false);
    let (last, is_last) = watch::channel(0);
    let listening = tokio::spawn(listen(socket, is_last));
    let following = tokio::spawn(follow(screen, StdRng::seed_from_u64(1), is_over));

    let mut people = tokio::task::JoinSet::new();
    for (seed, name, client) in [(2, "P", &tenant.planner), (3, "Q", &tenant.admin)] {
        let screen = Screen::open(client, &scenario).await;
        let dice = StdRng::seed_from_u64(seed);
        let planner = Planner { name, client: client.clone(), screen, dice, tally: Tally::default() };
        people.spawn(planner.work(json!(drivers)));
    }
    people.spawn(drive(road, runs[0].clone(), StdRng::seed_from_u64(4)));
    let (mut done, mut refused) = (0, 0);
    for tally in people.join_all().await {
        done += tally.done;
        refused += tally.conflicts + tally.late;
    }
    assert_eq!(done + refused, 2 * PLANNED + DRIVEN);
    assert!(done > 120, "{done} done, {refused} refused");

    over.send(true).expect("the follower goes on");
    let screen = following.await.expect("the follower's screen");
    screen.agrees("the storm").await;
    last.send(screen.version).expect("the listener goes on");
    let heard = tokio::time::timeout(Duration::from_secs(30), listening).await;
    let heard = heard.expect("the last change is told").expect("versions");
    let missed: Vec<i64> = (began + 1..=screen.version).filter(|version| !heard.contains(version)).collect();
    assert!(missed.is_empty(), "never told: {missed:?}");
    assert!(heard.is_sorted(), "{heard:?}");
}
