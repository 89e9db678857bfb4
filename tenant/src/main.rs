//! The tenant service as a program of its own: `serve` answers requests and works on the queue (`WORKER_JOBS=0` leaves the
//! queue to others), `worker` only works on the queue, `check` tells whether it could start.

use std::net::SocketAddr;
use std::process::ExitCode;

use axum::Router;
use clap::{Parser, Subcommand};
use routewright_core::config::Environment;
use routewright_core::http::health;
use routewright_core::http::serve::{Limits, serve as http_serve};
use routewright_core::{Clock, Error, telemetry};
use routewright_tenant::{App, Config, Service, build, work};
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
}

#[tokio::main]
async fn main() -> ExitCode {
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
    let config = Config::from_source(&Environment)?;
    let service = build(config, Clock::system()).await?;
    match command {
        Command::Serve { listen } => {
            let api = Router::new().nest("/api", service.router.clone());
            serve(&service, api, listen).await
        }
        Command::Worker { listen } => serve(&service, Router::new(), listen).await,
        Command::Check => {
            ready(&service.app).await?;
            tracing::info!("the tenant service is fit for service");
            Ok(())
        }
    }
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
