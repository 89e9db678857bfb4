//! Seals: whoever changes a proof, a file or a seal past the service is found out.

use routewright_storage::{Storage, StorageConfig};
use routewright_testing::{Client, variables};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::execution::{Ready, ready};
use crate::files::PNG;
use crate::support::until;

const RECORDS: &str = "/v2/runsheet/records";

/// A stop that was recorded with a photo and a signature.
struct Stop {
    ready: Ready,
    driver: Client,
    photo: Value,
    /// Where the proof of the first job is checked.
    check: String,
}

async fn stop() -> Stop {
    let ready = ready().await;
    ready.tenant.organisation.modules(&["units"]).await;
    let driver = ready.driver().await;
    let _ = driver.get("/v2/runsheet").await.ok();
    let unit = json!({"uid": "U-1", "job_id": ready.jobs[0]["id"]});
    let unit = ready.planner().post("/units", unit).await.ok();
    let upload = "/v2/runsheet/upload/file";
    let photo = driver.upload(upload, "door.png", "image/png", PNG, &[]).await.ok();
    let signature = driver.upload(upload, "ana.png", "image/png", PNG, &[]).await.ok();
    let start = json!({"id": uid(1), "kind": "start", "captured_at": "2026-11-23T07:45:00Z", "route": {"odometer": 1200}});
    assert_eq!(driver.post(RECORDS, start).await.ok()["state"], "filed");
    let record = json!({
        "id": uid(2), "kind": "stop", "job_id": ready.jobs[0]["id"], "captured_at": "2026-11-23T07:50:00Z",
        "job_proof": {"success": true, "photo_ids": [photo["id"]], "signature_id": signature["id"],
            "signature_name": "Ana Lima", "comments": "At the door", "lat": 41.15, "lon": -8.61},
        "unit_proofs": [{"unit_id": unit["id"], "mode": "deliver"}],
    });
    assert_eq!(driver.post(RECORDS, record).await.ok()["state"], "filed");
    let other = json!({"id": uid(3), "kind": "stop", "job_id": ready.jobs[1]["id"],
        "captured_at": "2026-11-23T07:55:00Z", "job_proof": {"success": false}});
    assert_eq!(driver.post(RECORDS, other).await.ok()["state"], "filed");
    let check = format!("/proofs/check/{}", token(&ready, 0).await);
    Stop { ready, driver, photo, check }
}

fn uid(n: usize) -> String {
    format!("6f1c1c5e-54a9-4f3e-9d0e-{n:012}")
}

async fn token(ready: &Ready, job: usize) -> String {
    sqlx::query_scalar("select token from proof_checks where job_id = $1")
        .bind(ready.jobs[job]["id"].as_i64())
        .fetch_one(&mut ready.tenant.organisation.database().await)
        .await
        .expect("a job with a proof has a link")
}

impl Stop {
    /// What anybody is told who follows the link.
    async fn checked(&self) -> Value {
        self.ready.tenant.planner.nobody().get(&self.check).await.ok()
    }

    /// Works on the organisation's schema as the owner of the database, past the service.
    async fn tamper(&self, statements: &str) {
        let schema = format!("org_{}", self.ready.tenant.organisation.id);
        let statements = format!("begin; set local search_path = {schema}; {statements}; commit");
        sqlx::raw_sql(AssertSqlSafe(statements))
            .execute(&self.ready.tenant.organisation.control)
            .await
            .expect("the owner may do everything");
    }

    /// Does it, asks what is told, and undoes it.
    async fn with(&self, done: &str, undone: &str) -> Value {
        self.tamper(done).await;
        let told = self.checked().await;
        self.tamper(undone).await;
        assert_eq!(self.checked().await["state"], "unchanged", "after {undone}");
        told
    }

    /// The record of a kind in an answer.
    fn record<'a>(told: &'a Value, kind: &str) -> &'a Value {
        told["records"].as_array().unwrap().iter().find(|record| record["kind"] == kind).unwrap()
    }
}

