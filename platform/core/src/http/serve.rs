//! Serving HTTP/1.1 within limits of time and number, so that half-sent requests hold no connection for long.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::{Service, ServiceExt as _};

/// Pause after a connection could not be accepted, for example because the process has too many files open.
const PAUSE: Duration = Duration::from_millis(500);

/// What clients may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Until the head of a request is there, counted from the end of the one before. A gateway has to let go of idle
    /// connections earlier than that.
    pub head: Duration,
    /// Connections open at the same time; further ones wait to be accepted.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head: Duration::from_secs(20), connections: 4096 }
    }
}

/// Serves until `ended`, then lets requests under way end. Requests carry their peer as [`ConnectInfo`].
pub async fn serve<S>(listener: TcpListener, service: S, limits: Limits, ended: impl Future<Output = ()>)
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let room = Arc::new(Semaphore::new(limits.connections));
    let (stop, stopping) = watch::channel(());
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head);
    let mut ended = std::pin::pin!(ended);
    loop {
        let next = async {
            let seat = Arc::clone(&room).acquire_owned().await.ok();
            (seat, accept(&listener).await)
        };
        let (seat, (stream, peer)) = tokio::select! {
            next = next => next,
            () = &mut ended => break,
        };
        let service = service.clone();
        let answer = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            service.clone().oneshot(request)
        });
        let connection = builder.serve_connection(TokioIo::new(stream), answer).with_upgrades();
        let mut stopping = stopping.clone();
        tokio::spawn(async move {
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = &mut connection => ended,
                _ = stopping.changed() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended early");
            }
            drop((seat, stopping));
        });
    }
    drop((listener, stopping));
    stop.send_replace(());
    stop.closed().await;
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are short: waiting to fill a packet only delays them.
                drop(stream.set_nodelay(true));
                return (stream, peer);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection cannot be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    async fn start(limits: Limits) -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let peer = |ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.ip().to_string() };
        let router = Router::new().route("/", get(peer));
        tokio::spawn(serve(listener, router, limits, std::future::pending()));
        address
    }

    /// All that the server says until it closes the connection.
    async fn rest(stream: &mut TcpStream) -> String {
        let mut text = String::new();
        let within = Duration::from_secs(10);
        tokio::time::timeout(within, stream.read_to_string(&mut text)).await.expect("an end").unwrap();
        text
    }

    /// V-24: neither a head that stays half-sent nor a connection without a word is kept.
    #[tokio::test]
    async fn half_sent_heads_hold_no_connection() {
        let address = start(Limits { head: Duration::from_millis(100), ..Limits::default() }).await;
        for half in ["", "P", "GET / HTTP/1.1\r\nHost: example.org\r\nX-Slow:"] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(half.as_bytes()).await.unwrap();
            let answer = rest(&mut stream).await;
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{half}: {answer}");
        }
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n").await.unwrap();
        let answer = rest(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("127.0.0.1"), "{answer}");
    }

    /// V-24: further connections wait until one of those that are open has ended.
    #[tokio::test]
    async fn only_so_many_connections_are_open() {
        let address = start(Limits { head: Duration::from_millis(300), connections: 2 }).await;
        let mut silent = Vec::new();
        for _ in 0..2 {
            silent.push(TcpStream::connect(address).await.unwrap());
        }
        let mut third = TcpStream::connect(address).await.unwrap();
        third.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
        let early = tokio::time::timeout(Duration::from_millis(50), third.readable()).await;
        assert!(early.is_err(), "the third connection is served beside two open ones");
        assert!(rest(&mut third).await.starts_with("HTTP/1.1 200 OK"));
        drop(silent);
    }
}
