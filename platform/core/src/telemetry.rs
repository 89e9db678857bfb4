//! Logs, metrics and health, the same in every process.

use std::io::IsTerminal;
use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

static METRICS: OnceLock<PrometheusHandle> = OnceLock::new();

static TRACES: OnceLock<SdkTracerProvider> = OnceLock::new();

/// Sends the last traces; to be called when a process ends.
pub fn stop() {
    if let Some(provider) = TRACES.get()
        && let Err(error) = provider.shutdown()
    {
        tracing::debug!(%error, "the last traces were not sent");
    }
}

/// Starts logging: `LOG` chooses levels (default `info`), `LOG_FORMAT=json` structured lines. With
/// `OTEL_EXPORTER_OTLP_ENDPOINT` requests are also traced to an OpenTelemetry collector (OTLP over HTTP), under the name of `OTEL_SERVICE_NAME`.
pub fn start() {
    let filter =
        std::env::var("LOG").ok().and_then(|text| EnvFilter::try_new(text).ok()).unwrap_or_else(|| {
            EnvFilter::new("info,sqlx=warn,hyper=warn,aws_config=warn,s3s=warn,opentelemetry=warn")
        });
    let traces =
        tracer().map(|provider| tracing_opentelemetry::layer().with_tracer(provider.tracer("routewright")));
    let registry = tracing_subscriber::registry().with(filter).with(traces);
    let started = if std::env::var("LOG_FORMAT").is_ok_and(|format| format == "json") {
        registry.with(tracing_subscriber::fmt::layer().json().with_writer(std::io::stderr)).try_init()
    } else {
        let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(coloured());
        registry.with(lines).try_init()
    };
    if started.is_err() {
        tracing::debug!("logging was already started");
    }
}

/// Whether somebody reads the log in a terminal; in a file colours are only noise.
fn coloured() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn tracer() -> Option<&'static SdkTracerProvider> {
    std::env::var("OTEL_EXPORTER_OTLP_ENDPOINT").ok().filter(|endpoint| !endpoint.trim().is_empty())?;
    match opentelemetry_otlp::SpanExporter::builder().with_http().build() {
        Ok(exporter) => {
            Some(TRACES.get_or_init(|| SdkTracerProvider::builder().with_batch_exporter(exporter).build()))
        }
        Err(error) => {
            tracing::warn!(%error, "traces cannot be exported");
            None
        }
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
