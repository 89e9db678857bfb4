//! Jobs as JSON lines.

use axum::extract::{Request, State};
use http::header;
use routewright_core::http::Query;
use routewright_core::http::body::{self, OwnOrganisation};
use routewright_core::transaction::watched;
use routewright_core::{Error, Given, Kind, Result};
use routewright_identity::Caller;
use routewright_tenancy::db::{Tenant, Work};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tracing::Instrument;

use super::answer::{self, Sender};
use super::lines::{Line, Lines};
use super::{BATCH, answer::lines};
use crate::app::App;
use crate::orders::jobs::{self, JobFields};

/// What the log of the plan says that it was.
const ROUTE: &str = "POST /jobs/bulk_upload";
/// Most lines of one upload.
const MOST_LINES: usize = 10_000;

/// Where the jobs go.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Target {
    /// The pool without.
    scenario_id: Option<i64>,
}

/// `POST /jobs/bulk_upload`: one job per line.
pub(super) async fn upload(
    caller: Caller,
    State(app): State<App>,
    Query(target): Query<Target>,
    request: Request,
) -> Result<answer::Lines> {
    let (parts, body) = request.into_parts();
    let token = {
        let header = |name| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media =
            header(header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !["application/x-ndjson", "application/ndjson", "application/jsonl"].contains(&media.as_str()) {
            return Err(Error::new(Kind::UnsupportedMedia, "Content-Type must be application/x-ndjson"));
        }
        header(header::AUTHORIZATION).split_once(' ').map(|(_, token)| token.trim().to_owned())
    };
    let tenant = app.tenants.of(&caller)?.named(ROUTE);
    if let Some(scenario) = target.scenario_id {
        let mut work = tenant.begin().await?;
        jobs::store::scenario_exists(&mut work, scenario).await?;
        work.rollback().await?;
    }
    let (sender, answer) = lines();
    let upload = Upload {
        caller,
        app,
        tenant,
        token: token.unwrap_or_default(),
        scenario: target.scenario_id,
        sender,
        uploaded: 0,
        failed: 0,
    };
    let run = async move { upload.run(Lines::of(body)).await };
    tokio::spawn(watched(ROUTE, run).in_current_span());
    Ok(answer)
}

struct Upload {
    caller: Caller,
    app: App,
    tenant: Tenant,
    token: String,
    scenario: Option<i64>,
    sender: Sender,
    uploaded: usize,
    failed: usize,
}

impl Upload {
    async fn run(mut self, mut lines: Lines) {
        let mut seen = 0;
        loop {
            let batch = lines.batch(BATCH).await;
            if batch.is_empty() {
                break;
            }
            let room = MOST_LINES - seen;
            seen += batch.len();
            let too_many = batch.get(room).map(|line| line.number);
            if let Err(error) = self.batch(batch.into_iter().take(room)).await {
                self.sender.line(error.body());
                return;
            }
            if let Some(number) = too_many {
                let text = format!("Line {number}: An upload can have at most {MOST_LINES} lines");
                self.sender.line(Error::bad_request(text).with("n", number).body());
                self.failed += 1;
                break;
            }
        }
        if lines.broken {
            self.sender.line(Error::bad_request("The request body ended early").body());
        }
        self.sender.line(json!({ "done": true, "uploaded": self.uploaded, "failed": self.failed }));
    }

    /// Stores the good lines of a batch and then tells about all of them.
    ///
    /// # Errors
    /// When nothing more can be stored; what was accepted before is committed and told.
    async fn batch(&mut self, lines: impl Iterator<Item = Line>) -> Result<()> {
        let mut work = self.tenant.begin().await?;
        let mut told = Vec::new();
        let mut stop = None;
        let mut uploaded = 0;
        for line in lines {
            // The upload may outlive its token.
            if let Err(error) = self.app.gate.by_access_token(&self.token).await {
                stop = Some(error);
                break;
            }
            match answer::apart(&mut work, async |work| self.store(work, &line).await).await {
                Ok((uid, id)) => {
                    uploaded += 1;
                    told.push(json!({ "n": line.number, "uid": uid, "id": id }));
                }
                Err(error) if error.kind().status().is_client_error() => told.push(refusal(&line, &error)),
                Err(error) => return Err(error),
            }
        }
        work.commit().await?;
        self.uploaded += uploaded;
        self.failed += told.len() - uploaded;
        told.into_iter().for_each(|line| self.sender.line(line));
        stop.map_or(Ok(()), Err)
    }

    async fn store(&self, work: &mut Work, line: &Line) -> Result<(String, i64)> {
        let text =
            line.text.as_deref().ok_or_else(|| Error::bad_request("The line is longer than 64 KiB"))?;
        let mut job: Value = body::parse(text)?;
        OwnOrganisation(self.caller.organisation()?.get()).take(&mut job)?;
        if let (Some(job), Some(scenario)) = (job.as_object_mut(), self.scenario) {
            job.insert("scenario_id".to_owned(), scenario.into());
        }
        let given: Given<JobFields> = Given::parse(job)?;
        let job = jobs::store::insert_for(work, &self.caller, &self.app, given).await?;
        Ok((job.uid, job.id))
    }
}

fn refusal(line: &Line, error: &Error) -> Value {
    let mut body = error.body();
    body["description"] = format!("Line {}: {}", line.number, error.description()).into();
    body["n"] = line.number.into();
    let uid = line.text.as_deref().and_then(|text| serde_json::from_slice::<Value>(text).ok());
    if let Some(uid) = uid.as_ref().and_then(|job| job["uid"].as_str()) {
        body["uid"] = uid.into();
    }
    body
}
