//! Servers for the tests: OSRM itself, and sockets that answer what a broken server would.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::Duration,
};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Folder with OSRM's programs and the graph of Porto, fetched by `infra/ci/osrm.sh` when it is not there yet.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/ci/osrm.sh");
        let output = Command::new(&script).stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success(), "{} failed", script.display());
        PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
    })
}

/// A running `osrm-routed`; it ends with the test.
pub(crate) struct OsrmServer {
    process: Child,
    pub(crate) url: String,
}

impl OsrmServer {
    /// Serves the streets of Porto.
    pub(crate) async fn porto() -> Self {
        Self::start(&folder().join("porto/roads.osrm"), free_port()).await
    }

    /// Serves a graph on a port of loopback.
    pub(crate) async fn start(graph: &Path, port: u16) -> Self {
        let process = Command::new(folder().join("osrm/bin/osrm-routed"))
            .args([
                "--algorithm",
                "ch",
                "--ip",
                "127.0.0.1",
                "--verbosity",
                "ERROR",
                "--port",
                &port.to_string(),
            ])
            .arg(graph)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut server = Self { process, url: format!("http://127.0.0.1:{port}") };
        for _ in 0..200 {
            if reqwest::get(format!("{}/nearest/v1/driving/0,0", server.url)).await.is_ok() {
                return server;
            }
            let ended = server.process.try_wait().unwrap();
            assert!(ended.is_none(), "osrm-routed ended: {ended:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("osrm-routed does not answer");
    }

    pub(crate) fn port(&self) -> u16 {
        self.url.rsplit(':').next().unwrap().parse().unwrap()
    }

    pub(crate) fn stop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl Drop for OsrmServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A port of loopback on which nothing listens.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// What a socket does with each connection.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    /// Reads and never answers.
    Silence,
    /// Answers with a status and a body.
    Reply(u16, &'static str),
}

/// A socket and the request lines it has received.
pub(crate) struct Socket {
    pub(crate) url: String,
    received: tokio::sync::mpsc::UnboundedReceiver<String>,
}

impl Socket {
    pub(crate) async fn open(answer: Answer) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, received) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let (mut connection, _) = listener.accept().await.unwrap();
                let sender = sender.clone();
                tokio::spawn(async move {
                    let mut request = Vec::new();
                    while !request.ends_with(b"\r\n\r\n") {
                        let mut byte = [0];
                        if connection.read_exact(&mut byte).await.is_err() {
                            return;
                        }
                        request.push(byte[0]);
                    }
                    let request = String::from_utf8(request).unwrap();
                    sender.send(request).ok();
                    match answer {
                        Answer::Silence => tokio::time::sleep(Duration::from_secs(60)).await,
                        Answer::Reply(status, body) => {
                            let length = body.len();
                            let head = format!(
                                "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
                            );
                            connection.write_all((head + body).as_bytes()).await.ok();
                        }
                    }
                });
            }
        });
        Self { url, received }
    }

    /// Request lines and headers received so far.
    pub(crate) fn received(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.received.try_recv().ok()).collect()
    }
}
