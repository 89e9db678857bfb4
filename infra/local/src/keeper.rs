//! Keeps Postgres running: one that dies is started again on the same port, where the services look for it.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use nix::sys::signal::{Signal, kill};
use sqlx::postgres::PgConnectOptions;
use tokio::process::Child;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::postgres::{Place, STOP_LIMIT, pid_of};
use crate::say;

/// Pause before Postgres is started again; doubled each time that it does not stay.
const PAUSE: Duration = Duration::from_millis(500);
/// Longest pause.
const LONGEST: Duration = Duration::from_secs(30);

/// Whoever looks after a running Postgres.
pub(crate) struct Keeper {
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<()>>,
}

impl Keeper {
    /// Looks after this one from now on.
    pub(crate) fn of(place: Place, child: Child, port: u16, superuser: PgConnectOptions) -> Self {
        let (stop, asked) = oneshot::channel();
        let task = tokio::spawn(keep(place, child, port, superuser, asked));
        Self { stop, task }
    }

    /// Ends all connections, writes everything down and stops.
    pub(crate) async fn stop(self) -> Result<()> {
        // When nobody hears it, the keeper has ended and says why below.
        self.stop.send(()).unwrap_or_default();
        self.task.await.context("Postgres was not looked after")?
    }
}

async fn keep(
    place: Place,
    mut child: Child,
    port: u16,
    superuser: PgConnectOptions,
    mut asked: oneshot::Receiver<()>,
) -> Result<()> {
    loop {
        let ended = tokio::select! {
            ended = child.wait() => ended,
            _ = &mut asked => return stop(child).await,
        };
        let status = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
        tracing::error!(status, "Postgres has ended and is started again");
        say("The database has ended unexpectedly; it is started again ...");
        child = tokio::select! {
            started = again(&place, port, &superuser) => started,
            // One that was just starting is stopped as a leftover.
            _ = &mut asked => return place.stop_leftover().await,
        };
        say("The database is back.");
    }
}

/// Starts Postgres until it stays. After a crash that may take several times: it does not start while a process of before
/// still holds its memory. Its own mark of the former one stays where it is, for it is by that mark that it knows.
async fn again(place: &Place, port: u16, superuser: &PgConnectOptions) -> Child {
    let mut pause = PAUSE;
    loop {
        tokio::time::sleep(pause).await;
        match place.serve(port, superuser).await {
            Ok(child) => return child,
            Err(error) => tracing::error!(error = format!("{error:#}"), "Postgres does not start"),
        }
        pause = (pause * 2).min(LONGEST);
    }
}

async fn stop(mut child: Child) -> Result<()> {
    if let Some(pid) = child.id() {
        kill(pid_of(pid)?, Signal::SIGINT)?;
    }
    let ended = tokio::time::timeout(STOP_LIMIT, child.wait()).await;
    if !ended.context("Postgres does not stop")??.success() {
        bail!("Postgres did not stop cleanly; it repairs itself at the next start");
    }
    Ok(())
}
