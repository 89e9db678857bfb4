//! The provider of identities, by OpenID Connect: its endpoints and keys, read when first needed.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::jwk::JwkSet;
use oauth2::basic::{
    BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse, BasicTokenType,
};
use oauth2::{
    AuthUrl, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    ExtraTokenFields, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, StandardRevocableToken,
    StandardTokenResponse, TokenResponse as _, TokenUrl,
};
use routewright_core::error::Kind;
use routewright_core::{Error, Result};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use url::Url;

use super::http::Http;
use super::id_token::{self, Address, Person};
use crate::config::OidcConfig;

/// Endpoints are read anew after this time.
const ENDPOINTS_KEPT: TimeDelta = TimeDelta::hours(12);
/// Unknown keys make the key set be read anew, but not more often than this.
const KEYS_PAUSE: TimeDelta = TimeDelta::seconds(30);

/// What a token endpoint answers beyond OAuth2.
#[derive(Debug, Serialize, Deserialize)]
struct IdTokenField {
    id_token: Option<String>,
}

impl ExtraTokenFields for IdTokenField {}

type Answer = StandardTokenResponse<IdTokenField, BasicTokenType>;
type OidcClient = Client<
    BasicErrorResponse,
    Answer,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

/// The provider's self-description (OpenID Connect Discovery 1.0).
#[derive(Debug, Clone, Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    userinfo_endpoint: Option<Url>,
}

/// What the user info endpoint says about the address (OpenID Connect Core 1.0, 5.3).
#[derive(Debug, Deserialize)]
struct UserInfo {
    sub: String,
    #[serde(flatten)]
    address: Address,
}

struct Known {
    metadata: Metadata,
    keys: Arc<JwkSet>,
    endpoints_read: DateTime<Utc>,
    keys_read: DateTime<Utc>,
}

/// A provider of identities.
pub(crate) struct Provider {
    config: OidcConfig,
    http: Http,
    known: Mutex<Option<Known>>,
}

/// A browser on its way to the provider.
pub(crate) struct Leaving {
    pub(crate) url: Url,
    pub(crate) state: String,
    pub(crate) nonce: String,
    pub(crate) pkce_verifier: String,
}

/// A browser on its way back.
pub(crate) struct Returning {
    pub(crate) code: String,
    pub(crate) nonce: String,
    pub(crate) pkce_verifier: String,
}

fn away(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(Kind::BadGateway, "The sign-in provider does not answer. Please try again.").caused_by(error)
}

impl Provider {
    pub(crate) fn new(config: OidcConfig) -> Result<Self> {
        Ok(Self { config, http: Http::new()?, known: Mutex::default() })
    }

    pub(crate) fn name(&self) -> &str {
        &self.config.name
    }

    pub(crate) fn issuer(&self) -> String {
        self.config.issuer.as_str().trim_end_matches('/').to_owned()
    }

    /// Where to send a browser, with fresh state, nonce and PKCE challenge.
    pub(crate) async fn leave(&self, redirect_uri: &str) -> Result<Leaving> {
        let (metadata, _) = self.known(Utc::now()).await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let nonce = routewright_core::token::random(32);
        let (url, state) = self
            .client(&metadata, redirect_uri)?
            .authorize_url(CsrfToken::new_random)
            .add_scopes(["openid", "email", "profile"].map(|scope| Scope::new(scope.to_owned())))
            .add_extra_param("nonce", &nonce)
            .set_pkce_challenge(challenge)
            .url();
        Ok(Leaving { url, state: state.secret().clone(), nonce, pkce_verifier: verifier.secret().clone() })
    }

    /// Trades the code for the person's identity, and verifies it.
    pub(crate) async fn identify(
        &self,
        redirect_uri: &str,
        returning: Returning,
        now: DateTime<Utc>,
    ) -> Result<Person> {
        let (metadata, keys) = self.known(now).await?;
        let client = self.client(&metadata, redirect_uri)?;
        let answer = client
            .exchange_code(AuthorizationCode::new(returning.code))
            .set_pkce_verifier(PkceCodeVerifier::new(returning.pkce_verifier))
            .request_async(&self.http)
            .await
            .map_err(|error| match error {
                oauth2::RequestTokenError::ServerResponse(_) => refused(error),
                other => away(other),
            })?;
        let token = answer
            .extra_fields()
            .id_token
            .clone()
            .ok_or_else(|| refused("the provider gave no id_token".to_owned()))?;
        let keys = if id_token::has_key(&token, &keys) { keys } else { self.fresh_keys(now).await? };
        let client_id = &self.config.client_id;
        let person = id_token::verify(&token, &keys, &metadata.issuer, client_id, &returning.nonce, now)
            .map_err(refused)?;
        match metadata.userinfo_endpoint.filter(|_| person.verified_email.is_none()) {
            Some(endpoint) => self.ask_for_address(endpoint, answer.access_token().secret(), person).await,
            None => Ok(person),
        }
    }

    /// Providers that give an access token need not put the address into the id token.
    async fn ask_for_address(&self, endpoint: Url, token: &str, person: Person) -> Result<Person> {
        let info: UserInfo = self.http.document_for(endpoint, token).await.map_err(away)?;
        if info.sub != person.subject {
            return Err(refused("the user info is about somebody else".to_owned()));
        }
        Ok(Person { verified_email: info.address.verified(), ..person })
    }

    fn client(&self, metadata: &Metadata, redirect_uri: &str) -> Result<OidcClient> {
        Ok(Client::new(ClientId::new(self.config.client_id.clone()))
            .set_client_secret(ClientSecret::new(self.config.client_secret.clone()))
            .set_auth_uri(AuthUrl::from_url(metadata.authorization_endpoint.clone()))
            .set_token_uri(TokenUrl::from_url(metadata.token_endpoint.clone()))
            .set_redirect_uri(RedirectUrl::new(redirect_uri.to_owned()).map_err(Error::internal)?))
    }

    async fn known(&self, now: DateTime<Utc>) -> Result<(Metadata, Arc<JwkSet>)> {
        let mut known = self.known.lock().await;
        if let Some(known) = known.as_ref().filter(|known| known.endpoints_read + ENDPOINTS_KEPT > now) {
            return Ok((known.metadata.clone(), Arc::clone(&known.keys)));
        }
        let url = format!("{}/.well-known/openid-configuration", self.issuer());
        let metadata: Metadata =
            self.http.document(Url::parse(&url).map_err(Error::internal)?).await.map_err(away)?;
        if metadata.issuer.trim_end_matches('/') != self.issuer() {
            return Err(away(format!("the provider calls itself {}", metadata.issuer)));
        }
        let keys: Arc<JwkSet> = Arc::new(self.http.document(metadata.jwks_uri.clone()).await.map_err(away)?);
        let answer = (metadata.clone(), Arc::clone(&keys));
        *known = Some(Known { metadata, keys, endpoints_read: now, keys_read: now });
        Ok(answer)
    }

    /// The key set again: the provider may have changed its keys.
    async fn fresh_keys(&self, now: DateTime<Utc>) -> Result<Arc<JwkSet>> {
        let mut known = self.known.lock().await;
        let Some(known) = known.as_mut() else { return Err(away("the provider is not known yet")) };
        if known.keys_read + KEYS_PAUSE <= now {
            known.keys = Arc::new(self.http.document(known.metadata.jwks_uri.clone()).await.map_err(away)?);
            known.keys_read = now;
        }
        Ok(Arc::clone(&known.keys))
    }
}

fn refused(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(Kind::Unauthorized, "The sign-in provider did not confirm who you are").caused_by(error)
}
