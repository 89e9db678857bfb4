//! What an earlier start has left of Postgres: one that outlived a killed launcher, or processes of one that was killed.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::postgres::{STOP_LIMIT, pid_of};

/// Ends every process that still works in the cluster.
pub(crate) async fn end(cluster: &Path) -> Result<()> {
    let file = cluster.join("postmaster.pid");
    let Ok(text) = fs::read_to_string(&file) else { return Ok(()) };
    let pid: u32 = text.lines().next().unwrap_or_default().trim().parse().unwrap_or_default();
    if pid != 0 && is_first(cluster, pid) {
        kill(pid_of(pid)?, Signal::SIGINT)?;
        let started = Instant::now();
        while file.exists() {
            if started.elapsed() > STOP_LIMIT {
                bail!("process {pid}, a Postgres of an earlier start, does not stop");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    } else if Path::new("/proc/self").exists() {
        end_orphans(cluster).await?;
        // The number belongs to nobody, or by now to somebody else, whom Postgres would take for its rival.
        fs::remove_file(&file).context("the mark of an earlier Postgres cannot be removed")?;
    }
    Ok(())
}

fn is_first(cluster: &Path, pid: u32) -> bool {
    let cluster = cluster.to_string_lossy().into_owned();
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|words| {
        let words = String::from_utf8_lossy(&words);
        words.contains("postgres") && words.split('\0').any(|word| word == cluster)
    })
}

/// Processes whose first process was killed go on with what they are at and write to the cluster: not before the last one is
/// gone may another Postgres begin. Without the mark of the first one it would not notice them.
async fn end_orphans(cluster: &Path) -> Result<()> {
    let started = Instant::now();
    loop {
        let orphans = processes(cluster)?;
        if orphans.is_empty() {
            return Ok(());
        }
        if started.elapsed() > STOP_LIMIT {
            bail!("processes {orphans:?}, of a Postgres of an earlier start, do not end");
        }
        for pid in orphans {
            // One that has ended meanwhile is what was wanted.
            kill(pid, Signal::SIGKILL).unwrap_or_default();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Processes of a Postgres that work in the cluster.
fn processes(cluster: &Path) -> Result<Vec<Pid>> {
    let cluster = cluster.canonicalize()?;
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let process = entry?.path();
        let number = process.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
        let program = || fs::read_link(process.join("exe")).unwrap_or_default();
        if let Some(number) = number
            && fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == cluster)
            && program().file_name().is_some_and(|name| name.to_string_lossy().starts_with("postgres"))
        {
            found.push(Pid::from_raw(number));
        }
    }
    Ok(found)
}
