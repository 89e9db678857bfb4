//! Benchmarks of the back end. Each prints how much longer the product takes than a named baseline that does the same work
//! without it, in the same run: `make bench`, or one alone: `make bench BENCH=import`.
//!
//! They need a Postgres of their own (`DATABASE_URL=$(infra/ci/postgres.sh)`, which `make bench` starts) and `pgbench`.

mod api;
mod audit;
mod deployment;
mod diagnosis;
mod import;
mod provisioning;
mod report;
mod sync;
mod tenants;

use std::process::ExitCode;

use anyhow::{Result, bail};

/// The benchmarks in the order in which they run.
const ALL: [&str; 7] = ["api", "audit", "diagnosis", "import", "provisioning", "sync", "tenants"];

fn main() -> ExitCode {
    routewright_tenant::pieces::called().unwrap_or_else(|| match program() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = report::line(&format!("{error:?}"));
            ExitCode::FAILURE
        }
    })
}

#[tokio::main]
async fn program() -> Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wanted.iter().find(|name| !ALL.contains(&name.as_str())) {
        bail!("there is no benchmark `{unknown}`: {}", ALL.join(", "));
    }
    if cfg!(debug_assertions) {
        report::line("Built without optimisation: the ratios say nothing.")?;
    }
    for name in ALL {
        if wanted.is_empty() || wanted.iter().any(|one| one == name) {
            match name {
                "api" => api::run().await?,
                "audit" => audit::run().await?,
                "diagnosis" => diagnosis::run()?,
                "import" => import::run().await?,
                "provisioning" => provisioning::run().await?,
                "sync" => sync::run().await?,
                _ => tenants::run().await?,
            }
        }
    }
    Ok(())
}
