use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use nix::unistd::{Pid, Uid, User, geteuid};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tokio::process::{Child, Command};

use crate::data_folder::{DataFolder, Secrets};
use crate::keeper::Keeper;
use crate::{leftover, say};

/// The login that owns the database, and the database.
const OWNER: &str = "routewright";
const SUPERUSER: &str = "superuser";
/// Takes from organisations' logins what they have no use for.
const CLOSE: &str = include_str!("../../../platform/tenancy/superuser.sql");
const FIND: &str = include_str!("../find-postgres.sh");

/// In the data folder: the folder of the cluster, or the note where else that is.
const INSIDE: &str = "postgres";
const NOTE: &str = "postgres-folder";
const CLUSTER: &str = "cluster";

/// How long Postgres may take to start; after a crash it first repairs itself.
const START_LIMIT: Duration = Duration::from_secs(180);
/// How long Postgres may take to stop.
pub(crate) const STOP_LIMIT: Duration = Duration::from_secs(60);

/// A running private Postgres, reachable on a free loopback port only.
pub(crate) struct Postgres {
    keeper: Keeper,
    superuser: PgConnectOptions,
    port: u16,
    tools: PathBuf,
}

/// Where the cluster is and who runs it.
pub(crate) struct Place {
    folder: PathBuf,
    bin: PathBuf,
    /// Postgres refuses to run as root; then this user runs it.
    user: Option<User>,
}

impl Postgres {
    /// Starts Postgres on the data folder; at the first start makes the cluster, the owner and the database.
    pub(crate) async fn start(data: &DataFolder) -> Result<Self> {
        let place = Place::find(data).await?;
        place.stop_leftover().await?;
        place.create_cluster(data.secrets()).await?;
        let postgres = place.run(data.secrets()).await?;
        match postgres.prepare(data.secrets()).await {
            Ok(()) => Ok(postgres),
            Err(error) => {
                postgres.stop().await?;
                Err(error)
            }
        }
    }

    /// Address of the database for its owner.
    pub(crate) fn owner_url(&self, secrets: &Secrets) -> String {
        format!("postgres://{OWNER}:{}@127.0.0.1:{}/{OWNER}", secrets.database_password, self.port)
    }

    /// The folder of its tools, which make and read backups.
    pub(crate) fn tools(&self) -> &Path {
        &self.tools
    }

    /// Connections that may read every organisation; only for what the one-machine mode itself shows.
    pub(crate) async fn reader(&self) -> Result<PgPool> {
        let options = self
            .superuser
            .clone()
            .database(OWNER)
            .options([("default_transaction_read_only", "on"), ("statement_timeout", "10s")]);
        Ok(PgPoolOptions::new().max_connections(2).connect_with(options).await?)
    }

    /// Ends all connections, writes everything down and stops.
    pub(crate) async fn stop(self) -> Result<()> {
        self.keeper.stop().await
    }

    /// Makes the owner and the database unless they exist, and closes the database.
    async fn prepare(&self, secrets: &Secrets) -> Result<()> {
        let mut superuser = PgConnection::connect_with(&self.superuser).await?;
        let has_owner: bool = sqlx::query_scalar("select exists (select from pg_roles where rolname = $1)")
            .bind(OWNER)
            .fetch_one(&mut superuser)
            .await?;
        if !has_owner {
            // The password is hexadecimal; statements like this one take no bound values.
            let password = &secrets.database_password;
            let create = format!("create role {OWNER} login createrole createdb password '{password}'");
            sqlx::query(AssertSqlSafe(create)).execute(&mut superuser).await?;
        }
        let has_database: bool =
            sqlx::query_scalar("select exists (select from pg_database where datname = $1)")
                .bind(OWNER)
                .fetch_one(&mut superuser)
                .await?;
        if !has_database {
            let create = format!("create database {OWNER} owner {OWNER}");
            sqlx::query(AssertSqlSafe(create)).execute(&mut superuser).await?;
        }
        superuser.close().await?;
        let mut superuser = PgConnection::connect_with(&self.superuser.clone().database(OWNER)).await?;
        sqlx::raw_sql(CLOSE).execute(&mut superuser).await?;
        Ok(superuser.close().await?)
    }
}

impl Place {
    async fn find(data: &DataFolder) -> Result<Self> {
        let user = if geteuid().is_root() { Some(runner(data.path())?) } else { None };
        let folder = reachable_folder(data.path(), user.as_ref()).await?;
        let bin = binaries(&folder).await?;
        Ok(Self { folder, bin, user })
    }

    fn cluster(&self) -> PathBuf {
        self.folder.join(CLUSTER)
    }

