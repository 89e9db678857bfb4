//! An organisation with one of everything, made through the API as its people would.

use chrono::{DateTime, Utc};
use routewright_core::Clock;
use routewright_testing::Client;
use routewright_testing::calls::Things;
use serde_json::{Value, json};

use crate::execution::NOW;
use crate::files::PNG;
use crate::support::{Tenant, neighbour, tenant_at};

/// An organisation that has one of everything.
pub(super) struct Filled {
    pub tenant: Tenant,
    /// Its administrator.
    pub admin: Client,
    /// The driver of its run.
    pub driver: Client,
    /// Ids and tokens.
    pub things: Things,
}

impl Filled {
    /// Fills a fresh organisation; `word` stands in all its texts. Its ids begin above `first`, each table's in a range of
    /// its own, or at 1 as everywhere.
    pub(super) async fn new(word: &str, first: Option<i64>) -> Self {
        Self::fill(tenant_at(clock()).await, word, first).await
    }

    /// Another one behind the same service, with the ids that every organisation has.
    pub(super) async fn beside(&self, word: &str) -> Self {
        Self::fill(neighbour(&self.tenant, clock()).await, word, None).await
    }

    async fn fill(tenant: Tenant, word: &str, first: Option<i64>) -> Self {
        if let Some(first) = first {
            begin_ids(&tenant, first).await;
        }
        let (admin, driver) = (tenant.admin.clone(), tenant.admin.nobody());
        let mut filled = Self { tenant, admin, driver, things: Things::new() };
        filled.settings(word).await;
        filled.fleet(word).await;
        filled.planning(word).await;
        filled.items(word).await;
        filled.runs().await;
        filled.execution(word).await;
        filled
    }

    fn keep(&mut self, name: &str, value: &Value) {
        assert!(value.is_number() || value.is_string(), "{name}: {value}");
        self.things.insert(name.to_owned(), value.clone());
    }

    async fn make(&mut self, name: &str, path: &str, body: Value) -> Value {
        let made = self.admin.post(path, body).await.ok();
        self.keep(name, &made["id"]);
        made
    }

    async fn settings(&mut self, word: &str) {
        let organisation = &self.tenant.organisation;
        let (id, user, control) = (organisation.id, organisation.planner.id, organisation.control.clone());
        self.keep("organisation", &json!(id));
        self.keep("user", &json!(user));
        let haulier: i64 = sqlx::query_scalar(
            "insert into organisations (name, parent_organisation_id, timezone, state)
             values ($1, $2, 'Europe/Lisbon', 'ready') returning id",
        )
        .bind(format!("{word} haulier"))
        .bind(id)
        .fetch_one(&control)
        .await
        .unwrap();
        self.keep("haulier", &json!(haulier));
        self.tenant.app.gate.policies.forget(id);
        self.make("tag", "/tags", json!({"name": format!("{word} tag")})).await;
        self.make("reason", "/reasons", json!({"name": format!("{word} reason"), "ok": true})).await;
        self.make("scenario_reason", "/scenario_reasons", json!({"name": format!("{word} day")})).await;
        let name = format!("{word}.png");
        let file = self.admin.upload("/files/upload", &name, "image/png", PNG, &[]).await.ok();
        self.keep("file", &file["id"]);
        self.keep("file_uid", &file["uid"]);
        let link = self.admin.get(&format!("/files/get_temp_link/{}", file["id"])).await.ok();
        self.keep("ticket", &json!(link["link"].as_str().unwrap().rsplit_once('/').unwrap().1));
        self.make("secret", "/secrets", json!({"name": format!("{word}_sftp"), "value": "correct horse"}))
            .await;
        let sms = json!({"provider": "http", "account": word, "api_key": "key-of-the-gateway", "sender": "ACME",
            "base_url": "https://sms.example.com/send", "enabled": true});
        let _ = self.admin.post("/secrets/sms_configuration", sms).await.ok();
        let action = json!({"name": format!("{word} action"), "event": "job_created", "action": "add_tag",
            "config": {"tag": word}, "conditions": [], "enabled": false});
        self.make("action", "/udf/actions", action).await;
        let pattern =
            json!({"name": format!("{word} pattern"), "pattern": "(?P<scenario>x+)", "target": "job_import"});
        self.make("filename_regex", "/filename_regex", pattern).await;
        let value = json!({"group": "x", "key": word, "value": {"name": word}});
        self.make("config_value", "/config_values", value).await;
        let checklist = json!({"name": format!("{word} checklist"), "type": "start_route", "active": true,
            "fields": [{"id": "fuel", "label": word, "type": "text"}]});
        self.make("checklist", "/checklist/definitions", checklist).await;
    }

