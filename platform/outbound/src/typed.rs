use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use ip_network::IpNetwork;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::{Answer, Client, Limits, Unanswered, WayOut};

/// As much of an answer is read: enough for the name of a message and the beginning of a reason.
const LARGEST: usize = 16 * 1024;

/// HTTP to addresses that an organisation's users have typed: SMS gateways, web hooks. They must not become a way
/// into our own network, so private addresses are refused, whether written as a number or behind a name, and
/// redirects are not followed.
#[derive(Clone, Debug)]
pub struct Outbound {
    client: Client,
    allow_private: bool,
}

impl Outbound {
    /// `allow_private` is for development and tests only: there also plain http and local addresses pass.
    ///
    /// # Errors
    /// When the system's certificates cannot be loaded.
    pub fn new(allow_private: bool, timeout: Duration) -> Result<Self, reqwest::Error> {
        // A proxy would resolve names itself, past the check.
        let mut builder = reqwest::Client::builder().no_proxy();
        if !allow_private {
            builder = builder.dns_resolver(PublicOnly);
        }
        let limits = Limits { time: timeout, bytes: LARGEST, ..Limits::default() };
        Ok(Self { client: Client::build(limits, builder)?, allow_private })
    }

    /// Prepares a POST request to a checked address, for [`Self::send`].
    ///
    /// # Errors
    /// With a text for the person who typed the address.
    pub fn post(&self, address: &str) -> Result<reqwest::RequestBuilder, String> {
        Ok(self.client.post(self.check(address)?))
    }

    /// Sends such a request; answers its status and the beginning of what was said.
    ///
    /// # Errors
    /// When the server cannot be reached or does not say its status in time.
    pub async fn send(&self, _way: &WayOut, request: reqwest::RequestBuilder) -> Result<Answer, Unanswered> {
        self.client.send_for_status(request).await
    }

    /// Whether requests may go to `address`; to be asked when it is saved. Names are checked again at each request.
    ///
    /// # Errors
    /// With a text for the person who typed the address.
    pub fn check(&self, address: &str) -> Result<Url, String> {
        let url = Url::parse(address).map_err(|_| "Not a valid web address".to_owned())?;
        let is_web = url.scheme() == "https" || (self.allow_private && url.scheme() == "http");
        if !is_web {
            return Err("The address must start with https://".to_owned());
        }
        let is_public = match url.host() {
            Some(Host::Ipv4(ip)) => is_public(ip.into()),
            Some(Host::Ipv6(ip)) => is_public(ip.into()),
            Some(Host::Domain(_)) => true,
            None => false,
        };
        if is_public || self.allow_private { Ok(url) } else { Err(PRIVATE.to_owned()) }
    }
}

/// Text for an address inside our own network.
pub const PRIVATE: &str = "The address is not on the public internet";

/// Whether an address is on the public internet, and nothing that wraps another one.
#[must_use]
pub fn is_public(ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    let wraps_ipv4 = |ip: std::net::Ipv6Addr| {
        // 6to4, NAT64 and Teredo lead to an IPv4 address that would have to be checked again.
        matches!(ip.segments(), [0x2002, ..] | [0x64, 0xff9b, ..] | [0x2001, 0, ..])
    };
    let is_wrapped = matches!(ip, IpAddr::V6(ip) if wraps_ipv4(ip));
    IpNetwork::from(ip).is_global() && !ip.is_multicast() && !is_wrapped
}

struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            // One private answer among public ones is no accident either.
            if found.iter().all(|address| is_public(address.ip())) {
                Ok(Box::new(found.into_iter()) as Addrs)
            } else {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, PRIVATE).into())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_over_https_pass() {
        let outbound = Outbound::new(false, Duration::from_secs(1)).expect("a client");
        for refused in [
            "http://sms.example.com/send",
            "ftp://sms.example.com/send",
            "https://127.0.0.1/send",
            "https://0x7f.1/send",
            "https://2130706433/send",
            "https://10.1.2.3/",
            "https://172.16.0.1/",
            "https://192.168.1.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://100.64.0.1/",
            "https://0.0.0.0/",
            "https://224.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[fd00::1]/",
            "https://[fe80::1]/",
            "https://[64:ff9b::a00:1]/",
            "https://[2002:a00:1::]/",
            "sms.example.com",
            "",
        ] {
            assert!(outbound.check(refused).is_err(), "{refused} must be refused");
        }
        for accepted in ["https://sms.example.com/send?v=2", "https://8.8.8.8/", "https://[2606:4700::1111]/"]
        {
            assert!(outbound.check(accepted).is_ok(), "{accepted} must pass");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_refused_at_the_request() {
        let outbound = Outbound::new(false, Duration::from_secs(5)).expect("a client");
        let request =
            outbound.post("https://localhost/send").expect("a name is not known before it is resolved");
        let error = outbound.send(&WayOut::of_platform(), request).await.expect_err("refused");
        assert!(format!("{error:?}").contains(PRIVATE), "{error:?}");
    }
}
