//! The S3 server of the one-machine mode: objects are files in a folder, reached over S3's own protocol on
//! loopback. Tests use the same server, so that nothing but its address differs from production.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long requests under way may take to end when the server stops.
const GRACE: Duration = Duration::from_secs(5);

/// The key pair that clients must sign their requests with.
#[derive(Clone)]
pub struct Keys {
    /// Access key id.
    pub access_key: String,
    /// Secret key.
    pub secret_key: String,
}

/// A running server. It ends when this value is dropped; [`S3Server::stop`] lets requests finish first.
pub struct S3Server {
    address: SocketAddr,
    stopping: CancellationToken,
    task: Option<JoinHandle<()>>,
}

impl S3Server {
    /// Serves the objects below `folder` (created when missing) on loopback; port 0 takes a free one.
    ///
    /// # Errors
    /// When the folder cannot be used or the port is taken.
    pub async fn start(folder: &Path, keys: &Keys, port: u16) -> io::Result<Self> {
        tokio::fs::create_dir_all(folder).await?;
        let files = FileSystem::new(folder).map_err(|error| io::Error::other(format!("{error:?}")))?;
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(&keys.access_key, keys.secret_key.as_str()));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let stopping = CancellationToken::new();
        let task = tokio::spawn(serve(listener, service.build(), stopping.clone()));
        Ok(Self { address, stopping, task: Some(task) })
    }

    /// Base address for clients (path-style), for example `http://127.0.0.1:9000`.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Takes no further requests and waits up to five seconds for those under way.
    pub async fn stop(mut self) {
        self.stopping.cancel();
        if let Some(task) = self.task.take()
            && let Err(error) = task.await
        {
            tracing::warn!(%error, "the S3 server ended abnormally");
        }
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.stopping.cancel();
    }
}

async fn serve(listener: TcpListener, service: S3Service, stopping: CancellationToken) {
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopping.cancelled() => break,
        };
        match accepted {
            Ok((socket, _)) => {
                connections.spawn(serve_connection(socket, service.clone(), stopping.clone()));
            }
            Err(error) => {
                tracing::warn!(%error, "S3 connection not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    connections.close();
    if tokio::time::timeout(GRACE, connections.wait()).await.is_err() {
        tracing::warn!("S3 requests were cut off after {GRACE:?}");
    }
}

async fn serve_connection(socket: TcpStream, service: S3Service, stopping: CancellationToken) {
    let http = Builder::new(TokioExecutor::new());
    let mut connection = pin!(http.serve_connection(TokioIo::new(socket), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "S3 connection ended");
    }
}
