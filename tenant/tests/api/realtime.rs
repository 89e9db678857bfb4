//! Sockets: who may listen, what is told, on every replica.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use routewright_core::Clock;
use routewright_tenant::{Config, work};
use routewright_testing::variables;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::jobs::{add, scenario};
use crate::moves::{job_at, put_on};
use crate::runs::{driver, run};
use crate::support::{Tenant, tenant};

/// A replica of the service on a port of its own, with its loops.
pub(crate) struct Replica {
    address: std::net::SocketAddr,
    _loops: work::Loops,
}

/// Starts a replica; `worker_jobs` queued jobs at the same time.
pub(crate) async fn replica(worker_jobs: usize) -> Replica {
    let mut variables = variables();
    variables.insert("WORKER_JOBS".to_owned(), worker_jobs.to_string());
    let config = Config::from_source(&variables).expect("the test configuration is complete");
    let service = routewright_tenant::build(config, Clock::system()).await.expect("the service starts");
    let loops = work::start(&service.app).expect("the loops start");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = axum::Router::new().nest("/api", service.router).layer(service.sockets);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Replica { address, _loops: loops }
}

/// A Socket.IO client: Engine.IO 4 over WebSocket.
pub(crate) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// Connects to a namespace; the server's answer, `{sid}` or `{message}`.
    pub(crate) async fn connect(replica: &Replica, namespace: &str, token: &str) -> (Self, Value) {
        Self::at(replica.address, namespace, token).await
    }

    /// The same at any address.
    pub(crate) async fn at(address: std::net::SocketAddr, namespace: &str, token: &str) -> (Self, Value) {
        let url = format!("ws://{address}/socket.io/?EIO=4&transport=websocket&ws_token={token}");
        let (stream, _) = connect_async(url).await.expect("a WebSocket");
        let mut socket = Self(stream);
        assert!(socket.packet().await.starts_with('0'), "the handshake");
        socket.0.send(Message::text(format!("40{namespace},"))).await.expect("a packet");
        let answer = socket.packet().await;
        let json = answer.split_once(',').map(|(_, json)| json).unwrap_or_default();
        (socket, serde_json::from_str(json).unwrap_or(Value::Null))
    }

    /// Joins a plan with a user's own session; the server's answer, `{sid}` or `{message}`.
    pub(crate) async fn plan(replica: &Replica, token: &str, scenario: &Value) -> (Self, Value) {
        Self::signed_in(replica, "/plan", token, scenario).await
    }

    /// Joins a namespace with a user's own session.
    pub(crate) async fn signed_in(
        replica: &Replica,
        namespace: &str,
        token: &str,
        scenario: &Value,
    ) -> (Self, Value) {
        let url = format!("ws://{}/socket.io/?EIO=4&transport=websocket", replica.address);
        let (stream, _) = connect_async(url).await.expect("a WebSocket");
        let mut socket = Self(stream);
        assert!(socket.packet().await.starts_with('0'), "the handshake");
        let auth = json!({"token": token, "scenario_id": scenario});
        socket.0.send(Message::text(format!("40{namespace},{auth}"))).await.expect("a packet");
        let answer = socket.packet().await;
        let json = answer.split_once(',').map(|(_, json)| json).unwrap_or_default();
        (socket, serde_json::from_str(json).unwrap_or(Value::Null))
    }

    /// Says something.
    pub(crate) async fn say(&mut self, event: &str, payload: Value) {
        let packet = format!("42/plan,{}", json!([event, payload]));
        self.0.send(Message::text(packet)).await.expect("a packet");
    }

    /// The next event of this name that is as wanted.
    pub(crate) async fn hears(&mut self, name: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let (event, payload) = self.event().await;
            if event == name && wanted(&payload) {
                return payload;
            }
        }
    }

    async fn packet(&mut self) -> String {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(90), self.0.next()).await;
            match message.expect("a packet in time").expect("an open socket").expect("a packet") {
                Message::Text(text) if text.as_str() == "2" => {
                    self.0.send(Message::text("3")).await.expect("a pong");
                }
                Message::Text(text) => return text.as_str().to_owned(),
                _ => {}
            }
        }
    }

    /// The next event: name and payload.
    pub(crate) async fn event(&mut self) -> (String, Value) {
        let packet = self.packet().await;
        let json = packet.split_once(',').map(|(_, json)| json).unwrap_or_default();
        let event: Value = serde_json::from_str(json).expect("an event");
        (event[0].as_str().unwrap_or_default().to_owned(), event[1].clone())
    }

    /// Waits until the server has ended the socket.
    pub(crate) async fn ends(&mut self) {
        while !self.packet().await.starts_with("41") {}
    }

    /// Whether nothing is told for a while.
    pub(crate) async fn is_quiet(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(700), self.packet()).await.is_err()
    }
}

pub(crate) async fn ws_token(tenant: &Tenant, scenario: &Value) -> String {
    let found = tenant.planner.get(&format!("/scenarios/{scenario}")).await.ok();
    found["ws_token"].as_str().expect("a token").to_owned()
}

