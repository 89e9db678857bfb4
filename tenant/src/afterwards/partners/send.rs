//! Sending the file to the partner's SFTP server. Every send is kept with what was said to it.

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Error, Kind, Result};
use routewright_messaging::{SendError, Sftp, SftpAccount, WayOut};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{PARTNER, file};
use crate::app::App;
use crate::setup::{post, secrets};

/// Text while there is no account.
const NOT_CONFIGURED: &str = "SFTP is not configured";

/// The file is on the server.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PartnerFileSent")]
pub(super) struct Sent {
    success: bool,
    /// Name of the file on the server.
    file_name: String,
}

/// `PUT /scenarios/{id}/{partner}_send_to_sftp`.
pub(super) async fn send(mut db: Db, State(app): State<App>, Path(id): Path<i64>) -> Result<Json<Sent>> {
    let caller = db.caller().clone();
    let file = file::of_scenario(&mut db, &caller, PARTNER, id).await?;
    let stored = secrets::value(&mut db, &app, caller.organisation()?, &format!("sftp_{PARTNER}")).await?;
    let stored = stored.ok_or_else(|| Error::bad_request(NOT_CONFIGURED))?;
    let account: SftpAccount = serde_json::from_str(&stored)
        .map_err(|error| Error::bad_request(format!("{NOT_CONFIGURED}: {error}")))?;
    let checksum: String = Sha256::digest(&file.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let message: i64 = sqlx::query_scalar(
        "insert into partner_messages (partner, kind, scenario_id, file_name, checksum, state, attempts, created_by)
         values ($1, 'csv', $2, $3, $4, 'sending', 1, $5) returning id",
    )
    .bind(PARTNER)
    .bind(id)
    .bind(&file.name)
    .bind(checksum)
    .bind(caller.user_id())
    .fetch_one(&mut *db)
    .await?;
    let Some(way) = WayOut::unless(caller.rehearses()) else {
        sqlx::query("update partner_messages set state = 'rehearsal', attempts = 0 where id = $1")
            .bind(message)
            .execute(&mut *db)
            .await?;
        let intent = format!("partner_file:{message}");
        post::keep(&mut db, (&intent, "partner"), &account.host, (&file.name, ""), (None, None)).await?;
        return Ok(Json(Sent { success: true, file_name: file.name }));
    };
    // No connection is held while the server takes its time.
    db.let_go().await?;
    let sftp = Sftp { allow_private: app.deployment.local };
    let sent = sftp.put(&way, &account, &file.name, &file.bytes).await;
    let error = sent.as_ref().err().map(ToString::to_string);
    let mut work = app.tenants.of(&caller)?.begin().await?;
    sqlx::query(
        "update partner_messages set state = case when $2::text is null then 'sent' else 'failed' end, error = $2,
             sent_at = case when $2::text is null then $3::timestamptz end
         where id = $1",
    )
    .bind(message)
    .bind(error)
    .bind(app.clock.now())
    .execute(&mut *work)
    .await?;
    work.commit().await?;
    match sent {
        Ok(()) => Ok(Json(Sent { success: true, file_name: file.name })),
        Err(SendError::Permanent(reason)) => Err(Error::bad_request(reason)),
        Err(SendError::Temporary(reason)) => Err(Error::new(Kind::BadGateway, reason)),
    }
}
