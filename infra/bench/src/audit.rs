//! What the audit trail costs: saves through the API with its triggers, against the same saves without them, in turns.

use std::time::{Duration, Instant};

use anyhow::Result;
use http::Method;
use routewright_testing::TestOrganisation;
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;

use crate::deployment::{Browser, owner, serve};
use crate::report;

/// Turns of each kind of save, with and without the trail.
const TURNS: usize = 12;
/// Of a hundred times of each, the one that is compared: what else the machine does makes others longer.
const BEST: usize = 10;
/// Small saves of a turn.
const SAVES: usize = 100;
/// Rows of an imported file.
const ROWS: usize = 5000;
/// Runs whose stops change places in pairs, and the stops of each.
const RUNS: usize = 20;
const STOPS: usize = 50;

/// Measures.
pub(crate) async fn run() -> Result<()> {
    let organisation = TestOrganisation::new().await;
    let mut owner = owner(&organisation).await?;
    let mut saves = Saves::new(&organisation).await?;
    let (mut with, mut without) = (Times::default(), Times::default());
    for turn in 0..=TURNS {
        let mut sides = [(true, &mut with), (false, &mut without)];
        if turn % 2 == 1 {
            sides.reverse();
        }
        for (is_watched, times) in sides {
            watch(&mut owner, is_watched).await?;
            sqlx::raw_sql("vacuum analyze").execute(&mut owner).await?;
            saves.turn(times).await?;
        }
        if turn == 0 {
            // Connections, plans and caches are warm now.
            (with, without) = (Times::default(), Times::default());
        }
    }
    report::line(&format!("Audit trail, {TURNS} turns"))?;
    let what = [
        "POST /jobs",
        "PATCH /jobs/{id}",
        "POST /jobs/template_upload, 5,000 rows",
        "PUT /runs/bulk_move_jobs, 1,000 stops",
    ];
    for (at, what) in what.into_iter().enumerate() {
        let (with, without) = (std::mem::take(&mut with.0[at]), std::mem::take(&mut without.0[at]));
        let (with, without) = (report::percentile(&with, BEST), report::percentile(&without, BEST));
        report::ratio(what, with, "the same without its triggers", without)?;
    }
    Ok(())
}

/// Times of the four kinds of saves.
#[derive(Default)]
struct Times([Vec<Duration>; 4]);

