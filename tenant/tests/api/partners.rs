//! What partners are given: a table, the CSV over SFTP, the distributor's zip, the forwarder's documents.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::execution::{Ready, ready};
use crate::files::{PNG, picture};

/// OpenSSH's own server on a port of loopback, for the user who runs the test.
struct Sshd {
    server: Child,
    port: u16,
    home: tempfile::TempDir,
}

impl Drop for Sshd {
    fn drop(&mut self) {
        self.server.kill().unwrap_or_default();
        drop(self.server.wait());
    }
}

fn program(name: &str) -> PathBuf {
    let known = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
    known
        .iter()
        .map(|folder| Path::new(folder).join(name))
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("{name} is missing: apt-get install openssh-server"))
}

fn key(file: &Path, kind: &str) {
    let made = Command::new(program("ssh-keygen"))
        .args(["-q", "-t", kind, "-N", "", "-f"])
        .arg(file)
        .status()
        .expect("ssh-keygen");
    assert!(made.success());
}

impl Sshd {
    async fn start() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let at = |name: &str| home.path().join(name);
        key(&at("host"), "ed25519");
        key(&at("client"), "rsa");
        std::fs::copy(at("client.pub"), at("authorized_keys")).expect("an accepted key");
        std::fs::create_dir(at("inbox")).expect("a folder");
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("a port").port();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {host}\nPidFile none\nAuthorizedKeysFile {keys}\n\
             StrictModes no\nPasswordAuthentication no\nSubsystem sftp internal-sftp\n",
            host = at("host").display(),
            keys = at("authorized_keys").display(),
        );
        std::fs::write(at("config"), config).expect("a configuration");
        // Run by root the server wants this folder; for everybody else it is of no use.
        drop(std::fs::create_dir_all("/run/sshd"));
        let log = std::fs::File::create(at("log")).expect("a log");
        let server = Command::new(program("sshd"))
            .args(["-D", "-e", "-f"])
            .arg(at("config"))
            .stderr(Stdio::from(log))
            .spawn()
            .expect("sshd");
        let sshd = Self { server, port, home };
        for _ in 0..600 {
            if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
                return sshd;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let log = std::fs::read_to_string(sshd.home.path().join("log")).unwrap_or_default();
        panic!("sshd does not answer: {log}");
    }

    fn fingerprint(&self) -> String {
        let shown = Command::new(program("ssh-keygen"))
            .args(["-l", "-f"])
            .arg(self.home.path().join("host.pub"))
            .output()
            .expect("ssh-keygen");
        let text = String::from_utf8(shown.stdout).expect("a text");
        text.split_whitespace().nth(1).expect("a fingerprint").to_owned()
    }

    fn account(&self) -> Value {
        let user = Command::new("id").arg("-un").output().expect("a user").stdout;
        json!({
            "host": "127.0.0.1", "port": self.port, "user": String::from_utf8(user).expect("a name").trim(),
            "key": std::fs::read_to_string(self.home.path().join("client")).expect("a key"),
            "fingerprint": self.fingerprint(), "directory": self.home.path().join("inbox"),
        })
    }

    fn files(&self) -> Vec<String> {
        let inbox = std::fs::read_dir(self.home.path().join("inbox")).expect("a folder");
        let mut names: Vec<String> =
            inbox.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

async fn store(ready: &Ready, name: &str, value: &Value) {
    let body = json!({"name": name, "value": value.to_string()});
    let _ = ready.tenant.admin.post("/secrets", body).await.ok();
}

/// S-15: the partner's table in the documented form; formulas are text.
#[tokio::test]
async fn the_partner_reads_a_scenario() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let change = json!({"comments": "=1+1", "extra_fields": {"real_weight": "1500", "parcel_volume": "20000"}, "leave_by": "17:00"});
    let _ = planner.patch(&format!("/jobs/{}", ready.jobs[0]["id"]), change).await.ok();
    for uid in ["U1", "U2"] {
        let _ = planner.post("/units", json!({"uid": uid, "job_id": ready.jobs[0]["id"]})).await.ok();
    }
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 07:30:00", "signature_name": "Maria"})).await;
    let path = format!("/scenarios/{}/all_purpose_transport_download", ready.scenario["id"]);
    let file = planner.get(&path).await;
    assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
    let disposition = file.headers["content-disposition"].to_str().expect("a name");
    assert!(disposition.contains("all_purpose_transport_Monday_20261123.csv"), "{disposition}");
    let text = file.text();
    assert!(text.starts_with('\u{feff}') && text.ends_with("\r\n"));
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let headings: Vec<String> = reader.headers().expect("headings").iter().map(str::to_owned).collect();
    assert_eq!(headings.len(), 26);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let cell = |row: usize, name: &str| {
        rows[row][headings.iter().position(|heading| heading == name).expect("a column")].to_owned()
    };
    let order: Vec<String> = (0..3).map(|row| cell(row, "job_uid")).collect();
    assert_eq!(order, ["J1", "J2", "J3"]);
    for (name, value) in [
        ("scenario", "Monday"),
        ("date", "2026-11-23"),
        ("run", "Ana"),
        ("seq", "1"),
        ("comments", "'=1+1"),
        ("phone_number", "'+351220000001"),
        ("weight_kg", "1.5"),
        ("volume_m3", "0.02"),
        ("units_count", "2"),
        ("unit_uids", "U1;U2"),
        ("leave_by", "17:00"),
        ("status", "delivered"),
        ("actual_time", "2026-11-23 07:30:00"),
        ("signature_name", "Maria"),
    ] {
        assert_eq!(cell(0, name), value, "{name}");
    }
    assert_eq!((cell(1, "status"), cell(1, "planned_eta").len()), ("planned".to_owned(), 5));
    planner.get("/scenarios/999999/all_purpose_transport_download").await.refused(404);
    planner.get(&format!("/scenarios/{}/other_download", ready.scenario["id"])).await.refused(404);
    ready.tenant.organisation.modules(&["units"]).await;
    ready.tenant.app.gate.policies.forget_all();
    planner.get(&path).await.refused(403);
}

