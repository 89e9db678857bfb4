//! The audit trail: what is told of a change, to whom, and that nobody changes it afterwards.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::execution::ready;
use crate::runs;
use crate::support::tenant;

/// W-083, S-45: a job that is moved says from where to where; who it was, by which route; field by field before and after.
#[tokio::test]
async fn the_trail_tells_who_moved_a_job_from_where_to_where() {
    let ready = ready().await;
    let (planner, admin) = (ready.planner(), &ready.tenant.admin);
    let job = &ready.jobs[1]["id"];
    let history = format!("/audit?object_kind=job&object_id={job}");
    let _ = planner.put("/runs/move_job_to_new/unserved", json!({"job_ids": [job]})).await.ok();
    let listed = admin.get(&history).await.ok();
    let entry = &listed["data"][0];
    let run = ready.run["uid"].as_str().unwrap();
    assert_eq!(entry["changes"]["run"], json!([format!("{run}#2"), null]));
    assert_eq!(entry["action"], "PUT /runs/move_job_to_new/{run_id}");
    assert_eq!(
        (&entry["actor_kind"], &entry["actor_id"]),
        (&json!("user"), &json!(ready.tenant.organisation.planner.id))
    );
    assert!(entry["actor"].as_str().unwrap().contains("Test"), "{entry}");
    assert_eq!(entry["object_name"], ready.jobs[1]["uid"]);
    assert!(entry["request_id"].as_str().is_some_and(|id| id.len() >= 8));

    let path = format!("/jobs/{job}");
    let _ = planner.patch(&path, json!({"comments": "Back door", "customer_name": "Ana"})).await.ok();
    let listed = admin.get(&history).await.ok();
    let entry = &listed["data"][0];
    assert_eq!(entry["change"], "changed");
    assert_eq!(entry["changes"]["comments"], json!(["Ring twice", "Back door"]));
    assert_eq!(entry["changes"]["customer_name"][1], "Ana");
    assert_eq!(entry["changes"].as_object().unwrap().len(), 2, "only what changed: {entry}");

    // What is computed is no change of anybody.
    let before = listed["total_count"].clone();
    let _ = planner.post(&format!("/runs/{}/delay", ready.run["id"]), json!({"delay": 5})).await.ok();
    assert_eq!(admin.get(&history).await.ok()["total_count"], before);
    let of_run = admin.get(&format!("/audit?object_kind=run&object_id={}", ready.run["id"])).await.ok();
    assert_eq!(of_run["data"][0]["action"], "POST /runs/{id}/delay");

    let _ = planner.delete(&path).await.ok();
    let entry = &admin.get(&history).await.ok()["data"][0];
    assert_eq!(
        (&entry["change"], &entry["changes"]["comments"][0]),
        (&json!("deleted"), &json!("Back door"))
    );
}

/// W-083: filters, search, export; only those who set the organisation up may read it.
#[tokio::test]
async fn the_trail_is_filtered_searched_and_exported() {
    let tenant = tenant().await;
    let (admin, planner) = (&tenant.admin, &tenant.planner);
    let tag = admin.post("/tags", json!({"name": "Fragile"})).await.ok();
    let _ = admin.patch(&format!("/tags/{}", tag["id"]), json!({"name": "Breakable"})).await.ok();
    let _ = planner.post("/clients", json!({"uid": "C1", "name": "Alpha"})).await.ok();
    let secret = admin.post("/secrets", json!({"name": "gate", "value": "correct horse"})).await.ok();
    let _ = admin.patch(&format!("/secrets/{}", secret["id"]), json!({"value": "battery staple"})).await.ok();
    let count = |answer: Value| answer["total_count"].as_i64().unwrap();
    assert_eq!(count(admin.get("/audit?object_kind=tag").await.ok()), 2);
    assert_eq!(count(admin.get("/audit?object_kind=tag&change=created").await.ok()), 1);
    assert_eq!(count(admin.get("/audit?search=breakable").await.ok()), 1);
    let by = format!("/audit?actor_id={}&object_kind=client", tenant.organisation.planner.id);
    assert_eq!(count(admin.get(&by).await.ok()), 1);
    assert_eq!(count(admin.get("/audit?at_end=2001-01-01").await.ok()), 0);
    let _ = admin.get("/audit?colour=red").await.refused(400);
    let _ = planner.get("/audit").await.refused(403);
    let _ = planner.get("/audit/export").await.refused(403);
    let all = admin.get("/audit?per_page=100").await;
    let text = all.text();
    assert!(!text.contains("correct horse") && !text.contains("battery"), "{text}");
    let secrets = admin.get("/audit?object_kind=secret&change=changed").await.ok();
    assert_eq!(secrets["data"][0]["changes"]["value"], json!(["***", "*** (new)"]));
    let csv = admin.get("/audit/export?kind=csv&object_name=Breakable").await;
    assert_eq!(csv.status, 200);
    let csv = csv.text();
    assert!(csv.contains("name: Fragile → Breakable"), "{csv}");
    assert!(!csv.contains("Alpha"), "{csv}");
}

/// W-083: the organisation's own login adds to the trail through its triggers and can neither change nor remove anything.
#[tokio::test]
async fn the_organisations_login_cannot_change_the_trail() {
    let tenant = tenant().await;
    let _ = tenant.admin.post("/tags", json!({"name": "Fragile"})).await.ok();
    let mut database = tenant.organisation.database().await;
    for statement in [
        "delete from audit_entries",
        "update audit_entries set actor_name = 'Nobody'",
        "truncate audit_entries",
        "insert into audit_entries (change, kind) values ('created', 'tag')",
        "delete from audit_journal",
        "update audit_journal set rows = '{}'",
        "truncate audit_journal",
        "insert into audit_journal (table_name, ids, rows) values ('tags', '{1}', '{}')",
        "update audit_watched set unwatched = columns",
        "delete from audit_parts",
        "alter table tags disable trigger audit_updated",
        "drop trigger audit_updated on tags",
    ] {
        let refusal = sqlx::query(AssertSqlSafe(statement)).execute(&mut database).await;
        assert!(refusal.is_err(), "{statement}");
    }
    let kept: i64 = sqlx::query_scalar("select count(*) from audit_entries where kind = 'tag'")
        .fetch_one(&mut tenant.organisation.trail().await)
        .await
        .unwrap();
    assert_eq!(kept, 1);
}

