//! Background work of the service: the one place where every kind of queued job is known, and the loops that every
//! replica runs.

mod line;
mod outbox;
mod sweep;
mod worker;

use futures_util::future::BoxFuture;
use routewright_bus::queue::Claimed;
use routewright_bus::{Job, Listener};
use routewright_core::{OrganisationId, Result};
use routewright_identity::Caller;
use routewright_tenancy::Tenant;

use crate::app::App;
use crate::dispatch::SettleDispatch;
use crate::excel_exports::ExportJob;
use crate::{dispatch, exports, optimise, udf};
use worker::Worker;

/// Sends what an organisation has in its outbox.
///
/// # Errors
/// When the outbox cannot be read.
pub(crate) async fn send_messages(app: &App, organisation: OrganisationId) -> Result<()> {
    outbox::empty(app, organisation).await
}

/// A queued job in the hands of a worker, with everything needed to do it. Whoever does it calls
/// [`routewright_bus::queue::complete`] in the transaction that holds its effects.
pub(crate) struct Assignment {
    pub(crate) app: App,
    /// The organisation's worker: holds every access level.
    pub(crate) caller: Caller,
    /// The organisation's data.
    pub(crate) tenant: Tenant,
    /// The job.
    pub(crate) claimed: Claimed,
}

/// A kind of job and how it is done.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    name: &'static str,
    run: fn(Assignment) -> BoxFuture<'static, Result<()>>,
}

impl Kind {
    const fn of<J: Job>(run: fn(Assignment) -> BoxFuture<'static, Result<()>>) -> Self {
        Self { name: J::KIND, run }
    }
}

/// Every kind of job.
fn kinds() -> Vec<Kind> {
    vec![
        Kind::of::<optimise::OptimiseScenario>(|job| Box::pin(optimise::run_background(job))),
        Kind::of::<ExportJob>(|job| Box::pin(exports::carry_out(job))),
        Kind::of::<udf::Webhook>(|job| Box::pin(udf::send(job))),
        Kind::of::<SettleDispatch>(|job| Box::pin(dispatch::settle(job))),
    ]
}

/// The loops of a process; they end when this is dropped.
#[must_use]
pub struct Loops {
    tasks: Vec<tokio::task::JoinHandle<()>>,
    // Notices are heard for as long as it lives.
    _listener: Listener,
}

impl Drop for Loops {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Starts the loops that every replica runs: policies, connections, sockets, and, unless `WORKER_JOBS` is 0, queued jobs,
/// the outbox and the sweep.
///
/// # Errors
/// When a placement is not configured.
pub fn start(app: &App) -> Result<Loops> {
    let databases = app
        .config
        .placements
        .names()
        .map(|name| app.config.placements.owner(name))
        .collect::<Result<Vec<_>>>()?;
    let listener = Listener::start(databases);
    let mut tasks = vec![
        tokio::spawn(app.gate.policies.clone().watch()),
        tokio::spawn(app.tenants.clone().tidy()),
        tokio::spawn(app.sockets.clone().follow(listener.subscribe())),
    ];
    if app.config.worker_jobs > 0 {
        let worker = Worker::new(app.clone(), kinds());
        tasks.push(tokio::spawn(worker.run(listener.subscribe())));
    }
    Ok(Loops { tasks, _listener: listener })
}
