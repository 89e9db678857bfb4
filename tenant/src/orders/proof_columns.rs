//! Proofs as they travel with what they prove (contract §4.12).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stored file in a proof.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ProofFile {
    /// Id.
    pub id: i64,
    /// Uid.
    pub uid: String,
    /// Where its bytes are.
    pub link: String,
}

/// A proof.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AttachedProof {
    /// Id.
    pub id: i64,
    /// Job where it was recorded.
    pub job_id: Option<i64>,
    /// Run that recorded it.
    pub run_id: Option<i64>,
    /// `load`, `deliver`, `pickup`, `at_depot` or `return`.
    pub mode: Option<String>,
    /// Whether it went well.
    pub success: bool,
    /// Reason, mostly of a failure.
    pub reason_id: Option<i64>,
    /// When it happened on the device, `YYYY-MM-DD HH:mm:ss`, UTC.
    pub record_time: String,
    /// When it arrived, UTC.
    pub created: String,
    /// Latitude, degrees.
    pub lat: Option<f64>,
    /// Longitude, degrees.
    pub lon: Option<f64>,
    /// Signature.
    pub signature: Option<ProofFile>,
    /// Who signed.
    pub signature_name: Option<String>,
    /// Photos.
    pub photos: Vec<ProofFile>,
    /// Comments.
    pub comments: Option<String>,
}

/// SQL that collects the proofs of a row, oldest first, for select lists.
macro_rules! proofs {
    ($table:literal, $key:literal, $of:literal) => {
        concat!(
            "coalesce((select jsonb_agg(jsonb_build_object('id', p.id, '",
            $key,
            "', p.",
            $key,
            ", 'job_id', p.job_id, 'run_id', p.run_id, 'mode', p.mode, 'success', p.success, 'reason_id', p.reason_id,
                'record_time', to_char(p.record_time at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'),
                'created', to_char(p.created at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'),
                'lat', p.lat, 'lon', p.lon,
                'signature', (select jsonb_build_object('id', f.id, 'uid', f.uid, 'link', '/files/uid/' || f.uid)
                    from files f where f.id = p.signature_id),
                'signature_name', p.signature_name,
                'photos', coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'uid', f.uid, 'link', '/files/uid/' || f.uid)
                    order by array_position(p.photo_ids, f.id)) from files f where f.id = any(p.photo_ids)), '[]'),
                'comments', p.comments) order by p.record_time, p.id) from ",
            $table,
            " p where p.",
            $key,
            " = ",
            $of,
            "), '[]') as ",
            $table
        )
    };
}
pub(crate) use proofs;
