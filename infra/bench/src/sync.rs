//! How long a change of a plan takes from its commit to another screen, against a bare notification of Postgres that a
//! listener waits for; and what a screen that was away pays for what it missed, against the bare rows.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use futures_util::{SinkExt as _, StreamExt as _};
use http::Method;
use routewright_testing::TestOrganisation;
use serde_json::{Value, json};
use sqlx::Executor as _;
use sqlx::postgres::{PgConnection, PgListener};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::deployment::{Browser, Served, database_url, owner, serve_live};
use crate::report;

/// Jobs of the plan.
const JOBS: usize = 300;
/// Changes that are told, and questions that are asked.
const ROUNDS: usize = 300;
/// Steps that a screen missed.
const MISSED: i64 = 100;
/// The longest that a change may take to another screen, in 95 of 100 cases.
const BAR: Duration = Duration::from_secs(1);

/// A screen's socket: Engine.IO 4 over WebSocket.
struct Screen(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Screen {
    async fn open(served: &Served, token: &str, scenario: &Value) -> Result<Self> {
        let url = format!("ws://{}/socket.io/?EIO=4&transport=websocket", served.address);
        let mut screen = Self(connect_async(url).await?.0);
        screen.packet().await?;
        let auth = json!({"token": token, "scenario_id": scenario});
        screen.0.send(Message::text(format!("40/plan,{auth}"))).await?;
        let answer = screen.packet().await?;
        ensure!(answer.contains("sid"), "the plan's socket is refused: {answer}");
        Ok(screen)
    }

    async fn packet(&mut self) -> Result<String> {
        loop {
            match self.0.next().await.context("an open socket")?? {
                Message::Text(text) if text.as_str() == "2" => self.0.send(Message::text("3")).await?,
                Message::Text(text) => return Ok(text.as_str().to_owned()),
                _ => {}
            }
        }
    }

    /// Waits for the next change of the plan.
    async fn hears(&mut self) -> Result<Instant> {
        while !self.packet().await?.contains("plan_changed") {}
        Ok(Instant::now())
    }
}

/// Measures both.
pub(crate) async fn run() -> Result<()> {
    let organisation = TestOrganisation::new().await;
    let served = serve_live(60).await?;
    let mut browser = Browser::connect(&served, &organisation).await?;
    let day = json!({"name": "Sync", "scheduled_date": "2030-01-01"});
    let scenario = browser.json(Method::POST, "/scenarios", Some(&day)).await?["id"].clone();
    let rows: Vec<Value> =
        (0..JOBS).map(|n| json!({"uid": format!("J{n}"), "address": "41.15, -8.61"})).collect();
    let upload = json!({"rows": rows, "scenario_id": scenario});
    browser.call(Method::POST, "/jobs/template_upload", Some(&upload)).await?;
    let page =
        browser.json(Method::GET, &format!("/jobs?scenario_ids={scenario}&per_page=300"), None).await?;
    let ids: Vec<i64> =
        page["data"].as_array().into_iter().flatten().filter_map(|job| job["id"].as_i64()).collect();
    ensure!(ids.len() == JOBS, "all jobs are on one page");
    let mut screen = Screen::open(&served, &organisation.token(organisation.planner), &scenario).await?;
    let mut connection = owner(&organisation).await?;

    report::line(&format!("A plan of {JOBS} jobs on two screens, {ROUNDS} changes"))?;
    let told = commits(&mut connection, &mut screen, &ids).await?;
    let bare = notifications(&mut connection).await?;
    compare("commit to another screen's socket", &told, "NOTIFY to LISTEN", &bare)?;

    let mut other = Browser::connect(&served, &organisation).await?;
    let (shown, one, row) =
        edits(&mut browser, &mut other, &mut screen, &mut connection, &scenario, &ids).await?;
    compare("/changes after one step", &one, "its row, one kept connection", &row)?;
    let (missed, rows) = missed(&mut other, &mut connection, &scenario, &ids).await?;
    compare(&format!("/changes after {MISSED} steps"), &missed, "their rows, one kept connection", &rows)?;
    compare("PATCH to the row at another screen", &shown, "NOTIFY to LISTEN", &bare)?;
    let worst = report::percentile(&shown, 95);
    if worst > BAR {
        bail!("a change takes {worst:?} to another screen; the bar is {BAR:?}");
    }
    Ok(())
}

/// Half of the cases, and 95 of 100.
fn compare(what: &str, product: &[Duration], baseline: &str, bare: &[Duration]) -> Result<()> {
    for part in [50, 95] {
        let (product, bare) = (report::percentile(product, part), report::percentile(bare, part));
        report::ratio(&format!("{what}, p{part}"), product, &format!("{baseline}, p{part}"), bare)?;
    }
    Ok(())
}

/// From each commit to the socket.
async fn commits(connection: &mut PgConnection, screen: &mut Screen, ids: &[i64]) -> Result<Vec<Duration>> {
    let mut times = Vec::with_capacity(ROUNDS);
    for n in 0..ROUNDS {
        connection.execute("begin").await?;
        sqlx::query("update jobs set comments = $2 where id = $1")
            .bind(ids[n % ids.len()])
            .bind(format!("Commit {n}"))
            .execute(&mut *connection)
            .await?;
        let began = Instant::now();
        let (done, heard) = tokio::join!(connection.execute("commit"), screen.hears());
        done?;
        times.push(heard?.duration_since(began));
    }
    Ok(times)
}

/// From each commit of a notification, and of nothing else, to a listener.
async fn notifications(connection: &mut PgConnection) -> Result<Vec<Duration>> {
    let mut listener = PgListener::connect(&database_url()?).await?;
    listener.listen("bench").await?;
    let mut times = Vec::with_capacity(ROUNDS);
    for n in 0..ROUNDS {
        connection.execute("begin").await?;
        sqlx::query("select pg_notify('bench', $1)").bind(n.to_string()).execute(&mut *connection).await?;
        let began = Instant::now();
        let (done, heard) = tokio::join!(connection.execute("commit"), listener.recv());
        done?;
        heard?;
        times.push(began.elapsed());
    }
    Ok(times)
}

/// What an edit of one planner takes until another's screen has the row; of it, the question what changed; and the bare row.
async fn edits(
    browser: &mut Browser,
    other: &mut Browser,
    screen: &mut Screen,
    connection: &mut PgConnection,
    scenario: &Value,
    ids: &[i64],
) -> Result<(Vec<Duration>, Vec<Duration>, Vec<Duration>)> {
    let (mut shown, mut asked, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    let mut version = version(other, scenario).await?;
    for n in 0..ROUNDS {
        let id = ids[n % ids.len()];
        let path = format!("/jobs/{id}");
        let body = json!({"comments": format!("Edit {n}")});
        let began = Instant::now();
        let (done, heard) = tokio::join!(browser.call(Method::PATCH, &path, Some(&body)), screen.hears());
        done?;
        heard?;
        let question = Instant::now();
        let path = format!("/scenarios/{scenario}/changes?since={version}");
        let told = other.json(Method::GET, &path, None).await?;
        asked.push(question.elapsed());
        shown.push(began.elapsed());
        ensure!(told["jobs"][0]["comments"] == body["comments"], "the row is told: {told}");
        version = told["version"].as_i64().context("a version")?;
        let began = Instant::now();
        rows(connection, &[id]).await?;
        bare.push(began.elapsed());
    }
    Ok((shown, asked, bare))
}

/// The question of a screen that missed many steps, and the bare rows that they touched.
async fn missed(
    other: &mut Browser,
    connection: &mut PgConnection,
    scenario: &Value,
    ids: &[i64],
) -> Result<(Vec<Duration>, Vec<Duration>)> {
    let since = version(other, scenario).await? - MISSED;
    let path = format!("/scenarios/{scenario}/changes?since={since}");
    // The edits went round: the last of them touched as many jobs.
    let touched = &ids[ids.len() - usize::try_from(MISSED)?..];
    let (mut asked, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let told = other.json(Method::GET, &path, None).await?;
        asked.push(began.elapsed());
        ensure!(told["jobs"].as_array().map(Vec::len) == Some(touched.len()), "as many jobs as steps");
        let began = Instant::now();
        rows(connection, touched).await?;
        bare.push(began.elapsed());
    }
    Ok((asked, bare))
}

async fn version(browser: &mut Browser, scenario: &Value) -> Result<i64> {
    let found = browser.json(Method::GET, &format!("/scenarios/{scenario}"), None).await?;
    found["version"].as_i64().context("a version")
}

async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<()> {
    let found: Vec<String> = sqlx::query_scalar("select to_jsonb(j)::text from jobs j where id = any($1)")
        .bind(ids)
        .fetch_all(&mut *connection)
        .await?;
    ensure!(found.len() == ids.len(), "all rows");
    Ok(())
}
