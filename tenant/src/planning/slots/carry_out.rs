//! Moves a job to the time that was asked for: looked at anew, then, while both plans are held, taken off its run, given the
//! window and put where it fits; all of it or nothing.

use chrono::{DateTime, NaiveTime, Utc};
use routewright_core::{Error, Given, Result};
use routewright_tenancy::{Db, resource};
use serde_json::json;

use super::day::{Fit, Look, look, scenario_of, standing};
use super::{NoRoom, Sought, Wish};
use crate::app::App;
use crate::orders::jobs::{self, Job};
use crate::plan::{self, CHANGED, Departure, Expected, Planner, Request};
use crate::planning::scenarios;

/// How often it is looked at again when plans change meanwhile.
const TRIES: usize = 3;
/// What the history calls it.
const KIND: &str = "reschedule";

/// What became of a wish.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// It was carried out.
    Carried(Carried),
    /// The day has no scenario, and none may be made.
    NotNow,
}

/// Where a job went.
#[derive(Debug, Clone)]
pub(crate) struct Carried {
    /// The run; none on a day without a plan, where the job is unserved.
    pub(crate) run_uid: Option<String>,
}

/// Carries a wish out. Where the day has no scenario, one is made when `may_make` says so.
///
/// # Errors
/// 409 when plans change again and again meanwhile, or when the job cannot leave its run. What no run has room for is told in
/// the answer.
pub(crate) async fn carry_out(
    db: &mut Db,
    app: &App,
    sought: Sought,
    wish: Wish,
    may_make: bool,
) -> Result<std::result::Result<Outcome, NoRoom>> {
    let caller = db.caller().clone();
    let planner = Planner::new(app, &caller)?;
    let changed = || Error::conflict(CHANGED).code("PLAN_CHANGED");
    for _ in 0..TRIES {
        let own = scenario_of(db, sought.job).await?;
        let before = state(db, own, sought.job).await?;
        let found = db.outside(look(app, &caller, sought, wish)).await??;
        let target = match &found {
            Look::No(why) => return Ok(Err(*why)),
            Look::Open(scenario) => *scenario,
            Look::Fits(fit) => Some(fit.scenario),
        };
        // In the order of scenarios, so that two of them wait for each other instead of forever.
        let mut held: Vec<i64> = own.into_iter().chain(target).collect();
        held.sort_unstable();
        held.dedup();
        for scenario in held {
            plan::lock(db, scenario).await.map_err(|_| changed())?;
        }
        if matches!(found, Look::Open(None)) {
            hold_empty_days(db).await?;
        }
        if state(db, own, sought.job).await? != before || scenario_of(db, sought.job).await? != own {
            continue;
        }
        let same = match &found {
            Look::Fits(fit) => plan::version(db, fit.scenario).await? == fit.version,
            // Somebody may have begun to plan the day.
            Look::Open(scenario) => {
                let now = standing(db, &[wish.date]).await?;
                now.first().map(|one| one.id) == *scenario && !now.iter().any(|one| one.planned)
            }
            Look::No(_) => true,
        };
        if !same {
            continue;
        }
        return match found {
            Look::Fits(fit) => {
                fits(db, &planner, own, sought.job, wish, &fit).await.map(Outcome::Carried).map(Ok)
            }
            Look::Open(scenario) => {
                let scenario = match scenario {
                    Some(scenario) => scenario,
                    None if may_make => make(db, app, wish).await?,
                    None => return Ok(Ok(Outcome::NotNow)),
                };
                open(db, &planner, (own, scenario), sought.job, wish).await.map(Outcome::Carried).map(Ok)
            }
            Look::No(why) => Ok(Err(why)),
        };
    }
    Err(changed())
}

/// Holds days without a scenario, which have no row that could be held, until the transaction ends: of two wishes for one of
/// them the second finds the scenario that the first made.
async fn hold_empty_days(db: &mut Db) -> Result<()> {
    // A mode that holds only against itself, on a table that is small; advisory locks would be shared by all organisations.
    sqlx::query("lock table reschedule_requests in share update exclusive mode").execute(&mut **db).await?;
    Ok(())
}