/// Turns the trail's triggers on or off. What asks at the end of a request whether it has left an entry would write one then.
async fn watch(owner: &mut PgConnection, on: bool) -> Result<()> {
    let word = if on { "enable" } else { "disable" };
    let statement = format!(
        "do $$
         declare
             watched record;
         begin
             for watched in select tgrelid::regclass as table_name, tgname from pg_trigger
                 where tgname in ('audit_inserted', 'audit_updated', 'audit_deleted')
                     and tgrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
             loop
                 execute format('alter table %s {word} trigger %I', watched.table_name, watched.tgname);
             end loop;
             if to_regprocedure('audit_close_kept(boolean, text, bigint, boolean)') is null then
                 if {off} then
                     alter function audit_close(boolean, text, bigint, boolean) rename to audit_close_kept;
                     create function audit_close(boolean, text, bigint, boolean) returns void language plpgsql
                         as 'begin end';
                 end if;
             elsif not {off} then
                 drop function audit_close(boolean, text, bigint, boolean);
                 alter function audit_close_kept(boolean, text, bigint, boolean) rename to audit_close;
             end if;
         end
         $$",
        off = !on,
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(owner).await?;
    Ok(())
}

struct Saves {
    browser: Browser,
    scenario: Value,
    made: usize,
    /// A job whose field is edited.
    job: Value,
    /// Runs and what is on them.
    runs: Vec<Value>,
    stops: Vec<Vec<Value>>,
}

impl Saves {
    async fn new(organisation: &TestOrganisation) -> Result<Self> {
        let served = serve(60).await?;
        let mut browser = Browser::connect(&served, organisation).await?;
        let scenario = scenario(&mut browser, "Saves").await?;
        let plan = scenario_of_runs(&mut browser).await?;
        let job = browser.json(Method::POST, "/jobs", Some(&job(&scenario, 0))).await?;
        Ok(Self { browser, scenario, made: 1, job: job["id"].clone(), runs: plan.0, stops: plan.1 })
    }

    /// Every kind of save once, the small ones often.
    async fn turn(&mut self, times: &mut Times) -> Result<()> {
        for _ in 0..SAVES {
            self.made += 1;
            let body = job(&self.scenario, self.made);
            times.0[0].push(self.timed(Method::POST, "/jobs", &body).await?);
            let path = format!("/jobs/{}", self.job);
            let body = json!({"comments": format!("Ring {} times", self.made)});
            times.0[1].push(self.timed(Method::PATCH, &path, &body).await?);
        }
        let name = format!("Import {}", self.made);
        let scenario = scenario(&mut self.browser, &name).await?;
        let rows: Vec<Value> = (0..ROWS).map(|n| row(self.made * ROWS + n)).collect();
        let upload = json!({"rows": rows, "scenario_id": scenario});
        times.0[2].push(self.timed(Method::POST, "/jobs/template_upload", &upload).await?);
        // The next turn finds the tables as large as this one did.
        let path = format!("/scenarios/{scenario}?delete_jobs=true");
        self.browser.call(Method::DELETE, &path, None).await?;

        for pair in self.stops.chunks_mut(2) {
            pair.reverse();
        }
        let moves: Vec<Value> = std::iter::zip(&self.runs, &self.stops)
            .map(|(run, stops)| json!({"run_id": run, "job_ids": stops, "seq": 1}))
            .collect();
        times.0[3].push(self.timed(Method::PUT, "/runs/bulk_move_jobs", &json!({"moves": moves})).await?);
        Ok(())
    }

    async fn timed(&mut self, method: Method, path: &str, body: &Value) -> Result<Duration> {
        let began = Instant::now();
        self.browser.call(method, path, Some(body)).await?;
        Ok(began.elapsed())
    }
}

async fn scenario(browser: &mut Browser, name: &str) -> Result<Value> {
    let body = json!({"name": name, "scheduled_date": "2030-01-01"});
    Ok(browser.json(Method::POST, "/scenarios", Some(&body)).await?["id"].clone())
}

/// Runs with stops, the ids of both.
async fn scenario_of_runs(browser: &mut Browser) -> Result<(Vec<Value>, Vec<Vec<Value>>)> {
    let scenario = scenario(browser, "Moves").await?;
    let (mut runs, mut stops) = (Vec::new(), Vec::new());
    for run in 0..RUNS {
        let driver =
            json!({"uid": format!("D{run}"), "location": {"address": "Rua 1", "lat": 41.1, "lon": -8.6}});
        let driver = browser.json(Method::POST, "/drivers", Some(&driver)).await?;
        let body = json!({"scenario_id": scenario, "driver_id": driver["id"], "force": true});
        let made = browser.json(Method::POST, "/runs", Some(&body)).await?["id"].clone();
        let mut jobs = Vec::new();
        for stop in 0..STOPS {
            let body = job(&scenario, run * STOPS + stop);
            jobs.push(browser.json(Method::POST, "/jobs", Some(&body)).await?["id"].clone());
        }
        let body = json!({"moves": [{"run_id": made, "job_ids": jobs, "seq": 1}]});
        browser.call(Method::PUT, "/runs/bulk_move_jobs", Some(&body)).await?;
        runs.push(made);
        stops.push(jobs);
    }
    Ok((runs, stops))
}

fn job(scenario: &Value, n: usize) -> Value {
    let place = u32::try_from(n).map_or(0.0, f64::from) * 1e-5;
    json!({"uid": format!("S-{n}"), "scenario_id": scenario, "customer_name": format!("Customer {n}"),
        "location": {"address": format!("Rua {n}, Porto"), "lat": 41.1 + place, "lon": -8.6 - place}})
}

fn row(n: usize) -> Value {
    let place = u32::try_from(n % ROWS).map_or(0.0, f64::from) * 1e-5;
    json!({"uid": format!("J-{n}"), "customer_name": format!("Customer {n}"), "address": format!("Rua {n}, Porto"),
        "lat": 41.1 + place, "lon": -8.6 - place, "duration": "5", "arrive_after": "09:00", "leave_by": "17:00",
        "size": "boxes:2", "comments": "Ring twice"})
}
