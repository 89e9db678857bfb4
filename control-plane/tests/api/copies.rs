//! W-087: operators back organisations up, restore and move them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use routewright_core::Clock;
use routewright_testing::Client;
use serde_json::{Value, json};

use crate::support::{Control, background, config, control_with};

async fn with_backups(folder: &Path) -> Control {
    control_with(config(&[("BACKUP_FOLDER", &folder.display().to_string())]), Clock::system()).await
}

/// Waits until nothing is being done with the organisation; answers its copies.
async fn done(master: &Client, path: &str) -> Value {
    for _ in 0..600 {
        let copies = master.get(&format!("{path}/copies")).await.ok();
        let waits = |work: &Value| work["state"] == "queued" || work["state"] == "running";
        if !copies["work"].as_array().unwrap().iter().any(waits) {
            return copies;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    panic!("the work does not end");
}

async fn reasons(control: &Control) -> Vec<String> {
    let id = control.organisation.id;
    let mut owner = control.organisation.placements.connect_owner("default", id).await.unwrap();
    sqlx::query_scalar("select name from scenario_reasons order by name").fetch_all(&mut owner).await.unwrap()
}

/// A backup is made while the organisation is in use; restoring one backs up what is there before, so that it can be taken
/// back. The name is typed, and each step is in the record.
#[tokio::test]
async fn w_087_a_backup_is_made_and_restored() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("backups");
    let control = with_backups(&folder).await;
    let background = background(&control.app).await;
    let master = control.master().await;
    let id = control.organisation.id.get();
    let path = format!("/operators/organisations/{id}");
    let name = master.get(&format!("/operators/organisations?id={id}")).await.ok()["data"][0]["name"].clone();
    let empty = master.get(&format!("{path}/copies")).await.ok();
    assert_eq!(
        (&empty["configured"], &empty["backups"], &empty["work"]),
        (&json!(true), &json!([]), &json!([]))
    );

    let mut owner =
        control.organisation.placements.connect_owner("default", control.organisation.id).await.unwrap();
    sqlx::query("insert into scenario_reasons (name) values ('Kept')").execute(&mut owner).await.unwrap();
    let before = reasons(&control).await;
    let _ = master.post(&format!("{path}/backup"), json!({})).await.ok();
    let copies = done(&master, &path).await;
    assert_eq!((&copies["work"][0]["state"], &copies["work"][0]["what"]), (&json!("done"), &json!("backup")));
    let file = copies["backups"][0]["file"].clone();
    assert!(copies["backups"][0]["size"].as_i64().is_some_and(|size| size > 1000), "{copies}");
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);

    sqlx::query("delete from scenario_reasons").execute(&mut owner).await.unwrap();
    let restore = format!("{path}/restore");
    for (body, field) in [
        (json!({"file": file}), "name"),
        (json!({"file": file, "name": "Another"}), "name"),
        (json!({"file": "../../etc/passwd", "name": name}), "file"),
        (json!({"file": "org_1-20260101T000000.000000Z.dump", "name": name}), "file"),
    ] {
        let refusal = master.post(&restore, body).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{refusal}");
    }
    let _ = master.post(&restore, json!({"file": file, "name": name})).await.ok();
    let copies = done(&master, &path).await;
    assert_eq!((&copies["work"][0]["state"], &copies["work"][0]["error"]), (&json!("done"), &Value::Null));
    assert_eq!(copies["backups"].as_array().map(Vec::len), Some(2), "what was there is kept");
    assert_eq!(reasons(&control).await, before);
    let _ = control.admin.get("/auth/user").await.ok();
    let record = control.record(&format!("organisation:{id}")).await;
    assert_eq!(record, ["organisation_backup_ordered", "organisation_restore_ordered"]);

    // A file that is damaged changes nothing, and is told.
    std::fs::write(folder.join(file.as_str().unwrap()), b"not a backup").unwrap();
    let _ = master.post(&restore, json!({"file": file, "name": name})).await.ok();
    let copies = done(&master, &path).await;
    assert_eq!(copies["work"][0]["state"], "dead");
    assert!(copies["work"][0]["error"].as_str().is_some_and(|text| text.contains("pg_restore")), "{copies}");
    assert_eq!(reasons(&control).await, before);
    drop(background);
}

/// Only operators, only where there is a folder, one thing at a time, and never Master's own data.
#[tokio::test]
async fn w_087_copies_are_for_operators() {
    let folder = tempfile::tempdir().unwrap();
    let control = with_backups(folder.path()).await;
    let master = control.master().await;
    let id = control.organisation.id.get();
    let path = format!("/operators/organisations/{id}");
    let name = master.get(&format!("/operators/organisations?id={id}")).await.ok()["data"][0]["name"].clone();
    let _ = control.admin.get(&format!("{path}/copies")).await.refused(403);
    let _ = control.admin.post(&format!("{path}/backup"), json!({})).await.refused(403);
    let _ = control
        .nobody
        .post(&format!("{path}/restore"), json!({"file": "x", "name": name}))
        .await
        .refused(401);
    let _ = master.get("/operators/organisations/1/copies").await.refused(404);
    let to = |placement: &str| json!({"name": name, "placement": placement});
    let refusal = master.post(&format!("{path}/move"), to("moon")).await.refused(400);
    assert_eq!(refusal["fields"]["placement"], "This placement is not configured");
    let refusal = master.post(&format!("{path}/move"), to("default")).await.refused(400);
    assert_eq!(refusal["fields"]["placement"], "It lives there already");
    // Nobody works here on what is ordered.
    let _ = master.post(&format!("{path}/backup"), json!({})).await.ok();
    let refusal = master.post(&format!("{path}/backup"), json!({})).await.refused(409);
    assert!(refusal.to_string().contains("wait for its end"), "{refusal}");
    let masters = master.get("/operators/organisations?name=Master").await.ok()["data"][0].clone();
    let body = json!({"name": "Master", "placement": "default"});
    let refusal =
        master.post(&format!("/operators/organisations/{}/move", masters["id"]), body).await.refused(400);
    assert!(refusal.to_string().contains("command line"), "{refusal}");

    let without = crate::support::control().await;
    let master = without.master().await;
    let path = format!("/operators/organisations/{}", without.organisation.id);
    assert_eq!(master.get(&format!("{path}/copies")).await.ok()["configured"], false);
    let refusal = master.post(&format!("{path}/backup"), json!({})).await.refused(409);
    assert!(refusal.to_string().contains("BACKUP_FOLDER"), "{refusal}");
}
