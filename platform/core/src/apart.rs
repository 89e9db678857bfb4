//! Work apart from the threads on which everybody's requests wait: with a lower priority, and so that a panic ends nothing but the
//! work.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use cpu_time::ThreadTime;
use tokio::sync::oneshot;

use crate::error::{Error, Result};

/// Nice value of threads for heavy work that somebody waits for.
pub const WORK: i32 = 10;
/// Nice value of threads that search for plans.
pub const SEARCH: i32 = 15;

/// Lowers the priority of the calling thread to a nice value, 1 to 19; it cannot be raised again. Does nothing where nice
/// values belong to whole processes.
pub fn lower(nice: i32) {
    #[cfg(target_os = "linux")]
    {
        let thread = rustix::thread::gettid();
        if let Err(error) = rustix::process::setpriority_process(Some(thread), nice) {
            tracing::warn!(%error, "the priority of a thread could not be lowered");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
}

/// Processors of this machine; two where it does not say.
#[must_use]
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
}

/// Does work, and answers the processor time of this thread that it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = ThreadTime::now();
    (work(), began.elapsed())
}

/// Does work.
///
/// # Errors
/// 500 when it panics.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panicked(&*panic))
}

/// Does work on a thread of its own with that nice value.
///
/// # Errors
/// 500 when it panics, or when there is no thread.
pub async fn on_own_thread<T: Send + 'static>(
    name: &str,
    nice: i32,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let (tell, told) = oneshot::channel();
    let run = move || {
        lower(nice);
        drop(tell.send(guarded(work)));
    };
    std::thread::Builder::new().name(name.to_owned()).spawn(run).map_err(Error::internal)?;
    told.await.map_err(Error::internal)?
}

fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    Error::internal(format!("heavy work panicked: {text}"))
}
