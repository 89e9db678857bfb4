//! A submit that its client marked with a key: sent twice, it is done once. The key is claimed in the transaction that does
//! what was submitted.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode};
use routewright_core::{Error, Result};
use serde_json::Value;
use sqlx::postgres::PgConnection;

/// Text when a key marks two different submits: the second would be lost behind the answer of the first.
const OTHER_SUBMIT: &str = "Idempotency-Key was used before for other values. Please send a new one.";
/// Text when a submit was carried out and its answer cannot be repeated.
const DONE_BEFORE: &str =
    "This was submitted before and has been carried out. Please reload to see the result.";

/// Status and body that were answered, and what was asked for.
type Kept = (Option<i32>, Option<Value>, Option<Vec<u8>>);

/// What was submitted, and by whom.
#[derive(Debug)]
pub(crate) struct Submit {
    /// The client's mark.
    pub(crate) key: String,
    /// The user.
    pub(crate) user: Option<i64>,
    /// The run, for its driver.
    pub(crate) run: Option<i64>,
    /// Method and path.
    pub(crate) route: String,
    /// The values in short, where they are comparable.
    pub(crate) asked: Option<Vec<u8>>,
}

impl Submit {
    /// Claims the key; none when it was claimed before. While another submit of it is carried out, this one waits.
    pub(crate) async fn claim(&self, connection: &mut PgConnection) -> Result<Option<i64>> {
        Ok(sqlx::query_scalar(
            "insert into idempotency_keys (key, user_id, run_id, route, asked) values ($1, $2, $3, $4, $5)
             on conflict on constraint idempotency_keys_key_key do nothing returning id",
        )
        .bind(&self.key)
        .bind(self.user)
        .bind(self.run)
        .bind(&self.route)
        .bind(&self.asked)
        .fetch_optional(connection)
        .await?)
    }

    /// Gives a claim up, so that nothing counts as done that is not.
    pub(crate) async fn give_up(connection: &mut PgConnection, claim: i64) -> Result<()> {
        sqlx::query("delete from idempotency_keys where id = $1").bind(claim).execute(connection).await?;
        Ok(())
    }

    /// Keeps what a claim's submit was answered.
    pub(crate) async fn answered(
        connection: &mut PgConnection,
        claim: i64,
        status: StatusCode,
        response: Option<Value>,
    ) -> Result<()> {
        sqlx::query("update idempotency_keys set response_status = $2, response = $3 where id = $1")
            .bind(claim)
            .bind(i32::from(status.as_u16()))
            .bind(response)
            .execute(connection)
            .await?;
        Ok(())
    }

    /// What the first submit was answered; none when there was none.
    pub(crate) async fn repeated(&self, connection: &mut PgConnection) -> Result<Option<Response>> {
        let kept: Option<Kept> = sqlx::query_as(
            "select response_status, response, asked from idempotency_keys
             where key = $1 and user_id is not distinct from $2 and run_id is not distinct from $3 and route = $4",
        )
        .bind(&self.key)
        .bind(self.user)
        .bind(self.run)
        .bind(&self.route)
        .fetch_optional(connection)
        .await?;
        let Some(kept) = kept else { return Ok(None) };
        if kept.2.is_some() && self.asked.is_some() && kept.2 != self.asked {
            return Err(Error::conflict(OTHER_SUBMIT));
        }
        let status = kept
            .0
            .and_then(|status| u16::try_from(status).ok())
            .and_then(|status| StatusCode::from_u16(status).ok());
        let mut response = match (status, kept.1) {
            (Some(status), Some(body)) => (status, axum::Json(body)).into_response(),
            (Some(StatusCode::NO_CONTENT), None) => StatusCode::NO_CONTENT.into_response(),
            // Too large to be kept, a file, or the process was lost between its work and its answer.
            _ => return Err(done_before()),
        };
        response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
        Ok(Some(response))
    }
}

/// 409: another submit of the same key was faster.
pub(crate) fn done_before() -> Error {
    Error::conflict(DONE_BEFORE)
}
