//! Optimising while the caller waits.

use std::time::Duration;

use axum::extract::State;
use routewright_core::http::Path;
use routewright_core::{Body, Error, Result};
use routewright_solver::Cancel;
use routewright_tenancy::Db;

use super::answer::{Accepted, Optimised, Outcome};
use super::search::Search;
use super::{Wanted, background, prepare, task};
use crate::app::App;
use crate::plan::Planner;
use crate::solvers::CancelOnDrop;

/// Longest search that is waited for, seconds; what may take longer is made in the background.
const LONGEST: u32 = 50;
/// Longest that it may take by the clock on a busy machine.
const CAP: Duration = Duration::from_secs(50);
/// Usual longest search, seconds.
const USUAL: u32 = 20;

/// `POST /optimise/scenarios/{id}`. From the polling threshold on, or when polling is forced, it answers 202 with a task.
pub(super) async fn scenario(
    db: Db,
    State(app): State<App>,
    Path(id): Path<i64>,
    Body(wanted): Body<Wanted>,
) -> Result<Outcome> {
    optimise(app, db, id, wanted).await.map_err(|error| error.with("success", false))
}

async fn optimise(app: App, mut db: Db, id: i64, wanted: Wanted) -> Result<Outcome> {
    if !wanted.options.improve {
        prepare::require_any_driver(&wanted)?;
    }
    let caller = db.caller().clone();
    let planner = Planner::new(&app, &caller)?;
    let prepared = prepare::read(&mut db, &planner, id, &wanted).await?;
    let patient = wanted.options.polling
        || prepared.weight() >= planner.settings.optimisation.polling_threshold
        || wanted.options.max_seconds.is_some_and(|seconds| seconds > LONGEST);
    if patient {
        let task = background::queue(&mut db, &caller, id, &wanted).await?;
        return Ok(Outcome::Task(Box::new(Accepted(task))));
    }
    let task = task::open(&mut db, &caller, id, &wanted, true).await?.task_id;

    let cancel = Cancel::default();
    let _gone = CancelOnDrop(cancel.clone());
    let search = Search {
        app: app.clone(),
        caller: caller.clone(),
        tenant: app.tenants.of(&caller)?,
        task,
        prepared,
        cancel,
        usual_seconds: USUAL,
        cap: Some(CAP),
        claimed: None,
    };
    // A task of its own: it ends properly also when the caller has hung up.
    let made =
        db.outside(async { tokio::spawn(search.carry_out()).await }).await?.map_err(Error::internal)??;
    let plan = Optimised::read(&mut db, &caller, id, &made.runs, made.left, made.summary).await?;
    Ok(Outcome::Plan(Box::new(plan.told(made.improved, made.meanwhile))))
}
