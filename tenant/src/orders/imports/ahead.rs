//! Addresses are looked up ahead of an import, some at a time, so that whoever waits sees how far it is.

use std::collections::{BTreeSet, HashSet};

use axum::Json;
use axum::extract::State;
use routewright_core::http::Body;
use routewright_core::{Error, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::places;
use crate::app::App;

/// Most addresses of one question.
const MOST: usize = 100;

/// Addresses of an import that is to come.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Question {
    /// At most 100.
    addresses: Vec<String>,
}

/// What is known of them now. The parts add up to the different addresses, not told apart by capital letters.
#[derive(Serialize, JsonSchema)]
pub(super) struct LookedUp {
    /// Whose coordinates are known: an import of them asks nobody again.
    found: usize,
    /// Of those found, how many the address search was not sure of.
    doubtful: usize,
    /// Of which the address search knows none.
    nowhere: usize,
    /// That could not be looked up.
    failed: usize,
}

/// `POST /jobs/look_up_addresses`.
pub(super) async fn look_up(
    mut db: Db,
    State(app): State<App>,
    Body(question): Body<Question>,
) -> Result<Json<LookedUp>> {
    if question.addresses.len() > MOST {
        return Err(Error::field("addresses", format!("At most {MOST} addresses at once")));
    }
    let mut seen = HashSet::new();
    let wanted: BTreeSet<String> = question
        .addresses
        .iter()
        .map(|address| address.trim().to_owned())
        .filter(|address| !address.is_empty() && seen.insert(address.to_lowercase()))
        .collect();
    let of = wanted.len();
    let (known, unknown) = places::known(&mut db, wanted).await?;
    let answers = places::ask(&mut db, &app, unknown).await?;
    let (found, nowhere) = (known.len() + answers.found.len(), answers.nowhere.len());
    let doubtful = known.values().chain(answers.found.values()).filter(|spot| !spot.sure).count();
    Ok(Json(LookedUp { found, doubtful, nowhere, failed: of - found - nowhere }))
}
