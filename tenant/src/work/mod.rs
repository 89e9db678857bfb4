//! Background work of the service: the one place where every kind of queued job is known, and the loops that every
//! replica runs.

mod line;
mod sweep;
mod worker;

use routewright_bus::Listener;
use routewright_core::Result;

use crate::afterwards::exports;
use crate::app::App;
use crate::assignment::Kind;
use crate::execution::dispatch;
use crate::execution::dispatch::SettleDispatch;
use crate::planning::optimise;
use crate::rehearsal;
use crate::setup::excel_exports::ExportJob;
use crate::setup::udf;
use worker::Worker;

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
    let policies = app.gate.policies.clone();
    let hint = move || policies.hint();
    let mut tasks = vec![
        tokio::spawn(app.gate.policies.clone().watch()),
        tokio::spawn(listener.subscribe().policies(hint)),
        tokio::spawn(app.tenants.clone().tidy()),
        tokio::spawn(app.sockets.clone().follow(listener.subscribe())),
    ];
    if app.config.worker_jobs > 0 {
        tasks.push(tokio::spawn(rehearsal::work(app.clone())));
        let worker = Worker::new(app.clone(), kinds());
        tasks.push(tokio::spawn(worker.run(listener.subscribe())));
    }
    Ok(Loops { tasks, _listener: listener })
}
