//! The tenant service as a program of its own: `serve` answers requests and works on the queue (`WORKER_JOBS=0` leaves the
//! queue to others), `worker` only works on the queue, `check` tells whether it could start, `roads build`
//! and `addresses build` prepare the streets and addresses of the maps ahead.

use std::net::SocketAddr;
use std::process::ExitCode;

use axum::Router;
use clap::{Parser, Subcommand};
use routewright_core::config::Environment;
use routewright_core::http::health;
use routewright_core::http::serve::{Limits, serve as http_serve};
use routewright_core::{Clock, Error, telemetry};
use routewright_roads::StreetsOptions;
use routewright_tenant::{App, Config, Service, build, config, work};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tower::Layer as _;
use tower_http::normalize_path::NormalizePathLayer;

/// Routewright's tenant service.
#[derive(Parser)]
#[command(version, about)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serves the API and sockets.
    Serve {
        /// Where to listen.
        #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8082")]
        listen: SocketAddr,
    },
    /// Works on the queue; serves health and metrics only.
    Worker {
        /// Where to listen for health and metrics.
        #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8083")]
        listen: SocketAddr,
    },
    /// Tells whether the configuration, the databases and the file storage are fit for service.
    Check,
    /// Works with the streets of the maps that `ROADS` names.
    #[command(subcommand)]
    Roads(OfMaps),
    /// Works with the addresses of the maps that `ROADS` names.
    #[command(subcommand)]
    Addresses(OfMaps),
}

#[derive(Subcommand)]
enum OfMaps {
    /// Prepares them in `ROADS_FOLDER`, so that no service has to.
    Build,
}

/// Gives back what a large piece of work has taken; the system's keeps it for the next one.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    routewright_tenant::pieces::called().unwrap_or_else(program)
}

#[tokio::main]
async fn program() -> ExitCode {
    telemetry::start();
    let ended = run(Program::parse().command).await;
    telemetry::stop();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            tracing::error!("{fault}");
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command) -> Result<(), Box<dyn std::error::Error>> {
    match command {
        Command::Roads(OfMaps::Build) => {
            return tokio::task::spawn_blocking(build_roads).await?.map_err(Into::into);
        }
        Command::Addresses(OfMaps::Build) => {
            return tokio::task::spawn_blocking(build_addresses).await?.map_err(Into::into);
        }
        _ => {}
    }
    let config = Config::from_source(&Environment)?;
    let service = build(config, Clock::system()).await?;
    match command {
        Command::Serve { listen } => {
            let api = Router::new().nest("/api", service.router.clone());
            serve(&service, api, listen).await
        }
        Command::Worker { listen } => serve(&service, Router::new(), listen).await,
        Command::Roads(_) | Command::Addresses(_) => Ok(()),
        Command::Check => {
            ready(&service.app).await?;
            tracing::info!("the tenant service is fit for service");
            Ok(())
        }
    }
}

/// The maps; the configuration needs nothing else to prepare them.
fn maps() -> Result<StreetsOptions, String> {
    let maps = config::maps(&Environment).map_err(|error| error.to_string())?;
    maps.ok_or_else(|| "ROADS: is not set, so there is nothing to prepare".to_owned())
}

fn build_roads() -> Result<(), String> {
    let bundle = maps()?.build(&|step| tracing::info!("{step}")).map_err(|error| error.to_string())?;
    tracing::info!(bundle = %bundle.display(), "the streets are ready");
    Ok(())
}

fn build_addresses() -> Result<(), String> {
    let maps = maps()?;
    let index =
        routewright_addresses::prepare(&maps.paths(), &maps.folder).map_err(|error| error.to_string())?;
    tracing::info!(index = %index.display(), "the addresses are ready");
    Ok(())
}

/// Serves until the process is asked to end; requests that are under way are answered first.
async fn serve(service: &Service, api: Router, listen: SocketAddr) -> Result<(), Box<dyn std::error::Error>> {
    let loops = work::start(&service.app)?;
    let listener = TcpListener::bind(listen).await?;
    tracing::info!(address = %listener.local_addr()?, "tenant service serves");
    let app = service.app.clone();
    let health = health::routes(move || {
        let app = app.clone();
        async move { ready(&app).await }
    });
    // Gateways forward /api and /socket.io only: the rest is for the machine's own monitoring.
    let router = api.merge(health).layer(service.sockets.clone());
    // Outside the router, because a trailing slash decides which route is meant.
    let router = NormalizePathLayer::trim_trailing_slash().layer(router);
    http_serve(listener, router, Limits::default(), asked_to_end()).await;
    drop(loops);
    tracing::info!("tenant service ended");
    Ok(())
}

/// The directory of organisations must answer; a single organisation's database may be away.
async fn ready(app: &App) -> Result<(), Error> {
    app.gate.policies.poll().await
}

async fn asked_to_end() {
    let interrupted = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminated) => {
            tokio::select! { _ = interrupted => {}, _ = terminated.recv() => {} }
        }
        Err(error) => {
            tracing::warn!(%error, "only Ctrl-C ends this process cleanly");
            if interrupted.await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}
