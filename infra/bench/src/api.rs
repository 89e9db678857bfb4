//! A list and a save through the API, against pgbench sending the very statements that the API sent.

use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use http::Method;
use routewright_testing::TestOrganisation;
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::deployment::{Browser, database_url, serve};
use crate::report;

/// Rows of the table.
const ROWS: usize = 2000;
/// Callers at the same time.
const CALLERS: usize = 4;
/// How long each is measured.
const SPAN: Duration = Duration::from_secs(5);

/// Statements that were sent since it was emptied.
static SENT: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// Hears which statements the driver sends.
struct Statements;

#[derive(Default)]
struct Statement {
    summary: String,
    whole: String,
}

impl Visit for Statement {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "summary" {
            self.summary = format!("{value:?}").trim_matches('"').to_owned();
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.summary),
            "db.statement" => value.trim().clone_into(&mut self.whole),
            _ => {}
        }
    }
}

impl<S: tracing::Subscriber> Layer<S> for Statements {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        if let Some(sent) = SENT.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            let mut statement = Statement::default();
            event.record(&mut statement);
            sent.push(if statement.whole.is_empty() { statement.summary } else { statement.whole });
        }
    }
}

/// The statements of one call.
async fn statements(browser: &mut Browser, call: &Call) -> Result<Vec<String>> {
    *SENT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
    browser.call(call.method.clone(), &(call.path)(1), (call.body)(1).as_ref()).await?;
    let sent = SENT.lock().unwrap_or_else(PoisonError::into_inner).take();
    sent.filter(|sent| !sent.is_empty()).context("the call sends statements")
}

/// A call, and what stands for its parameters in pgbench.
struct Call {
    name: &'static str,
    method: Method,
    path: fn(usize) -> String,
    body: fn(usize) -> Option<serde_json::Value>,
    parameters: [(&'static str, &'static str); 2],
}

static CALLS: [Call; 2] = [
    Call {
        name: "GET /locations, 25 of 2,000",
        method: Method::GET,
        path: |_| "/locations".to_owned(),
        body: |_| None,
        parameters: [("$1", "1"), ("$2", "1")],
    },
    Call {
        name: "PATCH /locations/{id}",
        method: Method::PATCH,
        path: |n| format!("/locations/{}", n % ROWS + 1),
        body: |n| Some(json!({"name": format!("Depot {n}")})),
        parameters: [("$1", ":id"), ("$2", "jsonb_build_object('name', 'Depot ' || :id)")],
    },
];

/// Compares each call with pgbench.
pub(crate) async fn run() -> Result<()> {
    // Statements are put into words for the log only while somebody listens.
    let wanted = dynamic_filter_fn(|meta, _| {
        meta.target() == "sqlx::query" && SENT.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    });
    tracing_subscriber::registry().with(Statements.with_filter(wanted)).init();
    let organisation = TestOrganisation::new().await;
    let served = serve(60).await?;
    let mut browser = Browser::connect(&served, &organisation).await?;
    for n in 0..ROWS {
        let place =
            json!({"name": format!("Depot {n}"), "address": format!("Rua {n}"), "lat": 41.0, "lon": -8.0});
        browser.call(Method::POST, "/locations", Some(&place)).await?;
    }
    report::line(&format!("API, {CALLERS} callers, time per call"))?;
    for call in &CALLS {
        let sent = statements(&mut browser, call).await?;
        let bare = pgbench(&organisation, call, &sent)?;
        let product = drive(&served, &organisation, call).await?;
        let baseline = format!("pgbench, the same {} statements", sent.len());
        report::ratio(call.name, product, &baseline, bare)?;
    }
    Ok(())
}

/// Mean time of a call while all callers call.
async fn drive(
    served: &crate::deployment::Served,
    organisation: &TestOrganisation,
    call: &'static Call,
) -> Result<Duration> {
    let mut callers = Vec::new();
    let end = Instant::now() + SPAN;
    for caller in 0..CALLERS {
        let mut browser = Browser::connect(served, organisation).await?;
        callers.push(tokio::spawn(async move {
            let mut done = 0_u32;
            while Instant::now() < end {
                let n = caller * 7919 + usize::try_from(done)? * 13;
                browser.call(call.method.clone(), &(call.path)(n), (call.body)(n).as_ref()).await?;
                done += 1;
            }
            anyhow::Ok(done)
        }));
    }
    let mut done = 0;
    for caller in callers {
        done += caller.await??;
    }
    Ok(SPAN * u32::try_from(CALLERS)? / done.max(1))
}

/// The same statements in the same order, from a program that does nothing else.
fn pgbench(organisation: &TestOrganisation, call: &Call, statements: &[String]) -> Result<Duration> {
    let mut script = format!("\\set id random(1, {ROWS})\n");
    for statement in statements {
        let mut statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        for (parameter, value) in call.parameters {
            statement = statement.replace(parameter, value);
        }
        script.push_str(&format!("{statement};\n"));
    }
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), script)?;
    let address = url::Url::parse(&database_url()?)?;
    let output = Command::new("pgbench")
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=1", "--report-per-command"])
        .arg(format!("--client={CALLERS}"))
        .arg(format!("--time={}", SPAN.as_secs()))
        .arg(format!("--file={}", file.path().display()))
        .arg(format!("--host={}", address.host_str().unwrap_or("127.0.0.1")))
        .arg(format!("--port={}", address.port().unwrap_or(5432)))
        .arg(format!("--username={}", address.username()))
        .arg(address.path().trim_start_matches('/'))
        .env("PGPASSWORD", address.password().unwrap_or_default())
        .env("PGOPTIONS", format!("-c search_path=org_{}", organisation.id))
        .output()
        .context("pgbench comes with Postgres' server package")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let latency = text.lines().find_map(|line| line.strip_prefix("latency average = "));
    let milliseconds =
        latency.and_then(|text| text.split_whitespace().next()).and_then(|text| text.parse().ok());
    match milliseconds {
        Some(milliseconds) if output.status.success() => {
            let milliseconds: f64 = milliseconds;
            Ok(Duration::from_secs_f64(milliseconds / 1000.0))
        }
        _ => bail!("pgbench: {text}{}", String::from_utf8_lossy(&output.stderr)),
    }
}
