//! Applies a remedy: under the plan's lock it is looked for anew, so that what was offered is what is done, or nothing.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Body, Error, Given, Result};
use routewright_solver::trial::{self, Change};
use routewright_tenancy::{Db, resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::case::{self, Case, Scope};
use super::model::{JobDiagnosis, Remedy, RemedyKind};
use super::{distinct, look};
use crate::app::App;
use crate::orders::jobs::{self, Job};
use crate::plan::{self, CHANGED, Departure, Expected, Planner, Request};
use crate::planning::runs::{self, RunDetail};
use crate::setup::scenario_reasons;

/// The remedy that was chosen.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Chosen {
    /// The job that it was offered for.
    job_id: i64,
    /// Which.
    kind: RemedyKind,
    /// Version of the plan that it was offered on.
    version: Option<i64>,
    /// Why, by id of a scenario reason; kept in the record.
    #[serde(default)]
    scenario_reason_id: Option<i64>,
}

/// The plan after a remedy.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Remedied {
    /// What was done.
    remedy: Remedy,
    /// Every run that changed, with jobs and way.
    updated_runs: Vec<RunDetail>,
    /// Jobs that went to another plan.
    moved_job_ids: Vec<i64>,
    /// Version of the plan, for the next change.
    version: i64,
}

/// `POST /scenarios/{id}/remedies`.
pub(super) async fn remedy(
    mut db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(chosen): Body<Chosen>,
) -> Result<Json<Remedied>> {
    let caller = db.caller().clone();
    let planner = Planner::new(&app, &caller)?;
    let reason = scenario_reasons::chosen(&mut db, chosen.scenario_reason_id).await?;
    let version = plan::version(&mut db, id).await?;
    let changed = || Error::conflict(CHANGED).code("PLAN_CHANGED").with("version", version);
    let case = Case::read(&mut db, &planner, id, Scope::Job(chosen.job_id)).await?;
    if let Some(offered) = chosen.version.filter(|offered| *offered != version) {
        return Err(plan::outdated_by_any(&mut db, &caller, id, offered).await?);
    }
    let (case, found) = db.outside(look(&app, &planner, case, chosen.job_id)).await??;
    plan::lock(&mut db, id).await?;
    if plan::version(&mut db, id).await? != version {
        return Err(plan::outdated_by_any(&mut db, &caller, id, version).await?);
    }
    let told: JobDiagnosis = case.tell(chosen.job_id, &found);
    let remedy = told.remedies.into_iter().find(|remedy| remedy.kind == chosen.kind).ok_or_else(changed)?;
    if chosen.kind == RemedyKind::NextDay {
        return next_day(&mut db, &planner, &case, chosen.job_id, remedy, reason).await.map(Json);
    }
    let same = |found: &&trial::Remedy| case.kind(found) == Some(chosen.kind);
    let found = found.remedies.iter().find(same).ok_or_else(changed)?;
    bend(&mut db, &app, &remedy, chosen.job_id).await?;
    carry_out(&mut db, &app, &planner, &case, found, remedy, reason).await.map(Json)
}

impl Case {
    /// The kind of a remedy as it is told.
    fn kind(&self, remedy: &trial::Remedy) -> Option<RemedyKind> {
        Some(match remedy.change {
            Change::Nothing if self.run(remedy.place.vehicle)?.id < 0 => RemedyKind::AddDriver,
            Change::Nothing => RemedyKind::Insert,
            Change::ExtendShift { .. } => RemedyKind::ExtendShift,
            Change::WidenWindow { .. } => RemedyKind::WidenWindow,
            Change::FreeCapacity { .. } => RemedyKind::FreeCapacity,
            Change::DropTypes => RemedyKind::DropType,
        })
    }
}

