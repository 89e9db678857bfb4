//! Who does something, in which request and from where: for audit rows and rate limits.

use std::net::{IpAddr, SocketAddr};

use aide::OperationInput;
use axum::extract::{ConnectInfo, FromRequestParts};
use http::HeaderMap;
use http::request::Parts;
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
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        Ok(Self {
            caller,
            request_id: parts.extensions.get::<RequestId>().map(|id| id.0.clone()),
            address: address(&parts.headers, peer, app.config.trusted_proxies),
        })
    }
}

impl OperationInput for Actor {}

/// The address of the client. Each trusted proxy has added the address it saw at the right end of `X-Forwarded-For`;
/// what stands further left was written by the client and means nothing.
fn address(headers: &HeaderMap, peer: Option<IpAddr>, trusted_proxies: usize) -> String {
    let forwarded: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    let ip = match trusted_proxies {
        0 => peer,
        hops => forwarded
            .len()
            .checked_sub(hops)
            .and_then(|index| forwarded.get(index))
            .and_then(|text| text.parse().ok())
            .or(peer),
    };
    match ip.map(|ip| ip.to_canonical()) {
        None => "unknown".to_owned(),
        Some(IpAddr::V4(ip)) => ip.to_string(),
        Some(IpAddr::V6(ip)) => {
            let [a, b, c, d, ..] = ip.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_trusted_proxies_added_counts() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "6.6.6.6, 203.0.113.7".parse().unwrap());
        let peer = Some(IpAddr::from([10, 0, 0, 1]));
        assert_eq!(address(&headers, peer, 0), "10.0.0.1");
        assert_eq!(address(&headers, peer, 1), "203.0.113.7");
        assert_eq!(address(&headers, peer, 3), "10.0.0.1");
        assert_eq!(address(&HeaderMap::new(), None, 1), "unknown");
        let six: IpAddr = "2001:db8:1:2:3:4:5:6".parse().unwrap();
        assert_eq!(address(&HeaderMap::new(), Some(six), 0), "2001:db8:1:2::/64");
        assert_eq!(address(&HeaderMap::new(), Some("::ffff:10.0.0.2".parse().unwrap()), 0), "10.0.0.2");
    }
}
