//! The one-machine mode and its Postgres.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what a test stands on is said where it is missing")]

mod product;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use product::{Product, checkout};
use serde_json::Value;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection as _, PgConnection};

fn cluster(data: &Path) -> PathBuf {
    let note = std::fs::read_to_string(data.join("postgres-folder")).ok();
    note.map_or_else(|| data.join("postgres"), |note| PathBuf::from(note.trim())).join("cluster")
}

/// The first process of the Postgres below the data folder; none while it starts.
fn postmaster(data: &Path) -> Option<Pid> {
    let mark = std::fs::read_to_string(cluster(data).join("postmaster.pid")).ok()?;
    mark.lines().next()?.trim().parse().ok().map(Pid::from_raw)
}

/// Waits for another Postgres than `first`, which may take a moment too short to ask anybody else about it.
async fn another(data: &Path, first: Pid) -> Pid {
    for _ in 0..1200 {
        match postmaster(data) {
            Some(second) if second != first => return second,
            _ => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
    panic!("Postgres is not started again");
}

/// The first process of a Postgres and those that serve its connections.
fn processes(first: Pid) -> Vec<Pid> {
    let path = format!("/proc/{first}/task/{first}/children");
    let children = std::fs::read_to_string(path).unwrap();
    let children = children.split_whitespace().map(|child| Pid::from_raw(child.parse().unwrap()));
    std::iter::once(first).chain(children).collect()
}

/// V-31: a Postgres that is killed is started again and the product works on; one that is frozen holds nobody, and `/readyz`
/// says so meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn v_31_postgres_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let data = folder.path().join("data");
    let mut product = Product::start(&checkout(folder.path()), &data).await;
    let works = product.sign_in().await;
    assert_eq!(works, 200);
    let first = postmaster(&data).unwrap();
    kill(first, Signal::SIGKILL).unwrap();
    let second = another(&data, first).await;
    product.until_ready(200).await;
    assert_eq!(product.sign_in().await, works);

    let second = processes(second);
    second.iter().for_each(|process| kill(*process, Signal::SIGSTOP).unwrap());
    let told = product.until_ready(503).await;
    assert!(told["reason"].as_str().is_some_and(|reason| reason.contains("database")), "{told}");
    // Those that were there are woken; what the service gave up is ended by itself.
    second.iter().for_each(|process| kill(*process, Signal::SIGCONT).unwrap());
    product.until_ready(200).await;
    assert_eq!(product.sign_in().await, works);

    let process = Pid::from_raw(i32::try_from(product.process.id().unwrap()).unwrap());
    kill(process, Signal::SIGTERM).unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(120), product.process.wait()).await;
    assert!(ended.unwrap().unwrap().success(), "the product stops cleanly");
}

/// V-31: processes of a Postgres that was killed together with the launcher may still be at work; the next start ends them before
/// another Postgres writes to the same files.
#[tokio::test(flavor = "multi_thread")]
async fn v_31_nothing_of_a_killed_postgres_works_on_beside_the_next() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let data = folder.path().join("data");
    let checkout = checkout(folder.path());
    let mut product = Product::start(&checkout, &data).await;
    let first = postmaster(&data).unwrap();
    let before = processes(first);
    let busy = tokio::spawn(count_for_ever(superuser(&data).await));
    let orphan = loop {
        let new: Vec<Pid> =
            processes(first).into_iter().filter(|process| !before.contains(process)).collect();
        match new.into_iter().find(|process| processor_time(*process) > 20) {
            Some(orphan) => break orphan,
            None => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    };
    product.process.start_kill().unwrap();
    kill(first, Signal::SIGKILL).unwrap();
    let _ = product.process.wait().await;
    assert!(processor_time(orphan) > 0, "it works on although its first process is gone");

    let again = Product::start(&checkout, &data).await;
    assert_eq!(processor_time(orphan), 0);
    assert_eq!(again.sign_in().await, 200);
    assert!(busy.await.unwrap().is_err());
    kill(Pid::from_raw(i32::try_from(again.process.id().unwrap()).unwrap()), Signal::SIGTERM).unwrap();
    let mut process = again.process;
    let ended = tokio::time::timeout(Duration::from_secs(120), process.wait()).await;
    assert!(ended.unwrap().unwrap().success(), "the product stops cleanly");
}

async fn superuser(data: &Path) -> PgConnection {
    let secrets: Value =
        serde_json::from_str(&std::fs::read_to_string(data.join("secrets.json")).unwrap()).unwrap();
    let mark = std::fs::read_to_string(cluster(data).join("postmaster.pid")).unwrap();
    let options = PgConnectOptions::new_without_pgpass()
        .host("127.0.0.1")
        .port(mark.lines().nth(3).unwrap().parse().unwrap())
        .username("superuser")
        .password(secrets["superuser_password"].as_str().unwrap())
        .database("postgres");
    PgConnection::connect_with(&options).await.unwrap()
}

/// A statement that does not end, and does not look whether its server is still there.
async fn count_for_ever(mut connection: PgConnection) -> Result<(), sqlx::Error> {
    let statement = "select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b";
    sqlx::query(statement).execute(&mut connection).await.map(|_| ())
}

/// What a process has had of the processor, in hundredths of a second; 0 when there is none.
fn processor_time(process: Pid) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    // A process that was killed and not yet buried has its times, but does not work.
    if fields.first().is_none_or(|state| matches!(*state, "Z" | "X" | "")) {
        return 0;
    }
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}
