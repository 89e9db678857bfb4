//! Holding what is there against what was sealed. Pure.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use super::chain::{Seal, SealedFile, breaks, hash};
use super::read::{Record, Row, Sealed};

/// How something stands to its seal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "SealState")]
pub(super) enum State {
    /// As it was sealed.
    Unchanged,
    /// Not as it was sealed, or gone.
    Altered,
    /// Recorded before there were seals.
    BeforeSealing,
    /// Removed when its time was over; its seal is intact.
    Removed,
}

/// A file of a record.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "CheckedFile")]
pub(super) struct CheckedFile {
    /// `photo`, `signature` or `answer`.
    pub(super) part: String,
    /// Which of that part, from 1.
    pub(super) number: usize,
    /// SHA-256 of its bytes when it was taken in.
    pub(super) hash: Option<String>,
    /// How it stands to its seal.
    pub(super) state: State,
    /// What is wrong, or why it is gone.
    pub(super) note: Option<String>,
}

/// A record of the job.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "CheckedRecord")]
pub(super) struct CheckedRecord {
    /// `job`, `unit`, `return`, `container` or `evidence`: what the driver's device sent.
    pub(super) kind: String,
    /// What was done to an item.
    pub(super) mode: Option<String>,
    /// Code of the unit, return or container.
    pub(super) item: Option<String>,
    /// When it happened.
    pub(super) recorded_at: DateTime<Utc>,
    /// When it was sealed last.
    pub(super) sealed_at: Option<DateTime<Utc>>,
    /// Its place in the run's chain.
    pub(super) number: Option<i32>,
    /// How often the office has corrected it; each correction is sealed.
    pub(super) corrections: usize,
    /// Its seal.
    pub(super) seal: Option<String>,
    /// How it stands to its seal, with its files.
    pub(super) state: State,
    /// Parts that are not as they were sealed: `record`, `seal`, `photo 1`, `signature`.
    pub(super) altered: Vec<String>,
    /// Its files.
    pub(super) files: Vec<CheckedFile>,
}

/// A chain of seals.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "CheckedChain")]
pub(super) struct CheckedChain {
    /// How many seals it has.
    pub(super) seals: usize,
    /// Whether it is whole.
    pub(super) state: State,
    /// Where it is not.
    pub(super) faults: Vec<String>,
}

/// What was found.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    pub(super) state: State,
    pub(super) records: Vec<CheckedRecord>,
    pub(super) chains: Vec<CheckedChain>,
}

/// Judges what is sealed of a job. `found`: fingerprints of the files' bytes as they are now.
pub(super) fn judge(sealed: &Sealed, found: &HashMap<i64, Option<String>>) -> Judged {
    let records: Vec<CheckedRecord> =
        sealed.records.iter().map(|record| judge_record(record, sealed, found)).collect();
    let chains = judge_chains(sealed);
    let altered = records.iter().any(|record| record.state == State::Altered)
        || chains.iter().any(|chain| chain.state == State::Altered);
    let unsealed = !records.is_empty() && records.iter().all(|record| record.state == State::BeforeSealing);
    let state = match (altered, unsealed) {
        (true, _) => State::Altered,
        (false, true) => State::BeforeSealing,
        (false, false) => State::Unchanged,
    };
    Judged { state, records, chains }
}