    fn command(&self, program: &str) -> Command {
        as_user(self.bin.join(program), self.user.as_ref(), &self.folder)
    }

    /// Ends what an earlier start has left of Postgres.
    pub(super) async fn stop_leftover(&self) -> Result<()> {
        leftover::end(&self.cluster()).await
    }

    async fn create_cluster(&self, secrets: &Secrets) -> Result<()> {
        if self.cluster().join("PG_VERSION").exists() {
            return Ok(());
        }
        say("First start: preparing the database ...");
        // Made aside and renamed, so that an interrupted first start leaves nothing half-made behind.
        let draft = self.folder.join("draft");
        if draft.exists() {
            fs::remove_dir_all(&draft)?;
        }
        let password_file = self.folder.join("password");
        fs::write(&password_file, &secrets.superuser_password)?;
        if let Some(user) = &self.user {
            chown(&password_file, Some(user.uid.as_raw()), Some(user.gid.as_raw()))?;
        }
        let made = self
            .command("initdb")
            .arg("--pgdata")
            .arg(&draft)
            .args(["--username", SUPERUSER, "--auth", "scram-sha-256"])
            .args(["--encoding", "UTF8", "--locale", "C.UTF-8"])
            .arg("--pwfile")
            .arg(&password_file)
            .output()
            .await;
        fs::remove_file(&password_file)?;
        let made = made.context("initdb cannot be run")?;
        if !made.status.success() {
            bail!("the database cannot be prepared: {}", String::from_utf8_lossy(&made.stderr).trim());
        }
        fs::rename(&draft, self.cluster())?;
        Ok(())
    }

    async fn run(self, secrets: &Secrets) -> Result<Postgres> {
        let port = free_port()?;
        let superuser = PgConnectOptions::new_without_pgpass()
            .host("127.0.0.1")
            .port(port)
            .username(SUPERUSER)
            .password(&secrets.superuser_password)
            .database("postgres");
        let child = self.serve(port, &superuser).await?;
        let tools = self.bin.clone();
        let keeper = Keeper::of(self, child, port, superuser.clone());
        Ok(Postgres { keeper, superuser, port, tools })
    }

    /// Starts Postgres and waits until it lets somebody in.
    pub(super) async fn serve(&self, port: u16, superuser: &PgConnectOptions) -> Result<Child> {
        let log_file = self.folder.join("postgres.log");
        let log = OpenOptions::new().create(true).append(true).open(&log_file)?;
        let mut child = self
            .command("postgres")
            .arg("-D")
            .arg(self.cluster())
            .args(["-c", &format!("port={port}")])
            .args(["-c", "listen_addresses=127.0.0.1"])
            .args(["-c", "unix_socket_directories="])
            .args(["-c", "max_connections=200"])
            .args(["-c", "timezone=UTC"])
            .args(["-c", "log_min_messages=warning"])
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            // Ctrl-C reaches the whole group of the terminal; Postgres must outlive the services.
            .process_group(0)
            .spawn()
            .context("Postgres cannot be run")?;
        let started = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                bail!("Postgres ended at once ({status}): {}", end_of(&log_file));
            }
            match PgConnection::connect_with(superuser).await {
                Ok(connection) => {
                    connection.close().await?;
                    return Ok(child);
                }
                // Anything else may be different in a moment: not listening yet, still repairing.
                Err(error) if is_wrong_password(&error) || started.elapsed() > START_LIMIT => {
                    child.start_kill()?;
                    return Err(anyhow!(error).context("Postgres lets nobody in"));
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(25)).await,
            }
        }
    }
}

fn is_wrong_password(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(refusal) if refusal.code().as_deref() == Some("28P01"))
}

pub(crate) fn pid_of(number: u32) -> Result<Pid> {
    Ok(Pid::from_raw(i32::try_from(number)?))
}

fn as_user(program: impl AsRef<std::ffi::OsStr>, user: Option<&User>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    if let Some(user) = user {
        command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
    }
    command
}

/// Who runs Postgres in place of root: the owner of the cluster. Installing Postgres makes a user, so that the first
/// start may have had another choice than the next.
fn runner(data: &Path) -> Result<User> {
    let folder = noted_folder(data).unwrap_or_else(|| data.join(INSIDE));
    let owner = fs::metadata(folder.join(CLUSTER)).ok().map(|cluster| Uid::from_raw(cluster.uid()));
    match owner.filter(|owner| !owner.is_root()).map(User::from_uid) {
        Some(user) => user?.context("the database belongs to a user that is no more"),
        None => unprivileged(),
    }
}

