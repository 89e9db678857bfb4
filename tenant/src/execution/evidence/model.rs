//! A record as it comes from a phone, and as it is kept.

use chrono::{DateTime, Utc};
use routewright_core::error::Problems;
use routewright_core::list::{Filter, Shape, Where};
use routewright_core::{Jsonb, Result, check};
use routewright_identity::Caller;
use routewright_tenancy::Resource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::FromRow;
use uuid::Uuid;

use crate::execution::proofs::{NewRunProof, ProofFields, RecordTime};
use crate::setup::checklists::Submission;
use crate::setup::files::{FILE, FileLink, PHOTOS};

/// Most items of one stop.
const MOST_ITEMS: usize = 1000;
/// Difference of the clocks up to which it counts as the way of the message, seconds.
const CLOCK_TOLERANCE: f64 = 60.0;

/// What a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum RecordKind {
    /// The start of the route.
    Start,
    /// A stop.
    Stop,
    /// The end of the route.
    End,
    /// A word to the office: late, or cannot go on.
    Note,
}

impl RecordKind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::End => "end",
            Self::Note => "note",
        }
    }
}

/// A file that the phone could not bring.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct MissingFile {
    /// Its name on the phone.
    name: String,
    /// Why it was refused.
    reason: String,
}

/// One record of a driver with everything that belongs to it. The moment of every proof in it is `captured_at`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunsheetRecord")]
pub(super) struct Record {
    /// Made on the phone; the same id again is the same record again.
    pub(super) id: Uuid,
    /// What it is about.
    pub(super) kind: RecordKind,
    /// When it happened, by the phone's clock.
    pub(super) captured_at: DateTime<Utc>,
    /// When it is sent, by the phone's clock.
    #[serde(default)]
    pub(super) sent_at: Option<DateTime<Utc>>,
    /// The job of a stop, or that a note is about.
    #[serde(default)]
    pub(super) job_id: Option<i64>,
    /// What the phone calls that job.
    #[serde(default)]
    pub(super) job_uid: Option<String>,
    /// What became of the job.
    #[serde(default)]
    pub(super) job_proof: Option<ProofFields>,
    /// What became of its units.
    #[serde(default)]
    pub(super) unit_proofs: Vec<ProofFields>,
    /// What became of its returns.
    #[serde(default)]
    pub(super) return_proofs: Vec<ProofFields>,
    /// What became of its containers.
    #[serde(default)]
    pub(super) container_proofs: Vec<ProofFields>,
    /// Odometer, photos and signature of a start or an end.
    #[serde(default)]
    pub(super) route: Option<NewRunProof>,
    /// Answers to the checklist of a start or an end.
    #[serde(default)]
    pub(super) checklist: Option<Submission>,
    /// What a note says.
    #[serde(default)]
    pub(super) note: Option<String>,
    /// Files that were refused; the record goes without them.
    #[serde(default)]
    pub(super) missing_files: Vec<MissingFile>,
}

impl Record {
    /// Checks what no phone of ours sends wrong.
    ///
    /// # Errors
    /// 400 naming the field.
    pub(super) fn check(&self) -> Result<()> {
        let mut problems = Problems::default();
        let stop = self.kind == RecordKind::Stop;
        problems.require(!stop || self.job_id.is_some(), "job_id", check::REQUIRED);
        let note = self.note.as_deref().is_some_and(|note| !note.trim().is_empty());
        problems.require(note || self.kind != RecordKind::Note, "note", check::REQUIRED);
        let long = self.note.as_ref().is_some_and(|note| note.chars().count() > check::LONG_TEXT);
        problems.require(!long, "note", check::TOO_LONG);
        problems.optional_text("job_uid", self.job_uid.as_deref(), check::SHORT_TEXT);
        for (field, proofs) in [
            ("unit_proofs", &self.unit_proofs),
            ("return_proofs", &self.return_proofs),
            ("container_proofs", &self.container_proofs),
        ] {
            problems.require(proofs.len() <= MOST_ITEMS, field, "At most 1000 items");
        }
        problems.require(self.missing_files.len() <= MOST_ITEMS, "missing_files", "At most 1000 items");
        problems.finish()
    }

    /// The record with the moment at which it happened by the server's clock in all its proofs.
    pub(super) fn timed(mut self, skew: Option<f64>) -> Self {
        let at = RecordTime(corrected(self.captured_at, skew));
        let proofs = self.job_proof.iter_mut();
        let items =
            self.unit_proofs.iter_mut().chain(&mut self.return_proofs).chain(&mut self.container_proofs);
        for proof in proofs.chain(items) {
            proof.record_time = Some(at);
        }
        if let Some(route) = &mut self.route {
            route.record_time = Some(at);
        }
        self
    }

    /// The record as it is kept: what the customer told the driver is not.
    pub(super) fn kept(&self) -> Result<Value> {
        let mut kept = serde_json::to_value(self)?;
        if let Some(proof) = kept.get_mut("job_proof").and_then(Value::as_object_mut) {
            proof.remove("pin");
        }
        Ok(kept)
    }

    /// Photos and signature that it brings.
    pub(super) fn files(&self) -> (Vec<i64>, Option<i64>) {
        let (photos, signature) = match (&self.job_proof, &self.route) {
            (Some(proof), _) => (&proof.photo_ids, proof.signature_id),
            (None, Some(route)) => (&route.photo_ids, route.signature_id),
            (None, None) => (&None, None),
        };
        (photos.clone().unwrap_or_default(), signature)
    }
}