/// What a job and its plan look like; another after any change.
async fn state(db: &mut Db, own: Option<i64>, job: i64) -> Result<(i64, Option<DateTime<Utc>>)> {
    let version = match own {
        Some(scenario) => plan::version(db, scenario).await?,
        None => 0,
    };
    let modified = sqlx::query_scalar("select modified from jobs where id = $1 for no key update")
        .bind(job)
        .fetch_optional(&mut **db)
        .await?;
    Ok((version, modified))
}

/// The scenario of a day that has none.
async fn make(db: &mut Db, app: &App, wish: Wish) -> Result<i64> {
    let fields = json!({ "name": wish.date.format("%Y/%m/%d").to_string(), "scheduled_date": wish.date });
    Ok(scenarios::insert(db, app, Given::parse(fields)?).await?.id)
}

/// Puts the job, and what is linked to it, on the run that takes it.
async fn fits(
    db: &mut Db,
    planner: &Planner<'_>,
    own: Option<i64>,
    job: i64,
    wish: Wish,
    fit: &Fit,
) -> Result<Carried> {
    let same = own == Some(fit.scenario);
    if !same {
        leave(db, planner, own, &fit.unit).await?;
    }
    give_window(db, job, wish).await?;
    let pool: &[i64] = if same { &[] } else { &fit.unit };
    let request = Request {
        scenario: fit.scenario,
        kind: KIND,
        expected: Expected::default(),
        jobs: &[],
        pool_jobs: pool,
        reason: None,
    };
    plan::change(db, planner, request, |draft| {
        draft.require_open(fit.run)?;
        if same {
            fit.unit.iter().try_for_each(|job| draft.require_movable(*job))?;
        }
        draft.replace(fit.run, &fit.sequence);
        draft.depart(fit.run, fit.departure.map_or(Departure::Kept, Departure::Within));
        Ok(())
    })
    .await?;
    let caller = db.caller().clone();
    jobs::store::tell_of(db, &caller, "job_moved", &fit.unit).await?;
    Ok(Carried { run_uid: Some(fit.run_uid.clone()) })
}

/// Puts the job, and what is linked to it, into the plan of a day on which there are no runs yet.
async fn open(
    db: &mut Db,
    planner: &Planner<'_>,
    (own, scenario): (Option<i64>, i64),
    job: i64,
    wish: Wish,
) -> Result<Carried> {
    let carried = Carried { run_uid: None };
    if own == Some(scenario) {
        give_window(db, job, wish).await?;
        return Ok(carried);
    }
    let unit: Vec<i64> = plan::guests(db, job).await?.into_iter().map(|job| job.id).collect();
    leave(db, planner, own, &unit).await?;
    give_window(db, job, wish).await?;
    plan::from_pool(db, planner, scenario, KIND, &unit).await?;
    let caller = db.caller().clone();
    jobs::store::tell_of(db, &caller, "job_moved", &unit).await?;
    Ok(carried)
}

/// Takes jobs off the plan that they are in.
async fn leave(db: &mut Db, planner: &Planner<'_>, own: Option<i64>, unit: &[i64]) -> Result<()> {
    if let Some(scenario) = own {
        plan::to_pool(db, planner, scenario, KIND, unit, None).await?;
    }
    Ok(())
}

/// The window that was asked for; without any the job keeps its own.
async fn give_window(db: &mut Db, job: i64, wish: Wish) -> Result<()> {
    if wish.from.is_none() && wish.to.is_none() {
        return Ok(());
    }
    let text = |time: Option<NaiveTime>| time.map(|time| time.format("%H:%M").to_string());
    let window = json!({ "arrive_after": text(wish.from), "leave_by": text(wish.to) });
    let caller = db.caller().clone();
    resource::update::<Job>(db, &caller, job, Given::parse(window)?).await?;
    Ok(())
}
