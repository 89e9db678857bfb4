//! The one door through which every change of a plan goes. Reading, timing and asking the roads happen before the
//! scenario is locked; under the lock it is only checked that nothing changed meanwhile, and written. If something did
//! change, everything is done again under the lock.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use routewright_core::{Error, Result};
use routewright_identity::Caller;
use routewright_roads::{Point, RoadVehicle, Roads, TakeRows, Told};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgConnection;

use super::day::Day;
use super::draft::Draft;
use super::log::{self, Touch};
use super::problem::Terms;
use super::snapshot::{self, Snapshot};
use super::timing::{self, Timed};
use super::{announce, store};
use crate::app::App;
use crate::setup::settings::Settings;
use crate::solvers::Solvers;

/// Text for a planner whose screen is older than the plan.
pub(crate) const CHANGED: &str =
    "The plan was changed in the meantime. Please look at it again and repeat the change.";

/// Who changes plans, and with what.
pub(crate) struct Planner<'a> {
    pub(crate) roads: &'a dyn Roads,
    pub(crate) solvers: &'a Solvers,
    pub(crate) settings: Settings,
    pub(crate) zone: Tz,
    pub(crate) caller: &'a Caller,
}

impl<'a> Planner<'a> {
    /// The caller of a request or background job.
    ///
    /// # Errors
    /// 401 for callers without an organisation.
    pub(crate) fn new(app: &'a App, caller: &'a Caller) -> Result<Self> {
        let policy = caller.policy()?;
        Ok(Self {
            roads: app.roads.as_ref(),
            solvers: &app.solvers,
            settings: Settings::of(policy),
            zone: policy.timezone,
            caller,
        })
    }

    /// What is made of the ways between all pairs of places for a vehicle, when it is the organisation's turn: `take` is given
    /// the ways, and `make` the rest. No transaction may be open meanwhile.
    ///
    /// # Errors
    /// 400 when that takes more memory than there is; 503 when the turn does not come in time.
    pub(crate) async fn ways<T: Send + 'static>(
        &self,
        vehicle: RoadVehicle,
        points: &[Point],
        take: TakeRows,
        make: impl FnOnce(Told) -> T + Send + 'static,
    ) -> Result<T> {
        let asked = self.roads.rows_of(vehicle, points, take);
        self.solvers.travel(self.caller.share()?, points.len(), asked, make).await
    }

    /// The rules of the organisation on the day of a scenario.
    pub(crate) fn terms(&self, snapshot: &Snapshot) -> Terms<'_> {
        Terms::new(Day::new(snapshot.scenario.scheduled_date, self.zone), &self.settings.optimisation)
    }
}

/// What a planner takes the plan to be. A change is refused when the plan is another by now.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Expected {
    /// Run on which each of these jobs is (null: unserved), by job id.
    pub(crate) expected: BTreeMap<String, Option<i64>>,
    /// Version of the plan that was looked at. What others changed since then elsewhere is no matter; the same job or run is.
    pub(crate) version: Option<i64>,
    /// Only times are made anew, whatever the plan is by now.
    #[serde(skip)]
    whatever: bool,
}

impl Expected {
    /// No plan in particular.
    pub(crate) fn whatever() -> Self {
        Self { whatever: true, ..Self::default() }
    }

    fn check(&self, snapshot: &Snapshot) -> Result<()> {
        for (job, run) in &self.expected {
            let job: i64 = job.parse().map_err(|_| Error::field("expected", "Keys are ids of jobs"))?;
            if snapshot.jobs.get(&job).is_none_or(|found| found.run_id != *run) {
                return Err(Error::conflict(CHANGED));
            }
        }
        Ok(())
    }
}

/// The refusal, with who changed what.
async fn changed(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    request: &Request<'_>,
) -> Result<Error> {
    let named = request.expected.expected.keys().filter_map(|job| job.parse().ok());
    let jobs: Vec<i64> = request.jobs.iter().copied().chain(named).collect();
    log::changed(connection, planner, request.scenario, &jobs).await
}

/// A change of a plan.
pub(crate) struct Request<'a> {
    /// The scenario.
    pub(crate) scenario: i64,
    /// What is done, as the history names it: `move`, `optimise`.
    pub(crate) kind: &'static str,
    /// What the planner takes the plan to be.
    pub(crate) expected: Expected,
    /// Jobs that are asked for: when somebody moves one of them at the same moment, one of both is refused.
    pub(crate) jobs: &'a [i64],
    /// Jobs that are in the pool so far.
    pub(crate) pool_jobs: &'a [i64],
    /// Why, in the words of a scenario reason; the audit log keeps it with every run that changed.
    pub(crate) reason: Option<String>,
}

