//! Routewright on one machine: a private Postgres, an S3 server, both services and both web apps in one program, on
//! one port of the loopback address. `make run` starts it.
//!
//! `DATA_DIR` (default `.data`) holds everything that must survive; `PORT` (default 8080) is where browsers reach it.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use routewright_core::config::Environment;
use routewright_s3_server::S3Server;

mod data_folder;
mod keeper;
mod leftover;
mod outbox;
mod postgres;
mod seed;
mod services;
mod settings;
mod shutdown;
mod web;

use data_folder::DataFolder;
use postgres::Postgres;
use settings::Settings;

/// Gives back what a large piece of work has taken; the system's keeps it for the next one.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    routewright_tenant::pieces::called().unwrap_or_else(program)
}

#[tokio::main]
async fn program() -> ExitCode {
    routewright_core::telemetry::start();
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("Routewright cannot run: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// What the person at the terminal reads; the log goes to standard error.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    // A closed terminal is no reason to stop.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

async fn run() -> Result<()> {
    let stop = shutdown::signals()?;
    let settings = Settings::from_source(&Environment)?;
    web::check_builds(&settings.root)?;
    let listeners = web::bind(settings.port).await?;
    let folder = DataFolder::open(&settings.data_dir)?;
    say(&format!("Starting Routewright; its data is in {}", folder.path().display()));

    let postgres = Postgres::start(&folder).await?;
    let keys = folder.secrets().s3_keys();
    let files = S3Server::with_limit(&folder.path().join("files"), &keys, 0, settings.storage_limit).await;
    // From here on Postgres runs and must be stopped, whatever happens.
    let ended = match files {
        Ok(files) => {
            let ended = serve(&settings, &folder, &postgres, &files, listeners, &stop).await;
            files.stop().await;
            ended
        }
        Err(error) => Err(error.into()),
    };
    postgres.stop().await?;
    if ended.is_ok() {
        say("Stopped.");
    }
    ended
}

async fn serve(
    settings: &Settings,
    folder: &DataFolder,
    postgres: &Postgres,
    files: &S3Server,
    listeners: web::Listeners,
    stop: &shutdown::Stop,
) -> Result<()> {
    let variables = settings.variables(folder, postgres, files);
    let services = services::start(&variables, folder.path()).await?;
    let outbox = outbox::routes(postgres.reader().await?, &variables)?;
    let app = web::site(&settings.root, services.router(), outbox).layer(services.sockets());
    let served = tokio::spawn(web::serve(listeners, app, stop.clone()));
    say(&welcome(settings));
    stop.requested().await;
    say("Stopping ...");
    let ended = served.await;
    services.stop().await;
    ended?
}

fn welcome(settings: &Settings) -> String {
    let url = settings.public_url();
    let password = seed::PASSWORD;
    let logins: Vec<String> =
        seed::LOGINS.iter().map(|(email, what)| format!("    {email:32} {what}")).collect();
    let logins = logins.join("\n");
    format!(
        "
  Planner     {url}/
  Dashboard   {url}/dashboard
  Outbox      {url}/outbox   (mails and text messages that were not sent to anybody)

  Logins, all with the password {password}
{logins}

  Stop with Ctrl-C; the data stays.
"
    )
}
