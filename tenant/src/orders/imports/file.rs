//! The rows of a file together: what is wrong with them, and which of them can be imported. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use routewright_core::check;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::linking;
use super::mapping::{Mapping, Target};
use super::read::{self, Row, RowError};
use super::store::{Client, Existing};
use super::{OnDuplicate, ReadFault};
use crate::orders::jobs::links;

/// Reason of a row that says that it shall not be uploaded.
const NOT_TO_UPLOAD: &str = "The file says that it shall not be uploaded";

/// A row that is left out.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct SkippedRow {
    /// Row of the file, from 1, without the header.
    pub row: usize,
    /// Why.
    pub reason: String,
}

/// A client that rows name and the organisation does not have.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MissingClient {
    /// Its number.
    pub uid: String,
    /// The rows that name it.
    pub rows: Vec<usize>,
    /// What the first of them says of it, by the names of a client's fields.
    pub suggested: Map<String, Value>,
}

/// The file as far as it was read.
pub(super) struct File {
    /// How many rows came in.
    pub total: usize,
    pub rows: Vec<Row>,
    pub errors: Vec<RowError>,
    pub skipped: Vec<SkippedRow>,
    pub missing: Vec<MissingClient>,
    /// Numbers of rows whose place the address search was not sure of.
    pub doubtful: BTreeSet<usize>,
}

impl File {
    /// Addresses whose coordinates are still to be found.
    pub(super) fn addresses_to_find(&self) -> BTreeSet<String> {
        self.rows.iter().filter_map(Row::address_to_find).map(str::to_owned).collect()
    }

    /// Reads every row.
    pub(super) fn read(rows: &[Map<String, Value>], mapping: &Mapping) -> Self {
        let mut file = Self {
            total: rows.len(),
            rows: Vec::with_capacity(rows.len()),
            errors: Vec::new(),
            skipped: Vec::new(),
            missing: Vec::new(),
            doubtful: BTreeSet::new(),
        };
        for (index, cells) in rows.iter().enumerate() {
            match read::row(index + 1, cells, mapping, &mut file.errors) {
                Some(row) => file.rows.push(row),
                None => file.skipped.push(SkippedRow { row: index + 1, reason: NOT_TO_UPLOAD.to_owned() }),
            }
        }
        file
    }

    /// Takes what was not sure when the file was read. What is wrong with a cell that no field takes does not matter.
    pub(super) fn tell(&mut self, faults: &[ReadFault], mapping: &Mapping) {
        let rows: HashSet<usize> = self.rows.iter().map(|row| row.number).collect();
        for ReadFault { row, header, message } in faults.iter().filter(|fault| rows.contains(&fault.row)) {
            let target = header.as_ref().map(|header| mapping.target(header));
            let field = match target {
                None => String::new(),
                Some(Some(target)) if *target != Target::Ignore => target.name(),
                Some(_) => continue,
            };
            self.errors.push(RowError::new(*row, &field, message.clone()));
        }
    }

    /// Rows take what they do not say from the client that they name.
    pub(super) fn take_from(&mut self, clients: &HashMap<String, Client>) {
        for row in &mut self.rows {
            match row.client_uid.as_ref().map(|uid| clients.get(uid)) {
                Some(Some(client)) => row.take_from(client),
                Some(None) => row.without_client = true,
                None => {}
            }
        }
    }