/// What a request does to one object in several steps is one entry; what it makes and removes again is none.
#[tokio::test]
async fn steps_of_one_transaction_are_one_entry() {
    let tenant = tenant().await;
    let mut database = tenant.organisation.database().await;
    sqlx::raw_sql(
        "begin; insert into tags (name) values ('A'); update tags set name = 'B' where name = 'A';
         insert into tags (name) values ('C'); delete from tags where name = 'C'; commit;
         begin; update tags set name = 'D' where name = 'B'; update tags set name = 'B' where name = 'D'; commit",
    )
    .execute(&mut database)
    .await
    .unwrap();
    let kept = tenant.admin.get("/audit?object_kind=tag").await.ok();
    assert_eq!((&kept["total_count"], &kept["data"][0]["change"]), (&json!(1), &json!("created")));
    assert_eq!(kept["data"][0]["changes"]["name"], json!([null, "B"]));
}

/// W-083: what one statement makes of many objects is an entry of each, in the order of what happened, and tells what the rest
/// of its transaction did to them.
#[tokio::test]
async fn many_objects_of_one_statement_are_one_entry_each() {
    let tenant = tenant().await;
    let mut database = tenant.organisation.database().await;
    sqlx::raw_sql(
        "begin;
         insert into tags (name, color) select 'Tag \"' || n || ',(', '#00ff00' from generate_series(1, 250) n;
         update tags set color = '#ff0000' where name = 'Tag \"7,('; delete from tags where name = 'Tag \"8,('; commit",
    )
    .execute(&mut database)
    .await
    .unwrap();
    let journal = "select count(*) from audit_journal where table_name = 'tags'";
    assert_eq!(sqlx::query_scalar::<_, i64>(journal).fetch_one(&mut database).await.unwrap(), 3);
    let _ = tenant.admin.post("/tags", json!({"name": "Later"})).await.ok();
    // Two who read at the same time find the same.
    let path = "/audit?object_kind=tag&per_page=300";
    let (kept, too) = tokio::join!(tenant.admin.get(path), tenant.admin.get(path));
    let kept = kept.ok();
    assert_eq!(kept["data"], too.ok()["data"]);
    assert_eq!(sqlx::query_scalar::<_, i64>(journal).fetch_one(&mut database).await.unwrap(), 0);
    assert_eq!(kept["total_count"], 250, "249 of them and the later one");
    assert_eq!(kept["data"][0]["object_name"], "Later");
    let of = |name: &str| {
        kept["data"].as_array().unwrap().iter().find(|entry| entry["object_name"] == name).cloned()
    };
    let one = of("Tag \"250,(").unwrap();
    assert_eq!((&one["change"], &one["changes"]["color"]), (&json!("created"), &json!([null, "#00ff00"])));
    assert_eq!(of("Tag \"7,(").unwrap()["changes"]["color"], json!([null, "#ff0000"]));
    assert_eq!(of("Tag \"8,("), None, "made and removed again");
}

/// W-083: "from R2#4 to R5#1": references are told by name, also of what is gone meanwhile.
#[tokio::test]
async fn references_are_told_by_name() {
    let ready = ready().await;
    let (planner, admin) = (ready.planner(), &ready.tenant.admin);
    let job = &ready.jobs[1]["id"];
    let scenario = ready.scenario["id"].clone();
    let bea = runs::driver(&ready.tenant, "Bea", json!({})).await;
    let other = runs::run(&ready.tenant, &scenario, &bea, json!({})).await;
    let moves = json!({"moves": [{"run_id": other["id"], "job_ids": [job], "seq": 1}]});
    let _ = planner.put("/runs/bulk_move_jobs", moves).await.ok();
    let cold = admin.post("/tags", json!({"name": "Cold"})).await.ok();
    let client = planner.post("/clients", json!({"uid": "C1", "name": "Alpha"})).await.ok();
    let _ = planner.patch(&format!("/jobs/{job}"), json!({"client_id": client["id"]})).await.ok();
    let _ = planner.put(&format!("/jobs/{job}/assign_tags"), json!({"tag_ids": [cold["id"]]})).await.ok();
    let _ = admin.delete(&format!("/tags/{}", cold["id"])).await.ok();
    let history = admin.get(&format!("/audit?object_kind=job&object_id={job}")).await.ok();
    let told = |at: usize, field: &str| history["data"][at]["changes"][field].clone();
    let (run, other) = (ready.run["uid"].as_str().unwrap(), other["uid"].as_str().unwrap());
    assert_eq!(told(0, "tags"), json!([["Cold"], []]), "the tag was deleted");
    assert_eq!(told(1, "tags"), json!([[], ["Cold"]]));
    assert_eq!(told(2, "client"), json!([null, "Alpha"]));
    assert_eq!(history["data"][3]["changes"], json!({"run": [format!("{run}#2"), format!("{other}#1")]}));
    // The others moved up on their run, which is no change of each.
    let third = &ready.jobs[2]["id"];
    let path = format!("/audit?object_kind=job&object_id={third}&action=PUT%20%2Fruns%2Fbulk_move_jobs");
    assert_eq!(admin.get(&path).await.ok()["total_count"], 0);
}
