//! Validation of finished runs (S-01): eligibility is required, the 15 % tolerance is told for the supervisor's question;
//! and the bills that validation makes.

mod bills;
mod tolerance;

use std::fmt;

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use routewright_core::{Access, Body, Result, Routes};
use routewright_tenancy::Db;
use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::fleet::costing::bill::Concern;
use crate::planning::runs::{self, Validation};

const VALIDATE: Access = Access::levels(&["runs_write", "billing_rates_read"]);
const READ: Access = Access::levels(&["runs_read", "billing_rates_read"]);

/// The routes: one handler under two paths (C-13).
pub(crate) fn routes() -> Routes<App> {
    Routes::new()
        .patch("/runs/validate", VALIDATE, validate)
        .patch("/run_cost_calculator/validate", VALIDATE, validate)
        .get("/runs/{id}/bill", READ, bills::get)
        .get("/runs/{id}/bills", READ, bills::versions)
        .post("/runs/{id}/bill/accept", VALIDATE, bills::accept)
        .post("/runs/{id}/bill/dismiss", VALIDATE, bills::dismiss)
        .post("/runs/{id}/reopen", VALIDATE, bills::reopen)
}

/// Run ids, bare or named.
#[derive(JsonSchema)]
#[schemars(rename = "RunsToValidate", untagged)]
enum Runs {
    /// `[1, 2]`.
    Bare(Vec<i64>),
    /// `{"run_ids": [1, 2], "force": true}`.
    Named(Named),
}

/// Run ids by name.
#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
struct Named {
    /// Ids of runs.
    run_ids: Vec<i64>,
    /// Also those whose bill looks like a mistake.
    #[serde(default)]
    force: bool,
}

/// Told apart by hand, because an untagged enum cannot say which field is wrong.
impl<'de> Deserialize<'de> for Runs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BareOrNamed;

        impl<'de> Visitor<'de> for BareOrNamed {
            type Value = Runs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Runs, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(Runs::Bare)
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Runs, A::Error> {
                Named::deserialize(MapAccessDeserializer::new(fields)).map(Runs::Named)
            }
        }

        deserializer.deserialize_any(BareOrNamed)
    }
}

/// What became of the runs.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ValidatedRuns")]
struct Checked {
    /// Runs that are validated, now or before.
    validated: Vec<Validated>,
    /// Runs that lack values.
    failed: Vec<Failed>,
    /// Runs that are not validated before somebody confirms (`force`) that they are billed so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-optional" = true))]
    asking: Vec<Asking>,
}

/// A validated run and whether it kept to its plan.
#[derive(Serialize, JsonSchema)]
struct Validated {
    /// The run.
    id: i64,
    /// When it was validated.
    validated_at: Option<DateTime<Utc>>,
    /// Who validated it.
    validated_by_id: Option<i64>,
    /// Whether it took at most 15 % longer than planned.
    time_ok: bool,
    /// Whether it drove at most 15 % further than planned.
    distance_ok: bool,
}

/// A run that lacks values.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RunNotValidated")]
struct Failed {
    /// The run.
    id: i64,
    /// Its name.
    uid: String,
    /// Names of the fields.
    missing: Vec<&'static str>,
}

/// A run whose bill looks like a mistake.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RunToConfirm")]
struct Asking {
    /// The run.
    id: i64,
    /// Its name.
    uid: String,
    /// What to confirm.
    concerns: Vec<Concern>,
}

/// `PATCH /runs/validate`. A run that is validated already stays as it is.
async fn validate(mut db: Db, State(app): State<App>, Body(body): Body<Runs>) -> Result<Json<Checked>> {
    let caller = db.caller().clone();
    let (mut ids, force) = match body {
        Runs::Bare(ids) => (ids, false),
        Runs::Named(named) => (named.run_ids, named.force),
    };
    // In the order of the ids, so that two lists at the same moment do not wait for each other.
    ids.sort_unstable();
    ids.dedup();
    let mut checked = Checked { validated: Vec::new(), failed: Vec::new(), asking: Vec::new() };
    for id in ids {
        match runs::validate(&mut db, &caller, id, force, caller.now(&app.clock)).await? {
            Validation::Lacking(run, missing) => {
                checked.failed.push(Failed { id, uid: run.uid, missing });
            }
            Validation::Asking(run, concerns) => {
                checked.asking.push(Asking { id, uid: run.uid, concerns });
            }
            Validation::Done(run) => checked.validated.push(Validated {
                id,
                validated_at: run.validated_at,
                validated_by_id: run.validated_by_id,
                time_ok: tolerance::time_ok(&run),
                distance_ok: tolerance::distance_ok(&run),
            }),
        }
    }
    Ok(Json(checked))
}