/// What was recorded stands in one chain of the run, start, stop, unit and what the phone sent, each with its files; untouched
/// it is unchanged. The page says so without scripts, and nothing of the customer.
#[tokio::test]
async fn what_was_recorded_is_sealed() {
    let stop = stop().await;
    let told = stop.checked().await;
    assert_eq!(
        (&told["state"], &told["uid"], &told["paper"]),
        (&json!("unchanged"), &json!("J1"), &json!(null))
    );
    // Start and what was sent of it, the stop, its unit and what was sent, the other stop and what was sent.
    assert_eq!(told["chains"], json!([{"seals": 7, "state": "unchanged", "faults": []}]));
    let kinds: Vec<&Value> =
        told["records"].as_array().unwrap().iter().map(|record| &record["kind"]).collect();
    assert_eq!(kinds, ["evidence", "job", "unit"]);
    let proof = Stop::record(&told, "job");
    assert_eq!(
        (&proof["state"], &proof["altered"], &proof["corrections"]),
        (&json!("unchanged"), &json!([]), &json!(0))
    );
    let files: Vec<(&Value, &Value)> =
        proof["files"].as_array().unwrap().iter().map(|file| (&file["part"], &file["state"])).collect();
    assert_eq!(files, [(&json!("photo"), &json!("unchanged")), (&json!("signature"), &json!("unchanged"))]);
    for hash in [&proof["seal"], &proof["files"][0]["hash"]] {
        assert_eq!(hash.as_str().unwrap().len(), 64);
    }
    let page = stop.ready.tenant.planner.nobody().get(&format!("{}/page", stop.check)).await;
    let text = page.text();
    assert_eq!(page.status, 200);
    assert!(text.contains("Unchanged") && text.contains("J1") && !text.contains("Altered"), "{text}");
    for personal in ["Ana", "Customer J1", "Rua J1", "At the door", "example.org"] {
        assert!(!text.contains(personal) && !told.to_string().contains(personal), "{personal}");
    }
    assert!(!text.contains("<script"), "{text}");
}

/// One byte in the storage: altered, and which file. A file that is gone as well.
#[tokio::test]
async fn a_changed_file_is_told() {
    let stop = stop().await;
    let mut database = stop.ready.tenant.organisation.database().await;
    let key: String = sqlx::query_scalar("select storage_key from files where id = $1")
        .bind(stop.photo["id"].as_i64())
        .fetch_one(&mut database)
        .await
        .unwrap();
    let storage = Storage::new(&StorageConfig::from_source(&variables()).unwrap());
    let folder = storage.organisation(stop.ready.tenant.organisation.id.get());
    let bytes = folder.get(&key).await.unwrap().into_bytes().await.unwrap();
    let mut other = bytes.to_vec();
    *other.last_mut().unwrap() ^= 1;
    folder.put(&key, "image/png", other.into()).await.unwrap();
    let told = stop.checked().await;
    assert_eq!(told["state"], "altered");
    let proof = Stop::record(&told, "job");
    assert_eq!((&proof["state"], &proof["altered"]), (&json!("altered"), &json!(["photo 1"])));
    assert_eq!(
        (&proof["files"][0]["state"], &proof["files"][1]["state"]),
        (&json!("altered"), &json!("unchanged"))
    );
    let page = stop.ready.tenant.planner.nobody().get(&format!("{}/page", stop.check)).await.text();
    assert!(page.contains("Altered: photo 1"), "{page}");
    folder.delete(&key).await.unwrap();
    let told = stop.checked().await;
    assert_eq!(Stop::record(&told, "job")["files"][0]["note"], "The file is gone");
    folder.put(&key, "image/png", bytes).await.unwrap();
    assert_eq!(stop.checked().await["state"], "unchanged");
    // Another file in its place is another file.
    let told = stop
        .with(
            "update files f set storage_key = storage_key || 'x' where name = 'door.png'",
            "update files f set storage_key = rtrim(storage_key, 'x') where name = 'door.png'",
        )
        .await;
    assert_eq!(Stop::record(&told, "job")["altered"], json!(["photo 1"]));
}

