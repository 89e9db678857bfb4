//! The plan on the road: dispatch, run sheets, positions, proofs, tracking, validation.
//! Stands on `planning`.

pub(crate) mod contact;
pub(crate) mod devices;
pub(crate) mod dispatch;
pub(crate) mod documents;
pub(crate) mod evidence;
pub(crate) mod filing;
pub(crate) mod gps;
pub(crate) mod messages;
pub(crate) mod progress;
pub(crate) mod proofs;
pub(crate) mod qr_codes;
pub(crate) mod runsheet;
pub(crate) mod seals;
pub(crate) mod tracking;
pub(crate) mod validation;
