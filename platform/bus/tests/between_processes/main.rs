//! Queue and notices in a real Postgres.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper that fails fails its test"
)]

#[expect(dead_code, reason = "shared with other tests, which use more of it")]
#[path = "../../../tenancy/tests/support/mod.rs"]
mod support;

mod crashes;
mod notices;
mod queue;

use routewright_bus::Job;
use serde::{Deserialize, Serialize};

/// Adds a tag: an effect that can be counted.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct AddTag {
    name: String,
}

impl Job for AddTag {
    const KIND: &'static str = "add_tag";
}

fn add_tag(name: impl Into<String>) -> AddTag {
    AddTag { name: name.into() }
}

/// The same, at most one at a time per name, and with two attempts only.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct AddTagOnce {
    name: String,
}

impl Job for AddTagOnce {
    const KIND: &'static str = "add_tag_once";
    const MAX_ATTEMPTS: u16 = 2;

    fn unique_key(&self) -> Option<String> {
        Some(format!("{}:{}", Self::KIND, self.name))
    }
}

const KINDS: &[&str] = &[AddTag::KIND, AddTagOnce::KIND];
