//! Keeping a document and handing it over.

use std::time::Duration;

use routewright_core::{Error, Result};
use routewright_messaging::{Outbound, WayOut};
use routewright_tenancy::Db;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Answer;
use super::documents::{About, Kind};
use crate::app::App;
use crate::setup::{post, secrets};

/// Name of the secret with the endpoint: `{"url": "https://…", "token": "…", "name": "…"}`.
const ENDPOINT: &str = "gefco_endpoint";
/// Name of the forwarder's system unless the endpoint has another.
const SYSTEM: &str = "GEFCO";

/// Where the forwarder's system takes documents.
#[derive(Deserialize)]
struct Endpoint {
    url: String,
    /// Sent as bearer token.
    #[serde(default)]
    token: Option<String>,
    /// What planners call the system.
    #[serde(default)]
    name: Option<String>,
}

/// Keeps a document and hands it over where an endpoint is stored. What the other side does not take stays in the outbox,
/// to be sent again; without an endpoint it waits there as `pending`.
pub(super) async fn send(mut db: Db, app: &App, about: About, document: Value) -> Result<Answer> {
    let message: i64 = sqlx::query_scalar(
        "insert into partner_messages (partner, kind, scenario_id, run_id, job_id, document, created_by)
         values ('gefco', $1, $2, $3, $4, $5, $6) returning id",
    )
    .bind(about.kind.name())
    .bind(about.scenario)
    .bind(about.run)
    .bind(about.job)
    .bind(&document)
    .bind(db.caller().user_id())
    .fetch_one(&mut *db)
    .await?;
    hand_over(db, app, message, about.kind, document).await
}

/// Hands a document over again.
pub(super) async fn again(mut db: Db, app: &App, message: i64) -> Result<Answer> {
    let (kind, document): (String, Option<Value>) =
        sqlx::query_as("select kind, document from partner_messages where id = $1 for update")
            .bind(message)
            .fetch_one(&mut *db)
            .await?;
    hand_over(db, app, message, Kind::of(&kind), document.unwrap_or(Value::Null)).await
}

async fn hand_over(mut db: Db, app: &App, message: i64, kind: Kind, document: Value) -> Result<Answer> {
    let caller = db.caller().clone();
    let stored = secrets::value(&mut db, app, caller.organisation()?, ENDPOINT).await?;
    let endpoint: Option<Endpoint> = stored
        .map(|text| serde_json::from_str(&text))
        .transpose()
        .map_err(|error| Error::bad_request(format!("The forwarder's endpoint is not usable: {error}")))?;
    let Some(endpoint) = endpoint else {
        // It waits in the outbox: nothing is said to be sent that has not left.
        let description =
            format!("{} kept for {SYSTEM}: no endpoint is stored, so it was not sent", kind.label());
        return Ok(Answer { success: true, description });
    };
    let Some(way) = WayOut::unless(caller.rehearses()) else {
        return keep(db, message, kind, &endpoint.url, &document).await;
    };
    sqlx::query("update partner_messages set state = 'sending', attempts = attempts + 1 where id = $1")
        .bind(message)
        .execute(&mut *db)
        .await?;
    // The document is kept, whatever happens while it is handed over; no connection is held meanwhile.
    db.let_go().await?;
    let error = call(&way, app, &endpoint, message, &document).await.err();
    let system = endpoint.name.unwrap_or_else(|| SYSTEM.to_owned());
    let mut work = app.tenants.of(&caller)?.begin().await?;
    sqlx::query(
        "update partner_messages set state = case when $2::text is null then 'sent' else 'failed' end, error = $2,
             sent_at = case when $2::text is null then $3::timestamptz end
         where id = $1",
    )
    .bind(message)
    .bind(&error)
    .bind(app.clock.now())
    .execute(&mut *work)
    .await?;
    work.commit().await?;
    Ok(match error {
        None => Answer { success: true, description: format!("{} sent to {system}", kind.label()) },
        Some(reason) => Answer { success: false, description: reason },
    })
}

/// Nothing leaves a rehearsal: the document is kept among the messages.
async fn keep(mut db: Db, message: i64, kind: Kind, to: &str, document: &Value) -> Result<Answer> {
    let (run, job): (Option<i64>, Option<i64>) = sqlx::query_as(
        "update partner_messages set state = 'rehearsal', error = null where id = $1 returning run_id, job_id",
    )
    .bind(message)
    .fetch_one(&mut *db)
    .await?;
    let intent = format!("forwarder:{message}");
    let said = (kind.label(), document.to_string());
    post::keep(&mut db, (&intent, "partner"), to, (said.0, &said.1), (run, job)).await?;
    let description = format!("{} kept: this is a rehearsal, nothing is sent", kind.label());
    Ok(Answer { success: true, description })
}

async fn call(
    way: &WayOut,
    app: &App,
    endpoint: &Endpoint,
    message: i64,
    document: &Value,
) -> Result<(), String> {
    let outbound = Outbound::new(app.deployment.local, Duration::from_secs(15))
        .map_err(|error| format!("The forwarder's system cannot be reached: {error}"))?;
    let mut request = outbound.post(&endpoint.url)?.header("content-type", "application/json");
    if let Some(token) = &endpoint.token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    // The number lets the other side recognise what it was sent before.
    let body = json!({ "message_id": message, "document": document }).to_string();
    match outbound.send(way, request.body(body)).await {
        Ok(answer) if answer.status.is_success() => Ok(()),
        Ok(answer) => Err(format!("The forwarder's system answered {}", answer.status.as_u16())),
        Err(error) => Err(format!("The forwarder's system cannot be reached: {error}")),
    }
}
