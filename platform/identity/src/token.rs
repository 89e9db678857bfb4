//! Signed tokens (JWT, HS256 with a key derived from the deployment's master key). A token names who calls; what they
//! may do is always decided from current data.

use chrono::{DateTime, Duration, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use routewright_core::config::MasterKey;
use routewright_core::{Clock, Error, OrganisationId, Result};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Life of an access token.
pub const ACCESS_LIFE: Duration = Duration::minutes(30);
/// Life of a refresh token with remember-me.
pub const REMEMBERED_LIFE: Duration = Duration::days(30);
/// Life of a refresh token without remember-me.
pub const SESSION_LIFE: Duration = Duration::hours(12);

/// Kind of a token, claim `typ`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Typ {
    /// Calls as a user.
    Access,
    /// Gets the next access token.
    Refresh,
    /// Calls as the driver of one run.
    Runsheet,
    /// Downloads one file for a few minutes.
    File,
}

/// The claims of every token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// User id, or run id in a run sheet token, or file id in a file token.
    pub sub: i64,
    /// Organisation in which the token works.
    pub org: i64,
    /// Kind.
    pub typ: Typ,
    /// Expiry, seconds since 1970; readable by the client.
    pub exp: i64,
    /// Issue time, seconds since 1970.
    pub iat: i64,
    /// Session epoch of the user; a password change makes it stale.
    #[serde(default)]
    pub epoch: i32,
    /// The organisation that the user belongs to, when a Master user works inside another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<i64>,
    /// Random part of refresh tokens, so that two of the same second differ; in access tokens the session (the family of
    /// refresh tokens) to which they belong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jti: Option<String>,
    /// Run id of a run sheet token, as the contract names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<i64>,
}

impl Claims {
    /// The session of an access token. Refresh tokens name none here: the database knows theirs.
    #[must_use]
    pub fn session(&self) -> Option<Uuid> {
        self.jti.as_deref().filter(|_| self.typ == Typ::Access).and_then(|name| Uuid::parse_str(name).ok())
    }
}

/// A token and when it expires.
#[derive(Debug, Clone)]
pub struct Issued {
    /// The token.
    pub token: String,
    /// Its expiry.
    pub expires_at: DateTime<Utc>,
}

/// Issues and verifies tokens.
#[derive(Clone)]
pub struct Tokens {
    sign: EncodingKey,
    verify: DecodingKey,
    clock: Clock,
}

impl Tokens {
    /// Uses the deployment's key.
    #[must_use]
    pub fn new(master: &MasterKey, clock: Clock) -> Self {
        let key = master.derive("routewright/token/1");
        Self { sign: EncodingKey::from_secret(&key), verify: DecodingKey::from_secret(&key), clock }
    }

    /// An access token of no session for a user of `organisation`; `home` is the Master organisation when a Master user
    /// works inside another one.
    ///
    /// # Errors
    /// Only when signing fails.
    pub fn access(
        &self,
        user: i64,
        organisation: OrganisationId,
        epoch: i32,
        home: Option<OrganisationId>,
    ) -> Result<Issued> {
        self.issue(user, organisation, Typ::Access, ACCESS_LIFE, |claims| {
            claims.epoch = epoch;
            claims.home = home.map(OrganisationId::get);
        })
    }

    /// An access token that names its session and ends with it.
    ///
    /// # Errors
    /// Only when signing fails.
    pub fn session_access(
        &self,
        user: i64,
        organisation: OrganisationId,
        epoch: i32,
        home: Option<OrganisationId>,
        session: Uuid,
    ) -> Result<Issued> {
        self.issue(user, organisation, Typ::Access, ACCESS_LIFE, |claims| {
            claims.epoch = epoch;
            claims.home = home.map(OrganisationId::get);
            claims.jti = Some(session.simple().to_string());
        })
    }

