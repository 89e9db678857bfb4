//! The control plane's program: the service and the operators' commands.

mod commands;

use std::process::ExitCode;

use clap::Parser as _;
use routewright_core::telemetry;

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
