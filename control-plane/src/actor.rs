//! Who does something, in which request and from where: for audit rows and rate limits.

use aide::OperationInput;
use axum::extract::FromRequestParts;
use http::request::Parts;
use routewright_core::http::address;
use routewright_core::http::request::RequestId;
use routewright_core::{Error, OrganisationId, Result};
use routewright_identity::Caller;

use crate::app::App;

/// The caller of a request, with its id and address.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    pub(crate) caller: Caller,
    pub(crate) request_id: Option<String>,
    /// Where the request came from; IPv6 is cut to the /64 that one customer has.
    pub(crate) address: String,
}

impl Actor {
    /// The organisation in which the caller works.
    ///
    /// # Errors
    /// 401 for public calls.
    pub(crate) fn organisation(&self) -> Result<OrganisationId> {
        self.caller.organisation()
    }

    /// Whether the caller is a Master user who works in no other organisation: such a caller acts on the platform.
    pub(crate) fn is_platform(&self) -> bool {
        is_platform(&self.caller)
    }
}

/// Whether the caller is a Master user who works in no other organisation.
pub(crate) fn is_platform(caller: &Caller) -> bool {
    caller.is_master() && caller.user().is_ok_and(|signed| signed.home.is_none())
}

impl FromRequestParts<App> for Actor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, app).await?;
        Ok(Self {
            caller,
            request_id: parts.extensions.get::<RequestId>().map(|id| id.0.clone()),
            address: address::of_parts(parts, app.config.trusted_proxies),
        })
    }
}

impl OperationInput for Actor {}
