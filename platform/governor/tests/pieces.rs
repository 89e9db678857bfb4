//! Issue 10.1, V-01: pieces of work that a library breaks off end alone. This program is what does them, too.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what is wrong ends the test")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bytes::Bytes;
use routewright_core::{Error, Kind as ErrorKind, OrganisationId};
use routewright_governor::{Call, Governor, Kind, Piece, own_program};
use serde::{Deserialize, Serialize};

/// What a library may do to the process that uses it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Does {
    Reverses,
    Panics,
    Aborts,
    /// Takes more memory than there is for it.
    Grows,
    /// Calls itself until there is no stack.
    Sinks,
    NeverEnds,
}

impl Piece for Does {
    const NAME: &'static str = "does";
    const KIND: Kind = Kind::Decode;
    type Answer = usize;

    fn work(self, mut bytes: Vec<u8>) -> (usize, Vec<u8>) {
        match self {
            Self::Reverses => bytes.reverse(),
            Self::Panics => panic!("{}", bytes.len()),
            Self::Aborts => std::process::abort(),
            Self::Grows => loop {
                bytes.extend_from_slice(&[1; 1 << 20]);
            },
            Self::Sinks => return (sink(bytes.len()), bytes),
            Self::NeverEnds => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
        }
        (bytes.len(), bytes)
    }
}

fn sink(depth: usize) -> usize {
    if depth == 0 { 0 } else { std::hint::black_box(sink(std::hint::black_box(depth + 1))) + 1 }
}

fn main() -> ExitCode {
    if let Some(call) = Call::of_process() {
        return match call.name() {
            Does::NAME => call.answer::<Does>(),
            _ => ExitCode::FAILURE,
        };
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let governor = Governor::for_machine(own_program()).unwrap();
        what_is_done_comes_back(&governor).await;
        what_breaks_off_ends_alone(&governor).await;
        what_nobody_waits_for_is_killed(&governor).await;
    });
    ExitCode::SUCCESS
}

async fn does(governor: &Governor, what: Does, bytes: Vec<u8>) -> Result<(usize, Bytes), Error> {
    governor.apart(OrganisationId::new(1), 1 << 20, what, bytes.into()).await
}

async fn what_is_done_comes_back(governor: &Governor) {
    let bytes: Vec<u8> = (0..5_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let (count, back) = does(governor, Does::Reverses, bytes.clone()).await.unwrap();
    assert_eq!(count, bytes.len());
    assert!(back.iter().rev().eq(&bytes));
    let (count, back) = does(governor, Does::Reverses, Vec::new()).await.unwrap();
    assert_eq!((count, back.len()), (0, 0));
}

async fn what_breaks_off_ends_alone(governor: &Governor) {
    for (what, kind) in [
        (Does::Panics, ErrorKind::UnsupportedMedia),
        (Does::Sinks, ErrorKind::TooLarge),
        (Does::Aborts, ErrorKind::TooLarge),
        (Does::Grows, ErrorKind::TooLarge),
    ] {
        // It need not hear all that it is told.
        let refused = does(governor, what, vec![0; 20 << 20]).await.unwrap_err();
        assert_eq!(refused.kind(), kind, "{what:?}: {}", refused.description());
    }
    assert_eq!(does(governor, Does::Reverses, vec![1, 2]).await.unwrap().1.as_ref(), [2, 1]);
}

async fn what_nobody_waits_for_is_killed(governor: &Governor) {
    let never = does(governor, Does::NeverEnds, vec![0]);
    let _ = tokio::time::timeout(Duration::from_millis(300), never).await.unwrap_err();
    let since = Instant::now();
    while children() > 0 {
        assert!(since.elapsed() < Duration::from_secs(10), "it goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Processes that this one has begun and that have not ended.
fn children() -> usize {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    threads
        .flatten()
        .map(|thread| std::fs::read_to_string(thread.path().join("children")).unwrap_or_default())
        .map(|children| children.split_whitespace().count())
        .sum()
}
