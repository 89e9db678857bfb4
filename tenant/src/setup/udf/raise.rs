//! Carries out the actions of an event, inside the transaction in which it happened: messages go into the outbox, webhooks
//! wait for the worker, and what changes a job is handed back to whoever owns it.

use routewright_bus::queue;
use routewright_core::{Jsonb, Module, Result};
use routewright_identity::Caller;
use routewright_messaging::{About, Channel, NewMessage};
use serde_json::{Map, Value, json};
use sqlx::{FromRow, PgConnection};

use super::conditions::{self, Condition};
use super::webhook::Webhook;
use crate::setup::information::{self, Udf};
use crate::setup::post;

/// What an action wants changed on the job of the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The tag of this name.
    AddTag(String),
    /// The extra field of this name gets this value.
    SetExtraField(String, String),
}

#[derive(FromRow)]
struct Action {
    id: i64,
    conditions: Jsonb<Vec<Condition>>,
    action: String,
    config: Jsonb<Map<String, Value>>,
}

/// Whether anything is to be done on an event: asked before much is read for it.
///
/// # Errors
/// Database faults.
pub(crate) async fn wanted(
    connection: &mut PgConnection,
    caller: &Caller,
    event: &'static str,
) -> Result<bool> {
    if !caller.has(Module::Udf) {
        return Ok(false);
    }
    Ok(sqlx::query_scalar("select exists (select from udf_actions where enabled and event = $1)")
        .bind(event)
        .fetch_one(connection)
        .await?)
}

/// Tells that something happened. Answers what is to be changed on its job.
///
/// # Errors
/// Database faults; an action that cannot be carried out is recorded and refuses nothing.
pub(crate) async fn raise(
    connection: &mut PgConnection,
    caller: &Caller,
    event: &'static str,
    data: &Value,
) -> Result<Vec<Effect>> {
    if !caller.has(Module::Udf) {
        return Ok(Vec::new());
    }
    let actions: Vec<Action> = sqlx::query_as(
        "select id, conditions, action, config from udf_actions where enabled and event = $1 order by id",
    )
    .bind(event)
    .fetch_all(&mut *connection)
    .await?;
    if actions.is_empty() || !information::of::<Udf>(&mut *connection).await?.enabled {
        return Ok(Vec::new());
    }
    let mut effects = Vec::new();
    for action in actions.iter().filter(|action| conditions::hold(&action.conditions, data)) {
        effects.extend(action.carry_out(connection, caller, event, data).await?);
    }
    Ok(effects)
}

impl Action {
    async fn carry_out(
        &self,
        connection: &mut PgConnection,
        caller: &Caller,
        event: &str,
        data: &Value,
    ) -> Result<Option<Effect>> {
        let text =
            |field: &str| self.config.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let waits = self.action == "webhook";
        let run: i64 = sqlx::query_scalar(
            "insert into udf_runs (action_id, event, payload, status, attempts, finished)
             values ($1, $2, $3, case when $4 then 'pending' else 'done' end, case when $4 then 0 else 1 end,
                 case when $4 then null else now() end)
             returning id",
        )
        .bind(self.id)
        .bind(event)
        .bind(json!({ "event": event, "data": data }))
        .bind(waits)
        .fetch_one(&mut *connection)
        .await?;
        let channel = match self.action.as_str() {
            "add_tag" => return Ok(Some(Effect::AddTag(text("tag")))),
            "set_extra_field" => return Ok(Some(Effect::SetExtraField(text("name"), text("value")))),
            "email" => Channel::Email,
            "sms" => Channel::Sms,
            _ => {
                queue::enqueue(connection, &Webhook { run }).await?;
                return Ok(None);
            }
        };
        let message = NewMessage {
            intent: format!("udf:{run}"),
            channel,
            recipients: text("to").split(',').map(|to| to.trim().to_owned()).collect(),
            subject: (channel == Channel::Email).then(|| text("subject")),
            body_text: text("text"),
            body_html: None,
            attachments: Vec::new(),
            about: About::Nothing,
        };
        if let Err(error) = post::queue(&mut *connection, caller, &message).await {
            if !error.kind().status().is_client_error() {
                return Err(error);
            }
            sqlx::query("update udf_runs set status = 'failed', error = $2 where id = $1")
                .bind(run)
                .bind(error.description())
                .execute(connection)
                .await?;
        }
        Ok(None)
    }
}
