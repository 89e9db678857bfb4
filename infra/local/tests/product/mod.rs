//! The program of the one-machine mode, started from nothing.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what a test stands on is said where it is missing")]
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use routewright_outbound::{Client, Limits};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

/// A product of its own, on a port and in a folder of its own.
pub struct Product {
    /// Ended with this.
    pub process: Child,
    url: String,
    client: Client,
}

impl Product {
    /// Starts it and waits until it serves.
    pub async fn start(checkout: &Path, data: &Path) -> Self {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let process = Command::new(env!("CARGO_BIN_EXE_routewright"))
            .current_dir(checkout)
            .env("DATA_DIR", data)
            .env("PORT", port.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
        let client = Client::new(limits).unwrap();
        let product = Self { process, url: format!("http://127.0.0.1:{port}"), client };
        product.until_ready(200).await;
        product
    }

    /// Waits until `/readyz` answers with this status.
    pub async fn until_ready(&self, status: u16) -> Value {
        for _ in 0..1200 {
            let asked = self.client.get(format!("{}/readyz", self.url));
            match self.client.send(asked).await {
                Ok(answer) if answer.status == status => {
                    return serde_json::from_slice(&answer.body).unwrap();
                }
                _ => tokio::time::sleep(Duration::from_millis(200)).await,
            }
        }
        panic!("never {status}");
    }

    /// The demo's planner signs in; answers the status.
    pub async fn sign_in(&self) -> u16 {
        let login = json!({"email": "planner@demo.routewright.test", "password": "routewright-demo"});
        let asked = self.client.post(format!("{}/api/users/login", self.url)).json(&login);
        self.client.send(asked).await.unwrap().status.as_u16()
    }

    /// A token of the demo's administrator.
    pub async fn administrator(&self) -> String {
        let login = json!({"email": "admin@demo.routewright.test", "password": "routewright-demo"});
        let asked = self.client.post(format!("{}/api/users/login", self.url)).json(&login);
        let answer: Value = serde_json::from_slice(&self.client.send(asked).await.unwrap().body).unwrap();
        answer["token"].as_str().unwrap().to_owned()
    }

    /// What a path of the API answers.
    pub async fn get(&self, token: &str, path: &str) -> Value {
        let asked = self
            .client
            .get(format!("{}/api{path}", self.url))
            .header("authorization", format!("Bearer {token}"));
        let answer = self.client.send(asked).await.unwrap();
        assert_eq!(answer.status, 200, "{path}");
        serde_json::from_slice(&answer.body).unwrap()
    }
}

/// As much of a checkout as the product needs, with web apps of one page.
pub fn checkout(folder: &Path) -> PathBuf {
    let checkout = folder.join("checkout");
    std::fs::create_dir_all(checkout.join("infra/local")).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    std::os::unix::fs::symlink(data, checkout.join("infra/local/data")).unwrap();
    for app in ["planner-web/dist", "admin-web/dist"] {
        std::fs::create_dir_all(checkout.join(app)).unwrap();
        std::fs::write(checkout.join(app).join("index.html"), "<title>Routewright</title>").unwrap();
    }
    checkout
}