/// Somebody who owns nothing that matters.
fn unprivileged() -> Result<User> {
    for name in ["postgres", "nobody"] {
        if let Some(user) = User::from_name(name)? {
            return Ok(user);
        }
    }
    bail!("Postgres refuses to run as root, and there is neither a user postgres nor a user nobody")
}

/// The folder of the cluster: in the data folder, or, where the user cannot get there (below a closed home folder), in
/// the system's folder for such data. Which one is noted, so that it stays the same.
async fn reachable_folder(data: &Path, user: Option<&User>) -> Result<PathBuf> {
    if let Some(noted) = noted_folder(data) {
        return Ok(noted);
    }
    let inside = data.join(INSIDE);
    make_folder(&inside, user)?;
    let Some(user) = user else { return Ok(inside) };
    let reached = as_user("test", Some(user), Path::new("/")).arg("-w").arg(&inside).status().await?;
    if reached.success() {
        return Ok(inside);
    }
    fs::remove_dir(&inside)?;
    let name = data.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let outside = PathBuf::from(format!("/var/lib/routewright{name}"));
    make_folder(&outside, Some(user))?;
    fs::write(data.join(NOTE), outside.to_string_lossy().as_bytes())?;
    say(&format!("The database is in {}, where user {} can reach it.", outside.display(), user.name));
    Ok(outside)
}

/// The folder outside the data folder, where there is one.
fn noted_folder(data: &Path) -> Option<PathBuf> {
    fs::read_to_string(data.join(NOTE)).ok().map(|noted| PathBuf::from(noted.trim()))
}

fn make_folder(path: &Path, user: Option<&User>) -> Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o755).create(path)?;
    if let Some(user) = user {
        chown(path, Some(user.uid.as_raw()), Some(user.gid.as_raw()))?;
    }
    Ok(())
}

/// A cluster can only be run by the major version that made it.
async fn binaries(folder: &Path) -> Result<PathBuf> {
    let made_by =
        fs::read_to_string(folder.join(CLUSTER).join("PG_VERSION")).ok().map(|text| text.trim().to_owned());
    if let Some(major) = &made_by {
        let usual = PathBuf::from(format!("/usr/lib/postgresql/{major}/bin"));
        if std::env::var_os("POSTGRES_BIN").is_none() && usual.join("postgres").exists() {
            return Ok(usual);
        }
    }
    let found = Command::new("bash")
        .args(["-c", FIND, "find-postgres"])
        .arg(folder.join("binaries"))
        .stderr(Stdio::inherit())
        .output()
        .await
        .context("bash is needed to look for Postgres")?;
    if !found.status.success() {
        bail!("there is no Postgres on this machine");
    }
    let bin = PathBuf::from(String::from_utf8(found.stdout)?.trim());
    if let Some(major) = made_by {
        let version = Command::new(bin.join("postgres")).arg("--version").output().await?;
        let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        let is_same = version.split(' ').any(|word| word.split('.').next() == Some(major.as_str()));
        if !is_same {
            bail!(
                "the data was made by Postgres {major}, but this is {version}; set POSTGRES_BIN to the older one"
            );
        }
    }
    Ok(bin)
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn end_of(log: &Path) -> String {
    let read = || -> std::io::Result<String> {
        let mut file = File::open(log)?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(2000)))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        Ok(String::from_utf8_lossy(&text).trim().to_owned())
    };
    read().unwrap_or_else(|error| format!("its log cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The user postgres comes with the package that the first start may install.
    #[test]
    fn the_owner_of_the_cluster_goes_on_running_it() -> Result<()> {
        let (data, elsewhere) = (tempfile::tempdir()?, tempfile::tempdir()?);
        let owned = |folder: &Path| -> Result<()> {
            fs::create_dir_all(folder.join(CLUSTER))?;
            if geteuid().is_root() {
                chown(folder.join(CLUSTER), Some(nobody()?.uid.as_raw()), None)?;
            }
            Ok(())
        };
        let expected = if geteuid().is_root() { nobody()?.uid } else { geteuid() };
        assert_eq!(runner(data.path())?.uid, unprivileged()?.uid);
        owned(&data.path().join(INSIDE))?;
        assert_eq!(runner(data.path())?.uid, expected);
        fs::write(data.path().join(NOTE), elsewhere.path().to_string_lossy().as_bytes())?;
        assert_eq!(runner(data.path())?.uid, unprivileged()?.uid);
        owned(elsewhere.path())?;
        assert_eq!(runner(data.path())?.uid, expected);
        Ok(())
    }

    fn nobody() -> Result<User> {
        User::from_name("nobody")?.context("every system has a user nobody")
    }
}
