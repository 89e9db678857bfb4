//! Work whose panic ends nothing but itself.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use routewright_core::{Error, Result};
use tokio::sync::oneshot;

use crate::priority;

/// Does work.
///
/// # Errors
/// 500 when it panics.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panicked(&*panic))
}

/// Does work on a thread of its own with that nice value.
///
/// # Errors
/// 500 when it panics, or when there is no thread.
pub(crate) async fn on_own_thread<T: Send + 'static>(
    name: &str,
    nice: i32,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let (tell, told) = oneshot::channel();
    let run = move || {
        priority::lower(nice);
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
