//! What a proof of delivery must have, and how it looks. Demands are told to the run sheet, whose page does not let a stop
//! end without what is required; what arrives without it all the same, from an older page or through the API, is evidence: it
//! is stored, and the office sees what is missing.

use std::collections::BTreeSet;

use routewright_core::check;
use routewright_core::error::Problems;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::groups::Group;

/// Job types that differ from the organisation.
const MOST_TYPES: usize = 100;

/// How much a part of a proof is wanted. Ordered by how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ProofDemand")]
pub(crate) enum Demand {
    /// Whoever wants to.
    Optional,
    /// The driver is asked once.
    Warn,
    /// A stop does not end without it.
    Required,
}

/// What is wanted of each part; null: as the older settings say, and PIN and age check are not asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "ProofDemands")]
pub(crate) struct Demands {
    pub(crate) photo: Option<Demand>,
    /// Of whoever takes it.
    pub(crate) signature: Option<Demand>,
    /// Of every unit.
    pub(crate) scan: Option<Demand>,
    /// Sent to the customer, who tells it to the driver.
    pub(crate) pin: Option<Demand>,
    /// What the driver writes.
    pub(crate) note: Option<Demand>,
    /// Whether the recipient is old enough: yes or no, nothing else is kept.
    pub(crate) age_check: Option<Demand>,
}

/// What is wanted for jobs of a type.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "JobTypeDemands")]
pub(crate) struct TypeDemands {
    /// One of the types of a job.
    pub(crate) job_type: String,
    #[serde(default)]
    pub(crate) demands: Demands,
}

/// What there is of a proof.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Parts {
    /// Whether it was delivered: an attempt that failed has nobody who signs.
    pub(crate) success: bool,
    pub(crate) photo: bool,
    pub(crate) signature: bool,
    pub(crate) scan: bool,
    pub(crate) pin: bool,
    pub(crate) note: bool,
    pub(crate) age_check: bool,
}

impl Demands {
    /// Required parts that are not there.
    pub(crate) fn missing(&self, parts: Parts) -> Vec<&'static str> {
        let needs = |demand: Option<Demand>| demand == Some(Demand::Required);
        [
            ("photo", needs(self.photo) && !parts.photo),
            ("signature", needs(self.signature) && parts.success && !parts.signature),
            ("scan", needs(self.scan) && parts.success && !parts.scan),
            ("pin", needs(self.pin) && parts.success && !parts.pin),
            ("note", needs(self.note) && !parts.note),
            ("age_check", needs(self.age_check) && parts.success && !parts.age_check),
        ]
        .into_iter()
        .filter_map(|(part, is_missing)| is_missing.then_some(part))
        .collect()
    }

    /// These, and where they say nothing the others.
    fn or(&self, others: &Self) -> Self {
        Self {
            photo: self.photo.or(others.photo),
            signature: self.signature.or(others.signature),
            scan: self.scan.or(others.scan),
            pin: self.pin.or(others.pin),
            note: self.note.or(others.note),
            age_check: self.age_check.or(others.age_check),
        }
    }

    /// The stricter of both, part by part.
    fn stricter(&self, others: &Self) -> Self {
        Self {
            photo: self.photo.max(others.photo),
            signature: self.signature.max(others.signature),
            scan: self.scan.max(others.scan),
            pin: self.pin.max(others.pin),
            note: self.note.max(others.note),
            age_check: self.age_check.max(others.age_check),
        }
    }
}

impl ProofOfDelivery {
    /// What is set for a job with these types, comma-separated: what its types say, the strictest of them, and where they say
    /// nothing what the organisation does.
    pub(crate) fn demands_of(&self, job_types: Option<&str>) -> Demands {
        let types: Vec<&str> = job_types.unwrap_or_default().split(',').map(str::trim).collect();
        self.by_job_type
            .iter()
            .filter(|one| types.contains(&one.job_type.trim()))
            .fold(Demands::default(), |strictest, one| strictest.stricter(&one.demands))
            .or(&self.demands)
    }
}

