//! Sends what an organisation has put into its outbox.

use routewright_core::{OrganisationId, Result};
use routewright_messaging::{Channel, Sender, WayOut, claim_message, keep_unsent, mark_failed, mark_sent};
use routewright_tenancy::db::Tenant;
use serde_json::Value;

use crate::app::App;
use crate::setup::secrets;

/// Sends one message after the other until none is due.
///
/// # Errors
/// When the outbox cannot be read.
pub(crate) async fn send_all(app: &App, organisation: OrganisationId) -> Result<()> {
    let caller = app.gate.worker(organisation).await?;
    let tenant = app.tenants.of(&caller)?;
    let Some(way) = WayOut::unless(caller.rehearses()) else { return keep_all(&tenant).await };
    let folder = app.storage.organisation(organisation.get());
    loop {
        let mut work = tenant.begin().await?;
        let message = claim_message(&mut work).await?;
        let sender = match &message {
            Some(_) => sender(&mut work, &tenant.policy().name).await?,
            None => Sender::default(),
        };
        let account = match &message {
            Some(message) if message.channel == Channel::Sms => {
                secrets::sms_account(&mut work, app, organisation).await?
            }
            _ => None,
        };
        work.commit().await?;
        let Some(message) = message else { return Ok(()) };
        // Organisations without an SMS account of their own cannot send text messages; the post office says so.
        let sent = app.post.send(&way, &message, Some(&folder), &sender, account.as_ref()).await;
        let mut work = tenant.begin().await?;
        match sent {
            Ok(id) => mark_sent(&mut work, &message, id.as_deref()).await?,
            Err(error) => {
                tracing::info!(%organisation, message = message.id, %error, "a message was not accepted");
                mark_failed(&mut work, &message, &error).await?;
            }
        }
        work.commit().await?;
    }
}

/// Nothing leaves a rehearsal: its messages are kept as what they are, written and not sent.
async fn keep_all(tenant: &Tenant) -> Result<()> {
    let mut work = tenant.begin().await?;
    keep_unsent(&mut work).await?;
    work.commit().await
}

/// How the organisation wants to appear: notification settings, else its name.
async fn sender(connection: &mut sqlx::PgConnection, organisation: &str) -> Result<Sender> {
    let settings: Option<Value> =
        sqlx::query_scalar("select value from information_groups where name = 'notification_settings'")
            .fetch_optional(connection)
            .await?;
    let text = |key: &str| {
        settings
            .as_ref()
            .and_then(|settings| settings.get(key))
            .and_then(Value::as_str)
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    Ok(Sender {
        name: text("sender_name").or_else(|| Some(organisation.to_owned())),
        reply_to: text("reply_to"),
    })
}
