use anyhow::Result;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Tells every part that the person at the terminal, or the system, wants it to end.
#[derive(Clone)]
pub(crate) struct Stop(CancellationToken);

impl Stop {
    pub(crate) async fn requested(&self) {
        self.0.cancelled().await;
    }
}

/// Listens for Ctrl-C and for the end of the session.
pub(crate) fn signals() -> Result<Stop> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let token = CancellationToken::new();
    let stop = Stop(token.clone());
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
        token.cancel();
    });
    Ok(stop)
}
