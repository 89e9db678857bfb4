//! The many-machine shape: two replicas of the service and the control plane, as programs of their own, behind the gateway's
//! nginx. Uploads, streams and sockets pass, and a replica that is killed in the middle costs nothing.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::StreamExt as _;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper_util::rt::TokioIo;
use routewright_testing::variables;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::jobs::{add, job, scenario};
use crate::realtime::Socket;
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant};

/// nginx in front of the services; everything ends with it.
struct Gateway {
    address: SocketAddr,
    replicas: Vec<Child>,
    _others: Vec<Child>,
    _folder: tempfile::TempDir,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A program that was built beside this service's.
fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_routewright-tenant")).with_file_name(name)
}

async fn start(name: &str) -> (Child, u16) {
    start_with(name, &[]).await
}

/// Starts a program with these variables too and waits until it is ready.
pub(crate) async fn start_with(name: &str, more: &[(&str, &Path)]) -> (Child, u16) {
    let port = free_port();
    let child = Command::new(program(name))
        .arg("serve")
        .env_clear()
        .envs(variables())
        .env("LISTEN", format!("127.0.0.1:{port}"))
        .env("TRUSTED_PROXIES", "1")
        // Queued jobs of other tests' organisations are left to those tests.
        .env("WORKER_JOBS", "0")
        .envs(more.iter().copied())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("{name} does not start: {error}"));
    for _ in 0..300 {
        if ask(port, Request::get("/readyz").body(Body::empty()).unwrap())
            .await
            .is_ok_and(|answer| answer.status() == 200)
        {
            return (child, port);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{name} is not ready");
}

/// Sends a request over a connection of its own.
async fn ask(
    port: u16,
    request: Request<Body>,
) -> Result<http::Response<Incoming>, Box<dyn std::error::Error>> {
    let stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let (mut parts, body) = request.into_parts();
    parts.headers.insert(header::HOST, header::HeaderValue::from_static("localhost"));
    Ok(sender.send_request(Request::from_parts(parts, body)).await?)
}

impl Gateway {
    async fn start() -> Self {
        let mut replicas = Vec::new();
        let mut servers = String::new();
        for _ in 0..2 {
            let (child, port) = start("routewright-tenant").await;
            replicas.push(child);
            servers.push_str(&format!("server 127.0.0.1:{port} max_fails=1; "));
        }
        let (control, control_port) = start("routewright-control-plane").await;
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let upstreams = format!(
            "upstream control_plane {{ server 127.0.0.1:{control_port}; keepalive 4; }}\n\
             upstream tenant {{ {servers} keepalive 4; }}\n"
        );
        std::fs::write(folder.path().join("upstreams.conf"), upstreams).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/nginx");
        let own = folder.path().display().to_string();
        for file in ["nginx.conf", "gateway.conf", "services.conf", "headers.conf", "proxy.conf"] {
            let text = std::fs::read_to_string(source.join(file)).unwrap();
            let text = text
                .replace("/tmp/", &format!("{own}/"))
                .replace("/etc/nginx/routewright", &own)
                .replace("/srv/", &format!("{own}/"))
                .replace("listen 8080", &format!("listen 127.0.0.1:{port}"))
                .replace("/dev/stdout", &format!("{own}/access.log"))
                .replace("/dev/stderr", &format!("{own}/error.log"));
            std::fs::write(folder.path().join(file), text).unwrap();
        }
        let nginx = Command::new("nginx")
            .arg("-c")
            .arg(folder.path().join("nginx.conf"))
            // One process, so that none outlives the test.
            .args(["-g", "daemon off; master_process off;"])
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("nginx: make setup");
        let gateway = Self {
            address: SocketAddr::from(([127, 0, 0, 1], port)),
            replicas,
            _others: vec![control, nginx],
            _folder: folder,
        };
        for _ in 0..100 {
            if gateway.send(Request::get("/health"), "", Body::empty()).await.is_ok() {
                return gateway;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("nginx does not answer");
    }

    async fn send(
        &self,
        request: http::request::Builder,
        token: &str,
        body: Body,
    ) -> Result<(StatusCode, Bytes), Box<dyn std::error::Error>> {
        let request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        let answer = ask(self.address.port(), request.body(body)?).await?;
        let status = answer.status();
        Ok((status, answer.into_body().collect().await?.to_bytes()))
    }

    async fn get(&self, token: &str, path: &str) -> (StatusCode, Value) {
        let (status, bytes) =
            self.send(Request::get(format!("/api{path}")), token, Body::empty()).await.expect("an answer");
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    /// Submits until it is answered, as the web apps do: with the same key every time.
    async fn submit(&self, token: &str, path: &str, key: &str, body: &Value) -> Value {
        for _ in 0..100 {
            let request = Request::builder()
                .method(Method::POST)
                .uri(format!("/api{path}"))
                .header(header::CONTENT_TYPE, "application/json")
                .header("idempotency-key", key);
            match self.send(request, token, Body::from(body.to_string())).await {
                Ok((status, bytes)) if status.is_success() => return serde_json::from_slice(&bytes).unwrap(),
                Ok((StatusCode::SERVICE_UNAVAILABLE, _)) | Err(_) => {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
                Ok((status, bytes)) => panic!("{status} {}", String::from_utf8_lossy(&bytes)),
            }
        }
        panic!("never answered");
    }
}

/// An upload of lines that is still open.
struct Lines {
    send: mpsc::Sender<Result<Frame<Bytes>, std::convert::Infallible>>,
    answer: http_body_util::BodyDataStream<Incoming>,
    acknowledged: Vec<String>,
}

impl Lines {
    async fn open(gateway: &Gateway, token: &str, scenario: &Value) -> Self {
        let (send, body) = mpsc::channel(4);
        let request = Request::post(format!("/api/jobs/bulk_upload?scenario_id={scenario}"))
            .header(header::CONTENT_TYPE, "application/x-ndjson")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .body(Body::new(StreamBody::new(ReceiverStream::new(body))))
            .unwrap();
        let answer =
            ask(gateway.address.port(), request).await.expect("an answer while the request is still open");
        assert_eq!(answer.status(), 200);
        Self { send, answer: answer.into_body().into_data_stream(), acknowledged: Vec::new() }
    }

    /// Sends a job and waits until its line is answered; whether it was.
    async fn job(&mut self, uid: &str) -> bool {
        let line = format!("{}\n", job(uid));
        if self.send.send(Ok(Frame::data(Bytes::from(line)))).await.is_err() {
            return false;
        }
        match tokio::time::timeout(Duration::from_secs(30), self.answer.next())
            .await
            .expect("an answer in time")
        {
            Some(Ok(bytes)) => {
                let told = String::from_utf8_lossy(&bytes).into_owned();
                assert!(told.contains(uid), "{uid}: {told}");
                self.acknowledged.push(uid.to_owned());
                true
            }
            _ => false,
        }
    }
}

async fn uids(tenant: &Tenant, scenario: &Value, start: &str) -> Vec<String> {
    let found =
        tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&uid={start}&per_page=300")).await.ok();
    found["data"].as_array().unwrap().iter().map(|job| job["uid"].as_str().unwrap().to_owned()).collect()
}

/// Issue of the gateway: one address for both services, large uploads, lines both ways, sockets that hear of what happened
/// on either replica.
#[tokio::test]
async fn two_replicas_work_as_one() {
    let tenant = tenant().await;
    let gateway = Gateway::start().await;
    let token = tenant.organisation.token(tenant.organisation.admin);
    let scenario = scenario(&tenant).await;

    // Both services answer at one address.
    assert_eq!(gateway.get(&token, "/jobs").await.0, 200);
    assert_eq!(gateway.get(&token, "/users").await.1["data"].as_array().map(Vec::len), Some(2));

    // An upload of 20 MB comes back as it was.
    let large: Vec<u8> =
        b"uid,address\n".iter().chain(b"A-1,Rua do Freixo\n".repeat(1_100_000).iter()).copied().collect();
    let mut form = b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"list.csv\"\r\nContent-Type: text/csv\r\n\r\n".to_vec();
    form.extend(&large);
    form.extend(b"\r\n--edge--\r\n");
    let request =
        Request::post("/api/files/upload").header(header::CONTENT_TYPE, "multipart/form-data; boundary=edge");
    let (status, bytes) = gateway.send(request, &token, Body::from(form)).await.unwrap();
    assert!(status.is_success(), "{status} {}", String::from_utf8_lossy(&bytes));
    let made: Value = serde_json::from_slice(&bytes).unwrap();
    let link = format!("/api{}", made["link"].as_str().unwrap());
    let (_, back) = gateway.send(Request::get(link), "", Body::empty()).await.unwrap();
    assert!(back == large, "{} bytes came back", back.len());

    // Each line is answered while the request is still open.
    let mut lines = Lines::open(&gateway, &token, &scenario).await;
    for number in 0..5 {
        assert!(lines.job(&format!("LINE-{number}")).await);
    }
    drop(lines);

    // Four sockets, some on each replica, hear of every move, whichever replica made it.
    let ana = driver(&tenant, "Ana", json!({})).await;
    let run = run(&tenant, &scenario, &ana, json!({})).await;
    let found = tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok();
    let ws_token = found["ws_token"].as_str().unwrap();
    let mut sockets = Vec::new();
    for _ in 0..4 {
        sockets.push(Socket::at(gateway.address, "/tracking", ws_token).await.0);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    for number in 0..2 {
        let made = add(&tenant, &scenario, job(&format!("MOVED-{number}"))).await;
        let body = json!({"job_ids": [made["id"]], "pool": false}).to_string();
        let request = Request::put(format!("/api/runs/move_job_to_new/{}", run["id"]))
            .header(header::CONTENT_TYPE, "application/json");
        assert_eq!(gateway.send(request, &token, Body::from(body)).await.unwrap().0, 200);
        for socket in &mut sockets {
            let (name, payload) = socket.event().await;
            assert_eq!(
                (name.as_str(), &payload["jobs"][number]["id"]),
                ("broadcast_run_update", &made["id"])
            );
        }
    }
}

/// A replica is killed while forms are submitted and lines are uploaded: what was answered is stored, what is submitted
/// again is stored once, and sockets find the other replica.
#[tokio::test]
async fn a_killed_replica_costs_nothing() {
    let tenant = tenant().await;
    let mut gateway = Gateway::start().await;
    let token = tenant.organisation.token(tenant.organisation.admin);
    let scenario = scenario(&tenant).await;
    let mut uploads =
        [Lines::open(&gateway, &token, &scenario).await, Lines::open(&gateway, &token, &scenario).await];
    for number in 0..5 {
        for (upload, lines) in uploads.iter_mut().enumerate() {
            assert!(lines.job(&format!("UP{upload}-{number}")).await);
        }
    }
    let mut victim = gateway.replicas.remove(0);
    let killed = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        victim.kill().await.unwrap();
    };
    let submit = async |writer: usize| {
        let mut made = Vec::new();
        for number in 0..12 {
            let uid = format!("FORM-{writer}-{number}");
            let mut body = job(&uid);
            body["scenario_id"] = scenario.clone();
            made.push((uid.clone(), gateway.submit(&token, "/jobs", &uid, &body).await["id"].clone()));
        }
        made
    };
    // An import that may be in the middle of the replica that dies.
    let rows: Vec<Value> = (0..150)
        .map(|n| json!({"uid": format!("ROW-{n}"), "address": "Rua 1", "lat": 41.1, "lon": -8.6}))
        .collect();
    let upload = json!({"rows": rows, "scenario_id": scenario, "on_duplicate": "create"});
    let import = gateway.submit(&token, "/jobs/template_upload", "import", &upload);
    let ((), _, first, second, third) = tokio::join!(killed, import, submit(0), submit(1), submit(2));
    assert_eq!(uids(&tenant, &scenario, "ROW-").await.len(), 150);

    // Every form was stored once, and the answer names what was stored.
    let stored =
        tenant.planner.get(&format!("/jobs?scenario_ids={scenario}&uid=FORM-&per_page=300")).await.ok();
    let mut stored: Vec<(String, Value)> = stored["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|job| (job["uid"].as_str().unwrap().to_owned(), job["id"].clone()))
        .collect();
    let mut answered = [first, second, third].concat();
    stored.sort_by(|a, b| a.0.cmp(&b.0));
    answered.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(stored, answered);

    // One upload lost its replica, the other goes on; no line that was answered is lost, none is there twice.
    let mut going = 0;
    for (upload, lines) in uploads.iter_mut().enumerate() {
        going += usize::from(lines.job(&format!("UP{upload}-last")).await);
        let mut stored = uids(&tenant, &scenario, &format!("UP{upload}-")).await;
        stored.sort();
        for uid in &lines.acknowledged {
            assert_eq!(stored.iter().filter(|known| *known == uid).count(), 1, "{uid} of {stored:?}");
        }
    }
    assert_eq!(going, 1);

    // A new socket finds the replica that is left.
    let found = tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok();
    let (_, answer) = Socket::at(gateway.address, "/tracking", found["ws_token"].as_str().unwrap()).await;
    assert!(answer["sid"].is_string(), "{answer}");
    assert_eq!(gateway.get(&token, "/users").await.0, 200);
}
