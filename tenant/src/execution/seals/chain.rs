//! What a chain of seals says by itself. Pure: the text of a seal is written here a second time, so that nobody need trust
//! the database's word for it.

use chrono::{DateTime, Utc};
use routewright_core::Jsonb;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::FromRow;

/// A file as it was sealed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SealedFile {
    /// `photo`, `signature` or `answer`.
    pub(super) part: String,
    pub(super) id: i64,
    /// SHA-256 of its bytes; none of files from before they were counted.
    pub(super) hash: Option<String>,
}

/// One link of a chain.
#[derive(Debug, Clone, FromRow)]
pub(super) struct Seal {
    pub(super) chain: i64,
    pub(super) number: i32,
    pub(super) record_kind: String,
    pub(super) record_id: i64,
    pub(super) event: String,
    pub(super) at: DateTime<Utc>,
    /// SHA-256 of what the record said.
    pub(super) content: String,
    pub(super) files: Jsonb<Vec<SealedFile>>,
    pub(super) note: String,
    pub(super) previous: String,
    pub(super) seal: String,
}

/// SHA-256 of a text, in hexadecimal digits.
pub(super) fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Seal {
    /// Whether the seal is that of what stands in it.
    pub(super) fn holds(&self) -> bool {
        hash(&self.text()) == self.seal
    }

    /// As `proof_seal_text` of migration 33 writes it.
    fn text(&self) -> String {
        let file =
            |file: &SealedFile| format!("{} {} {}", file.part, file.id, file.hash.as_deref().unwrap_or("-"));
        let files: Vec<String> = self.files.iter().map(file).collect();
        [
            "routewright seal 1",
            &self.chain.to_string(),
            &self.number.to_string(),
            &self.record_kind,
            &self.record_id.to_string(),
            &self.event,
            &self.at.timestamp_micros().to_string(),
            &self.content,
            &files.join(","),
            &self.note,
            &self.previous,
        ]
        .join("\n")
    }
}

/// Where a chain is broken, in its order.
pub(super) fn breaks(chain: &[Seal]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expected = 1;
    let mut previous = "";
    for seal in chain {
        let number = seal.number;
        if number != expected {
            faults.push(match number - expected {
                1 => format!("Record {expected} is missing"),
                _ => format!("Records {expected} to {} are missing", number - 1),
            });
        } else if seal.previous != previous {
            faults.push(format!("Record {number} does not follow the one before it"));
        }
        if !seal.holds() {
            faults.push(format!("The seal of record {number} was altered"));
        }
        expected = number + 1;
        previous = &seal.seal;
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> Vec<Seal> {
        let mut previous = String::new();
        let mut seals = Vec::new();
        for number in 1..=4 {
            let file = SealedFile { part: "photo".to_owned(), id: 9, hash: Some(hash("bytes")) };
            let mut seal = Seal {
                chain: 3,
                number,
                record_kind: "job_proofs".to_owned(),
                record_id: 17 + i64::from(number),
                event: "recorded".to_owned(),
                at: DateTime::from_timestamp_micros(1_795_420_800_123_456).unwrap_or_default(),
                content: hash("content"),
                files: Jsonb(vec![file]),
                note: String::new(),
                previous: previous.clone(),
                seal: String::new(),
            };
            seal.seal = hash(&seal.text());
            previous.clone_from(&seal.seal);
            seals.push(seal);
        }
        seals
    }

    /// Whatever is changed, taken out or put in between shows.
    #[test]
    fn a_chain_shows_what_was_done_to_it() {
        assert_eq!(breaks(&chain()), [""; 0]);
        let changed = |change: &dyn Fn(&mut Vec<Seal>)| {
            let mut seals = chain();
            change(&mut seals);
            breaks(&seals)
        };
        let altered = ["The seal of record 2 was altered"];
        assert_eq!(changed(&|seals| seals[1].content = hash("other")), altered);
        assert_eq!(changed(&|seals| seals[1].files.0.clear()), altered);
        assert_eq!(changed(&|seals| seals[1].event = "corrected".to_owned()), altered);
        assert_eq!(changed(&|seals| drop(seals.remove(1))), ["Record 2 is missing"]);
        assert_eq!(changed(&|seals| drop(seals.drain(0..2))), ["Records 1 to 2 are missing"]);
        // A seal that is right in itself, but another one than the next knows.
        let replaced = changed(&|seals| {
            seals[1].content = hash("other");
            seals[1].seal = hash(&seals[1].text());
        });
        assert_eq!(replaced, ["Record 3 does not follow the one before it"]);
    }
}
