//! A run with jobs, ready to be dispatched and driven.

use chrono::{DateTime, Utc};
use routewright_core::Clock;
use routewright_testing::Client;
use serde_json::{Value, json};

use crate::support::{Tenant, tenant_at};

/// A Monday in winter, so that Lisbon is at UTC.
pub(crate) const NOW: &str = "2026-11-23T08:00:00Z";

/// A run with three jobs.
pub(crate) struct Ready {
    pub tenant: Tenant,
    pub clock: Clock,
    pub scenario: Value,
    pub run: Value,
    pub jobs: Vec<Value>,
}

/// A run of driver Ana with three jobs in Porto, planned on the day of [`NOW`].
pub(crate) async fn ready() -> Ready {
    let clock = Clock::fixed(NOW.parse::<DateTime<Utc>>().unwrap());
    let tenant = tenant_at(clock.clone()).await;
    let body = json!({"name": "Monday", "scheduled_date": "2026-11-23"});
    let scenario = tenant.planner.post("/scenarios", body).await.ok();
    let driver = json!({
        "uid": "Ana", "location": {"address": "Avenida da Boavista 1, Porto", "lat": 41.158, "lon": -8.63},
        "shift_start": "08:00", "shift_end": "17:00", "email": "ana@example.org",
    });
    let driver = tenant.planner.post("/drivers", driver).await.ok();
    let body = json!({"scenario_id": scenario["id"], "driver_id": driver["id"]});
    let run = tenant.planner.post("/runs", body).await.ok();
    let mut ids = Vec::new();
    for (at, uid) in ["J1", "J2", "J3"].into_iter().enumerate() {
        let lat = 41.15 + 0.01 * f64::from(u8::try_from(at).unwrap());
        let job = json!({
            "uid": uid, "scenario_id": scenario["id"], "customer_name": format!("Customer {uid}"),
            "customer_email": format!("{}@example.org", uid.to_lowercase()), "phone_number": "+351220000001",
            "location": {"address": format!("Rua {uid}, Porto"), "lat": lat, "lon": -8.61}, "comments": "Ring twice",
            "consignor_info": "Supplier 7", "size": "boxes:2",
        });
        ids.push(tenant.planner.post("/jobs", job).await.ok()["id"].clone());
    }
    let path = format!("/runs/move_job_to_new/{}", run["id"]);
    let _ = tenant.planner.put(&path, json!({"job_ids": ids, "seq": null, "pool": false})).await.ok();
    let run = tenant.planner.get(&format!("/runs/{}", run["id"])).await.ok();
    let jobs = run["jobs"].as_array().unwrap().clone();
    Ready { tenant, clock, scenario, run, jobs }
}

impl Ready {
    /// Calls as the planner, with a token of this moment.
    pub(crate) fn planner(&self) -> Client {
        let organisation = &self.tenant.organisation;
        self.tenant.planner.with_token(organisation.token(organisation.planner))
    }

    /// Calls as the driver, with a run sheet token.
    pub(crate) async fn driver(&self) -> Client {
        let body = json!({"token_uid": self.run["token"]});
        let answer = self.tenant.planner.nobody().post("/auth/runsheet_token", body).await.ok();
        self.tenant.planner.with_token(answer["runsheet_token"].as_str().unwrap())
    }

    /// Records a proof of a job as the driver.
    pub(crate) async fn prove(&self, job: usize, fields: Value) -> Value {
        let mut body = json!({"job_id": self.jobs[job]["id"], "success": true});
        for (name, value) in fields.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.tenant.planner.nobody().post(&self.job_proofs(), body).await.ok()
    }

    /// Where the driver's job proofs go.
    pub(crate) fn job_proofs(&self) -> String {
        format!("/runsheet/{}/job_proofs", self.run["token"].as_str().unwrap())
    }

    /// Events of a kind that were told so far, the oldest first.
    pub(crate) async fn events(&self, name: &str) -> Vec<Value> {
        let database = &mut self.tenant.organisation.database().await;
        sqlx::query_scalar("select payload from events where name = $1 order by id")
            .bind(name)
            .fetch_all(database)
            .await
            .unwrap()
    }

    /// Mails to an address, the oldest first: subject, text, number of attachments.
    pub(crate) async fn mails(&self, address: &str) -> Vec<(String, String, i32)> {
        let database = &mut self.tenant.organisation.database().await;
        sqlx::query_as(
            "select coalesce(subject, ''), body_text, jsonb_array_length(attachments) from messages
             where $1 = any(recipients) order by id",
        )
        .bind(address)
        .fetch_all(database)
        .await
        .unwrap()
    }

    /// The run as it is now.
    pub(crate) async fn reload(&self) -> Value {
        self.planner().get(&format!("/runs/{}", self.run["id"])).await.ok()
    }

    /// The scenario's stage as it is now.
    pub(crate) async fn stage(&self) -> Value {
        let path = format!("/scenarios/{}", self.scenario["id"]);
        self.planner().get(&path).await.ok()["stage"].clone()
    }
}