/// X-525, S-15: the same file arrives whole at a real SFTP server, replaces the last one, and every send is kept; a server
/// with another key, a key that is not accepted and a folder that is not there are refused with their reasons.
#[tokio::test]
async fn the_file_arrives_over_sftp() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let send = format!("/scenarios/{}/all_purpose_transport_send_to_sftp", ready.scenario["id"]);
    assert_eq!(planner.put(&send, Value::Null).await.refused(400)["description"], "SFTP is not configured");
    let sshd = Sshd::start().await;
    let account = sshd.account();
    store(&ready, "sftp_all_purpose_transport", &account).await;
    let name = "all_purpose_transport_Monday_20261123.csv";
    let sent = planner.put(&send, Value::Null).await.ok();
    assert_eq!(sent, json!({"success": true, "file_name": name}));
    assert_eq!(sshd.files(), [name]);
    let arrived = std::fs::read(sshd.home.path().join("inbox").join(name)).expect("the file");
    let download = format!("/scenarios/{}/all_purpose_transport_download", ready.scenario["id"]);
    assert_eq!(arrived, planner.get(&download).await.bytes);

    let _ =
        planner.patch(&format!("/jobs/{}", ready.jobs[0]["id"]), json!({"comments": "Gate 2"})).await.ok();
    let _ = planner.put(&send, Value::Null).await.ok();
    assert_eq!(sshd.files(), [name], "no temporary file is left");
    let arrived = std::fs::read_to_string(sshd.home.path().join("inbox").join(name)).expect("the file");
    assert!(arrived.contains("Gate 2"));

    let with = |field: &str, value: Value| {
        let mut wrong = account.clone();
        wrong[field] = value;
        wrong
    };
    key(&sshd.home.path().join("other"), "ed25519");
    let other = std::fs::read_to_string(sshd.home.path().join("other")).expect("a key");
    let unused =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("a port").port();
    for (wrong, status, reason) in [
        (with("fingerprint", json!("SHA256:AAAA")), 400, "another key than the fingerprint"),
        (with("key", json!(other)), 400, "does not accept the account"),
        (with("key", json!("no key")), 400, "cannot be read"),
        (with("directory", json!("/nowhere/at/all")), 400, "refused writing the file"),
        (with("port", json!(unused)), 502, "cannot be reached"),
        (json!({"host": "127.0.0.1"}), 400, "SFTP is not configured"),
    ] {
        store(&ready, "sftp_all_purpose_transport", &wrong).await;
        let refusal = planner.put(&send, Value::Null).await.refused(status);
        assert!(refusal["description"].as_str().expect("a reason").contains(reason), "{refusal}");
    }
    let mut database = ready.tenant.organisation.database().await;
    let kept: Vec<(String, Option<String>, bool)> = sqlx::query_as(
        "select state, file_name, length(checksum) = 64 from partner_messages where kind = 'csv' order by id",
    )
    .fetch_all(&mut database)
    .await
    .expect("the outbox");
    let states: Vec<&str> = kept.iter().map(|(state, ..)| state.as_str()).collect();
    assert_eq!(states, ["sent", "sent", "failed", "failed", "failed", "failed", "failed"]);
    assert!(kept.iter().all(|(_, file, hashed)| file.as_deref() == Some(name) && *hashed));
}

