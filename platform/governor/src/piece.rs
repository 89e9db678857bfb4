//! Work that a library may break off together with the whole process (memory that is not to be had, a stack that is too deep) or
//! never end: a process of its own does it, which ends alone. It is the same program, called with [`CALL`]; it knows none of the
//! service's secrets, has a limit of memory, is stopped while others have its seat, and killed when its time is over or its
//! caller has left.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use bytes::Bytes;
use routewright_core::apart::guarded;
use routewright_core::error::Kind as ErrorKind;
use routewright_core::{Error, Result};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, setrlimit};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::budget::{Budget, too_much};
use crate::kind::Kind;

/// First argument of the program when it is to do a piece of work; then its name and its memory, bytes.
const CALL: &str = "piece";
/// Memory of the program itself, bytes.
const PROGRAM: u64 = 64 << 20;
/// Between two looks at the budget.
const LOOK: Duration = Duration::from_millis(20);
/// Processor time after which others may have the seat.
const SLICE: Duration = Duration::from_millis(100);

/// A piece of work for a process of its own. Bytes go in and come out beside what is written down as JSON.
pub trait Piece: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// What it is called by.
    const NAME: &'static str;
    /// What it is of.
    const KIND: Kind;
    /// What comes of it.
    type Answer: Serialize + DeserializeOwned + Send + 'static;

    /// Does it.
    fn work(self, bytes: Vec<u8>) -> (Self::Answer, Vec<u8>);
}

/// This program, where the system says so also when its file was replaced since.
#[must_use]
pub fn own_program() -> PathBuf {
    let running = Path::new("/proc/self/exe");
    match std::env::current_exe() {
        Ok(program) if !running.exists() => program,
        _ => running.to_owned(),
    }
}

/// What this process was called for; asked in `main` before anything else.
#[derive(Debug)]
pub struct Call {
    name: String,
    memory: u64,
}

impl Call {
    /// None when it was called for something else than a piece of work.
    #[must_use]
    pub fn of_process() -> Option<Self> {
        let mut arguments = std::env::args().skip(1);
        if arguments.next()? != CALL {
            return None;
        }
        Some(Self { name: arguments.next()?, memory: arguments.next()?.parse().ok()? })
    }

    /// The piece's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Does the piece that comes in and answers what comes of it.
    #[must_use]
    pub fn answer<P: Piece>(self) -> ExitCode {
        match self.done::<P>() {
            Ok(()) => ExitCode::SUCCESS,
            // The other side has left, or what it said was broken off: nobody reads why.
            Err(_) => ExitCode::FAILURE,
        }
    }

    fn done<P: Piece>(self) -> std::io::Result<()> {
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // What the memory held is nobody's business afterwards.
        setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
        let most = Some(self.memory.saturating_add(PROGRAM));
        setrlimit(Resource::Data, Rlimit { current: most, maximum: most })?;
        let (piece, bytes) = read::<P>(&mut std::io::stdin().lock())?;
        let (answer, bytes) = match guarded(|| piece.work(bytes)) {
            Ok((answer, bytes)) => (Ok(answer), bytes),
            Err(panic) => (Err(panic.to_string()), Vec::new()),
        };
        write(&mut std::io::stdout().lock(), &answer, &bytes)
    }
}

/// Has a process do a piece of work. To be called on a thread that may wait.
///
/// # Errors
/// 413 when it takes too much memory or time, 415 when it ends in another way, 503 when the caller has left.
pub(crate) fn have_done<P: Piece>(
    program: &Path,
    piece: &P,
    bytes: &[u8],
    budget: &Budget,
) -> Result<(P::Answer, Bytes)> {
    budget.pass(Duration::ZERO)?;
    let mut child = Command::new(program)
        .args([CALL, P::NAME, &P::KIND.memory().to_string()])
        .env_clear()
        // Address space that is only reserved would count as taken.
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(Error::internal)?;
    let (Some(mut to), Some(mut from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Error::internal("a process without pipes"));
    };
    let (ended, told) = std::thread::scope(|scope| {
        // It may end before it has heard all.
        scope.spawn(move || drop(write(&mut to, piece, bytes)));
        let (tell, end) = channel();
        let listening = scope.spawn(move || {
            let told = read::<std::result::Result<P::Answer, String>>(&mut from);
            let _ = tell.send(());
            told
        });
        (watch(&mut child, budget, &end), listening.join())
    });
    let status = ended?;
    match told {
        Ok(Ok((Ok(answer), bytes))) if status.success() => Ok((answer, bytes.into())),
        Ok(Ok((Err(panic), _))) => Err(lost(P::KIND, &panic)),
        _ => Err(ended_early(P::KIND, status)),
    }
}

/// Waits for the end of a process, and brings it about when its budget is used up.
fn watch(child: &mut Child, budget: &Budget, end: &Receiver<()>) -> Result<ExitStatus> {
    let running = Running(child);
    let mut worked = Duration::ZERO;
    let (mut since, mut passed) = (Instant::now(), Duration::ZERO);
    loop {
        match end.recv_timeout(LOOK) {
            // It has said all and ends by itself, or is past saying anything.
            Ok(()) | Err(RecvTimeoutError::Disconnected) => std::thread::sleep(Duration::from_millis(1)),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let status = running.0.try_wait().map_err(Error::internal)?;
        worked += since.elapsed();
        budget.worked(worked);
        if let Some(status) = status {
            return Ok(status);
        }
        budget.stands()?;
        if worked - passed >= SLICE {
            passed = worked;
            running.tell(Signal::STOP)?;
            budget.pass(worked)?;
            running.tell(Signal::CONT)?;
        }
        since = Instant::now();
    }
}

/// A process that is killed when nobody waits for it any more.
struct Running<'a>(&'a mut Child);

impl Running<'_> {
    fn tell(&self, signal: Signal) -> Result<()> {
        kill_process(Pid::from_child(self.0), signal).map_err(Error::internal)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // Does nothing to one that has ended and been waited for.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ended_early(kind: Kind, status: ExitStatus) -> Error {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        let signal = status.signal().and_then(Signal::from_named_raw);
        // Rust breaks off where there is no memory; the system kills what takes too much of it.
        if matches!(signal, Some(Signal::ABORT | Signal::KILL)) {
            tracing::warn!(kind = kind.name(), %status, "a piece of work was broken off");
            return too_much(kind);
        }
    }
    lost(kind, &status.to_string())
}

fn lost(kind: Kind, why: &str) -> Error {
    let text = match kind {
        Kind::Decode => "This picture cannot be opened",
        _ => "This file cannot be read",
    };
    tracing::error!(kind = kind.name(), why, "a piece of work failed");
    Error::new(ErrorKind::UnsupportedMedia, text)
}

/// The length of what is written down, that, and all other bytes.
fn write(to: &mut impl Write, written: &impl Serialize, bytes: &[u8]) -> std::io::Result<()> {
    let written = serde_json::to_vec(written)?;
    to.write_all(&(written.len() as u64).to_le_bytes())?;
    to.write_all(&written)?;
    to.write_all(bytes)?;
    to.flush()
}

fn read<T: DeserializeOwned>(from: &mut impl Read) -> std::io::Result<(T, Vec<u8>)> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let mut written = Vec::new();
    from.take(u64::from_le_bytes(length)).read_to_end(&mut written)?;
    let written = serde_json::from_slice(&written)?;
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    Ok((written, bytes))
}