fn judge_record(record: &Record, sealed: &Sealed, found: &HashMap<i64, Option<String>>) -> CheckedRecord {
    let of_it = |row: &&Row| row.seal.record_kind == record.kind && row.seal.record_id == record.id;
    let rows: Vec<&Row> = sealed.rows.iter().filter(of_it).collect();
    let last = rows.iter().find(|row| row.last);
    let files = last.map(|row| judge_files(&row.seal.files, &rows, sealed, found)).unwrap_or_default();
    let mut altered = Vec::new();
    match last {
        None if !record.before => altered.push("seal".to_owned()),
        None => {}
        Some(row) => {
            if !row.seal.holds() {
                altered.push("seal".to_owned());
            }
            if !is_as_sealed(row) {
                altered.push("record".to_owned());
            }
            let wrong = files.iter().filter(|file| file.state == State::Altered);
            altered.extend(wrong.map(named));
        }
    }
    let state = match (last, altered.is_empty()) {
        (_, false) => State::Altered,
        (None, true) => State::BeforeSealing,
        (Some(_), true) => State::Unchanged,
    };
    CheckedRecord {
        kind: record.kind.trim_end_matches("_proofs").to_owned(),
        mode: record.mode.clone(),
        item: record.item.clone(),
        recorded_at: record.recorded_at,
        sealed_at: last.map(|row| row.seal.at),
        number: last.map(|row| row.seal.number),
        corrections: rows.iter().filter(|row| row.seal.event == "corrected").count(),
        seal: last.map(|row| row.seal.seal.clone()),
        state,
        altered,
        files,
    }
}

/// `signature`, `photo 2`.
fn named(file: &CheckedFile) -> String {
    match file.part.as_str() {
        "signature" => file.part.clone(),
        part => format!("{part} {}", file.number),
    }
}

/// Whether a record says what was sealed last of it.
fn is_as_sealed(row: &Row) -> bool {
    match &row.now {
        Some(now) => row.seal.event != "removed" && hash(now) == row.seal.content,
        None => row.seal.event == "removed",
    }
}

fn judge_files(
    files: &[SealedFile],
    rows: &[&Row],
    sealed: &Sealed,
    found: &HashMap<i64, Option<String>>,
) -> Vec<CheckedFile> {
    let removed = rows.iter().find(|row| row.seal.event == "files_removed" && row.seal.holds());
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut checked = Vec::with_capacity(files.len());
    for file in files {
        let number = numbers.entry(&file.part).or_default();
        *number += 1;
        let now = found.get(&file.id).cloned().flatten();
        let (state, note) = match (&file.hash, now, removed) {
            (None, _, _) => (State::BeforeSealing, None),
            (Some(sealed), Some(now), _) if *sealed == now => (State::Unchanged, None),
            (Some(_), Some(_), _) => {
                (State::Altered, Some("The file is not the one that was taken in".to_owned()))
            }
            (Some(_), None, Some(row)) if !sealed.keys.contains_key(&file.id) => {
                (State::Removed, Some(row.seal.note.clone()))
            }
            (Some(_), None, _) => (State::Altered, Some("The file is gone".to_owned())),
        };
        checked.push(CheckedFile {
            part: file.part.clone(),
            number: *number,
            hash: file.hash.clone(),
            state,
            note,
        });
    }
    checked
}

/// Whether the chains are whole, and everything in them is as it was sealed.
fn judge_chains(sealed: &Sealed) -> Vec<CheckedChain> {
    let mut chains: BTreeMap<i64, Vec<&Row>> = BTreeMap::new();
    for row in &sealed.rows {
        chains.entry(row.seal.chain).or_default().push(row);
    }
    let mut without = sealed.without.len();
    let mut checked: Vec<CheckedChain> = chains
        .into_values()
        .map(|rows| {
            let seals: Vec<Seal> = rows.iter().map(|row| row.seal.clone()).collect();
            let mut faults = breaks(&seals);
            faults.extend(rows.iter().filter(|row| row.last && !is_as_sealed(row)).map(
                |row| match row.now {
                    Some(_) => format!("What record {} says was altered", row.seal.number),
                    None => format!("What record {} says is gone", row.seal.number),
                },
            ));
            if std::mem::take(&mut without) > 0 {
                faults.push(unsealed(sealed.without.len()));
            }
            CheckedChain { seals: rows.len(), state: state(&faults), faults }
        })
        .collect();
    if without > 0 {
        let faults = vec![unsealed(without)];
        checked.push(CheckedChain { seals: 0, state: state(&faults), faults });
    }
    checked
}

fn state(faults: &[String]) -> State {
    if faults.is_empty() { State::Unchanged } else { State::Altered }
}

fn unsealed(count: usize) -> String {
    if count == 1 { "1 record has no seal".to_owned() } else { format!("{count} records have no seal") }
}
