//! Planning the day of a rehearsal, in the name of whoever made it and through the public API, as he would do it himself. Each
//! step finds what is there already, so that a process that was lost is followed by another one.

use std::time::Duration;

use chrono::NaiveDate;
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_identity::policy::Rehearsal;
use routewright_tenancy::db::Tenant;
use serde_json::{Value, json};

use super::day::Day;
use super::public_api::{PublicApi, Refused};
use super::still_hold;
use crate::app::App;

pub(super) const FIRST_STEP: &str = "Setting up the organisation";
/// Seconds of search for the plan.
const SEARCH: u32 = 10;
/// How often a plan that is made in the background is asked for, and how long.
const ASK: Duration = Duration::from_secs(1);
const ASK_TIMES: usize = 90;

/// Goes on with the planning until the day is dispatched. What the API refuses for good ends it with the reason.
///
/// # Errors
/// What may go well the next time.
pub(super) async fn go_on(
    app: &App,
    api: &PublicApi,
    caller: &Caller,
    rehearsal: &Rehearsal,
    tenant: &Tenant,
    name: &str,
) -> Result<()> {
    let Some(token) = token(app, caller, rehearsal).await? else {
        return fail(tenant, "Whoever made the rehearsal is no user any more").await;
    };
    let policy = caller.policy()?;
    let date = rehearsal.begins.with_timezone(&policy.timezone).date_naive();
    let planner = Planner { api, token, tenant, name, date };
    match planner.plan().await {
        Ok(()) => Ok(()),
        Err(Fault::Refused(Refused::ForGood(reason))) => fail(tenant, &reason).await,
        Err(Fault::Refused(other)) => Err(other.into()),
        Err(Fault::Ours(error)) => Err(error),
    }
}

/// An access token of whoever made the rehearsal; none when he is gone.
async fn token(app: &App, caller: &Caller, rehearsal: &Rehearsal) -> Result<Option<String>> {
    let home = app.gate.policies.of(rehearsal.made_from).await?;
    let maker = rehearsal.made_by.and_then(|user| Some((user, home.member(user)?.epoch)));
    let Some((user, epoch)) = maker else { return Ok(None) };
    let issued = app.gate.tokens.access(user, caller.organisation()?, epoch, Some(rehearsal.made_from))?;
    Ok(Some(issued.token))
}

async fn fail(tenant: &Tenant, reason: &str) -> Result<()> {
    let mut work = tenant.begin().await?;
    sqlx::query("update rehearsal set failure = $1").bind(reason).execute(&mut *work).await?;
    work.commit().await
}

enum Fault {
    Refused(Refused),
    Ours(Error),
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Ours(error)
    }
}

struct Planner<'a> {
    api: &'a PublicApi,
    token: String,
    tenant: &'a Tenant,
    name: &'a str,
    date: NaiveDate,
}

