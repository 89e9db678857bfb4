//! From a request's credentials to a [`Caller`], by the route's access requirement.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::extract::RawPathParams;
use http::header::AUTHORIZATION;
use http::request::Parts;
use routewright_core::access::{Access, Link, Who};
use routewright_core::error::{Error, Kind, Result};
use routewright_core::{Id, OrganisationId};

use crate::caller::{Abroad, Caller, Identity, Signed};
use crate::link::LinkKeys;
use crate::policies::Policies;
use crate::policy::Policy;
use crate::token::{Claims, Tokens, Typ};

/// Text for an unknown tracking token.
pub const NO_JOB: &str = "Job not found.";

/// Decides who calls and whether they may.
#[derive(Clone)]
pub struct Gate {
    /// Token issuer and verifier.
    pub tokens: Tokens,
    /// Link token maker and reader.
    pub links: LinkKeys,
    /// Policies of organisations.
    pub policies: Policies,
}

impl Gate {
    /// Verifies the request's credentials against the route's requirement.
    ///
    /// # Errors
    /// 401 without the right credentials, 403 without level or module, 503 while the organisation is not ready.
    pub async fn admit(&self, access: &Access, parts: &mut Parts) -> Result<Caller> {
        let caller = match access.who {
            Who::Public => return Ok(Caller::new(Identity::Public, None)),
            Who::Link(link) => self.by_link(link, parts).await?,
            Who::Runsheet => self.by_runsheet(bearer(parts)?).await?,
            Who::User => self.by_access_token(bearer(parts)?).await?,
            Who::RunsheetOrUser => {
                let token = bearer(parts)?;
                match self.by_access_token(token).await {
                    Ok(caller) => caller,
                    Err(error) if error.kind() == Kind::Unauthorized => return self.by_runsheet(token).await,
                    Err(error) => return Err(error),
                }
            }
        };
        if access.who == Who::User || access.who == Who::RunsheetOrUser {
            let held = access.levels.iter().all(|level| caller.holds(level))
                && (access.any.is_empty() || access.any.iter().any(|level| caller.holds(level)))
                && (!access.master || caller.is_master());
            if !held {
                return Err(Error::denied());
            }
        }
        if access.module.is_some_and(|module| !caller.has(module)) {
            return Err(Error::denied());
        }
        Ok(caller)
    }

    /// The caller behind a background job of an organisation.
    ///
    /// # Errors
    /// 401 when the organisation does not exist, 503 when it is not ready or suspended.
    pub async fn worker(&self, organisation: OrganisationId) -> Result<Caller> {
        let policy = self.in_service(organisation).await?;
        Ok(Caller::new(Identity::Worker, Some(policy)))
    }

    /// A user in whose name a background job works: with the levels and modules of this moment, not of the moment when it
    /// was ordered. `home` is the Master organisation, when one of its users ordered it.
    ///
    /// # Errors
    /// 401 when there is no such user any more, 503 when the organisation is not ready.
    pub async fn on_behalf(
        &self,
        organisation: OrganisationId,
        user: i64,
        home: Option<OrganisationId>,
    ) -> Result<Caller> {
        let home = home.filter(|home| *home != organisation);
        let belongs = self.policies.of(home.unwrap_or(organisation)).await?;
        let member = belongs.member(user).ok_or_else(Error::bad_token)?;
        let policy = self.in_service(organisation).await?;
        let signed = Signed {
            user_id: user,
            haulier_id: member.haulier_id,
            home,
            name: member.name.clone(),
            role_id: member.role_id,
            abroad: home.map(|_| abroad(&belongs, member.haulier_id, &policy)).transpose()?,
        };
        Ok(Caller::new(Identity::User(signed), Some(policy)))
    }

    /// The caller behind a capability token that came outside a request's path, such as a socket's query.
    ///
    /// # Errors
    /// 401 when the token belongs to no organisation.
    pub async fn link(&self, link: Link, token: &str) -> Result<Caller> {
        let wrong = || match link {
            Link::Tracking => Error::new(Kind::Unauthorized, NO_JOB),
            _ => Error::bad_token(),
        };
        let organisation = self.links.organisation(token).ok_or_else(wrong)?;
        let policy = self.in_service(organisation).await.map_err(|error| match error.kind() {
            Kind::Unauthorized => wrong(),
            _ => error,
        })?;
        Ok(Caller::new(Identity::Link { link, token: token.to_owned() }, Some(policy)))
    }

