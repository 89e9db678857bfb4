//! The one-machine mode and its Postgres.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what a test stands on is said where it is missing")]

use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use routewright_outbound::{Client, Limits};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

struct Product {
    process: Child,
    url: String,
    client: Client,
}

impl Product {
    async fn start(checkout: &Path, data: &Path) -> Self {
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
    async fn until_ready(&self, status: u16) -> Value {
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

    async fn sign_in(&self) -> u16 {
        let login = json!({"email": "planner@demo.routewright.test", "password": "routewright-demo"});
        let asked = self.client.post(format!("{}/api/users/login", self.url)).json(&login);
        self.client.send(asked).await.unwrap().status.as_u16()
    }
}

/// As much of a checkout as the product needs, with web apps of one page.
fn checkout(folder: &Path) -> PathBuf {
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

/// The first process of the Postgres below the data folder; none while it starts.
fn postmaster(data: &Path) -> Option<Pid> {
    let note = std::fs::read_to_string(data.join("postgres-folder")).ok();
    let folder = note.map_or_else(|| data.join("postgres"), |note| PathBuf::from(note.trim()));
    let mark = std::fs::read_to_string(folder.join("cluster/postmaster.pid")).ok()?;
    mark.lines().next()?.trim().parse().ok().map(Pid::from_raw)
}

/// Waits for another Postgres than `first`, which may take a moment too short to ask anybody else about it.
async fn another(data: &Path, first: Pid) -> Pid {
    for _ in 0..1200 {
        match postmaster(data) {
            Some(second) if second != first => return second,
            _ => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
    panic!("Postgres is not started again");
}

/// The first process of a Postgres and those that serve its connections.
fn processes(first: Pid) -> Vec<Pid> {
    let path = format!("/proc/{first}/task/{first}/children");
    let children = std::fs::read_to_string(path).unwrap();
    let children = children.split_whitespace().map(|child| Pid::from_raw(child.parse().unwrap()));
    std::iter::once(first).chain(children).collect()
}

/// V-31: a Postgres that is killed is started again and the product works on; one that is frozen holds nobody, and `/readyz`
/// says so meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn v_31_postgres_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let data = folder.path().join("data");
    let mut product = Product::start(&checkout(folder.path()), &data).await;
    let works = product.sign_in().await;
    assert_eq!(works, 200);
    let first = postmaster(&data).unwrap();
    kill(first, Signal::SIGKILL).unwrap();
    let second = another(&data, first).await;
    product.until_ready(200).await;
    assert_eq!(product.sign_in().await, works);

    let second = processes(second);
    second.iter().for_each(|process| kill(*process, Signal::SIGSTOP).unwrap());
    let told = product.until_ready(503).await;
    assert!(told["reason"].as_str().is_some_and(|reason| reason.contains("database")), "{told}");
    // Those that were there are woken; what the service gave up is ended by itself.
    second.iter().for_each(|process| kill(*process, Signal::SIGCONT).unwrap());
    product.until_ready(200).await;
    assert_eq!(product.sign_in().await, works);

    let process = Pid::from_raw(i32::try_from(product.process.id().unwrap()).unwrap());
    kill(process, Signal::SIGTERM).unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(120), product.process.wait()).await;
    assert!(ended.unwrap().unwrap().success(), "the product stops cleanly");
}
