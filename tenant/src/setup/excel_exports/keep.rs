//! What became of an order: the file is kept for a week and told, or the reason why there is none.

use chrono::Duration;
use routewright_bus::queue;
use routewright_core::Result;
use routewright_core::http::respond::Download;
use routewright_identity::Caller;
use routewright_messaging::{About, Channel, Letter, NewMessage};
use sqlx::postgres::PgConnection;

use super::order::{ExportJob, Order};
use crate::app::App;
use crate::assignment::Assignment;
use crate::setup::{files, post};

/// How long the file is kept.
const KEPT: Duration = Duration::days(7);
/// Why an export failed whose job was lost.
const LOST: &str = "The export was interrupted. Please order it again.";

/// Keeps the file and tells whoever ordered it where it is.
///
/// # Errors
/// When the storage or the database cannot be reached; the job is repeated.
pub(crate) async fn deliver(assignment: &Assignment, order: &Order, file: Download) -> Result<()> {
    let Assignment { app, tenant, claimed, .. } = assignment;
    let name = file.name.clone();
    let extension = name.rsplit('.').next().unwrap_or("bin").to_owned();
    let kept = files::keep(app, &order.caller, &format!("exports/{}.{extension}", order.id), file).await?;
    let now = app.clock.now();
    let mut work = tenant.begin().await?;
    let done: Option<i64> = sqlx::query_scalar(
        "update excel_exports set status = 'ready', error = null, file_id = $2, expires_at = $3
         where id = $1 and status = 'pending' returning id",
    )
    .bind(order.id)
    .bind(kept)
    .bind(now + KEPT)
    .fetch_optional(&mut *work)
    .await?;
    if done.is_some() {
        tell(&mut work, app, order, &name).await?;
    }
    queue::complete(&mut work, claimed).await?;
    work.commit().await
}

/// Notes why there is no file.
///
/// # Errors
/// Database faults.
pub(crate) async fn give_up(assignment: &Assignment, id: i64, reason: &str) -> Result<()> {
    let mut work = assignment.tenant.begin().await?;
    let reason: String = reason.chars().filter(|c| *c != '\0').take(1000).collect();
    sqlx::query(
        "update excel_exports set status = 'failed', error = $2 where id = $1 and status = 'pending'",
    )
    .bind(id)
    .bind(reason)
    .execute(&mut *work)
    .await?;
    queue::complete(&mut work, &assignment.claimed).await?;
    work.commit().await
}

async fn tell(connection: &mut PgConnection, app: &App, order: &Order, name: &str) -> Result<()> {
    let caller: &Caller = &order.caller;
    let Some(user) = caller.user_id() else { return Ok(()) };
    let Some(address) = app.gate.policies.email_of(user).await? else { return Ok(()) };
    let link = format!("{}/dashboard/exports/exports", app.deployment.public_url);
    let until = (app.clock.now() + KEPT).with_timezone(&caller.policy()?.timezone).format("%Y/%m/%d %H:%M");
    let letter = Letter::new()
        .paragraph(format!("Your export {name} is ready."))
        .link("Sign in to download it", &link)
        .fact("Until", until.to_string());
    let message = NewMessage {
        intent: format!("export:{}", order.id),
        channel: Channel::Email,
        recipients: vec![address],
        subject: Some(format!("Your export {name} is ready")),
        body_text: letter.text(),
        body_html: Some(letter.html()),
        attachments: Vec::new(),
        about: About::Nothing,
    };
    post::notify(connection, caller, &message).await
}

/// Lets files go that were kept long enough, and ends orders whose job is lost. Called by the sweep.
///
/// # Errors
/// Database faults.
pub(crate) async fn expire(connection: &mut PgConnection) -> Result<()> {
    sqlx::query(
        "update files set state = 'deleted'
         where state = 'ready' and id in (select file_id from excel_exports where expires_at < now())",
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "update excel_exports e set status = 'failed', error = $1
         where e.status = 'pending' and not exists (
             select from background_jobs b
             where b.kind = $2 and b.state in ('queued', 'running') and (b.payload ->> 'export_id')::bigint = e.id
         )",
    )
    .bind(LOST)
    .bind(<ExportJob as routewright_bus::Job>::KIND)
    .execute(connection)
    .await?;
    Ok(())
}
