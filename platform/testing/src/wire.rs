//! A way to something that can be cut and mended.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Forwards connections of a port of this machine for as long as it lives.
pub struct Wire {
    /// Where to connect to.
    pub address: SocketAddr,
    whole: watch::Sender<bool>,
    flowing: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Wire {
    /// A whole wire to a server.
    ///
    /// # Panics
    /// When no port is free.
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (whole, cut) = watch::channel(true);
        let (flowing, flow) = watch::channel(true);
        let task = tokio::spawn(async move {
            while let Ok((mut here, _)) = listener.accept().await {
                let (mut cut, flow) = (cut.clone(), flow.clone());
                if !*cut.borrow() {
                    continue;
                }
                tokio::spawn(async move {
                    let Ok(mut there) = TcpStream::connect(server).await else { return };
                    // Whoever loses the race is dropped, and with it both connections.
                    tokio::select! {
                        () = forward(&mut here, &mut there, flow) => {}
                        _ = cut.wait_for(|whole| !whole) => {}
                    }
                });
            }
        });
        Self { address, whole, flowing, task }
    }

    /// Breaks every connection, and refuses new ones.
    pub fn cut(&self) {
        self.whole.send_replace(false);
    }

    /// Keeps every connection, takes new ones, and lets nothing through: a server that has stopped.
    pub fn freeze(&self) {
        self.flowing.send_replace(false);
    }

    /// Lets connections through again.
    pub fn mend(&self) {
        self.flowing.send_replace(true);
        self.whole.send_replace(true);
    }
}

/// Forwards both ways while the wire is not frozen.
async fn forward(here: &mut TcpStream, there: &mut TcpStream, flow: watch::Receiver<bool>) {
    let ((mut asks, mut hears), (mut answers, mut is_told)) = (here.split(), there.split());
    tokio::select! {
        () = one_way(&mut asks, &mut is_told, flow.clone()) => {}
        () = one_way(&mut answers, &mut hears, flow) => {}
    }
}

async fn one_way(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    mut flow: watch::Receiver<bool>,
) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count) = from.read(&mut bytes).await
        && count > 0
        && flow.wait_for(|flowing| *flowing).await.is_ok()
        && to.write_all(&bytes[..count]).await.is_ok()
    {}
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.cut();
        self.task.abort();
    }
}
