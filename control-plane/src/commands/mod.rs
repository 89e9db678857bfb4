//! The commands. Everything is configured by the environment; see `Config`.

mod check;
mod organisation;
mod serve;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use routewright_control_plane::app::{self, App};
use routewright_control_plane::config::Config;
use routewright_core::config::{ConfigError, Environment};
use routewright_core::{Clock, Error};
use routewright_tenancy::migration::{self, Outcome};

/// Routewright's control plane.
#[derive(Parser)]
#[command(version, about)]
pub(crate) struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serves the API.
    Serve {
        /// Where to listen.
        #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8081")]
        listen: std::net::SocketAddr,
    },
    /// Migrates the control schema and all organisations, and makes the organisation Master when it is missing.
    Migrate {
        /// Organisations that are migrated at the same time.
        #[arg(long, default_value_t = 4)]
        parallel: usize,
    },
    /// Makes, lists, moves, saves, restores and deletes organisations.
    #[command(subcommand)]
    Organisation(organisation::Command),
    /// Tells whether the configuration and the database are fit for service.
    Check,
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Fault(String);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self(error.causes().unwrap_or_else(|| error.description()))
    }
}

impl From<ConfigError> for Fault {
    fn from(error: ConfigError) -> Self {
        Self(error.to_string())
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

pub(crate) async fn run(program: Program) -> Result<ExitCode, Fault> {
    let config = Config::from_source(&Environment)?;
    match program.command {
        Command::Serve { listen } => serve::serve(config, listen).await,
        Command::Migrate { parallel } => migrate(config, parallel).await,
        Command::Organisation(command) => organisation::run(command, config).await,
        Command::Check => check::check(config).await,
    }
}

/// The state, without the service.
async fn connect(config: Config) -> Result<App, Fault> {
    Ok(app::connect(config, Clock::system()).await?)
}

/// A line for the operator. A reader who has gone away is no fault.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{line}").is_err() {
        tracing::debug!("nobody reads the output");
    }
}

async fn migrate(config: Config, parallel: usize) -> Result<ExitCode, Fault> {
    let version = migration::migrate_control(&config.placements.owner("default")?).await?;
    say(&format!("control schema: version {version}"));
    let app = connect(config).await?;
    let master = app::ensure_master(&app).await?;
    say(&format!("organisation Master: {master}"));
    let report = migration::migrate_all(&app.control, &app.config.placements, parallel).await?;
    for (organisation, outcome) in &report.0 {
        say(&match outcome {
            Outcome::Migrated(version) => format!("organisation {organisation}: version {version}"),
            Outcome::Failed(reason) => format!("organisation {organisation}: FAILED: {reason}"),
            Outcome::Skipped => format!("organisation {organisation}: left alone"),
        });
    }
    Ok(if report.succeeded() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
