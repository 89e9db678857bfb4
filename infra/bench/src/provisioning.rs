//! Making 200 organisations and migrating them, against running the plain files of the migrations.

use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use routewright_core::Clock;
use routewright_core::config::Source as _;
use routewright_tenancy::migration::migrate_all;
use routewright_testing::{TestOrganisation, variables};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use crate::deployment::database_url;
use crate::report;

/// Organisations.
const COUNT: usize = 200;
/// Runs of the plain files.
const BARE: u32 = 20;

/// Makes, migrates, compares.
pub(crate) async fn run() -> Result<()> {
    let mut times = Vec::new();
    let first = TestOrganisation::new().await;
    for _ in 0..COUNT {
        let began = Instant::now();
        first.another().await;
        times.push(began.elapsed());
    }
    let made = report::median(times);
    let bare = plain().await?;
    report::line(&format!("Provisioning, {COUNT} organisations"))?;
    report::ratio(
        "an organisation ready for work (median)",
        made,
        "the SQL files of its migrations in one schema",
        bare,
    )?;

    let config = routewright_control_plane::Config::from_source(&variables())?;
    for at_once in [1, 4] {
        let control = routewright_control_plane::app::connect(config.clone(), Clock::system()).await?;
        let began = Instant::now();
        let report = migrate_all(&control.control, &control.config.placements, at_once).await?;
        let migrated = began.elapsed();
        ensure!(report.succeeded(), "{report:?}");
        let began = Instant::now();
        for _ in 0..COUNT {
            let mut connection = PgConnection::connect(&database_url()?).await?;
            sqlx::query("select 1").execute(&mut connection).await?;
            connection.close().await?;
        }
        let asked = began.elapsed();
        let what = format!("migrate {COUNT} organisations, {at_once} at once, nothing new");
        report::ratio(&what, migrated, "a connection and a question each, one by one", asked)?;
    }
    Ok(())
}

/// Time of one run of all files in a fresh schema.
async fn plain() -> Result<std::time::Duration> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations/tenant");
    let mut files: Vec<_> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let text = files.iter().map(std::fs::read_to_string).collect::<Result<Vec<_>, _>>()?.join("\n");
    ensure!(!text.is_empty(), "no migrations");
    let url = variables().required("DATABASE_URL")?;
    let mut connection = PgConnection::connect(&url).await?;
    let mut times = Vec::new();
    for run in 0..BARE {
        let statements = format!("create schema bench_{run}; set search_path = bench_{run}; {text}");
        let began = Instant::now();
        sqlx::raw_sql(AssertSqlSafe(statements))
            .execute(&mut connection)
            .await
            .context("the plain files run")?;
        times.push(began.elapsed());
    }
    for run in 0..BARE {
        let drop = format!("drop schema bench_{run} cascade");
        sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut connection).await?;
    }
    Ok(report::median(times))
}
