//! Postgres' own tools for the copy of one schema.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use percent_encoding::percent_decode_str;
use routewright_core::{Error, OrganisationId, Result};
use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;
use tokio::process::Command;

use crate::placement::Placements;
use crate::role;

/// The variable that names a tool's session.
const NAME: &str = "PGAPPNAME";
/// Ending of a file that is being written.
const UNFINISHED: &str = "part";

/// Writes an organisation's schema to a file in `pg_restore`'s custom format. The file appears when it is complete.
pub(super) async fn write(
    placements: &Placements,
    placement: &str,
    organisation: OrganisationId,
    file: &Path,
) -> Result<()> {
    let unfinished = file.with_extension(UNFINISHED);
    let schema = role::name(organisation);
    let mut dump = tool(placements, placement, "pg_dump")?;
    dump.args(["--format=custom", "--no-owner", "--no-privileges", "--lock-wait-timeout=30s"])
        .arg(format!("--schema={schema}"))
        .arg(file_argument("--file", &unfinished));
    let outcome = async {
        run(dump).await?;
        tokio::fs::File::open(&unfinished)
            .await
            .map_err(Error::internal)?
            .sync_all()
            .await
            .map_err(Error::internal)?;
        tokio::fs::rename(&unfinished, file).await.map_err(Error::internal)
    }
    .await;
    if outcome.is_err() {
        // What is left of it is of no use; the error is what matters.
        drop(tokio::fs::remove_file(&unfinished).await);
    }
    outcome
}

/// Removes what calls of [`write`] that were killed left in a folder. Nobody else may be writing such a copy.
pub(super) async fn clear_unfinished(organisation: OrganisationId, folder: &Path) -> Result<()> {
    let begin = format!("{}-", role::name(organisation));
    let mut entries = tokio::fs::read_dir(folder).await.map_err(Error::internal)?;
    while let Some(entry) = entries.next_entry().await.map_err(Error::internal)? {
        let path = entry.path();
        let own = entry.file_name().to_string_lossy().starts_with(&begin);
        if own && path.extension().is_some_and(|ending| ending == UNFINISHED) {
            tokio::fs::remove_file(&path).await.map_err(Error::internal)?;
        }
    }
    Ok(())
}

/// Whether a file is the copy of this organisation's schema and of no other.
pub(super) async fn check(placements: &Placements, organisation: OrganisationId, file: &Path) -> Result<()> {
    let mut list = Command::new(placements.postgres_tool("pg_restore"));
    list.arg("--list").arg(file);
    let contents = run(list).await?;
    let mut schemas = contents.lines().filter_map(|line| line.split_once(" SCHEMA - ").map(|(_, rest)| rest));
    let expected = role::name(organisation);
    let is_expected = |entry: &str| entry.split(' ').next() == Some(expected.as_str());
    if schemas.next().is_some_and(is_expected) && schemas.next().is_none() {
        return Ok(());
    }
    Err(Error::bad_request(format!("{} is not a backup of organisation {organisation}", file.display())))
}

/// Reads a file written by [`write`] into a database without that schema: all of it or nothing.
pub(super) async fn read(
    placements: &Placements,
    placement: &str,
    organisation: OrganisationId,
    file: &Path,
) -> Result<()> {
    let mut restore = tool(placements, placement, "pg_restore")?;
    restore.env(NAME, reader(organisation));
    let database = placements.owner(placement)?.get_database().unwrap_or_default().to_owned();
    restore
        .args(["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"])
        .arg(format!("--dbname={database}"))
        .arg(file);
    run(restore).await.map(|_| ())
}

/// The name of the session in which an organisation's copy is read.
pub(super) fn reader(organisation: OrganisationId) -> String {
    format!("routewright restore {}", role::name(organisation))
}

fn file_argument(option: &str, file: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from(option);
    argument.push(OsStr::new("="));
    argument.push(file);
    argument
}

/// A tool that signs in as the placement's owner. The password goes by the environment: arguments are public.
fn tool(placements: &Placements, placement: &str, name: &str) -> Result<Command> {
    let options = placements.owner(placement)?;
    let mut command = Command::new(placements.postgres_tool(name));
    command.envs(environment(&options)?);
    Ok(command)
}

fn environment(options: &PgConnectOptions) -> Result<Vec<(&'static str, String)>> {
    let url = options.to_url_lossy();
    let host = options
        .get_socket()
        .map_or_else(|| options.get_host().to_owned(), |socket: &PathBuf| socket.display().to_string());
    let mut variables = vec![
        ("PGHOST", host),
        ("PGPORT", options.get_port().to_string()),
        ("PGUSER", options.get_username().to_owned()),
        ("PGDATABASE", options.get_database().unwrap_or_default().to_owned()),
        (NAME, "routewright copy".to_owned()),
    ];
    if let Some(password) = url.password() {
        let clear = percent_decode_str(password).decode_utf8().map_err(Error::internal)?;
        variables.push(("PGPASSWORD", clear.into_owned()));
    }
    for (key, value) in url.query_pairs() {
        let variable = match key.as_ref() {
            "sslmode" => "PGSSLMODE",
            "sslrootcert" => "PGSSLROOTCERT",
            "sslcert" => "PGSSLCERT",
            "sslkey" => "PGSSLKEY",
            _ => continue,
        };
        variables.push((variable, value.into_owned()));
    }
    Ok(variables)
}

/// Runs a tool to its end and answers what it printed.
async fn run(mut command: Command) -> Result<String> {
    let name = command.as_std().get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).kill_on_drop(true).output().await.map_err(|error| {
            Error::internal(format!("{name} cannot be started: {error} (see POSTGRES_BIN)"))
        })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let reason: String = String::from_utf8_lossy(&output.stderr).trim().chars().take(1000).collect();
    Err(Error::internal(format!("{name} failed: {reason}")))
}