/// contract §6, X-641: an unknown token is refused with the documented text, websocket is the only transport.
#[tokio::test]
async fn only_a_scenarios_token_opens_a_socket() {
    let tenant = tenant().await;
    let scenario = scenario(&tenant).await;
    let replica = replica(0).await;
    let token = ws_token(&tenant, &scenario).await;
    let foreign = tenant.organisation.links.long(tenant.organisation.id);
    for (wrong, namespace) in [("", "/tracking"), ("x", "/optimisation"), (foreign.as_str(), "/tracking")] {
        let (_, answer) = Socket::connect(&replica, namespace, wrong).await;
        assert_eq!(answer["message"], "Incorrect or expired token", "{wrong}");
    }
    for namespace in ["/tracking", "/optimisation"] {
        let (_, answer) = Socket::connect(&replica, namespace, &token).await;
        assert!(answer["sid"].is_string(), "{answer}");
    }
    let mut polling = TcpStream::connect(replica.address).await.expect("a connection");
    let request = format!(
        "GET /socket.io/?EIO=4&transport=polling&ws_token={token} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
    );
    polling.write_all(request.as_bytes()).await.expect("a request");
    let mut answer = String::new();
    polling.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}

/// A-264, contract §6: a move is told to the sockets of its scenario on every replica once it is committed, to nobody
/// else, and not when it is refused.
#[tokio::test]
async fn a_move_is_told_on_every_replica() {
    let tenant = tenant().await;
    let here = scenario(&tenant).await;
    let body = json!({"name": "Other", "scheduled_date": "2026-11-24"});
    let elsewhere = tenant.planner.post("/scenarios", body).await.ok()["id"].clone();
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &here, &ana, json!({})).await;
    let delivery = add(&tenant, &here, job_at("A", 41.17, -8.63, json!({}))).await;
    let (one, two) = (replica(0).await, replica(0).await);
    let token = ws_token(&tenant, &here).await;
    let (mut first, _) = Socket::connect(&one, "/tracking", &token).await;
    let (mut second, _) = Socket::connect(&two, "/tracking", &token).await;
    let (mut other, _) = Socket::connect(&two, "/tracking", &ws_token(&tenant, &elsewhere).await).await;
    let _ = tenant
        .planner
        .put(&format!("/runs/move_job_to_new/{}", made["id"]), json!({"job_ids": [0]}))
        .await
        .refused(404);
    let _ = put_on(&tenant, &made, &[&delivery], json!({})).await;
    for socket in [&mut first, &mut second] {
        let (name, payload) = socket.event().await;
        assert_eq!((name.as_str(), &payload["scenario_id"]), ("broadcast_run_update", &here));
        assert_eq!((&payload["run"]["id"], &payload["run"]["status"]), (&made["id"], &json!("pending")));
        assert_eq!((&payload["jobs"][0]["id"], &payload["jobs"][0]["seq"]), (&delivery["id"], &json!(1)));
        assert!(payload["jobs"][0]["eta"].is_string());
    }
    assert!(other.is_quiet().await && first.is_quiet().await);
    let _ =
        tenant.planner.put("/runs/move_job_to_new/unserved", json!({"job_ids": [delivery["id"]]})).await.ok();
    let (_, payload) = second.event().await;
    assert_eq!(
        payload["jobs"][0],
        json!({"id": delivery["id"], "run_id": null, "seq": null, "eta": null, "etd": null,
        "updated_eta": null})
    );
}

/// V-26 W-043: who reads a plan hears of it with his own session, and of what he may read only; foreign sessions hear
/// nothing of it.
#[tokio::test]
async fn readers_listen_with_their_own_session() {
    let tenant = tenant().await;
    let organisation = &tenant.organisation;
    let here = scenario(&tenant).await;
    let ana = driver(&tenant, "Ana", json!({})).await;
    let made = run(&tenant, &here, &ana, json!({})).await;
    let delivery = add(&tenant, &here, job_at("A", 41.17, -8.63, json!({}))).await;
    let replica = replica(0).await;
    let narrow = organisation.person_with(&["scenarios_read", "jobs_read", "runs_read"]).await;
    let reader = organisation.person_with(&["scenarios_read", "jobs_read", "runs_read", "proofs_read"]).await;
    let blind = organisation.person_with(&["scenarios_read", "jobs_read"]).await;
    let token = |person| organisation.token(person);
    let (mut told, _) = Socket::signed_in(&replica, "/tracking", &token(reader), &here).await;
    let (mut without, _) = Socket::signed_in(&replica, "/tracking", &token(narrow), &here).await;
    let (_, refused) = Socket::signed_in(&replica, "/tracking", &token(blind), &here).await;
    assert_eq!(refused["message"], "User is not authorized to perform this action");
    let stranger = crate::support::tenant().await;
    let foreign = stranger.organisation.token(stranger.organisation.admin);
    // Numbers are an organisation's own: a foreign session hears of its own plan of this number, if there is one.
    let _ = scenario(&stranger).await;
    let (mut elsewhere, _) = Socket::signed_in(&replica, "/tracking", &foreign, &here).await;
    let _ = put_on(&tenant, &made, &[&delivery], json!({})).await;
    let body = json!({"job_id": delivery["id"], "success": true});
    let _ = tenant.admin.post("/job_proofs", body).await.ok();
    let proof = told.hears("broadcast_proof", |payload| payload["kind"] == "job").await;
    assert_eq!(proof["proof"]["job_id"], delivery["id"]);
    assert_eq!(without.event().await.0, "broadcast_run_update");
    while let Ok(packet) = tokio::time::timeout(Duration::from_millis(700), without.event()).await {
        assert_ne!(packet.0, "broadcast_proof");
    }
    assert!(elsewhere.is_quiet().await);
}
