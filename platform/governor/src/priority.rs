//! Priority of threads, so that those that answer requests come before those that calculate.

/// Nice value of threads for heavy work that somebody waits for.
pub const WORK: i32 = 5;
/// Nice value of threads that search for plans.
pub const SEARCH: i32 = 10;

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
