use std::net::SocketAddr;
use std::process::ExitCode;

use axum::Router;
use routewright_control_plane::app;
use routewright_control_plane::config::Config;
use routewright_control_plane::{Service, build, work};
use routewright_core::Clock;
use routewright_core::http::health;
use routewright_core::http::serve::{self, Limits};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tower::Layer as _;
use tower_http::normalize_path::NormalizePathLayer;

use super::Fault;

/// Serves until the process is asked to end; requests that are under way are answered first.
pub(super) async fn serve(config: Config, listen: SocketAddr) -> Result<ExitCode, Fault> {
    let service = build(config, Clock::system()).await?;
    let master = app::ensure_master(&service.app).await?;
    tracing::info!(%master, "organisation Master is ready");
    let background = work::start(&service.app)?;
    let listener = TcpListener::bind(listen).await?;
    tracing::info!(address = %listener.local_addr()?, "control plane serves");

    // Gateways forward /api only: the rest is for the machine's own monitoring.
    let router = router(&service);
    // Outside the router, because a trailing slash decides which route is meant.
    let router = NormalizePathLayer::trim_trailing_slash().layer(router);
    serve::serve(listener, router, Limits::default(), asked_to_end()).await;
    drop(background);
    tracing::info!("control plane ended");
    Ok(ExitCode::SUCCESS)
}

fn router(service: &Service) -> Router {
    let app = service.app.clone();
    Router::new().nest("/api", service.router()).merge(health::routes(move || {
        let control = app.control.clone();
        async move {
            sqlx::query("select 1").execute(&control).await?;
            Ok(())
        }
    }))
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