    /// A repeated uid with unit or return columns adds those to the first row's job; any other repeated uid is a fault of
    /// all rows that share it, unless duplicates shall be created.
    pub(super) fn fold_repeated(&mut self, on_duplicate: OnDuplicate) {
        let mut missing: BTreeMap<String, MissingClient> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.without_client) {
            let uid = row.client_uid.clone().unwrap_or_default();
            let suggested = || row.suggested_client();
            let client = missing.entry(uid.clone()).or_insert_with(|| MissingClient {
                uid,
                rows: Vec::new(),
                suggested: suggested(),
            });
            client.rows.push(row.number);
        }
        self.missing = missing.into_values().collect();
        let mut first: HashMap<String, usize> = HashMap::new();
        let mut kept: Vec<Row> = Vec::with_capacity(self.rows.len());
        for row in std::mem::take(&mut self.rows) {
            let uid = row.fields.uid.clone().unwrap_or_default();
            match first.get(&uid) {
                Some(index) if row.has_items() => kept[*index].join(row, &mut self.errors),
                Some(index) if on_duplicate != OnDuplicate::Create => {
                    // Without a number: who sends the rows counts the header or not.
                    let again = format!("Job UID {uid} already exists in an earlier row");
                    let other = kept[*index].number;
                    self.errors.push(RowError::new(row.number, "uid", again).with(other));
                    let twice = format!("Job UID {uid} is repeated in a later row");
                    self.errors.push(RowError::new(other, "uid", twice).with(row.number));
                    kept.push(row);
                }
                _ => {
                    if !uid.is_empty() {
                        first.insert(uid, kept.len());
                    }
                    kept.push(row);
                }
            }
        }
        self.rows = kept;
    }

    /// Links must name jobs of the file or the scenario and must not form cycles; every one that does is told.
    pub(super) fn check_links(&mut self, existing: &[Existing], on_duplicate: OnDuplicate) {
        linking::check(&self.rows, existing, on_duplicate, &mut self.errors);
    }

    /// What every job needs, wherever it came from. A job that is there already has its place; one whose client is still to
    /// be created takes it from there.
    pub(super) fn complete(&mut self, existing: &[Existing], on_duplicate: OnDuplicate) {
        let known: HashSet<&str> = existing.iter().map(|job| job.uid.as_str()).collect();
        let told: HashSet<(usize, String)> =
            self.errors.iter().map(|error| (error.row, error.field.clone())).collect();
        let told = |row: &Row, field: &str| told.contains(&(row.number, field.to_owned()));
        for row in &self.rows {
            let uid = row.fields.uid.as_deref();
            if uid.is_none() && !told(row, "uid") {
                self.errors.push(RowError::new(row.number, "uid", "UID is required"));
            }
            let there = on_duplicate != OnDuplicate::Create && uid.is_some_and(|uid| known.contains(uid));
            let placed = row.fields.location.is_some() || row.without_client || there;
            if !placed && !["address", "lat", "lon"].into_iter().any(|field| told(row, field)) {
                self.errors.push(RowError::new(row.number, "address", check::REQUIRED));
            }
        }
    }

    /// Takes out what cannot be imported: faulty rows, those without their client, what belongs to the same job, and
    /// those that are linked to a job that would not be there. Answers the numbers of their rows.
    pub(super) fn keep_back(&mut self, existing: &[Existing], on_duplicate: OnDuplicate) -> BTreeSet<usize> {
        self.errors.sort_by(|a, b| (a.row, &a.field).cmp(&(b.row, &b.field)));
        self.errors.dedup();
        let faulty: HashSet<usize> = self.errors.iter().map(|error| error.row).collect();
        let mut stays: Vec<bool> = self
            .rows
            .iter()
            .map(|row| !row.without_client && !row.numbers().any(|number| faulty.contains(&number)))
            .collect();
        loop {
            let there: HashSet<&str> = existing
                .iter()
                .map(|job| job.uid.as_str())
                .chain(
                    self.rows
                        .iter()
                        .zip(&stays)
                        .filter(|(_, stays)| **stays)
                        .filter_map(|(row, _)| row.fields.uid.as_deref()),
                )
                .collect();
            let mut lost: Vec<(usize, RowError)> = Vec::new();
            for (index, row) in self.rows.iter().enumerate().filter(|(index, _)| stays[*index]) {
                for (field, list) in
                    [("pickup_from", &row.fields.pickup_from), ("deliver_to", &row.fields.deliver_to)]
                {
                    let gone =
                        links::uids(list.as_deref()).into_iter().find(|uid| !there.contains(uid.as_str()));
                    if let Some(uid) = gone {
                        let text =
                            format!("Job {uid} is not imported, because its own row has to be corrected");
                        lost.push((index, RowError::new(row.number, field, text)));
                    }
                }
            }
            if lost.is_empty() {
                break;
            }
            for (index, error) in lost {
                stays[index] = false;
                self.errors.push(error);
            }
        }
        self.errors.sort_by(|a, b| (a.row, &a.field).cmp(&(b.row, &b.field)));
        let mut stay = stays.iter();
        let mut kept = BTreeSet::new();
        self.rows.retain(|row| {
            let stays = *stay.next().unwrap_or(&true);
            if !stays {
                kept.extend(row.numbers());
            }
            stays
        });
        if on_duplicate == OnDuplicate::Skip {
            self.skip_known(existing);
        }
        kept
    }

    /// Leaves out jobs that are there already.
    fn skip_known(&mut self, existing: &[Existing]) {
        let known: HashSet<&str> = existing.iter().map(|job| job.uid.as_str()).collect();
        for row in std::mem::take(&mut self.rows) {
            match row.fields.uid.as_deref().filter(|uid| known.contains(uid)) {
                Some(uid) => {
                    let reason = format!("Job UID {uid} already exists");
                    let rows = row.numbers().map(|row| SkippedRow { row, reason: reason.clone() });
                    self.skipped.extend(rows);
                }
                None => self.rows.push(row),
            }
        }
        self.skipped.sort_by_key(|skipped| skipped.row);
    }
}