    async fn fleet(&mut self, word: &str) {
        let gone = json!({"uid": format!("{word} gone"), "name": format!("{word} gone")});
        let gone = self.make("gone", "/clients", gone).await;
        let _ = self.admin.delete(&format!("/clients/{}", gone["id"])).await.ok();
        let bin = self.admin.get("/bin").await.ok();
        self.keep("binned", &bin["data"][0]["id"]);
        let place = json!({"uid": word, "name": format!("{word} depot"), "address": format!("{word} street 1"),
            "lat": 41.15, "lon": -8.61});
        let made = self.make("location", "/locations", place.clone()).await;
        self.keep("location_option", &json!(format!("l{}", made["id"])));
        let client = json!({"uid": word, "name": format!("{word} shop"),
            "location": {"address": format!("{word} street 2"), "lat": 41.16, "lon": -8.62}});
        let made = self.make("client", "/clients", client).await;
        self.keep("client_option", &json!(format!("c{}", made["id"])));
        let rate = json!({"name": format!("{word} rate"), "cost_per_run": 45, "cost_per_km": 0.4,
            "cost_per_hour": 14.5, "cost_per_drop": 0.9});
        self.make("billing_rate", "/billing_rates", rate).await;
        let vehicle = json!({"uid": format!("{word}-van"), "billing_rate_id": self.things["billing_rate"]});
        self.make("vehicle", "/vehicles", vehicle).await;
        for name in ["driver", "driver2"] {
            let driver = json!({"uid": format!("{word} {name}"), "email": format!("{word}@example.org").to_lowercase(),
                "location": {"address": format!("{word} street 3"), "lat": 41.15, "lon": -8.63},
                "shift_start": "08:00", "shift_end": "17:00", "vehicle_id": self.things["vehicle"],
                "haulier_id": self.things["haulier"]});
            self.make(name, "/drivers", driver).await;
        }
        let device = json!({"uid": format!("{word} tracker"), "driver_id": self.things["driver"]});
        let device = self.make("tracking_device", "/tracking_devices", device).await;
        let path = format!("/tracking_devices/{}/key", device["id"]);
        let made = self.admin.put(&path, json!({})).await.ok();
        self.keep("device_key", &made["key"]);
        let config = json!({"driver_id": self.things["driver"], "name": word, "days": ["monday"]});
        self.make("driver_config", "/drivers/configs", config).await;
        let code = json!({"run_code": format!("{word}-17"), "driver_id": self.things["driver"]});
        self.make("run_code_map", "/gefco/run_code_maps", code).await;
        let ring = json!([[-8.7, 41.1], [-8.61, 41.1], [-8.61, 41.2], [-8.7, 41.2], [-8.7, 41.1]]);
        let area =
            json!({"name": format!("{word} west"), "geometry": {"type": "Polygon", "coordinates": [ring]}});
        self.make("territory", "/territories", area).await;
        let group = json!({"name": format!("{word} areas")});
        self.make("territory_group", "/territory_groups", group).await;
        let path = format!("/territory_groups/{}/assign_territory", self.things["territory_group"]);
        let _ = self.admin.post(&path, json!({"territory_ids": [self.things["territory"]]})).await.ok();
    }