/// What a proof of delivery must have, and how it looks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "PodSettings")]
pub(crate) struct ProofOfDelivery {
    pub(crate) signature_required: bool,
    pub(crate) signature_name_required: bool,
    pub(crate) photo_required: bool,
    pub(crate) max_photos: usize,
    pub(crate) reason_required_on_failure: bool,
    pub(crate) unit_scan_required: bool,
    /// Whether customers may download it.
    pub(crate) customer_download: bool,
    pub(crate) logo_file_id: Option<i64>,
    pub(crate) footer_text: Option<String>,
    /// What proofs have to have; what is left empty is as the switches above say.
    pub(crate) demands: Demands,
    /// The same for jobs of a type, where it differs.
    pub(crate) by_job_type: Vec<TypeDemands>,
    /// Days after which photos and signatures of proofs are removed; null: never. What they were stays sealed.
    pub(crate) files_kept_days: Option<i64>,
}

impl Default for ProofOfDelivery {
    fn default() -> Self {
        Self {
            signature_required: true,
            signature_name_required: true,
            photo_required: false,
            max_photos: 5,
            reason_required_on_failure: true,
            unit_scan_required: false,
            customer_download: true,
            logo_file_id: None,
            footer_text: None,
            demands: Demands::default(),
            by_job_type: Vec::new(),
            files_kept_days: None,
        }
    }
}

impl Group for ProofOfDelivery {
    const NAME: &'static str = "pod_settings";

    fn check(&self, problems: &mut Problems) {
        problems.require((1..=20).contains(&self.max_photos), "max_photos", "Value must be between 1 and 20");
        problems.optional_text("footer_text", self.footer_text.as_deref(), check::LONG_TEXT);
        let named = self.by_job_type.iter().all(|one| !one.job_type.trim().is_empty());
        problems.require(named, "by_job_type", "Every line needs a job type");
        let short = self.by_job_type.iter().all(|one| one.job_type.chars().count() <= check::SHORT_TEXT);
        problems.require(short, "by_job_type", check::TOO_LONG);
        let days = self.files_kept_days.is_none_or(|days| (1..=36_500).contains(&days));
        problems.require(days, "files_kept_days", "Value must be between 1 and 36500");
        let types: BTreeSet<&str> = self.by_job_type.iter().map(|one| one.job_type.trim()).collect();
        problems.require(
            types.len() == self.by_job_type.len(),
            "by_job_type",
            "Each job type may be given once only",
        );
        problems.require(
            types.len() <= MOST_TYPES,
            "by_job_type",
            &format!("At most {MOST_TYPES} job types"),
        );
    }

    fn files(&self) -> Vec<(&'static str, i64)> {
        self.logo_file_id.map(|id| ("logo_file_id", id)).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A job's types override the organisation part by part; of several types the strictest counts.
    #[test]
    fn a_jobs_types_override_the_organisation() {
        let settings: ProofOfDelivery = serde_json::from_value(serde_json::json!({
            "demands": {"photo": "warn", "note": "required"},
            "by_job_type": [
                {"job_type": "wine", "demands": {"age_check": "required", "photo": "optional"}},
                {"job_type": "fridge", "demands": {"photo": "required", "note": "optional"}},
            ],
        }))
        .expect("settings");
        let of = |types| settings.demands_of(types);
        assert_eq!(of(None), settings.demands);
        assert_eq!(of(Some("other")), settings.demands);
        let wine = of(Some("wine"));
        assert_eq!((wine.photo, wine.note), (Some(Demand::Optional), Some(Demand::Required)));
        assert_eq!(wine.age_check, Some(Demand::Required));
        let both = of(Some("fridge,wine"));
        assert_eq!((both.photo, both.note), (Some(Demand::Required), Some(Demand::Optional)));
        assert_eq!(ProofOfDelivery::default().demands_of(Some("wine")), Demands::default());
    }

    /// An attempt that failed lacks nobody's signature.
    #[test]
    fn what_is_required_and_not_there_is_missing() {
        let all = Some(Demand::Required);
        let demands = Demands {
            photo: all,
            signature: all,
            scan: all,
            pin: all,
            note: Some(Demand::Warn),
            age_check: all,
        };
        let failed = Parts::default();
        assert_eq!(demands.missing(failed), ["photo"]);
        let bare = Parts { success: true, ..failed };
        assert_eq!(demands.missing(bare), ["photo", "signature", "scan", "pin", "age_check"]);
        let whole = Parts {
            success: true,
            photo: true,
            signature: true,
            scan: true,
            pin: true,
            note: false,
            age_check: true,
        };
        assert_eq!(demands.missing(whole), [""; 0]);
    }
}