/// Changes the one rule that stands in the way.
async fn bend(db: &mut Db, app: &App, remedy: &Remedy, job: i64) -> Result<()> {
    let caller = db.caller().clone();
    if let (Some(run), Some(end)) = (remedy.run_id, &remedy.shift_end) {
        runs::change(db, &caller, run, Given::parse(json!({ "shift_end": end }))?, caller.now(&app.clock))
            .await?;
    }
    let change = match remedy.kind {
        RemedyKind::WidenWindow => match (&remedy.arrive_after, &remedy.leave_by) {
            (_, Some(leave_by)) => json!({ "leave_by": leave_by }),
            (arrive_after, None) => json!({ "arrive_after": arrive_after }),
        },
        RemedyKind::DropType => json!({ "spec_type": null }),
        _ => return Ok(()),
    };
    resource::update::<Job>(db, &caller, job, Given::parse(change)?).await?;
    Ok(())
}

/// Puts the job, and what goes with it, where it was found to fit.
async fn carry_out(
    db: &mut Db,
    app: &App,
    planner: &Planner<'_>,
    case: &Case,
    found: &trial::Remedy,
    remedy: Remedy,
    reason: Option<String>,
) -> Result<Remedied> {
    let caller = db.caller().clone();
    let scenario = case.snapshot.scenario.id;
    let mut sequences: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let jobs_of =
        |sequence: &[usize]| sequence.iter().map(|stop| case.posed.jobs[*stop]).collect::<Vec<i64>>();
    let mut target = case.posed.runs[found.place.vehicle];
    if let Some(defaults) = case.fresh.get(&target) {
        let token = app.gate.links.long(caller.organisation()?);
        target = runs::insert(db, scenario, defaults, token, &planner.settings).await?;
    }
    if let Change::FreeCapacity { to, .. } = &found.change {
        sequences.insert(case.posed.runs[to.vehicle], jobs_of(&to.sequence));
    }
    sequences.insert(target, jobs_of(&found.place.sequence));
    let named = distinct(sequences.values().flatten().copied());
    let request = Request {
        scenario,
        kind: "remedy",
        expected: Expected::default(),
        jobs: &[],
        pool_jobs: &[],
        reason,
    };
    let changed = plan::change(db, planner, request, |draft| {
        let left: Vec<i64> = named.iter().filter_map(|job| draft.place(*job)).collect();
        for (run, sequence) in &sequences {
            draft.require_open(*run)?;
            draft.replace(*run, sequence);
        }
        for run in distinct(left.into_iter().chain(sequences.keys().copied())) {
            let window = draft.run(run).ok().and_then(|run| case::departure(run, &case.posed));
            draft.depart(run, window.map_or(Departure::Kept, Departure::Within));
        }
        Ok(())
    })
    .await?;
    jobs::store::tell_of(db, &caller, "job_moved", &named).await?;
    Ok(Remedied {
        remedy: Remedy { run_id: Some(target), ..remedy },
        updated_runs: runs::several(db, &caller, &changed.runs).await?,
        moved_job_ids: Vec::new(),
        version: plan::version_after(db, scenario).await?,
    })
}

/// Takes the job and what is linked to it into the plan of the next day, without a run.
async fn next_day(
    db: &mut Db,
    planner: &Planner<'_>,
    case: &Case,
    job: i64,
    remedy: Remedy,
    reason: Option<String>,
) -> Result<Remedied> {
    let caller = db.caller().clone();
    let (scenario, to) = (case.snapshot.scenario.id, remedy.scenario_id.unwrap_or_default());
    let unit = distinct(case.snapshot.links.chain(job).into_iter().chain([job]));
    let left = plan::to_pool(db, planner, scenario, "next_day", &unit, reason).await?;
    plan::from_pool(db, planner, to, "next_day", &unit).await?;
    jobs::store::tell_of(db, &caller, "job_moved", &unit).await?;
    Ok(Remedied {
        remedy,
        updated_runs: runs::several(db, &caller, &left).await?,
        moved_job_ids: unit,
        version: plan::version_after(db, scenario).await?,
    })
}
