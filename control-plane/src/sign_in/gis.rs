//! Tokens for the map vendor's tiles (L-06), by OAuth2 client credentials. One token serves all users until shortly
//! before it expires.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use oauth2::basic::BasicClient;
use oauth2::{ClientId, ClientSecret, TokenResponse, TokenUrl};
use routewright_core::error::Kind;
use routewright_core::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::Mutex;

use crate::app::App;
use crate::config::EsriConfig;
use crate::oidc::http::Http;

/// A new token is fetched when less than this remains.
const MARGIN: TimeDelta = TimeDelta::minutes(2);

/// The map vendor's account and the token in use.
pub(crate) struct Gis {
    config: EsriConfig,
    http: Http,
    held: Mutex<Option<GisToken>>,
}

/// A token for the map vendor.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct GisToken {
    /// The token.
    esri_access_token: String,
    /// When it expires.
    esri_token_expiry: DateTime<Utc>,
}

impl Gis {
    pub(crate) fn new(config: EsriConfig) -> Result<Self> {
        Ok(Self { config, http: Http::new()?, held: Mutex::default() })
    }

    async fn token(&self, now: DateTime<Utc>) -> Result<GisToken> {
        let mut held = self.held.lock().await;
        if let Some(token) = held.as_ref().filter(|token| token.esri_token_expiry - MARGIN > now) {
            return Ok(token.clone());
        }
        let client = BasicClient::new(ClientId::new(self.config.client_id.clone()))
            .set_client_secret(ClientSecret::new(self.config.client_secret.clone()))
            .set_auth_type(oauth2::AuthType::RequestBody)
            .set_token_uri(TokenUrl::from_url(self.config.token_url.clone()));
        let answer =
            client.exchange_client_credentials().request_async(&self.http).await.map_err(|error| {
                Error::new(Kind::BadGateway, "Failed to fetch GIS token").caused_by(error)
            })?;
        let life = answer.expires_in().and_then(|life| TimeDelta::from_std(life).ok());
        let token = GisToken {
            esri_access_token: answer.access_token().secret().clone(),
            esri_token_expiry: now + life.unwrap_or(TimeDelta::minutes(30)),
        };
        *held = Some(token.clone());
        Ok(token)
    }
}

/// `GET /auth/esri_token`.
pub(super) async fn token(State(app): State<App>) -> Result<Json<GisToken>> {
    let Some(gis) = &app.gis else { return Err(Error::not_found("GIS token")) };
    gis.token(app.clock.now()).await.map(Json)
}
