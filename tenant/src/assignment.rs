//! Queued jobs as the nouns that do them see them. Which kinds there are is known in [`crate::work`].

use futures_util::future::BoxFuture;
use routewright_bus::Job;
use routewright_bus::queue::Claimed;
use routewright_core::Result;
use routewright_identity::Caller;
use routewright_tenancy::Tenant;

use crate::app::App;

/// A queued job in the hands of a worker, with everything needed to do it. Whoever does it calls
/// [`routewright_bus::queue::complete`] in the transaction that holds its effects.
pub(crate) struct Assignment {
    /// The state.
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
    /// Its name in the queue.
    pub(crate) name: &'static str,
    /// Does one.
    pub(crate) run: fn(Assignment) -> BoxFuture<'static, Result<()>>,
}

impl Kind {
    /// The kind of such jobs, done by `run`.
    pub(crate) const fn of<J: Job>(run: fn(Assignment) -> BoxFuture<'static, Result<()>>) -> Self {
        Self { name: J::KIND, run }
    }
}