/// S-28: a CSV per run and the pictures in a folder per job; nothing without proofs.
#[tokio::test]
async fn the_distributor_gets_a_zip() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let path = format!("/runs/bunzl_export?run_ids={}", ready.run["id"]);
    planner.get(&path).await.refused(400);
    planner.get("/runs/bunzl_export").await.refused(400);
    planner.get("/runs/bunzl_export?run_ids=x").await.refused(400);
    planner.get("/runs/bunzl_export?run_ids=999999").await.refused(404);
    let _ = planner.post("/units", json!({"uid": "U1", "job_id": ready.jobs[0]["id"]})).await.ok();
    let photo = picture(&ready.tenant).await;
    let proof = json!({
        "job_id": ready.jobs[0]["id"], "photo_ids": [photo["id"]], "signature_id": photo["id"],
        "signature_name": "Maria", "record_time": "2026-11-23 07:30:00",
    });
    let _ = planner.post("/job_proofs", proof).await.ok();
    let _ = ready.prove(1, json!({"success": false, "record_time": "2026-11-23 07:40:00"})).await;
    let answer = planner.get(&path).await;
    assert_eq!(answer.headers["content-type"], "application/zip");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(answer.bytes.to_vec())).expect("a zip");
    let mut names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    names.sort();
    let folder = format!("J1-{}", ready.jobs[0]["id"]);
    assert_eq!(
        names,
        ["Ana_20261123.csv".to_owned(), format!("{folder}/photo-1.png"), format!("{folder}/signature-1.png")]
    );
    let mut table = String::new();
    archive.by_name("Ana_20261123.csv").expect("the table").read_to_string(&mut table).expect("a text");
    let rows: Vec<&str> = table.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(
        rows[0],
        "job uid,reference,invoice,customer,unit uid,delivered,reason,record_time,signature name,photo count"
    );
    assert_eq!(rows[1], "J1,,,Customer J1,U1,Y,,2026-11-23 07:30:00,Maria,1");
    assert_eq!(rows[2], "J2,,,Customer J2,,N,,2026-11-23 07:40:00,,0");
    assert_eq!((rows.len(), rows[3]), (4, "J3,,,Customer J3,,N,,,,0"));
    let mut picture = Vec::new();
    archive
        .by_name(&format!("{folder}/photo-1.png"))
        .expect("the photo")
        .read_to_end(&mut picture)
        .expect("bytes");
    assert!(picture.starts_with(&PNG[..8]));
}