    async fn planning(&mut self, word: &str) {
        for name in ["scenario", "scenario2"] {
            let body = json!({"name": format!("{word} {name}"), "scheduled_date": "2026-11-23"});
            let made = self.make(name, "/scenarios", body).await;
            let read = self.admin.get(&format!("/scenarios/{}", made["id"])).await.ok();
            self.keep(&name.replace("scenario", "ws_token"), &read["ws_token"]);
        }
        for (at, (name, scenario)) in [
            ("job", "scenario"),
            ("job2", "scenario"),
            ("job3", "scenario"),
            ("job4", "scenario2"),
            ("pool_job", ""),
            ("pool_job2", ""),
        ]
        .into_iter()
        .enumerate()
        {
            let lat = 41.15 + 0.01 * f64::from(u8::try_from(at).unwrap());
            let body = json!({"uid": format!("{word}-{name}"), "scenario_id": self.things.get(scenario),
                "customer_name": format!("{word} customer"), "client_id": self.things["client"],
                "customer_email": format!("{word}-customer@example.org").to_lowercase(),
                "location": {"address": format!("{word} street {at}"), "lat": lat, "lon": -8.61},
                "comments": format!("{word} comments"), "size": "boxes:2", "idm": true});
            let made = self.make(name, "/jobs", body).await;
            self.keep(&format!("{name}_tracking"), &made["tracking_token"]);
        }
        self.keep("job_option", &json!(format!("j{}", self.things["job"])));
        let doubtful = format!("{word} street 4");
        let mut database = self.tenant.organisation.database().await;
        sqlx::query(
            "insert into looked_up_addresses (address, lat, lon, label, confidence, kind, source)
             select lower(address), lat, lon, $1, 0.5, 'street', 'map' from jobs where address = $1",
        )
        .bind(&doubtful)
        .execute(&mut database)
        .await
        .unwrap();
        self.keep("doubtful_address", &json!(doubtful));
        let path = format!("/organisations/{}/information/reschedule_settings", self.things["organisation"]);
        let _ = self.admin.put(&path, json!({"enabled": true, "min_notice_hours": 0})).await.ok();
        let tags = json!({"tag_ids": [self.things["tag"]]});
        let _ = self.admin.post(&format!("/jobs/{}/assign_tags", self.things["job"]), tags).await.ok();
        let template = json!({"name": format!("{word} template"), "copy_of_scenario_id": self.things["scenario"],
            "default_active_driver_ids": [self.things["driver"]]});
        self.make("template", "/scenarios/templates", template).await;
        let optimise = json!({"driver_ids": [self.things["driver"]]});
        let path = format!("/optimise/background/scenarios/{}", self.things["scenario2"]);
        let _ = self.admin.post(&path, optimise).await.ok();
        self.nothing_due().await;
    }

    /// Workers of other tests take what is due in any organisation, and end optimisations that nothing queued belongs to.
    pub(super) async fn nothing_due(&self) {
        let mut database = self.tenant.organisation.database().await;
        for statement in [
            "delete from background_jobs where payload ->> 'task_id' is null",
            "update background_jobs set run_at = now() + interval '1 day'",
        ] {
            sqlx::query(statement).execute(&mut database).await.unwrap();
        }
    }

    async fn items(&mut self, word: &str) {
        self.make("container", "/containers", json!({"uid": format!("{word}-cage")})).await;
        let unit = json!({"uid": format!("{word}-crate"), "job_id": self.things["job"],
            "container_id": self.things["container"]});
        self.make("unit", "/units", unit).await;
        self.make("pool_unit", "/units", json!({"uid": format!("{word}-crate-2")})).await;
        let item = json!({"uid": format!("{word}-empty"), "job_id": self.things["job"]});
        self.make("return", "/returns", item).await;
        self.make("pool_return", "/returns", json!({"uid": format!("{word}-empty-2")})).await;
    }

    async fn runs(&mut self) {
        for (name, driver) in [("run", "driver"), ("run2", "driver2")] {
            let body = json!({"scenario_id": self.things["scenario"], "driver_id": self.things[driver]});
            let made = self.make(name, "/runs", body).await;
            self.keep(&format!("{name}_token"), &made["token"]);
        }
        let path = format!("/runs/move_job_to_new/{}", self.things["run"]);
        let jobs = json!({"job_ids": [self.things["job"], self.things["job2"]], "pool": false});
        let _ = self.admin.put(&path, jobs).await.ok();
        let body = json!({"token_uid": self.things["run_token"]});
        let answer = self.admin.nobody().post("/auth/runsheet_token", body).await.ok();
        self.driver = self.admin.with_token(answer["runsheet_token"].as_str().unwrap());
    }

