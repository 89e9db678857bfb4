//! An import of 10,000 jobs, against COPY of the same rows into the same table; and the same file again, changed and unchanged,
//! against the first import of it (W-024).

use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::StreamExt as _;
use http::Method;
use routewright_testing::TestOrganisation;
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;

use crate::deployment::{Browser, owner, serve};
use crate::report;

/// Rows of the file.
const ROWS: usize = 10_000;

/// Imports, and copies.
pub(crate) async fn run() -> Result<()> {
    let organisation = TestOrganisation::new().await;
    let served = serve(60).await?;
    let mut browser = Browser::connect(&served, &organisation).await?;
    let mut scenarios = Vec::new();
    for name in ["Import", "Copy"] {
        let body = json!({"name": name, "scheduled_date": "2030-01-01"});
        scenarios.push(browser.json(Method::POST, "/scenarios", Some(&body)).await?["id"].clone());
    }
    let rows: Vec<Value> = (0..ROWS).map(row).collect();
    let upload = json!({"rows": rows, "scenario_id": scenarios[0]});
    let began = Instant::now();
    browser.call(Method::POST, "/jobs/template_upload", Some(&upload)).await?;
    let imported = began.elapsed();
    let mut changed = upload.clone();
    for row in changed["rows"].as_array_mut().into_iter().flatten() {
        row["comments"] = "Ring three times".into();
        row["duration"] = "7".into();
    }
    let updated = again(&mut browser, &changed, "updated").await?;
    let unchanged = again(&mut browser, &changed, "unchanged").await?;

    let mut connection = owner(&organisation).await?;
    let columns: Vec<String> = sqlx::query_scalar(
        "select quote_ident(column_name::text) from information_schema.columns
         where table_schema = $1 and table_name = 'jobs' and is_generated = 'NEVER'
             and column_name not in ('id', 'scenario_id', 'tracking_token') order by ordinal_position",
    )
    .bind(format!("org_{}", organisation.id))
    .fetch_all(&mut connection)
    .await?;
    // The rows as the import stored them, with tokens of the same length, go back in by COPY.
    let columns = columns.join(", ");
    let from = format!(
        "copy (select {columns}, {} as scenario_id, translate(upper(substr(md5(id::text), 1, 12)), '01', 'YZ') as tracking_token
         from org_{}.jobs) to stdout",
        scenarios[1], organisation.id
    );
    let into =
        format!("copy org_{}.jobs ({columns}, scenario_id, tracking_token) from stdin", organisation.id);
    let file = read(&mut connection, &from).await?;
    let began = Instant::now();
    let mut copy = connection.copy_in_raw(&into).await?;
    copy.send(file).await?;
    let copied = copy.finish().await?;
    let bare = began.elapsed();
    anyhow::ensure!(copied == ROWS as u64, "{copied} rows were copied");
    report::line("Import")?;
    report::ratio(
        "POST /jobs/template_upload, 10,000 rows",
        imported,
        "COPY of the stored rows, indexes and all",
        bare,
    )?;
    report::ratio("the same file, every row changed", updated, "its first import", imported)?;
    report::ratio("the same file, nothing changed", unchanged, "its first import", imported)
}

/// Imports rows that are there already; all of them must end in one part of the answer.
async fn again(browser: &mut Browser, upload: &Value, part: &str) -> Result<Duration> {
    let began = Instant::now();
    let answer = browser.json(Method::POST, "/jobs/template_upload", Some(upload)).await?;
    let took = began.elapsed();
    anyhow::ensure!(answer[part] == ROWS, "not all rows were {part}: {}", answer[part]);
    Ok(took)
}

fn row(n: usize) -> Value {
    let place = u32::try_from(n).map_or(0.0, f64::from) * 1e-5;
    json!({"uid": format!("J-{n}"), "customer_name": format!("Customer {n}"), "address": format!("Rua {n}, Porto"),
        "lat": 41.1 + place, "lon": -8.6 - place, "duration": "5", "arrive_after": "09:00", "leave_by": "17:00",
        "size": "boxes:2", "comments": "Ring twice"})
}

async fn read(connection: &mut PgConnection, statement: &str) -> Result<Vec<u8>> {
    let mut lines = connection.copy_out_raw(statement).await?;
    let mut file = Vec::new();
    while let Some(piece) = lines.next().await {
        file.extend_from_slice(&piece?);
    }
    Ok(file)
}