/// A plan after its change.
#[derive(Debug)]
pub(crate) struct Changed<T> {
    /// What the change answered.
    pub(crate) outcome: T,
    /// Runs that were timed anew.
    pub(crate) runs: Vec<i64>,
    /// Jobs that are unserved by this change.
    pub(crate) unserved: Vec<i64>,
}

/// Changes the plan of a scenario. `apply` works on a draft and may be called twice.
///
/// # Errors
/// 404 without the scenario, 409 when the plan is not what the planner takes it to be, and whatever `apply` refuses.
pub(crate) async fn change<T>(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    request: Request<'_>,
    apply: impl Fn(&mut Draft) -> Result<T>,
) -> Result<Changed<T>> {
    let mut seen = Snapshot::load(connection, request.scenario, request.pool_jobs).await?;
    if request.expected.check(&seen).is_err() {
        // It is read in parts, which may be of two moments: who is refused is told how the plan stands now.
        snapshot::lock(connection, request.scenario).await?;
        seen = Snapshot::load(connection, request.scenario, request.pool_jobs).await?;
        if request.expected.check(&seen).is_err() {
            return Err(changed(connection, planner, &request).await?);
        }
    }
    let places: Vec<_> = request.jobs.iter().map(|job| seen.jobs.get(job).map(|job| job.run_id)).collect();
    let terms = planner.terms(&seen);
    let (mut draft, mut outcome) = draw(seen, &apply)?;
    let mut timed = timing::time(planner.roads, &terms, &draft).await?;

    let version = snapshot::lock(connection, request.scenario).await?;
    if version != draft.before.scenario.version || !stands(connection, &draft).await? {
        let now = Snapshot::load(connection, request.scenario, request.pool_jobs).await?;
        let same = request.expected.check(&now).is_ok();
        let mut asked = request.jobs.iter().zip(&places);
        if !same || asked.any(|(job, was)| now.jobs.get(job).map(|job| job.run_id) != *was) {
            return Err(changed(connection, planner, &request).await?);
        }
        (draft, outcome) = draw(now, &apply)?;
        timed = timing::time(planner.roads, &planner.terms(&draft.before), &draft).await?;
        if !stands(connection, &draft).await? {
            return Err(changed(connection, planner, &request).await?);
        }
    }
    if !request.expected.whatever {
        let runs: Vec<i64> = draft.touched().chain(draft.removed()).collect();
        let touch =
            Touch { jobs: request.jobs, runs: &runs, with_times: request.kind == "delay", fields: None };
        log::refuse_stale(connection, planner.caller, request.scenario, request.expected.version, &touch)
            .await?;
    }
    finish(connection, planner, request, draft, &timed, outcome).await
}

fn draw<T>(snapshot: Snapshot, apply: &impl Fn(&mut Draft) -> Result<T>) -> Result<(Draft, T)> {
    let mut draft = Draft::new(snapshot);
    let outcome = apply(&mut draft)?;
    Ok((draft, outcome))
}

/// Locks the jobs that will be written and tells whether they still are where the draft found them.
async fn stands(connection: &mut PgConnection, draft: &Draft) -> Result<bool> {
    let written = draft.written();
    let found = snapshot::lock_jobs(connection, &written).await?;
    Ok(written.iter().all(|id| {
        let Some(job) = draft.before.jobs.get(id) else { return false };
        let scenario = (!job.in_pool).then_some(draft.before.scenario.id);
        found.get(id) == Some(&(scenario, job.run_id))
    }))
}

async fn finish<T>(
    connection: &mut PgConnection,
    planner: &Planner<'_>,
    request: Request<'_>,
    draft: Draft,
    timed: &[Timed],
    outcome: T,
) -> Result<Changed<T>> {
    let user = planner.caller.user_id();
    store::store(connection, request.kind, user, &draft, timed).await?;
    if let Some(reason) = &request.reason {
        store::explain(connection, &draft, reason).await?;
    }
    announce::runs(connection, planner.caller, &draft, timed).await?;
    Ok(Changed {
        outcome,
        runs: timed.iter().map(|run| run.run).collect(),
        unserved: draft.left().map(|(job, _)| job).collect(),
    })
}
