//! Where a request came from, for limits.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use http::HeaderMap;
use http::request::Parts;

/// The address of the client of a request, behind so many trusted proxies; see [`of`].
#[must_use]
pub fn of_parts(parts: &Parts, trusted_proxies: usize) -> String {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    of(&parts.headers, peer, trusted_proxies)
}

/// The address of the client. Each trusted proxy has added the address it saw at the right end of `X-Forwarded-For`;
/// what stands further left was written by the client and means nothing. IPv6 is
/// cut to the /64 that one customer has.
#[must_use]
pub fn of(headers: &HeaderMap, peer: Option<IpAddr>, trusted_proxies: usize) -> String {
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
        assert_eq!(of(&headers, peer, 0), "10.0.0.1");
        assert_eq!(of(&headers, peer, 1), "203.0.113.7");
        assert_eq!(of(&headers, peer, 3), "10.0.0.1");
        assert_eq!(of(&HeaderMap::new(), None, 1), "unknown");
        let six: IpAddr = "2001:db8:1:2:3:4:5:6".parse().unwrap();
        assert_eq!(of(&HeaderMap::new(), Some(six), 0), "2001:db8:1:2::/64");
        assert_eq!(of(&HeaderMap::new(), Some("::ffff:10.0.0.2".parse().unwrap()), 0), "10.0.0.2");
    }
}