    async fn by_link(&self, link: Link, parts: &mut Parts) -> Result<Caller> {
        let path = RawPathParams::from_request_parts(parts, &()).await.map_err(|_| Error::bad_token())?;
        let token = path
            .iter()
            .find(|(name, _)| matches!(*name, "token" | "uid" | "ws_token"))
            .map(|(_, value)| value.to_owned());
        self.link(link, &token.unwrap_or_default()).await
    }

    async fn by_runsheet(&self, token: &str) -> Result<Caller> {
        let claims = self.tokens.verify(token, Typ::Runsheet)?;
        let policy = self.in_service(Id::new(claims.org)).await?;
        Ok(Caller::new(Identity::Runsheet { run: claims.sub }, Some(policy)))
    }

    /// Verifies an access token against current data.
    ///
    /// # Errors
    /// 401 when it is wrong, expired, stale or of a session that has ended.
    pub async fn by_access_token(&self, token: &str) -> Result<Caller> {
        let claims = self.tokens.verify(token, Typ::Access)?;
        let organisation = OrganisationId::new(claims.org);
        let home = claims.home.map(OrganisationId::new).filter(|home| *home != organisation);
        let mut belongs = self.policies.of(home.unwrap_or(organisation)).await?;
        // A token may be newer than what is held of its organisation: a user made or a password changed just now.
        if member(&belongs, &claims, home).is_err() && belongs.may_precede(claims.iat) {
            belongs = self.policies.again(&belongs).await?;
        }
        let mut signed = member(&belongs, &claims, home)?;
        if claims.session().is_some_and(|session| belongs.has_ended(session)) {
            return Err(Error::bad_token());
        }
        // Whether he may be there at all comes before what is the matter with it.
        let entered = self.policies.of(organisation).await?;
        if home.is_some() {
            signed.abroad = Some(abroad(&belongs, signed.haulier_id, &entered)?);
        }
        let policy = self.ready(organisation).await?;
        // Operators look after it meanwhile.
        if !signed.is_operator_abroad() {
            belongs.admits_users()?;
            policy.admits_users()?;
        }
        Ok(Caller::new(Identity::User(signed), Some(policy)))
    }

    async fn in_service(&self, organisation: OrganisationId) -> Result<Arc<Policy>> {
        let policy = self.ready(organisation).await?;
        policy.admits_others()?;
        Ok(policy)
    }

    async fn ready(&self, organisation: OrganisationId) -> Result<Arc<Policy>> {
        let policy = self.policies.of(organisation).await?;
        policy.ready()?;
        Ok(policy)
    }
}

fn member(policy: &Policy, claims: &Claims, home: Option<OrganisationId>) -> Result<Signed> {
    let member = policy
        .member(claims.sub)
        .filter(|member| member.epoch == claims.epoch)
        .ok_or_else(Error::bad_token)?;
    Ok(Signed {
        user_id: claims.sub,
        haulier_id: member.haulier_id,
        home,
        name: member.name.clone(),
        role_id: member.role_id,
        abroad: None,
    })
}

/// By what right a user of `home` works in another organisation.
///
/// # Errors
/// 401 without any.
fn abroad(home: &Arc<Policy>, haulier: Option<i64>, policy: &Policy) -> Result<Abroad> {
    if home.is_master {
        return Ok(Abroad::Operator);
    }
    let rehearses = policy.rehearsal.is_some_and(|rehearsal| rehearsal.made_from == home.organisation);
    if rehearses && haulier.is_none() {
        return Ok(Abroad::Rehearsal(Arc::clone(home)));
    }
    Err(Error::bad_token())
}

/// The token of the `Authorization` header; `Bearer` and `Token` mean the same.
fn bearer(parts: &Parts) -> Result<&str> {
    let header = parts
        .headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .ok_or_else(Error::bad_token)?;
    let (scheme, token) = header.split_once(' ').ok_or_else(Error::bad_token)?;
    if scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("token") {
        Ok(token.trim())
    } else {
        Err(Error::bad_token())
    }
}
