//! Every way in which a plan changes, whoever causes it: a screen that has it open is told within a second, and what it
//! fetches then is what changed.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::Utc;
use http::Method;
use routewright_core::http::routes::Row;
use routewright_testing::Client;
use routewright_testing::calls::Things;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::screen::Screen;
use super::steps::{By, Step, quiet, steps};
use crate::jobs::add;
use crate::moves::job_at;
use crate::optimise::wait_for_end;
use crate::realtime::{Replica, Socket, replica};
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant};
use crate::worker::ONE_AT_A_TIME;

/// The longest time from an answer to the word on the other screen, for 95 of 100: a machine that has other work may stand
/// still at any of them.
const BAR: Duration = Duration::from_secs(1);
/// When a word counts as lost.
const LOST: Duration = Duration::from_secs(30);

struct Day {
    tenant: Tenant,
    things: Things,
    driver: Client,
}

/// Two runs, jobs, and what hangs on them.
async fn day() -> Day {
    let tenant = tenant().await;
    let mut things = Things::new();
    let mut keep = |name: &str, value: &Value| {
        assert!(!value.is_null(), "{name}");
        things.insert(name.to_owned(), value.clone());
    };
    let tomorrow = Utc::now().date_naive() + chrono::Days::new(1);
    let body = json!({"name": "Ours", "scheduled_date": tomorrow});
    let scenario = tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
    keep("scenario", &scenario);
    let mut token = Value::Null;
    for uid in ["ana", "rui"] {
        let made = driver(&tenant, uid, json!({})).await;
        keep(&format!("{uid}_driver"), &made["id"]);
        let made = run(&tenant, &scenario, &made, json!({})).await;
        keep(uid, &made["id"]);
        keep(&format!("{uid}_token"), &made["token"]);
        if uid == "ana" {
            token = made["token"].clone();
        }
    }
    keep("eva_driver", &driver(&tenant, "eva", json!({})).await["id"]);
    for (n, uid) in (0_u8..).zip(["a", "b", "c", "d", "e", "f"]) {
        let body = job_at(
            uid,
            41.15 + 0.004 * f64::from(n),
            -8.62,
            json!({"customer_email": "a@example.org", "idm": true}),
        );
        let made = add(&tenant, &scenario, body).await;
        keep(uid, &made["id"]);
        keep(&format!("{uid}_tracking"), &made["tracking_token"]);
    }
    let ring = json!([[-8.7, 41.1], [-8.61, 41.1], [-8.61, 41.2], [-8.7, 41.2], [-8.7, 41.1]]);
    for (name, path, body) in [
        ("tag", "/tags", json!({"name": "Cold"})),
        ("reason", "/reasons", json!({"name": "Not home", "ok": false})),
        ("container", "/containers", json!({"uid": "Cage"})),
        ("area", "/territory_groups", json!({"name": "West"})),
        (
            "territory",
            "/territories",
            json!({"name": "West", "geometry": {"type": "Polygon", "coordinates": [ring]}}),
        ),
    ] {
        keep(name, &tenant.admin.post(path, body).await.ok()["id"]);
    }
    let path = format!("/organisations/{}/information/reschedule_settings", tenant.organisation.id);
    let week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let terms = json!({"enabled": true, "min_notice_hours": 0, "allowed_days": week});
    let _ = tenant.admin.put(&path, terms).await.ok();
    let sheet = tenant.planner.nobody().post("/auth/runsheet_token", json!({"token_uid": token})).await.ok();
    let driver = tenant.planner.with_token(sheet["runsheet_token"].as_str().expect("a token"));
    let unknown = json!({"id": "6f1c1c5e-54a9-4f3e-9d0e-0b5a6c0a1d02", "kind": "stop", "job_id": 999_999_999,
        "captured_at": Utc::now(), "job_proof": {"success": true}});
    keep("evidence", &driver.post("/v2/runsheet/records", unknown).await.ok()["evidence_id"]);
    Day { tenant, things, driver }
}

impl Day {
    fn client(&self, by: By) -> Client {
        match by {
            By::Planner => self.tenant.planner.clone(),
            By::Colleague => self.tenant.admin.clone(),
            By::Driver => self.driver.clone(),
            By::Customer | By::Sheet => self.tenant.planner.nobody(),
        }
    }

    fn id(&self, name: &str) -> &Value {
        self.things.get(name).unwrap_or_else(|| panic!("nobody has a `{name}`"))
    }

