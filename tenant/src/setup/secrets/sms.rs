//! The organisation's account at an SMS gateway (S-34).

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use routewright_core::error::Problems;
use routewright_core::{Body, Error, OrganisationId, Result, check};
use routewright_messaging::{Outbound, SmsAccount, SmsProvider};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use super::{cipher, store};
use crate::app::App;

/// The secret that holds the account.
pub(super) const NAME: &str = "sms_configuration";

/// The account as it is stored.
#[derive(Clone, Serialize, Deserialize)]
struct Stored {
    provider: String,
    account: String,
    api_key: String,
    sender: String,
    base_url: String,
    enabled: bool,
}

/// The account as it is given.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "SmsAccount")]
pub(super) struct Given {
    /// `http` or `outbox`.
    provider: Option<String>,
    account: Option<String>,
    /// Never shown again; left out, the stored one stays.
    api_key: Option<String>,
    sender: Option<String>,
    /// Where an `http` gateway is.
    base_url: Option<String>,
    enabled: Option<bool>,
}

/// The account as it is shown. Those who only send see whether it is on.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SmsConfiguration")]
pub(super) struct Shown {
    /// `http` or `outbox`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    provider: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    account: Option<String>,
    /// A mask.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    api_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    sender: Option<String>,
    /// Where an `http` gateway is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-optional" = true))]
    base_url: Option<String>,
    enabled: bool,
}

impl Shown {
    fn whole(stored: Stored) -> Self {
        Self {
            provider: Some(stored.provider),
            account: Some(stored.account),
            api_key: Some(cipher::MASK.to_owned()),
            sender: Some(stored.sender),
            base_url: Some(stored.base_url),
            enabled: stored.enabled,
        }
    }

    fn state(stored: &Stored) -> Self {
        Self {
            provider: None,
            account: None,
            api_key: None,
            sender: None,
            base_url: None,
            enabled: stored.enabled,
        }
    }
}

/// The account is gone.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SmsConfigurationRemoved")]
pub(super) struct Removed {
    success: bool,
}

/// `GET /secrets/sms_configuration`: 404 while there is none.
pub(super) async fn get(mut db: Db, State(app): State<App>) -> Result<Json<Shown>> {
    let caller = db.caller().clone();
    let stored = read(&mut db, &app, caller.organisation()?)
        .await?
        .ok_or_else(|| Error::not_found("SMS configuration"))?;
    let whole = caller.holds("organisation_settings_read");
    Ok(Json(if whole { Shown::whole(stored) } else { Shown::state(&stored) }))
}

/// `POST /secrets/sms_configuration`: makes or replaces it.
pub(super) async fn save(
    mut db: Db,
    State(app): State<App>,
    Body(given): Body<Given>,
) -> Result<Json<Shown>> {
    let caller = db.caller().clone();
    let before = read(&mut db, &app, caller.organisation()?).await?;
    // A form sends back the mask that it was shown.
    let typed = given.api_key.filter(|key| !key.is_empty() && (before.is_none() || *key != cipher::MASK));
    let stored = Stored {
        provider: given.provider.unwrap_or_else(|| "http".to_owned()),
        account: given.account.unwrap_or_default(),
        api_key: typed.or_else(|| before.map(|before| before.api_key)).unwrap_or_default(),
        sender: given.sender.unwrap_or_default(),
        base_url: given.base_url.unwrap_or_default(),
        enabled: given.enabled.unwrap_or(true),
    };
    check(&stored, app.deployment.local)?;
    let text = serde_json::to_string(&stored)?;
    store::put(&mut db, &app.deployment.master_key, &caller, NAME, &text, cipher::MASK).await?;
    Ok(Json(Shown::whole(stored)))
}

fn check(stored: &Stored, local: bool) -> Result<()> {
    let mut problems = Problems::default();
    problems.require(
        ["http", "outbox"].contains(&stored.provider.as_str()),
        "provider",
        "Value is not one of http, outbox",
    );
    for (field, text) in [
        ("account", &stored.account),
        ("sender", &stored.sender),
        ("base_url", &stored.base_url),
        ("api_key", &stored.api_key),
    ] {
        problems.require(text.chars().count() <= 1000, field, check::TOO_LONG);
        problems.require(!text.chars().any(char::is_control), field, check::SPECIAL);
    }
    if stored.provider == "http" {
        problems.require(!stored.api_key.trim().is_empty(), "api_key", check::REQUIRED);
        problems.require(!stored.sender.trim().is_empty(), "sender", check::REQUIRED);
        let outbound = Outbound::new(local, Duration::from_secs(10)).map_err(Error::internal)?;
        if let Err(reason) = outbound.check(&stored.base_url) {
            problems.add("base_url", reason);
        }
    }
    problems.finish()
}

/// `DELETE /secrets/sms_configuration`.
pub(super) async fn remove(mut db: Db) -> Result<Json<Removed>> {
    let gone = sqlx::query("delete from secrets where name = $1").bind(NAME).execute(&mut *db).await?;
    if gone.rows_affected() == 0 {
        return Err(Error::not_found("SMS configuration"));
    }
    Ok(Json(Removed { success: true }))
}

/// The account to send with; none while there is none or it is switched off.
///
/// # Errors
/// When it cannot be decrypted.
pub(crate) async fn account(
    connection: &mut PgConnection,
    app: &App,
    organisation: OrganisationId,
) -> Result<Option<SmsAccount>> {
    let stored = read(connection, app, organisation).await?.filter(|stored| stored.enabled);
    Ok(stored.map(|stored| SmsAccount {
        provider: if stored.provider == "outbox" { SmsProvider::Outbox } else { SmsProvider::Http },
        account: stored.account,
        api_key: stored.api_key,
        sender: stored.sender,
        base_url: stored.base_url,
    }))
}

async fn read(
    connection: &mut PgConnection,
    app: &App,
    organisation: OrganisationId,
) -> Result<Option<Stored>> {
    let text = store::value(connection, app, organisation, NAME).await?;
    text.map(|text| serde_json::from_str(&text).map_err(Error::internal)).transpose()
}