impl Planner<'_> {
    async fn plan(&self) -> Result<(), Fault> {
        let day = Day::read()?;
        self.step("Adding drivers", None).await?;
        let drivers = self.drivers(&day).await?;
        let scenario = self.scenario().await?;
        self.settings().await?;
        self.step("Importing deliveries", Some(scenario)).await?;
        let import = json!({ "rows": day.jobs, "scenario_id": scenario });
        self.api.post(&self.token, "/jobs/template_upload", &import).await?;
        self.step("Planning the day", Some(scenario)).await?;
        self.optimise(scenario, &drivers).await?;
        self.step("Sending run sheets", Some(scenario)).await?;
        self.dispatch(scenario).await?;
        let mut work = self.tenant.begin().await?;
        still_hold(&mut work, self.name).await?;
        sqlx::query("update rehearsal set step = 'Ready', scenario_id = $1, ready_at = now()")
            .bind(scenario)
            .execute(&mut *work)
            .await
            .map_err(Error::from)?;
        Ok(work.commit().await?)
    }

    /// Tells what comes next, and keeps the turn.
    async fn step(&self, step: &str, scenario: Option<i64>) -> Result<(), Fault> {
        let mut work = self.tenant.begin().await?;
        still_hold(&mut work, self.name).await?;
        sqlx::query("update rehearsal set step = $1, scenario_id = coalesce($2, scenario_id)")
            .bind(step)
            .bind(scenario)
            .execute(&mut *work)
            .await
            .map_err(Error::from)?;
        Ok(work.commit().await?)
    }

    async fn list(&self, path: &str) -> Result<Vec<Value>, Fault> {
        let mut answer = self.api.get(&self.token, path).await?;
        Ok(match answer["data"].take() {
            Value::Array(rows) => rows,
            _ => Vec::new(),
        })
    }

    async fn drivers(&self, day: &Day) -> Result<Vec<i64>, Fault> {
        let there = self.list("/drivers?per_page=300").await?;
        let mut ids = Vec::new();
        for driver in &day.drivers {
            let known = there.iter().find(|row| row["uid"] == driver["uid"]);
            let mut body = Value::Object(driver.clone());
            body["location"] = day.depot.clone();
            body["route_end"] = "start".into();
            let row = match known {
                Some(row) => row.clone(),
                None => self.api.post(&self.token, "/drivers", &body).await?,
            };
            ids.extend(row["id"].as_i64());
        }
        Ok(ids)
    }

    /// The plan of the rehearsed day, alone: the empty one that every organisation begins with becomes it, as somebody may be looking
    /// at it already.
    async fn scenario(&self) -> Result<i64, Fault> {
        const NAME: &str = "Rehearsal in Porto";
        let there = self.list("/scenarios?per_page=300").await?;
        let known = there.iter().find(|row| row["name"] == NAME).and_then(|row| row["id"].as_i64());
        if let Some(id) = known {
            return Ok(id);
        }
        let body = json!({ "name": NAME, "scheduled_date": self.date });
        let made = match there.iter().find(|row| row["jobs_count"] == 0) {
            Some(empty) => self.api.patch(&self.token, &format!("/scenarios/{}", empty["id"]), &body).await?,
            None => self.api.post(&self.token, "/scenarios", &body).await?,
        };
        made["id"].as_i64().ok_or_else(|| Error::internal("a scenario without an id").into())
    }

    /// Customers are told that the driver is coming, so that there is something to be seen among the messages.
    async fn settings(&self) -> Result<(), Fault> {
        let organisation = self.tenant.organisation();
        let path = format!("/organisations/{organisation}/information/notification_settings");
        let mut group = self.api.get(&self.token, &path).await?;
        if group["on_next_stop"] != json!(true) {
            group["on_next_stop"] = true.into();
            self.api.put(&self.token, &path, &group).await?;
        }
        Ok(())
    }

    async fn runs(&self, scenario: i64) -> Result<Vec<Value>, Fault> {
        self.list(&format!("/runs?scenario_id={scenario}&per_page=300")).await
    }

    async fn optimise(&self, scenario: i64, drivers: &[i64]) -> Result<(), Fault> {
        if self.runs(scenario).await?.iter().any(|run| !run["planned_start_time"].is_null()) {
            return Ok(());
        }
        let wanted =
            json!({ "driver_ids": drivers, "options": { "objective": "balanced", "max_seconds": SEARCH } });
        let path = format!("/optimise/background/scenarios/{scenario}");
        match self.api.post(&self.token, &path, &wanted).await {
            Ok(_) => {}
            // An earlier call is at it.
            Err(Refused::ForGood(text)) if text.starts_with("409") => {}
            Err(other) => return Err(other.into()),
        }
        for _ in 0..ASK_TIMES {
            let known = self.api.get(&self.token, &format!("/scenarios/{scenario}")).await?;
            match known["background_status"].as_str() {
                Some("failed") => {
                    return Err(Refused::ForGood("The day could not be planned".to_owned()).into());
                }
                Some("done") | None => return Ok(()),
                Some(_) => tokio::time::sleep(ASK).await,
            }
            self.step("Planning the day", Some(scenario)).await?;
        }
        Err(Refused::ForNow("the plan takes long".to_owned()).into())
    }

    async fn dispatch(&self, scenario: i64) -> Result<(), Fault> {
        let runs = self.runs(scenario).await?;
        let waiting: Vec<Value> = runs
            .iter()
            .filter(|run| run["dispatched"] == json!(false) && !run["planned_start_time"].is_null())
            .map(|run| json!({ "run_id": run["id"], "method": "email" }))
            .collect();
        if runs.is_empty() {
            return Err(Refused::ForGood("The plan has no runs".to_owned()).into());
        }
        if !waiting.is_empty() {
            self.api.post(&self.token, "/runs/dispatch", &waiting.into()).await?;
        }
        Ok(())
    }
}