    /// Who is said to have done it.
    fn is_by(&self, by: By, change: &Value) -> bool {
        let organisation = &self.tenant.organisation;
        let user = match by {
            By::Planner => Some(organisation.planner.id),
            By::Colleague => Some(organisation.admin.id),
            By::Driver | By::Sheet | By::Customer => None,
        };
        let said = change["actor"].as_str().unwrap_or_default();
        json!(user) == change["user_id"]
            && match by {
                By::Driver => said == "The driver of ana",
                By::Sheet => said.starts_with("The driver"),
                _ => !said.is_empty(),
            }
    }
}

/// Another screen's socket, and how long each word took to it.
struct Ear {
    socket: Socket,
    waits: Vec<(String, Duration)>,
}

impl Ear {
    /// What is told until a version is reached.
    async fn hears(&mut self, version: i64, what: &str) -> Vec<Value> {
        let began = Instant::now();
        let mut told = Vec::new();
        loop {
            let next = timeout(LOST, self.socket.hears("plan_changed", |_| true)).await;
            let next = next.unwrap_or_else(|_| panic!("{what}: version {version} is never told: {told:?}"));
            let reached = next["version"].as_i64() >= Some(version);
            told.push(next);
            if reached {
                self.waits.push((what.to_owned(), began.elapsed()));
                return told;
            }
        }
    }

    fn was_quick(&self) {
        let late: Vec<_> = self.waits.iter().filter(|(_, wait)| *wait > BAR).collect();
        assert!(late.len() * 20 <= self.waits.len(), "of {} changes late: {late:?}", self.waits.len());
    }
}

/// Ids of rows.
fn ids(rows: &Value) -> Vec<&Value> {
    rows.as_array().into_iter().flatten().map(|row| &row["id"]).collect()
}

/// Holds an answer of `/changes` against what a step is to tell.
fn check(day: &Day, step: &Step, told: &Value) {
    let what = step.what;
    for (field, expected) in step.tells.as_object().into_iter().flatten() {
        match (field.as_str(), expected) {
            ("items" | "scenario", _) => assert_eq!(&told[field], expected, "{what}: {field}"),
            ("some", Value::String(list)) => assert!(!ids(&told[list]).is_empty(), "{what}: {told}"),
            (_, names) => {
                let rows = &told[field];
                let found = if field.starts_with("removed") {
                    rows.as_array().into_iter().flatten().collect()
                } else {
                    ids(rows)
                };
                for name in names.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    assert!(found.contains(&day.id(name)), "{what}: {field} without {name}: {told}");
                }
            }
        }
    }
}

async fn perform(day: &mut Day, step: &Step, table: &[Row], screen: &mut Screen, ear: &mut Ear) {
    let what = step.what;
    let answer = step.call.make(&day.client(step.by), &day.things, None).await.ok();
    for (name, pointer) in step.keeps {
        let value = answer.pointer(pointer).unwrap_or_else(|| panic!("{what}: no {pointer} in {answer}"));
        day.things.insert((*name).to_owned(), value.clone());
    }
    let now = screen.now().await;
    assert!(now > screen.version, "{what} is no step: {answer}");
    let events = ear.hears(now, what).await;
    let told = screen.catch_up().await;
    screen.agrees(what).await;
    let route = step.call.route(table).unwrap_or_else(|| panic!("{what} is no call of a route"));
    let action = if route.path == "/optimise/scenarios/{id}" {
        "optimise".to_owned()
    } else {
        format!("{} {}", route.method, route.path)
    };
    let changes = told["changes"].as_array().expect("changes");
    for told in [changes, &events] {
        let change = told.iter().find(|change| change["action"] == action);
        let change = change.unwrap_or_else(|| panic!("{what}: {action} is not told: {told:?}"));
        assert_eq!(change["version"].as_i64().map(|version| version <= now), Some(true), "{what}");
    }
    assert!(changes.iter().any(|change| day.is_by(step.by, change)), "{what}: by whom? {changes:?}");
    check(day, step, &told);
}

