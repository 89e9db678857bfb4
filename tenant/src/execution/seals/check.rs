//! `GET /proofs/check/{token}`: reads records, files and chain again.

use std::collections::{BTreeMap, HashMap};

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use futures_util::{StreamExt, TryStreamExt, stream};
use routewright_core::http::Query;
use routewright_core::{Error, Link, Result};
use routewright_identity::Caller;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judge::{CheckedChain, CheckedRecord, Judged, State as Found, judge};
use super::link::short;
use super::read::{self, Sealed};
use crate::app::App;
use crate::setup::files;

/// Files that are read at the same time.
const AT_ONCE: usize = 4;

/// What the paper in hand says.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Paper {
    /// The seal in its code, or the beginning of it.
    seal: Option<String>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ProofCheck {
    /// Number of the delivery.
    pub(super) uid: String,
    /// Who delivered.
    pub(super) organisation: String,
    /// IANA name of the time zone of the delivery.
    pub(super) timezone: String,
    /// When this was found.
    pub(super) checked_at: DateTime<Utc>,
    /// All of it together.
    pub(super) state: Found,
    /// Whether the seal on the paper is among those of the delivery; null where none was given.
    pub(super) paper: Option<bool>,
    /// What was recorded, the oldest first.
    pub(super) records: Vec<CheckedRecord>,
    /// The chains of seals it belongs to.
    pub(super) chains: Vec<CheckedChain>,
}

/// `GET /proofs/check/{token}`.
pub(super) async fn check(
    caller: Caller,
    State(app): State<App>,
    Query(paper): Query<Paper>,
) -> Result<Json<ProofCheck>> {
    found(&app, &caller, &paper).await.map(Json)
}

/// Reads everything again that is sealed of the job of a link.
///
/// # Errors
/// 401 for a token that no job has; 503 when the storage cannot be reached: nothing is said then.
pub(super) async fn found(app: &App, caller: &Caller, paper: &Paper) -> Result<ProofCheck> {
    let mut work = app.tenants.of(caller)?.begin().await?;
    let job: Option<(i64, String, String)> = sqlx::query_as(
        "select j.id, j.uid, j.timezone from proof_checks c join jobs j on j.id = c.job_id where c.token = $1",
    )
    .bind(caller.link(Link::Proof)?)
    .fetch_optional(&mut *work)
    .await?;
    let Some((job, uid, timezone)) = job else {
        work.rollback().await?;
        return Err(Error::bad_token());
    };
    let sealed = read::of_job(&mut work, job).await?;
    work.rollback().await?;
    let now = fingerprints(app, caller, &sealed).await?;
    let Judged { state, records, chains } = judge(&sealed, &now);
    let paper = paper.seal.as_deref().map(str::trim).filter(|seal| !seal.is_empty());
    let paper = paper.map(|seal| is_known(&sealed, seal));
    Ok(ProofCheck {
        uid,
        organisation: caller.policy()?.name.clone(),
        timezone,
        checked_at: app.clock.now(),
        state: if paper == Some(false) { Found::Altered } else { state },
        paper,
        records,
        chains,
    })
}

/// Whether a seal, or what stands of it in a link, is one of the job's records.
fn is_known(sealed: &Sealed, seal: &str) -> bool {
    let of_job = |row: &&read::Row| {
        sealed
            .records
            .iter()
            .any(|record| record.kind == row.seal.record_kind && record.id == row.seal.record_id)
    };
    let seal = seal.to_ascii_lowercase();
    let is_long_enough = seal.len() >= short(&"0".repeat(64)).len();
    is_long_enough && sealed.rows.iter().filter(of_job).any(|row| row.seal.seal.starts_with(&seal))
}

/// Fingerprints of the bytes of the job's files as they are now.
async fn fingerprints(app: &App, caller: &Caller, sealed: &Sealed) -> Result<HashMap<i64, Option<String>>> {
    let is_of_job = |row: &&read::Row| {
        row.last
            && sealed
                .records
                .iter()
                .any(|record| record.kind == row.seal.record_kind && record.id == row.seal.record_id)
    };
    // A file that several records name is read once.
    let wanted: BTreeMap<i64, String> = sealed
        .rows
        .iter()
        .filter(is_of_job)
        .flat_map(|row| row.seal.files.iter())
        .filter_map(|file| sealed.keys.get(&file.id).map(|key| (file.id, key.clone())))
        .collect();
    stream::iter(wanted)
        .map(|(id, key)| async move { files::fingerprint(app, caller, &key).await.map(|now| (id, now)) })
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await
}
