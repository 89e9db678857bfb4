//! What a person decides about a message that was not taken, or of which nobody knows.

use axum::Json;
use routewright_bus::{Notice, announce};
use routewright_core::http::Path;
use routewright_core::{Error, Result};
use routewright_tenancy::{Db, resource};
use serde_json::json;

use super::model::Message;
use crate::audit;
use crate::execution::dispatch;

/// `POST /messages/{id}/send_again`: once more to the same recipients. A run whose sheet it holds counts as dispatched again.
pub(super) async fn send_again(mut db: Db, Path(id): Path<i64>) -> Result<Json<Message>> {
    let only = "Only a message that was not taken, or that may not have arrived, can be sent again";
    decide(&mut db, id, &["failed", "unknown"], "pending", only).await
}

/// `POST /messages/{id}/arrived`: somebody knows that it did. A run whose sheet it holds counts as dispatched.
pub(super) async fn arrived(mut db: Db, Path(id): Path<i64>) -> Result<Json<Message>> {
    let only = "Only of a message of which nobody knows can it be said that it arrived";
    decide(&mut db, id, &["unknown"], "sent", only).await
}

async fn decide(db: &mut Db, id: i64, of: &[&str], state: &str, only: &str) -> Result<Json<Message>> {
    let caller = db.caller().clone();
    // Whom it concerns is looked at first.
    let before: Message = resource::find(db, &caller, id).await?;
    let intent: Option<String> = sqlx::query_scalar(
        "update messages
         set state = $3, error = null, attempts = case $3 when 'pending' then 0 else attempts end,
             sent_at = case $3 when 'sent' then modified end
         where id = $1 and state = any($2) returning intent",
    )
    .bind(id)
    .bind(of)
    .bind(state)
    .fetch_optional(&mut **db)
    .await?;
    let intent = intent.ok_or_else(|| Error::conflict(only))?;
    let change = audit::Change { id, field: "state".to_owned(), old: json!(before.state), new: json!(state) };
    audit::record(db, "message", [change], None).await?;
    dispatch::stands_again(db, &caller, &intent, id).await?;
    if state == "pending" {
        announce(db, Notice::Message { organisation: Some(caller.organisation()?) }).await?;
    }
    Ok(Json(resource::find(db, &caller, id).await?))
}