/// W-001, P-285, P-288: moves, edits, imports, the pool, merging, copying, deleting, optimising (here, of a run, in the
/// background, by a colleague), dispatch, the driver's start, proofs, corrections and end, validation: each is told to a
/// screen that has the plan open within a second, with who did it and what changed; and every route that writes is one of
/// them or one that no plan shows.
#[tokio::test]
async fn every_kind_of_change_is_told_within_a_second() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let mut day = day().await;
    let replica = replica(1).await;
    let organisation = &day.tenant.organisation;
    let scenario = day.id("scenario").clone();
    let token = organisation.token(organisation.admin);
    let (socket, answer) = Socket::plan(&replica, &token, &scenario).await;
    assert!(answer["sid"].is_string(), "{answer}");
    let mut ear = Ear { socket, waits: Vec::new() };
    let mut screen = Screen::open(&day.tenant.admin, &scenario).await;
    let table = routewright_tenant::routes::table().rows();
    let mut tried: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for step in steps() {
        let row = step.call.route(&table).unwrap_or_else(|| panic!("{} is no call of a route", step.what));
        *tried.entry((row.method.to_string(), row.path)).or_default() += 1;
        perform(&mut day, &step, &table, &mut screen, &mut ear).await;
        if step.what == "everything off the runs" {
            in_the_background(&day, &mut screen, &mut ear).await;
        }
        if step.what == "a customer's wish" {
            let wishes = day.tenant.planner.get("/reschedule_requests").await.ok();
            day.things.insert("wish".to_owned(), wishes["data"][0]["id"].clone());
        }
    }
    ear.was_quick();
    the_end(&day, &replica).await;
    for (method, path) in [
        ("POST", "/optimise/background/scenarios/{id}"),
        ("DELETE", "/scenarios/{id}"),
        ("DELETE", "/scenarios/bulk"),
    ] {
        let _ = tried.insert((method.to_owned(), path), 1);
    }
    let unknown: Vec<String> = table
        .iter()
        .filter(|row| row.method != "GET" && !quiet(row.path))
        .filter(|row| !tried.contains_key(&(row.method.to_string(), row.path)))
        .map(|row| format!("{} {}", row.method, row.path))
        .collect();
    assert!(unknown.is_empty(), "neither tried nor known to change no plan: {unknown:#?}");
}

/// A colleague's optimisation in the background: its begin is told, and its plan when the worker has written it.
async fn in_the_background(day: &Day, screen: &mut Screen, ear: &mut Ear) {
    let body =
        json!({"driver_ids": [day.id("ana_driver"), day.id("rui_driver")], "options": {"max_seconds": 1}});
    let path = format!("/optimise/background/scenarios/{}", screen.scenario);
    let _ = day.tenant.planner.post(&path, body).await.ok();
    assert_eq!(wait_for_end(&day.tenant, &screen.scenario).await["status"], "done");
    let now = screen.now().await;
    let events = ear.hears(now, "an optimisation in the background").await;
    assert_eq!(events[0]["action"], "POST /optimise/background/scenarios/{id}");
    let told = screen.catch_up().await;
    screen.agrees("an optimisation in the background").await;
    let steps = told["changes"].as_array().expect("changes");
    let last = steps.iter().rfind(|step| step["action"] == "optimise").expect("a plan");
    assert_eq!(last["user_id"], json!(day.tenant.organisation.planner.id), "whoever asked for it");
    assert!(ids(&told["jobs"]).contains(&day.id("a")) && !ids(&told["runs"]).is_empty(), "{told}");
}

/// A scenario that is deleted is told to whoever has it open, and is gone.
async fn the_end(day: &Day, replica: &Replica) {
    let organisation = &day.tenant.organisation;
    for route in ["/scenarios/{id}", "/scenarios/bulk"] {
        let body = json!({"name": "Short", "scheduled_date": "2026-11-24"});
        let scenario = day.tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
        let (socket, _) = Socket::plan(replica, &organisation.token(organisation.admin), &scenario).await;
        let mut ear = Ear { socket, waits: Vec::new() };
        let path = route.replace("{id}", &scenario.to_string());
        let many = route.ends_with("/bulk").then(|| json!({"ids": [scenario]}));
        let _ = day.tenant.planner.call(Method::DELETE, &path, many).await.ok();
        let told = ear.hears(1, "a scenario deleted").await;
        let action = format!("DELETE {route}");
        assert_eq!((&told[0]["scenario_id"], &told[0]["action"]), (&scenario, &json!(action)));
        let gone = day.tenant.admin.get(&format!("/scenarios/{scenario}/changes?since=0")).await.refused(404);
        assert_eq!(gone["description"], "Scenario not found");
    }
}