    /// A refresh token of which everything is given, so that an answer that was lost can be given again word for word.
    ///
    /// # Errors
    /// Only when signing fails.
    pub fn exact_refresh(
        &self,
        user: i64,
        organisation: OrganisationId,
        jti: &str,
        issued: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Issued> {
        self.issue(user, organisation, Typ::Refresh, Duration::zero(), |claims| {
            claims.iat = issued.timestamp();
            claims.exp = until.timestamp();
            claims.jti = Some(jti.to_owned());
        })
        .map(|issued| Issued { expires_at: until, ..issued })
    }

    /// A refresh token; `until` is the end of its family's life.
    ///
    /// # Errors
    /// Only when signing fails.
    pub fn refresh(
        &self,
        user: i64,
        organisation: OrganisationId,
        epoch: i32,
        until: DateTime<Utc>,
    ) -> Result<Issued> {
        self.issue(user, organisation, Typ::Refresh, until - self.clock.now(), |claims| {
            claims.epoch = epoch;
            claims.jti = Some(routewright_core::token::random(22));
        })
    }

    /// A run sheet token, valid until `until`.
    ///
    /// # Errors
    /// Only when signing fails.
    pub fn runsheet(&self, run: i64, organisation: OrganisationId, until: DateTime<Utc>) -> Result<Issued> {
        self.issue(run, organisation, Typ::Runsheet, until - self.clock.now(), |claims| {
            claims.run_id = Some(run)
        })
    }

    /// A token for one file, for `life`.
    ///
    /// # Errors
    /// Only when signing fails.
    pub fn file(&self, file: i64, organisation: OrganisationId, life: Duration) -> Result<Issued> {
        self.issue(file, organisation, Typ::File, life, |_| ())
    }

    fn issue(
        &self,
        sub: i64,
        organisation: OrganisationId,
        typ: Typ,
        life: Duration,
        more: impl FnOnce(&mut Claims),
    ) -> Result<Issued> {
        let now = self.clock.now();
        let expires_at = now + life;
        let mut claims = Claims {
            sub,
            org: organisation.get(),
            typ,
            exp: expires_at.timestamp(),
            iat: now.timestamp(),
            epoch: 0,
            home: None,
            jti: None,
            run_id: None,
        };
        more(&mut claims);
        let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.sign)
            .map_err(Error::internal)?;
        Ok(Issued { token, expires_at })
    }

    /// Verifies signature, expiry and kind.
    ///
    /// # Errors
    /// 401 `Incorrect or expired token`.
    pub fn verify(&self, token: &str, typ: Typ) -> Result<Claims> {
        let mut validation = Validation::new(Algorithm::HS256);
        // The clock of the application decides, so that expiry can be tested.
        validation.validate_exp = false;
        validation.required_spec_claims.clear();
        let claims = jsonwebtoken::decode::<Claims>(token, &self.verify, &validation)
            .map_err(|error| Error::bad_token().caused_by(error))?
            .claims;
        if claims.exp <= self.clock.now().timestamp() || claims.typ != typ {
            return Err(Error::bad_token());
        }
        Ok(claims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> Option<(Tokens, Clock)> {
        let clock = Clock::fixed(DateTime::from_timestamp(1_800_000_000, 0)?);
        let master = MasterKey::new("b7f1c9e2a4d60835b7f1c9e2a4d60835".to_owned()).ok()?;
        Some((Tokens::new(&master, clock.clone()), clock))
    }

    #[test]
    fn a_token_is_good_for_its_kind_and_time_only() {
        let Some((tokens, clock)) = tokens() else { panic!("fixture") };
        let issued = tokens.access(7, OrganisationId::new(3), 2, None).expect("signing works");
        let claims = tokens.verify(&issued.token, Typ::Access).expect("fresh");
        assert_eq!((claims.sub, claims.org, claims.epoch), (7, 3, 2));
        assert!(tokens.verify(&issued.token, Typ::Refresh).is_err());
        let mut forged = issued.token.clone();
        forged.pop();
        assert!(tokens.verify(&forged, Typ::Access).is_err());
        // An unsigned token must not pass (alg: none).
        let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOjcsIm9yZyI6MywidHlwIjoiYWNjZXNzIiwiZXhwIjo5OTk5OTk5OTk5LCJpYXQiOjB9.";
        assert!(tokens.verify(none, Typ::Access).is_err());
        clock.advance(ACCESS_LIFE);
        assert!(tokens.verify(&issued.token, Typ::Access).is_err());
    }
}
