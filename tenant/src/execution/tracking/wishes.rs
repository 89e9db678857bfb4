//! What a customer asks of the driver: a word about the delivery, and where it may be left when nobody is in. Kept with the job
//! in his own words until the driver has been there.

use axum::Json;
use axum::extract::State;
use routewright_core::error::Problems;
use routewright_core::{Error, Given, Result};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::asks;
use super::delivery::tracked;
use super::masked::masked;
use crate::app::App;
use crate::setup::information::{self, Reschedule};

/// Characters of a word to the driver.
pub(super) const LONGEST: usize = 500;
/// Characters of a place.
pub(super) const LONGEST_PLACE: usize = 200;

/// What the customer asked of the driver, and what he may.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrackedWishes")]
pub(super) struct Wishes {
    /// Whether a word to the driver is taken.
    pub(super) may_instruct: bool,
    /// Whether a place is taken where it may be left.
    pub(super) may_name_place: bool,
    /// A word to the driver, with contact details masked.
    pub(super) instructions: Option<String>,
    /// Where it may be left, with contact details masked.
    pub(super) safe_place: Option<String>,
}

/// What the customer asks; what is absent stays as it is, blank text and null clear it.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "TrackingWishes")]
pub(super) struct Asked {
    /// A word to the driver, at most 500 characters.
    instructions: Option<String>,
    /// Where it may be left, at most 200 characters.
    safe_place: Option<String>,
}

/// What is kept.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "KeptWishes")]
pub(super) struct Kept {
    success: bool,
    /// A word to the driver, with contact details masked.
    instructions: Option<String>,
    /// Where it may be left, with contact details masked.
    safe_place: Option<String>,
}

/// `PUT /jobs/tracking/{token}/instructions`.
pub(super) async fn put(mut db: Db, State(app): State<App>, given: Given<Asked>) -> Result<Json<Kept>> {
    let (job, settings) = tracked(&mut db, &app).await?;
    let terms: Reschedule = information::of(&mut db).await?;
    if !settings.allow_instructions && !terms.allow_safe_drop {
        return Err(Error::denied());
    }
    if job.proof.is_some() {
        return Err(Error::conflict("The delivery was made already"));
    }
    let tidy = |text: &Option<String>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let (instructions, safe_place) = (tidy(&given.value.instructions), tidy(&given.value.safe_place));
    let mut problems = Problems::default();
    let taken = settings.allow_instructions || instructions.is_none();
    problems.require(taken, "instructions", "Instructions are not taken");
    let taken = terms.allow_safe_drop || safe_place.is_none();
    problems.require(taken, "safe_place", "The parcel cannot be left at a place");
    problems.optional_text("instructions", instructions.as_deref(), LONGEST);
    problems.optional_text("safe_place", safe_place.as_deref(), LONGEST_PLACE);
    problems.finish()?;
    asks::admit(&mut db, job.id, app.clock.now()).await?;
    let (instructions, safe_place): (Option<String>, Option<String>) = sqlx::query_as(
        "update jobs j set
             customer_instructions = case when $2 then $3 else j.customer_instructions end,
             customer_safe_place = case when $4 then $5 else j.customer_safe_place end
         where j.id = $1
             and not exists (select from job_proofs p where p.job_id = j.id)
             and not exists (select from runs r where r.id = j.run_id and r.validated_at is not null)
         returning j.customer_instructions, j.customer_safe_place",
    )
    .bind(job.id)
    .bind(given.has("instructions"))
    .bind(instructions)
    .bind(given.has("safe_place"))
    .bind(safe_place)
    .fetch_optional(&mut *db)
    .await?
    .ok_or_else(|| Error::conflict("The delivery was made already"))?;
    Ok(Json(Kept {
        success: true,
        instructions: instructions.as_deref().map(masked),
        safe_place: safe_place.as_deref().map(masked),
    }))
}
