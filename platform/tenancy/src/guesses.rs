//! Wrong capability tokens (tracking numbers, links of run sheets, sockets and files), counted by the address that tries
//! them. Whoever tries too many is let in nowhere for a while, with a right one neither: else the limit would tell which is
//! right. Counts are kept in the control schema, so that they hold over replicas and restarts; who is to be refused is
//! remembered here, so that a request with a right token costs no query.

use std::collections::HashSet;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use dashmap::DashMap;
use http::request::Parts;
use routewright_core::config::MasterKey;
use routewright_core::error::Kind;
use routewright_core::http::address;
use routewright_core::{Clock, Error, Result};
use sha2::{Digest as _, Sha256};
use sqlx::PgPool;

/// Bucket in `rate_limits`.
const BUCKET: &str = "link";
/// The time over which wrong tokens add up.
const WINDOW: TimeDelta = TimeDelta::minutes(10);
/// Addresses remembered; beyond that those of earlier windows are forgotten, then all.
const MOST_ADDRESSES: usize = 50_000;

/// How many wrong tokens one address may try in ten minutes. An office shares one address, and a page with a link that has
/// expired asks again and again: the same token counts once.
pub const USUAL: i32 = 60;

#[derive(Default)]
struct Tried {
    window: i64,
    tokens: HashSet<[u8; 32]>,
    refused: bool,
}

/// Counts wrong tokens. Cheap to clone; one per process.
#[derive(Clone)]
pub struct Guesses {
    directory: PgPool,
    key: Arc<[u8]>,
    clock: Clock,
    most: i32,
    trusted_proxies: usize,
    tried: Arc<DashMap<String, Tried>>,
}

impl Guesses {
    /// Counts in `directory`, a login that may write `rate_limits`; `most` wrong tokens per address and ten minutes.
    #[must_use]
    pub fn new(
        directory: PgPool,
        master: &MasterKey,
        clock: Clock,
        most: i32,
        trusted_proxies: usize,
    ) -> Self {
        let key = master.derive("routewright/link guess/1");
        Self { directory, key: key.as_slice().into(), clock, most, trusted_proxies, tried: Arc::default() }
    }

    /// Where a request came from.
    #[must_use]
    pub fn address(&self, parts: &Parts) -> String {
        address::of_parts(parts, self.trusted_proxies)
    }

    /// Refuses an address that has tried too many.
    ///
    /// # Errors
    /// 429.
    pub fn admit(&self, address: &str) -> Result<()> {
        let (window, until) = self.window();
        let refused = self.tried.get(address).is_some_and(|tried| tried.window == window && tried.refused);
        if refused { Err(self.too_many(until)) } else { Ok(()) }
    }

    /// Counts a wrong token.
    ///
    /// # Errors
    /// 429 when there were too many; database faults.
    pub async fn wrong(&self, address: &str, token: &str) -> Result<()> {
        let (window, until) = self.window();
        if !self.is_new(address, window, token) {
            return Ok(());
        }
        let count = self.count(address, until - WINDOW).await?;
        if count <= self.most {
            return Ok(());
        }
        if let Some(mut tried) = self.tried.get_mut(address) {
            tried.refused = true;
            tried.tokens = HashSet::new();
        }
        tracing::warn!("an address tries tokens of links: it is refused for a while");
        Err(self.too_many(until))
    }

    fn is_new(&self, address: &str, window: i64, token: &str) -> bool {
        if self.tried.len() > MOST_ADDRESSES {
            self.tried.retain(|_, tried| tried.window == window && tried.refused);
        }
        if self.tried.len() > MOST_ADDRESSES {
            self.tried.clear();
        }
        let mut tried = self.tried.entry(address.to_owned()).or_default();
        if tried.window != window {
            *tried = Tried { window, ..Tried::default() };
        }
        tried.tokens.insert(Sha256::digest(token).into())
    }

    /// Addresses are kept in a form that says nothing to who reads the table.
    async fn count(&self, address: &str, start: DateTime<Utc>) -> Result<i32> {
        let mut sum = Sha256::new_with_prefix(&self.key);
        sum.update(address);
        let key: String = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        // Logins of the directory read only unless they say otherwise.
        let mut work = self.directory.begin_with("begin read write").await?;
        let count = sqlx::query_scalar(
            "insert into rate_limits (bucket, key, window_start, count) values ($1, $2, $3, 1)
             on conflict (bucket, key, window_start) do update set count = least(rate_limits.count + 1, 1000000)
             returning count",
        )
        .bind(BUCKET)
        .bind(key)
        .bind(start)
        .fetch_one(&mut *work)
        .await?;
        work.commit().await?;
        Ok(count)
    }

    /// The number of the present window, and its end.
    fn window(&self) -> (i64, DateTime<Utc>) {
        let now = self.clock.now();
        let window = now.timestamp().div_euclid(WINDOW.num_seconds());
        let end = DateTime::from_timestamp((window + 1) * WINDOW.num_seconds(), 0).unwrap_or(now);
        (window, end)
    }

    fn too_many(&self, until: DateTime<Utc>) -> Error {
        let seconds = u32::try_from((until - self.clock.now()).num_seconds()).unwrap_or(0).max(1);
        Error::new(Kind::TooManyRequests, "Too many requests").retry_after(seconds)
    }
}