/// One column in the database, of any record: altered, and which record.
#[tokio::test]
async fn a_changed_record_is_told() {
    let stop = stop().await;
    for (kind, done, undone) in [
        (
            "job",
            "update job_proofs set comments = 'at the door'",
            "update job_proofs set comments = 'At the door'",
        ),
        ("job", "update job_proofs set success = not success", "update job_proofs set success = not success"),
        (
            "job",
            "update job_proofs set signature_name = null",
            "update job_proofs set signature_name = 'Ana Lima'",
        ),
        ("job", "update job_proofs set lat = lat + 0.00001", "update job_proofs set lat = 41.15"),
        (
            "job",
            "update job_proofs set record_time = record_time + interval '1 microsecond'",
            "update job_proofs set record_time = record_time - interval '1 microsecond'",
        ),
        (
            "job",
            "update job_proofs set photo_ids = photo_ids || photo_ids",
            "update job_proofs set photo_ids = photo_ids[1:1]",
        ),
        ("unit", "update unit_proofs set mode = 'load'", "update unit_proofs set mode = 'deliver'"),
        (
            "evidence",
            "update evidence set content = content || '{\"note\": \"x\"}'",
            "update evidence set content = jsonb_set(content, '{note}', 'null')",
        ),
    ] {
        let of_job = |text: &str| match kind {
            "unit" => text.to_owned(),
            _ => format!("{text} where job_id = {}", stop.ready.jobs[0]["id"]),
        };
        let told = stop.with(&of_job(done), &of_job(undone)).await;
        assert_eq!(told["state"], "altered", "{done}");
        let record = Stop::record(&told, kind);
        assert_eq!((&record["state"], &record["altered"]), (&json!("altered"), &json!(["record"])), "{done}");
    }
    // The other stop of the run and its start are in the same chain.
    for (done, undone) in [
        ("update run_proofs set odometer = 1100", "update run_proofs set odometer = 1200"),
        (
            "update job_proofs set success = true where comments is null",
            "update job_proofs set success = false where comments is null",
        ),
    ] {
        let told = stop.with(done, undone).await;
        assert_eq!(
            (&told["state"], &told["chains"][0]["state"]),
            (&json!("altered"), &json!("altered")),
            "{done}"
        );
        assert_eq!(Stop::record(&told, "job")["state"], "unchanged");
    }
    stop.tamper("delete from unit_proofs").await;
    let told = stop.checked().await;
    assert_eq!(told["chains"][0]["faults"].as_array().unwrap().len(), 1, "{told}");
    stop.tamper("insert into job_proofs (job_id, run_id, record_time) select job_id, run_id, now() from job_proofs limit 1").await;
    let told = stop.checked().await;
    assert_eq!(told["chains"][0]["faults"][1], "1 record has no seal", "{told}");
}

/// A seal that is changed, taken out, put in or put in another place: altered. The organisation's own login can do none of it.
#[tokio::test]
async fn a_changed_chain_is_told() {
    let stop = stop().await;
    for (done, undone) in [
        ("delete from proof_seals where number = 3", "insert into proof_seals overriding system value select * from held"),
        ("delete from proof_seals where number = 7", "insert into proof_seals overriding system value select * from held"),
        ("delete from proof_seals", "insert into proof_seals overriding system value select * from held"),
        (
            "insert into proof_seals (chain, number, record_kind, record_id, event, at, content, files, previous, seal)
             select chain, 8, record_kind, record_id, event, at, content, files, previous, seal from proof_seals where number = 4",
            "delete from proof_seals where number = 8",
        ),
        ("update proof_seals set at = at + interval '1 s' where number = 5", "update proof_seals set at = at - interval '1 s' where number = 5"),
        ("update proof_seals set event = 'corrected' where number = 5", "update proof_seals set event = 'recorded' where number = 5"),
        ("update proof_seals set number = number + 10 where number = 2", "update proof_seals set number = 2 where number = 12"),
    ] {
        let guarded = |text: &str| {
            format!("alter table proof_seals disable trigger proof_seals_stay; {text}; alter table proof_seals enable trigger proof_seals_stay")
        };
        stop.tamper("create table if not exists held as select * from proof_seals").await;
        let undone = match undone.contains("held") {
            true => format!("delete from held h using proof_seals s where s.id = h.id; {undone}; drop table held"),
            false => undone.to_owned(),
        };
        let told = stop.with(&guarded(done), &guarded(&undone)).await;
        assert_eq!(told["state"], "altered", "{done}");
        stop.tamper("drop table if exists held").await;
    }
    let mut database = stop.ready.tenant.organisation.database().await;
    for statement in [
        "delete from proof_seals",
        "update proof_seals set content = ''",
        "truncate proof_seals",
        "insert into proof_seals select * from proof_seals",
        "select proof_append(s) from proof_seals s",
        "update proof_seal_starts set last_id = 1000000",
        "alter table job_proofs disable trigger seal",
    ] {
        assert!(sqlx::query(AssertSqlSafe(statement)).execute(&mut database).await.is_err(), "{statement}");
    }
    // Not even the owner by mistake.
    let schema = format!("org_{}", stop.ready.tenant.organisation.id);
    let statement = format!("delete from {schema}.proof_seals");
    let refused =
        sqlx::query(AssertSqlSafe(statement)).execute(&stop.ready.tenant.organisation.control).await;
    assert!(refused.is_err());
    assert_eq!(stop.checked().await["state"], "unchanged");
}

