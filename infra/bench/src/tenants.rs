//! Reads of an organisation that works all day, and of 200 that come by in turns while there are connections for few.

use std::time::{Duration, Instant};

use anyhow::Result;
use http::Method;
use routewright_testing::TestOrganisation;
use serde_json::json;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};

use crate::deployment::{Browser, serve};
use crate::report;

/// Organisations that come by in turns.
const COUNT: usize = 200;
/// Connections of the service.
const CONNECTIONS: usize = 20;
/// Reads of the hot organisation.
const READS: u32 = 2000;

/// Measures hot and cold reads.
pub(crate) async fn run() -> Result<()> {
    let served = serve(CONNECTIONS).await?;
    let hot = TestOrganisation::new().await;
    let mut browser = Browser::connect(&served, &hot).await?;
    let tag = browser.json(Method::POST, "/tags", Some(&json!({"name": "Urgent"}))).await?;
    let path = format!("/tags/{}", tag["id"]);
    let began = Instant::now();
    for _ in 0..READS {
        browser.call(Method::GET, &path, None).await?;
    }
    let warm = began.elapsed() / READS;
    let mut connection = hot.database().await;
    let began = Instant::now();
    for _ in 0..READS {
        read(&mut connection).await?;
    }
    let bare = began.elapsed() / READS;
    report::line(&format!("Reads, {CONNECTIONS} connections"))?;
    report::ratio("GET /tags/{id}, a hot organisation", warm, "the same row, one kept connection", bare)?;

    let mut others = Vec::new();
    for _ in 0..COUNT {
        let organisation = hot.another().await;
        let browser = Browser::connect(&served, &organisation).await?;
        others.push((organisation, browser));
    }
    let (mut cold, mut fresh) = (Vec::new(), Vec::new());
    for round in 0..3 {
        for (organisation, browser) in &mut others {
            let began = Instant::now();
            browser.call(Method::GET, "/tags", None).await?;
            // The first time the organisation's policy is read too.
            if round > 0 {
                cold.push(began.elapsed());
                fresh.push(log_in_and_read(organisation).await?);
            }
        }
    }
    anyhow::ensure!(served.app.tenants.open() <= CONNECTIONS, "the budget was exceeded");
    let (cold, fresh) = (report::median(cold), report::median(fresh));
    report::ratio("GET /tags, 200 organisations in turns", cold, "log in, read the same, log out", fresh)
}

async fn read(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("select id, name, color, created, modified from tags order by id desc limit 25")
        .fetch_all(connection)
        .await?;
    Ok(())
}

async fn log_in_and_read(organisation: &TestOrganisation) -> Result<Duration> {
    let options = organisation.placements.organisation("default", organisation.id)?;
    let began = Instant::now();
    let mut connection = options.connect().await?;
    read(&mut connection).await?;
    connection.close().await?;
    Ok(began.elapsed())
}
