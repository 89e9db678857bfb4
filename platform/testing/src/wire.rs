//! A way to something that can be cut and mended.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Forwards connections of a port of this machine for as long as it lives.
pub struct Wire {
    /// Where to connect to.
    pub address: SocketAddr,
    whole: watch::Sender<bool>,
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
        let task = tokio::spawn(async move {
            while let Ok((mut here, _)) = listener.accept().await {
                let mut cut = cut.clone();
                if !*cut.borrow() {
                    continue;
                }
                tokio::spawn(async move {
                    let Ok(mut there) = TcpStream::connect(server).await else { return };
                    // Whoever loses the race is dropped, and with it both connections.
                    tokio::select! {
                        _ = copy_bidirectional(&mut here, &mut there) => {}
                        _ = cut.wait_for(|whole| !whole) => {}
                    }
                });
            }
        });
        Self { address, whole, task }
    }

    /// Breaks every connection, and refuses new ones.
    pub fn cut(&self) {
        self.whole.send_replace(false);
    }

    /// Lets connections through again.
    pub fn mend(&self) {
        self.whole.send_replace(true);
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.cut();
        self.task.abort();
    }
}
