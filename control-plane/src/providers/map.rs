//! Tokens for the map vendor's tiles (L-06), by OAuth2 client credentials. One token serves all users until shortly
//! before it expires.

use chrono::{DateTime, TimeDelta, Utc};
use routewright_core::error::Kind;
use routewright_core::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::http::{Http, Unanswered};
use crate::config::EsriConfig;

/// A new token is fetched when less than this remains.
const MARGIN: TimeDelta = TimeDelta::minutes(2);

/// Life of a token whose life is not told.
const USUAL_LIFE: TimeDelta = TimeDelta::minutes(30);

/// The vendor's answer. It lacks the `token_type` that OAuth2 asks for, and a refusal comes with status 200.
#[derive(Deserialize)]
struct Answer {
    access_token: String,
    expires_in: i64,
}

/// The map vendor's account and the token in use.
pub(crate) struct Gis {
    config: EsriConfig,
    http: Http,
    held: Mutex<Option<GisToken>>,
}

/// A token for the map vendor.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct GisToken {
    /// The token.
    esri_access_token: String,
    /// When it expires.
    esri_token_expiry: DateTime<Utc>,
}

impl Gis {
    pub(crate) fn new(config: EsriConfig) -> Result<Self> {
        Ok(Self { config, http: Http::new()?, held: Mutex::default() })
    }

    /// The token in use, or a new one.
    ///
    /// # Errors
    /// 502 when the vendor gives none.
    pub(crate) async fn token(&self, now: DateTime<Utc>) -> Result<GisToken> {
        let mut held = self.held.lock().await;
        if let Some(token) = held.as_ref().filter(|token| token.esri_token_expiry - MARGIN > now) {
            return Ok(token.clone());
        }
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", &self.config.client_id),
            ("client_secret", &self.config.client_secret),
            ("f", "json"),
        ];
        let away =
            |error: Unanswered| Error::new(Kind::BadGateway, "Failed to fetch GIS token").caused_by(error);
        let answer: Answer = self.http.form(self.config.token_url.clone(), &form).await.map_err(away)?;
        let life = TimeDelta::try_seconds(answer.expires_in).unwrap_or(USUAL_LIFE);
        let token = GisToken { esri_access_token: answer.access_token, esri_token_expiry: now + life };
        *held = Some(token.clone());
        Ok(token)
    }
}