/// How far the server's clock is ahead of the phone's, seconds.
pub(super) fn clock_skew(sent: Option<DateTime<Utc>>, received: DateTime<Utc>) -> Option<f64> {
    sent.map(|sent| (received - sent).as_seconds_f64())
}

/// A moment of a phone whose clock is wrong, by the server's clock.
fn corrected(at: DateTime<Utc>, skew: Option<f64>) -> DateTime<Utc> {
    match skew {
        Some(skew) if skew.abs() > CLOCK_TOLERANCE => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "differences of clocks are far below 2^63 ms"
            )]
            let wrong = chrono::TimeDelta::milliseconds((skew * 1000.0) as i64);
            at.checked_add_signed(wrong).unwrap_or(at)
        }
        _ => at,
    }
}

/// A record as it is kept.
#[derive(Debug, Clone, Serialize, JsonSchema, FromRow)]
pub(super) struct Evidence {
    /// Id.
    pub(super) id: i64,
    /// Id that the phone gave it.
    pub(super) uid: Uuid,
    /// The run on whose sheet it was made; null when it was deleted.
    pub(super) run_id: Option<i64>,
    /// Its name then.
    pub(super) run_uid: String,
    /// The driver of that run.
    pub(super) driver: Option<String>,
    /// `start`, `stop`, `end` or `note`.
    pub(super) kind: String,
    /// The job that it is stored with.
    pub(super) job_id: Option<i64>,
    /// What the phone called the job.
    pub(super) job_uid: Option<String>,
    /// Run that has the job now.
    pub(super) job_run: Option<String>,
    /// The record as it came.
    pub(super) content: Jsonb<Value>,
    /// Photos.
    pub(super) photos: Jsonb<Vec<FileLink>>,
    /// Signature.
    pub(super) signature: Option<Jsonb<FileLink>>,
    /// When it happened, by the phone's clock.
    pub(super) captured_at: DateTime<Utc>,
    /// When it was sent, by the phone's clock.
    pub(super) sent_at: Option<DateTime<Utc>>,
    /// When it came.
    pub(super) received_at: DateTime<Utc>,
    /// Seconds that the server's clock was ahead of the phone's, the way of the message included.
    pub(super) clock_skew: Option<f64>,
    /// `filed` with its job; `moved`: with its job, which is on another run; `open`: waits for a decision; `assigned` to a
    /// job by a planner; `dismissed`.
    pub(super) state: String,
    /// Why it could not be stored as it is.
    pub(super) problem: Option<String>,
    /// Who decided.
    pub(super) decided_by: Option<i64>,
    /// When.
    pub(super) decided_at: Option<DateTime<Utc>>,
    /// Why it was dismissed.
    pub(super) decision: Option<String>,
}

/// What can be written of it: nothing, it is evidence.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(super) struct NoFields {}

impl Resource for Evidence {
    const NAME: &'static str = "Evidence";
    const PATH: &'static str = "/evidence";
    const TABLE: &'static str = "evidence";
    const FROM: &'static str =
        "evidence e left join runs r on r.id = e.run_id left join drivers d on d.id = r.driver_id
        left join vehicles v on v.id = r.vehicle_id left join jobs j on j.id = e.job_id
        left join runs jr on jr.id = j.run_id";
    const ID: &'static str = "e.id";
    const COLUMNS: &'static str = concat!(
        "e.id, e.uid, e.run_id, e.run_uid, d.uid as driver, e.kind, e.job_id, e.job_uid, jr.uid as job_run, e.content, ",
        PHOTOS!("e.photo_ids"),
        " as photos, ",
        FILE!("e.signature_id"),
        " as signature, e.captured_at, e.sent_at, e.received_at, e.clock_skew, e.state, e.problem, e.decided_by,
        e.decided_at, e.decision"
    );
    const SHAPE: Shape = Shape {
        filters: &[
            Filter::choice("state", "e.state"),
            Filter::id("run_id", "e.run_id"),
            Filter::id("job_id", "e.job_id"),
            Filter::id("scenario_id", "coalesce(r.scenario_id, j.scenario_id)"),
        ],
        search: &["e.run_uid", "e.job_uid", "d.uid"],
        sort: &[("id", "e.id"), ("captured_at", "e.captured_at"), ("received_at", "e.received_at")],
        order: "e.id desc",
    };
    type Fields = NoFields;

    fn narrow(caller: &Caller, conditions: &mut Where) {
        if let Some(haulier) = caller.haulier_id() {
            let place = conditions.bind(haulier);
            conditions.and(&format!("(d.haulier_id = {place} or v.haulier_id = {place})"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Capture time, receive time and skew are kept apart: only a clock that is plainly wrong moves a proof.
    #[test]
    fn moments_of_wrong_clocks_are_corrected() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a moment");
        let (captured, sent) = (at("2026-11-23T08:00:00Z"), at("2026-11-23T08:10:00Z"));
        for (received, expected) in [
            ("2026-11-23T08:10:20Z", "2026-11-23T08:00:00Z"),
            ("2026-11-23T11:10:00Z", "2026-11-23T11:00:00Z"),
            ("2026-11-22T08:10:00Z", "2026-11-22T08:00:00Z"),
        ] {
            let skew = clock_skew(Some(sent), at(received));
            assert_eq!(corrected(captured, skew), at(expected), "{received}");
        }
        assert_eq!(corrected(captured, None), captured);
    }
}
