//! The control plane's program: the service and the operators' commands.

mod commands;

use std::process::ExitCode;

use clap::Parser as _;
use routewright_core::telemetry;

/// Gives back what a large piece of work has taken; the system's keeps it for the next one.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    telemetry::start();
    match commands::run(commands::Program::parse()).await {
        Ok(code) => code,
        Err(fault) => {
            tracing::error!("{fault}");
            ExitCode::FAILURE
        }
    }
}
