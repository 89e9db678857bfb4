//! The S3 server of the one-machine mode: objects are files in a folder, reached over S3's own protocol on
//! loopback. Tests use the same server, so that nothing but its address differs from production.

use std::future::poll_fn;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body as _, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, header};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use nix::sys::statvfs::statvfs;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, HttpError, HttpResponse};
use s3s_fs::FileSystem;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long requests under way may take to end when the server stops.
const GRACE: Duration = Duration::from_secs(5);

/// What the disk must have beyond an object's own bytes, for what is noted about it.
const RESERVE: u64 = 1024 * 1024;
/// What a client is told when the disk has no room, in the words of other servers of this protocol.
const FULL: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>InsufficientStorage</Code>\
                    <Message>There is no room left.</Message></Error>";

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
        Self::with_limit(folder, keys, port, None).await
    }

    /// The same, and what is below the folder takes at most `limit` bytes, names and notes about objects included.
    ///
    /// # Errors
    /// When the folder cannot be used or the port is taken.
    pub async fn with_limit(folder: &Path, keys: &Keys, port: u16, limit: Option<u64>) -> io::Result<Self> {
        tokio::fs::create_dir_all(folder).await?;
        let files = FileSystem::new(folder).map_err(|error| io::Error::other(format!("{error:?}")))?;
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(&keys.access_key, keys.secret_key.as_str()));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let stopping = CancellationToken::new();
        let served = Served { service: service.build(), folder: folder.into(), limit };
        let task = tokio::spawn(serve(listener, served, stopping.clone()));
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

/// The protocol and where its objects lie.
#[derive(Clone)]
struct Served {
    service: S3Service,
    folder: Arc<Path>,
    /// Most bytes that all of it may take.
    limit: Option<u64>,
}

impl Served {
    async fn answer(self, request: Request<Incoming>) -> Result<HttpResponse, HttpError> {
        let length = match *request.method() {
            Method::PUT => Some(length(&request)),
            _ => None,
        };
        if let (Some(length), Some(limit)) = (length, self.limit)
            && self.taken().await.saturating_add(length) > limit
        {
            discard(request.into_body()).await;
            return Ok(full());
        }
        let response = self.service.call(request.map(Body::from)).await?;
        match length {
            Some(length) if response.status().is_server_error() && !self.has_room(length) => Ok(full()),
            _ => Ok(response),
        }
    }

    /// Bytes of all files below the folder.
    async fn taken(&self) -> u64 {
        let folder = Arc::clone(&self.folder);
        tokio::task::spawn_blocking(move || taken(&folder)).await.unwrap_or_default()
    }

    fn has_room(&self, length: u64) -> bool {
        statvfs(&*self.folder)
            .map_or(true, |disk| disk.blocks_available() * disk.fragment_size() >= length + RESERVE)
    }
}

/// Files that come and go meanwhile are counted as they are found.
fn taken(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => taken(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

/// Takes what is sent and keeps nothing of it: who is answered while he still sends may not hear the answer.
async fn discard(mut body: Incoming) {
    while let Some(Ok(_)) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {}
}

fn length(request: &Request<Incoming>) -> u64 {
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// What the protocol has no code of its own for: 507.
fn full() -> HttpResponse {
    let mut response = Response::new(Body::from(FULL.to_owned()));
    *response.status_mut() = StatusCode::INSUFFICIENT_STORAGE;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/xml"));
    response
}

async fn serve(listener: TcpListener, service: Served, stopping: CancellationToken) {
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

async fn serve_connection(socket: TcpStream, served: Served, stopping: CancellationToken) {
    let http = Builder::new(TokioExecutor::new());
    let service = service_fn(move |request| served.clone().answer(request));
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