/// A correction of the office is sealed behind what it corrects; what the paper said before is still on record.
#[tokio::test]
async fn a_correction_is_sealed() {
    let stop = stop().await;
    let before = stop.checked().await;
    let planner = stop.ready.planner();
    let proofs = planner.get(&format!("/job_proofs?job_id={}", stop.ready.jobs[0]["id"])).await.ok();
    let path = format!("/job_proofs/{}", proofs["data"][0]["id"]);
    let _ = planner.patch(&path, json!({"comments": "At the back door"})).await.ok();
    let told = stop.checked().await;
    let proof = Stop::record(&told, "job");
    assert_eq!(
        (&told["state"], &proof["corrections"], &proof["number"]),
        (&json!("unchanged"), &json!(1), &json!(8))
    );
    let first = Stop::record(&before, "job")["seal"].as_str().unwrap().to_owned();
    for (seal, known) in [
        (first.as_str(), true),
        (&first[..32], true),
        (proof["seal"].as_str().unwrap(), true),
        (&first[..8], false),
        (&"0".repeat(32), false),
    ] {
        let told = stop.ready.tenant.planner.nobody().get(&format!("{}?seal={seal}", stop.check)).await.ok();
        let state = if known { "unchanged" } else { "altered" };
        assert_eq!((&told["paper"], &told["state"]), (&json!(known), &json!(state)), "{seal}");
    }
    // Nothing was corrected: nothing to seal.
    let _ = planner.patch(&path, json!({"comments": "At the back door"})).await.ok();
    assert_eq!(stop.checked().await["chains"][0]["seals"], 8);
}

/// Two phones of a run at once: every record has its place, whatever the order.
#[tokio::test]
async fn records_that_come_at_once_are_one_chain() {
    let stop = stop().await;
    let (first, second) = (stop.driver.clone(), stop.ready.driver().await);
    let send = |client: Client, from: usize| {
        let job = stop.ready.jobs[2]["id"].clone();
        async move {
            for n in from..from + 8 {
                let at = format!("2026-11-23T07:{:02}:{:02}Z", n / 60, n % 60);
                let record = json!({"id": uid(n), "kind": "stop", "job_id": job, "captured_at": at, "job_proof": {"success": true}});
                assert_eq!(client.post(RECORDS, record).await.ok()["state"], "filed");
            }
        }
    };
    // The contract's own path does not wait for the plan.
    let by_link = async {
        for n in 0..8 {
            let _ = stop.ready.prove(1, json!({"record_time": format!("2026-11-23 06:00:{n:02}")})).await;
        }
    };
    tokio::join!(send(first, 100), send(second, 200), by_link);
    let told = stop.checked().await;
    assert_eq!(told["chains"], json!([{"seals": 7 + 16 * 2 + 8, "state": "unchanged", "faults": []}]));
}

/// What was recorded before there were seals is no forgery; a correction of it is sealed.
#[tokio::test]
async fn what_is_older_than_the_seals_is_said_to_be() {
    let stop = stop().await;
    let schema = "alter table proof_seals disable trigger proof_seals_stay; delete from proof_seals;
        alter table proof_seals enable trigger proof_seals_stay; update proof_seal_starts set last_id = 1000000";
    stop.tamper(schema).await;
    let told = stop.checked().await;
    assert_eq!((&told["state"], &told["chains"]), (&json!("before_sealing"), &json!([])));
    assert_eq!(Stop::record(&told, "job")["state"], "before_sealing");
    let page = stop.ready.tenant.planner.nobody().get(&format!("{}/page", stop.check)).await.text();
    assert!(page.contains("Recorded before sealing"), "{page}");
}

