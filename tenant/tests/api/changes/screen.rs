//! A screen that has a plan open.

use std::collections::BTreeMap;

use routewright_testing::Client;
use serde_json::{Value, json};

/// The rows that a screen read when it was opened, and from then on what it was told.
pub(super) struct Screen {
    /// Whose screen it is.
    pub(super) client: Client,
    /// Id of the scenario.
    pub(super) scenario: Value,
    /// Version of the plan that the rows have.
    pub(super) version: i64,
    /// Jobs by id.
    pub(super) jobs: BTreeMap<i64, Value>,
    /// Runs by id.
    pub(super) runs: BTreeMap<i64, Value>,
}

fn by_id(page: &Value) -> BTreeMap<i64, Value> {
    let rows = page["data"].as_array().expect("rows");
    assert_eq!(page["total_count"].as_u64(), u64::try_from(rows.len()).ok(), "one page holds all");
    rows.iter().map(|row| (row["id"].as_i64().expect("an id"), row.clone())).collect()
}

fn take(rows: &mut BTreeMap<i64, Value>, changed: &Value, removed: &Value) {
    for row in changed.as_array().into_iter().flatten() {
        rows.insert(row["id"].as_i64().expect("an id"), row.clone());
    }
    for id in removed.as_array().into_iter().flatten() {
        rows.remove(&id.as_i64().expect("an id"));
    }
    // The scenario within a run is the scenario's business.
    for row in rows.values_mut().filter(|row| row["scenario"].is_object()) {
        row["scenario"] = Value::Null;
    }
}

impl Screen {
    /// Opens a plan.
    pub(super) async fn open(client: &Client, scenario: &Value) -> Self {
        let mut screen = Self {
            client: client.clone(),
            scenario: scenario.clone(),
            version: 0,
            jobs: BTreeMap::new(),
            runs: BTreeMap::new(),
        };
        screen.version = screen.now().await;
        (screen.jobs, screen.runs) = screen.read().await;
        screen
    }

    /// The version of the plan as the server has it now.
    pub(super) async fn now(&self) -> i64 {
        let found = self.client.get(&format!("/scenarios/{}", self.scenario)).await.ok();
        found["version"].as_i64().expect("a version")
    }

    /// Jobs and runs as the server lists them now.
    async fn read(&self) -> (BTreeMap<i64, Value>, BTreeMap<i64, Value>) {
        let of = &self.scenario;
        let jobs = self.client.get(&format!("/jobs?scenario_ids={of}&per_page=300")).await.ok();
        let runs = format!("/runs?scenario_id={of}&route=true&jobs=false&per_page=300");
        let mut runs = by_id(&self.client.get(&runs).await.ok());
        take(&mut runs, &Value::Null, &Value::Null);
        (by_id(&jobs), runs)
    }

    /// Takes in what changed since the version that it has; the steps must follow on it without a gap. The answer.
    pub(super) async fn catch_up(&mut self) -> Value {
        let path = format!("/scenarios/{}/changes?since={}", self.scenario, self.version);
        let told = self.client.get(&path).await.ok();
        assert_eq!(told["reload"], false, "{told}");
        let steps = told["changes"].as_array().into_iter().flatten();
        for (version, step) in (self.version + 1..).zip(steps) {
            assert_eq!(step["version"], version, "a gap after version {}", self.version);
            self.version = version;
        }
        assert_eq!(told["version"], self.version);
        take(&mut self.jobs, &told["jobs"], &told["removed_job_ids"]);
        take(&mut self.runs, &told["runs"], &told["removed_run_ids"]);
        told
    }

    /// Holds what is shown against the server.
    pub(super) async fn agrees(&self, what: &str) {
        let (jobs, runs) = self.read().await;
        assert_eq!(self.jobs, jobs, "jobs after {what}");
        assert_eq!(self.runs, runs, "runs after {what}");
    }

    /// Takes in what changed, which must be that many steps, and holds it against the server. The answer.
    pub(super) async fn follow(&mut self, steps: i64, what: &str) -> Value {
        let before = self.version;
        let told = self.catch_up().await;
        assert_eq!(told["version"], json!(before + steps), "{what}");
        self.agrees(what).await;
        told
    }
}
