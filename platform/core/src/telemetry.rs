//! Logs, metrics and health, the same in every process.

use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

static METRICS: OnceLock<PrometheusHandle> = OnceLock::new();

/// Starts logging: `LOG` chooses levels (default `info,sqlx=warn`), `LOG_FORMAT=json` structured lines.
pub fn start() {
    let filter = std::env::var("LOG")
        .ok()
        .and_then(|text| EnvFilter::try_new(text).ok())
        .unwrap_or_else(|| EnvFilter::new("info,sqlx=warn,hyper=warn,aws_config=warn,s3s=warn"));
    let registry = tracing_subscriber::registry().with(filter);
    let started = if std::env::var("LOG_FORMAT").is_ok_and(|format| format == "json") {
        registry.with(tracing_subscriber::fmt::layer().json().with_writer(std::io::stderr)).try_init()
    } else {
        registry.with(tracing_subscriber::fmt::layer().with_writer(std::io::stderr)).try_init()
    };
    if started.is_err() {
        tracing::debug!("logging was already started");
    }
}

/// Installs the metrics recorder of this process, once.
pub fn metrics() -> Option<&'static PrometheusHandle> {
    if METRICS.get().is_none() {
        let buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
        let handle = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &buckets)
            .ok()?
            .install_recorder()
            .ok()?;
        // A second thread may have been first; its handle serves as well.
        if METRICS.set(handle).is_err() {
            tracing::debug!("the metrics recorder was already installed");
        }
    }
    METRICS.get()
}
