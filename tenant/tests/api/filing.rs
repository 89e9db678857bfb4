//! Uploads that go where their names say.

use serde_json::json;

use crate::execution::ready;
use crate::files::PNG;

async fn pattern(ready: &crate::execution::Ready, pattern: &str, target: &str) -> serde_json::Value {
    let body = json!({"name": target, "pattern": pattern, "target": target});
    ready.tenant.admin.post("/filename_regex", body).await.ok()["id"].clone()
}

/// A-025, S-18: a file of jobs goes to the scenario of its name and date, made when there is none; faults are told and
/// nothing is kept; what no pattern knows is an ordinary upload.
#[tokio::test]
async fn a_file_of_jobs_finds_its_scenario() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let table =
        "uid;address;lat;lon;customer_name\nN1;Rua 1;41.15;-8.61;Ana\nN2;Rua 2;41.16;-8.62;Rui\n".as_bytes();
    let upload =
        async |name: &str, bytes: &[u8]| planner.upload("/files/upload", name, "text/csv", bytes, &[]).await;
    assert!(upload("Monday_20261123.csv", table).await.ok()["filed"].is_null());
    let id = pattern(&ready, r"^(?P<scenario>.+)_(?P<date>\d{8})\.(csv|xlsx)$", "job_import").await;

    let known = upload("monday_20261123.csv", table).await.ok();
    assert_eq!(
        (&known["filed"]["filename_regex_id"], &known["filed"]["scenario_id"]),
        (&id, &ready.scenario["id"])
    );
    assert_eq!(known["filed"]["imported"]["created"], 2);
    assert!(known["link"].is_string(), "the file itself is kept too");
    let path = format!("/jobs?scenario_ids={}&uid_exact=N2", ready.scenario["id"]);
    assert_eq!(planner.get(&path).await.ok()["data"][0]["customer_name"], "Rui");

    let made = upload("Porto north_20261201.csv", table).await.ok();
    let scenario = planner.get(&format!("/scenarios/{}", made["filed"]["scenario_id"])).await.ok();
    assert_eq!(
        (&scenario["name"], &scenario["scheduled_date"]),
        (&json!("Porto north"), &json!("2026-12-01"))
    );
    assert_eq!(scenario["jobs_count"], 2);

    // All or nothing: neither a scenario nor jobs nor a file that anybody could open are left of what cannot be read.
    let faulty = upload("Gone_20261202.csv", b"uid,address,lat,lon\n,Rua 1,41.15,-8.61\n").await.refused(400);
    assert_eq!(
        (&faulty["error"], &faulty["row_errors"][0]["field"]),
        (&json!("IMPORT_FAILED"), &json!("uid"))
    );
    assert_eq!(planner.get("/scenarios?search=Gone").await.ok()["total_count"], 0);
    upload("Gone_20261202.csv", b"\xff\xfe\x00").await.refused(400);
    let mut database = ready.tenant.organisation.database().await;
    let kept: i64 =
        sqlx::query_scalar("select count(*) from files where name like 'Gone%' and state = 'ready'")
            .fetch_one(&mut database)
            .await
            .expect("a count");
    assert_eq!(kept, 0);
    // Whoever may not write jobs makes an ordinary upload.
    let reader = ready.tenant.organisation.person_with(&["jobs_read"]).await;
    ready.tenant.app.gate.policies.forget_all();
    let reader = planner.with_token(ready.tenant.organisation.token(reader));
    let plain = reader.upload("/files/upload", "Monday_20261123.csv", "text/csv", table, &[]).await.ok();
    assert!(plain["filed"].is_null());
}

/// S-18: a picture goes to the latest proof of the job that its name tells; otherwise the answer says why not.
#[tokio::test]
async fn a_picture_finds_its_proof() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let _ = pattern(&ready, r"^pod-(?P<job_uid>[A-Z0-9]+)\.png$", "proof_file").await;
    let upload = async |name: &str| planner.upload("/files/upload", name, "image/png", PNG, &[]).await.ok();
    assert_eq!(upload("pod-J9.png").await["filed"]["reason"], "Job J9 not found");
    let early = upload("pod-J1.png").await;
    assert_eq!(
        (&early["filed"]["job_id"], &early["filed"]["reason"]),
        (&ready.jobs[0]["id"], &json!("The job has no proof yet"))
    );
    let proof = ready.prove(0, json!({"record_time": "2026-11-23 07:00:00"})).await;
    let filed = upload("pod-J1.png").await;
    assert_eq!((&filed["filed"]["proof_id"], &filed["filed"]["reason"]), (&proof["id"], &json!(null)));
    let after = planner.get(&format!("/job_proofs/{}", proof["id"])).await.ok();
    assert_eq!(after["photos"][0]["link"], filed["link"]);
    let told = ready.events("broadcast_proof_update").await;
    assert_eq!(told[0]["changed"], json!(["photos"]));
    let logo =
        planner.upload("/files/upload", "pod-J1.png", "image/png", PNG, &[("prefix", "logo-")]).await.ok();
    assert!(logo["filed"].is_null(), "a logo is a logo");
}