/// S-17, S-28, R-36, W-068: documents in the forwarder's own codes; each is kept, and
/// none is said to be sent while there is no endpoint.
#[tokio::test]
async fn the_forwarder_is_told() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let run = json!({"run_id": ready.run["id"]});
    assert_eq!(
        admin.post("/gefco/run_load", run.clone()).await.refused(400)["description"],
        "No run code map for Ana"
    );
    let map = json!({"run_code": "P-07", "driver_id": ready.run["driver_id"], "depot_code": "OPO"});
    let _ = admin.post("/gefco/run_code_maps", map).await.ok();
    let answer = admin.post("/gefco/run_load", run.clone()).await.ok();
    let kept = "Run load kept for GEFCO: no endpoint is stored, so it was not sent";
    assert_eq!(answer, json!({"success": true, "description": kept}));
    let answer = admin.post("/gefco/model_update", run.clone()).await.ok();
    assert_eq!(answer["description"], "Nothing has changed since the last update");
    let _ = admin.patch(&format!("/jobs/{}", ready.jobs[1]["id"]), json!({"reference": "R-2"})).await.ok();
    let _ = admin.post("/gefco/model_update", run.clone()).await.ok();

    let out = format!("/gefco/delivery_out/{}", ready.run["id"]);
    assert_eq!(
        admin.post(&out, Value::Null).await.refused(400)["description"],
        "All runs of the scenario must be validated"
    );
    let actuals = json!({
        "billing_start_time": "2026-11-23T08:00:00Z", "actual_start_time": "2026-11-23T08:00:00Z",
        "actual_end_time": "2026-11-23T12:00:00Z", "start_odometer": 1000, "end_odometer": 1040, "force": true,
    });
    let _ = admin.patch(&format!("/runs/{}", ready.run["id"]), actuals).await.ok();
    let _ = admin.patch("/runs/validate", json!([ready.run["id"]])).await.ok();
    assert_eq!(
        admin.post(&out, Value::Null).await.ok()["description"],
        "Delivery out kept for GEFCO: no endpoint is stored, so it was not sent"
    );
    let job = json!({"job_id": ready.jobs[0]["id"]});
    admin.post("/gefco/delivery_execution", job.clone()).await.refused(400);
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 07:30:00", "signature_name": "Maria"})).await;
    let _ = admin.post("/gefco/delivery_execution", job).await.ok();
    admin.post("/gefco/run_load", json!({"run_id": 999_999})).await.refused(404);

    assert_eq!(admin.get("/gefco/messages?state=sent").await.ok()["total_count"], 0);
    let kept = admin.get("/gefco/messages?state=pending&sort_by=id&sort_order=asc").await.ok();
    assert_eq!((&kept["data"][0]["sent_at"], &kept["data"][0]["attempts"]), (&Value::Null, &json!(0)));
    let kinds: Vec<&str> =
        kept["data"].as_array().unwrap().iter().map(|message| message["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run_load", "model_update", "delivery_out", "delivery_execution"]);
    let document = |at: usize| &kept["data"][at]["document"];
    assert_eq!(
        (&document(0)["run"]["run_code"], &document(0)["run"]["depot_code"]),
        (&json!("P-07"), &json!("OPO"))
    );
    assert_eq!(document(0)["stops"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        (document(1)["stops"].as_array().map(Vec::len), &document(1)["stops"][0]["reference"]),
        (Some(1), &json!("R-2"))
    );
    assert_eq!((&document(2)["totals"]["km"], &document(2)["totals"]["hours"]), (&json!(40.0), &json!(4.0)));
    assert_eq!(document(3)["job_proofs"][0]["signature_name"], "Maria");
    assert!(!kept.to_string().contains(ready.run["token"].as_str().unwrap()));
}

/// L-01, S-28: with an endpoint documents are posted there; what is not taken is sent again by hand.
#[tokio::test]
async fn the_forwarders_endpoint_takes_documents() {
    use axum::Router;
    use axum::extract::State;
    use axum::http::{HeaderMap, StatusCode};
    use std::sync::{Arc, Mutex};

    type Taken = Arc<Mutex<Vec<(String, Value)>>>;
    let taken: Taken = Arc::default();
    let endpoint = Router::new()
        .fallback(async |State(taken): State<Taken>, headers: HeaderMap, body: String| {
            let mut taken = taken.lock().unwrap();
            let token = headers["authorization"].to_str().unwrap().to_owned();
            taken.push((token, serde_json::from_str(&body).unwrap()));
            // The first one is not taken.
            if taken.len() == 1 { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK }
        })
        .with_state(Arc::clone(&taken));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/in", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, endpoint).await });
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    store(&ready, "gefco_endpoint", &json!({"url": url, "token": "secret", "name": "Forwarder TMS"})).await;
    let map = json!({"run_code": "P-07", "driver_id": ready.run["driver_id"]});
    let _ = admin.post("/gefco/run_code_maps", map).await.ok();
    let run = json!({"run_id": ready.run["id"]});
    let answer = admin.post("/gefco/run_load", run.clone()).await.ok();
    assert_eq!(answer, json!({"success": false, "description": "The forwarder's system answered 503"}));
    let failed = admin.get("/gefco/messages?state=failed").await.ok()["data"][0].clone();
    assert_eq!(
        (&failed["attempts"], &failed["error"]),
        (&json!(1), &json!("The forwarder's system answered 503"))
    );
    let retry = format!("/gefco/messages/{}/retry", failed["id"]);
    let answer = admin.post(&retry, Value::Null).await.ok();
    assert_eq!(answer, json!({"success": true, "description": "Run load sent to Forwarder TMS"}));
    assert!(admin.get("/gefco/messages?state=sent").await.ok()["data"][0]["sent_at"].is_string());
    admin.post(&retry, Value::Null).await.refused(409);
    let taken = taken.lock().unwrap().clone();
    assert_eq!((taken.len(), taken[0].0.as_str()), (2, "Bearer secret"));
    assert_eq!(taken[0].1, taken[1].1);
    assert_eq!(
        (&taken[0].1["message_id"], &taken[0].1["document"]["type"]),
        (&failed["id"], &json!("run_load"))
    );
    assert!(!admin.get("/gefco/messages").await.ok().to_string().contains("secret"));
}