/// Files are kept as long as the organisation wants. Then the bytes are gone, with the copies made of them; what was recorded,
/// the fingerprints and why stay, and the chain holds.
#[tokio::test]
async fn files_whose_time_is_over_leave_their_fingerprints() {
    let stop = stop().await;
    let ready = &stop.ready;
    let _ = ready.planner().get(&format!("/pod_pdfs/jobs/{}", ready.jobs[0]["id"])).await;
    let before = stop.checked().await;
    let mut database = ready.tenant.organisation.database().await;
    let keys: Vec<String> =
        sqlx::query_scalar("select storage_key from files where created_by_run is not null")
            .fetch_all(&mut database)
            .await
            .unwrap();
    assert_eq!(keys.len(), 2);
    let organisation = ready.tenant.organisation.id;
    let path = format!("/organisations/{organisation}/information/pod_settings");
    let admin = ready.tenant.admin.clone();
    let refusal = admin.put(&path, json!({"files_kept_days": 0})).await.refused(400);
    assert_eq!(refusal["fields"]["files_kept_days"], "Value must be between 1 and 36500");
    let _ = admin.put(&path, json!({"files_kept_days": 30})).await.ok();
    ready.clock.advance(chrono::Duration::days(40));
    let loops = routewright_tenant::work::start(&ready.tenant.app).unwrap();
    until(&mut database, "select count(*) = 2 from files where state = 'removed'").await;
    drop(loops);
    let storage = Storage::new(&StorageConfig::from_source(&variables()).unwrap());
    let left = storage.organisation(organisation.get()).keys().await.unwrap();
    assert!(!left.iter().any(|left| keys.iter().any(|key| left.contains(key.as_str()))), "{left:?}");
    let told = stop.checked().await;
    assert_eq!(told["state"], "unchanged", "{told}");
    let (old, new) = (Stop::record(&before, "job"), Stop::record(&told, "job"));
    for (old, new) in old["files"].as_array().unwrap().iter().zip(new["files"].as_array().unwrap()) {
        assert_eq!((&new["state"], &new["note"]), (&json!("removed"), &json!("Removed after 30 days")));
        assert_eq!(old["hash"], new["hash"]);
    }
    // The proof and what the phone sent of it.
    assert_eq!(told["chains"], json!([{"seals": 9, "state": "unchanged", "faults": []}]));
    let page = ready.tenant.planner.nobody().get(&format!("{}/page", stop.check)).await.text();
    assert!(page.contains("Removed, seal intact") && page.contains("Removed after 30 days"), "{page}");
    // Whoever takes other files away calls that in vain.
    stop.tamper("update files set state = 'ready'").await;
    assert_eq!(Stop::record(&stop.checked().await, "job")["altered"], json!(["photo 1", "signature"]));
    // A proof whose pictures are gone is still printed.
    let pdf = ready.planner().get(&format!("/pod_pdfs/jobs/{}", ready.jobs[0]["id"])).await;
    assert_eq!(pdf.status, 200);
}

/// Whoever guesses learns nothing: a token of nobody, of another kind, of another organisation's making are answered alike.
#[tokio::test]
async fn a_wrong_link_opens_nothing() {
    let stop = stop().await;
    let organisation = &stop.ready.tenant.organisation;
    let nobody = stop.ready.tenant.planner.nobody();
    let tracking = stop.ready.planner().get(&format!("/jobs/{}", stop.ready.jobs[0]["id"])).await.ok();
    let mut answers = Vec::new();
    for token in [
        organisation.links.long(organisation.id),
        tracking["tracking_token"].as_str().unwrap().to_owned(),
        stop.ready.run["token"].as_str().unwrap().to_owned(),
        "nothing".to_owned(),
    ] {
        for page in ["", "/page"] {
            let refusal = nobody.get(&format!("/proofs/check/{token}{page}")).await.refused(401);
            answers.push((refusal["title"].clone(), refusal["description"].clone()));
        }
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

/// The proof of delivery bears the code and the seal.
#[tokio::test]
async fn the_proof_of_delivery_bears_the_seal() {
    let stop = stop().await;
    let pdf = stop.ready.planner().get(&format!("/pod_pdfs/jobs/{}", stop.ready.jobs[0]["id"])).await;
    assert_eq!(pdf.status, 200);
    let bytes = String::from_utf8_lossy(&pdf.bytes).into_owned();
    let seal = Stop::record(&stop.checked().await, "unit")["seal"].as_str().unwrap()[..32].to_owned();
    let token = token(&stop.ready, 0).await;
    assert!(bytes.contains(&format!("/check?proof={token}&seal={seal}")), "the link is in the document");
}