    async fn execution(&mut self, word: &str) {
        let values = json!({"checklist_definition_id": self.things["checklist"], "values": {"fuel": word}});
        let made = self.driver.post("/v2/runsheet/checklist_submissions", values).await.ok();
        self.keep("submission", &made["id"]);
        let points = json!([{"lat": 41.15, "lon": -8.61, "recorded_at": NOW}]);
        let _ = self.driver.post("/v2/runsheet/gps_points", points).await.ok();
        let photo =
            self.driver.upload("/v2/runsheet/upload/file", "door.png", "image/png", PNG, &[]).await.ok();
        self.keep("photo", &photo["id"]);
        let proof = json!({"job_id": self.things["job"], "success": true, "reason_id": self.things["reason"],
            "photo_ids": [photo["id"]], "signature_name": format!("{word} signer"), "record_time": "2026-11-23 07:55:00"});
        let path = format!("/runsheet/{}/job_proofs", self.things["run_token"].as_str().unwrap());
        let made = self.admin.nobody().post(&path, proof).await.ok();
        self.keep("job_proof", &made["id"]);
        for kind in ["unit", "return", "container"] {
            let body = json!({format!("{kind}_id"): self.things[kind], "mode": "load", "comments": word});
            let made = self.driver.post(&format!("/v2/runsheet/{kind}_proofs"), body).await.ok();
            self.keep(&format!("{kind}_proof"), &made["id"]);
        }
        let record = json!({"id": "0c0ffee0-0000-4000-8000-000000000002", "kind": "stop", "job_id": 900_000_000,
            "job_uid": word, "captured_at": NOW, "job_proof": {"comments": word}});
        let kept = self.driver.post("/v2/runsheet/records", record).await.ok();
        self.keep("evidence", &kept["evidence_id"]);
        let start = json!({"mode": "start", "odometer": 100, "record_time": "2026-11-23 07:30:00"});
        let made = self.driver.post("/v2/runsheet/run_proofs", start).await.ok();
        self.keep("run_proof", &made["id"]);
        // Exports are written in the background; the row and its file are what matters here.
        let mut database = self.tenant.organisation.database().await;
        let check: String = sqlx::query_scalar("select token from proof_checks where job_id = $1")
            .bind(self.things["job"].as_i64())
            .fetch_one(&mut database)
            .await
            .unwrap();
        self.keep("check_token", &json!(check));
        let sheet = self.admin.upload("/files/upload", "sheet.png", "image/png", PNG, &[]).await.ok();
        sqlx::query("update files set prefix = 'export' where id = $1")
            .bind(sheet["id"].as_i64())
            .execute(&mut database)
            .await
            .unwrap();
        let export: i64 = sqlx::query_scalar(
            "insert into excel_exports (name, source, status, file_id) values ($1, 'jobs', 'ready', $2) returning id",
        )
        .bind(format!("{word} export"))
        .bind(sheet["id"].as_i64())
        .fetch_one(&mut database)
        .await
        .unwrap();
        self.keep("export", &json!(export));
        let asked: i64 = sqlx::query_scalar(
            "insert into reschedule_requests (job_id, date, note) values ($1, '2026-11-24', $2) returning id",
        )
        .bind(self.things["job"].as_i64())
        .bind(word)
        .fetch_one(&mut database)
        .await
        .unwrap();
        self.keep("reschedule_request", &json!(asked));
        let message: i64 = sqlx::query_scalar(
            "insert into partner_messages (partner, kind, run_id, document, state)
             values ('gefco', 'run_load', $1, jsonb_build_object('word', $2::text), 'failed') returning id",
        )
        .bind(self.things["run"].as_i64())
        .bind(word)
        .fetch_one(&mut database)
        .await
        .unwrap();
        self.keep("partner_message", &json!(message));
        for (name, state) in [("message", "unknown"), ("lost_message", "failed")] {
            let message: i64 = sqlx::query_scalar(
                "insert into messages (intent, channel, recipients, subject, state, run_id, job_id)
                 values ($1, 'email', array[$1 || '@example.org'], $1, $2, $3, $4) returning id",
            )
            .bind(format!("{word}-{name}"))
            .bind(state)
            .bind(self.things["run"].as_i64())
            .bind(self.things["job"].as_i64())
            .fetch_one(&mut database)
            .await
            .unwrap();
            self.keep(name, &json!(message));
        }
    }
}

fn clock() -> Clock {
    Clock::fixed(NOW.parse::<DateTime<Utc>>().unwrap())
}

/// Lets the ids of each table begin in a range of its own, far from those of other organisations.
async fn begin_ids(tenant: &Tenant, first: i64) {
    let schema = format!("org_{}", tenant.organisation.id);
    sqlx::query(
        "select setval(format('%I.%I', schemaname, sequencename)::regclass,
             $2 + 10000 * row_number() over (order by sequencename))
         from pg_sequences where schemaname = $1",
    )
    .bind(schema)
    .bind(first)
    .execute(&tenant.organisation.control)
    .await
    .unwrap();
}
