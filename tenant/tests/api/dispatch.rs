//! Dispatch of run sheets.

use serde_json::{Value, json};

use crate::execution::ready;

/// a mail with the sheet goes out once per dispatch, the run is
/// marked, the scenario is tracked.
#[tokio::test]
async fn a_run_sheet_goes_out_by_mail() {
    let ready = ready().await;
    let item = json!([{"run_id": ready.run["id"], "method": "email"}]);
    let answer = ready.tenant.planner.post("/runs/dispatch", item.clone()).await.ok();
    assert_eq!(
        answer,
        json!([{"run_id": ready.run["id"], "success": true, "sent_to": ["ana@example.org"], "error": null}])
    );
    let mails = ready.mails("ana@example.org").await;
    assert_eq!(mails.len(), 1);
    let (subject, text, attachments) = &mails[0];
    assert_eq!(subject, "Run sheet Ana 2026/11/23");
    assert_eq!(*attachments, 1);
    for part in ["Hello Ana", "Scenario: Monday", "Shift: 08:00 - 17:00", "Jobs: 3", "First ETA: 08:"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let link = format!("/runsheet?runsheet=true&token={}", ready.run["token"].as_str().unwrap());
    assert!(text.contains(&link), "{text}");
    let run = ready.reload().await;
    assert_eq!((&run["dispatched"], &run["dispatched_at"]), (&json!(true), &json!("2026-11-23T08:00:00Z")));
    assert_eq!(ready.stage().await, "tracking");
    let events = ready.events("broadcast_run_update").await;
    assert_eq!(events.last().unwrap()["run"]["dispatched"], true);

    // dispatching again sends again.
    ready.clock.advance(chrono::Duration::minutes(1));
    let _ = ready.tenant.planner.post("/runs/dispatch", item).await.ok();
    assert_eq!(ready.mails("ana@example.org").await.len(), 2);
}

/// S-09: one run's fault does not keep the others; a QR code sends nothing.
#[tokio::test]
async fn each_run_has_its_own_result() {
    let ready = ready().await;
    let planner = &ready.tenant.planner;
    let driver = json!({"uid": "Rui", "location": {"address": "Rua 2", "lat": 41.15, "lon": -8.6}});
    let driver = planner.post("/drivers", driver).await.ok();
    let body = json!({"scenario_id": ready.scenario["id"], "driver_id": driver["id"]});
    let other = planner.post("/runs", body).await.ok();
    let items = json!([
        {"run_id": ready.run["id"], "method": "sms"},
        {"run_id": other["id"], "method": "email"},
        {"run_id": 999_999, "method": "email"},
        {"run_id": other["id"], "method": "qr_code"},
    ]);
    let answer = planner.post("/runs/dispatch", items).await.ok();
    assert_eq!(answer[0]["error"], "SMS configuration is disabled in Organisation Settings.");
    let incomplete = "Please ensure you have entered the needed information for driver dispatch methods.";
    assert_eq!((&answer[1]["success"], &answer[1]["error"]), (&json!(false), &json!(incomplete)));
    assert_eq!(answer[2]["error"], "Run not found");
    assert_eq!((&answer[3]["success"], &answer[3]["sent_to"]), (&json!(true), &json!([])));
    assert_eq!(ready.reload().await["dispatched"], false);
    let kept = planner.get(&format!("/runs/{}", other["id"])).await.ok();
    // W-048: the method that was chosen is the run's from now on.
    assert_eq!((&kept["dispatched"], &kept["preferred_method"]), (&json!(true), &json!("qr_code")));
    let database = &mut ready.tenant.organisation.database().await;
    let queued: i64 = sqlx::query_scalar("select count(*) from messages").fetch_one(database).await.unwrap();
    assert_eq!(queued, 0);
    planner.post("/runs/dispatch", json!([{"run_id": 1, "method": "pigeon"}])).await.refused(400);
}

/// W-104: why a run was sent although something is wrong with it stays in the record.
#[tokio::test]
async fn the_reason_of_a_dispatch_is_kept() {
    let ready = ready().await;
    let item = json!([{"run_id": ready.run["id"], "method": "qrcode", "reason": " Second van follows "}]);
    let _ = ready.tenant.planner.post("/runs/dispatch", item).await.ok();
    let database = &mut ready.tenant.organisation.trail().await;
    let (new, reason): (Value, String) = sqlx::query_as(
        "select after -> 'dispatch', reason from audit_entries where kind = 'run' and after ? 'dispatch'",
    )
    .fetch_one(database)
    .await
    .unwrap();
    assert_eq!((new, reason.as_str()), (json!("qr_code"), "Second van follows"));
}

/// S-13: settings shape the mail, every address gets its own, the run's addresses win over the driver's.
#[tokio::test]
async fn settings_shape_the_mail() {
    let ready = ready().await;
    let path = format!("/organisations/{}/information/dispatch_settings", ready.tenant.organisation.id);
    let settings = json!({
        "email_subject": "{run} on {date}", "email_text": "Start at {start}.", "attach_pdf": false,
        "copy_to": ["office@example.org"], "auto_set_tracking_stage": false,
    });
    let _ = ready.tenant.admin.put(&path, settings).await.ok();
    let body = json!({"email": "b@example.org, c@example.org"});
    let _ = ready.tenant.planner.patch(&format!("/runs/{}", ready.run["id"]), body).await.ok();
    let item = json!([{"run_id": ready.run["id"], "method": "email"}]);
    assert_eq!(ready.tenant.planner.post("/runs/dispatch", item).await.ok()[0]["success"], true);
    for address in ["b@example.org", "c@example.org", "office@example.org"] {
        let mails = ready.mails(address).await;
        assert_eq!(mails.len(), 1, "{address}");
        assert_eq!((mails[0].0.as_str(), mails[0].2), ("Ana on 2026/11/23", 0));
        assert!(mails[0].1.contains("Start at 08:"), "{}", mails[0].1);
    }
    assert!(ready.mails("ana@example.org").await.is_empty());
    assert_ne!(ready.stage().await, "tracking");
}

/// a run sheet goes to every number of the list; a list with a wrong number is refused.
#[tokio::test]
async fn a_run_sheet_goes_to_several_numbers() {
    let ready = ready().await;
    let sms = json!({"provider": "outbox", "sender": "Depot", "enabled": true});
    let _ = ready.tenant.admin.post("/secrets/sms_configuration", sms).await.ok();
    let path = format!("/runs/{}", ready.run["id"]);
    let wrong = json!({"phone_number": "+351220000007, 12"});
    let refusal = ready.planner().patch(&path, wrong).await.refused(400);
    assert!(refusal["fields"]["phone_number"].as_str().is_some_and(|text| text.starts_with("Invalid phone")));
    let numbers = json!({"phone_number": "+351220000007, +351220000008"});
    let _ = ready.planner().patch(&path, numbers).await.ok();
    let item = json!([{"run_id": ready.run["id"], "method": "sms"}]);
    assert_eq!(ready.planner().post("/runs/dispatch", item).await.ok()[0]["error"], json!(null));
    let mut database = ready.tenant.organisation.database().await;
    let sent: Vec<Vec<String>> =
        sqlx::query_scalar("select recipients from messages where channel = 'sms' order by recipients")
            .fetch_all(&mut database)
            .await
            .unwrap();
    assert_eq!(sent, [["+351220000007"], ["+351220000008"]]);
}

/// contact data that is corrected before sending is where the sheet goes; a run with an
/// address of its own keeps it.
#[tokio::test]
async fn corrected_contacts_are_used_at_once() {
    let ready = ready().await;
    let planner = ready.planner();
    let driver = &ready.run["driver"]["id"];
    let other = json!({"scenario_id": ready.scenario["id"], "driver_id": driver, "email": "van@example.org", "force": true});
    let other = planner.post("/runs", other).await.ok();
    let contacts = json!([{"id": driver, "email": "new@example.org", "phone_number": "+351220000007", "preferred_method": "email"}]);
    let changed = planner.patch("/drivers/bulk", contacts).await.ok();
    assert_eq!(
        (&changed[0]["email"], &changed[0]["preferred_method"]),
        (&json!("new@example.org"), &json!("email"))
    );
    let run = ready.reload().await;
    assert_eq!((&run["email"], &run["phone_number"]), (&json!("new@example.org"), &json!("+351220000007")));
    let items = json!([{"run_id": run["id"], "method": "email"}, {"run_id": other["id"], "method": "email"}]);
    let answer = planner.post("/runs/dispatch", items).await.ok();
    assert_eq!((&answer[0]["success"], &answer[1]["success"]), (&json!(true), &json!(true)));
    assert_eq!(ready.mails("new@example.org").await.len(), 1);
    assert_eq!(ready.mails("van@example.org").await.len(), 1);
    assert!(ready.mails("ana@example.org").await.is_empty());
    // Cleared, it is the driver's again.
    let path = format!("/runs/{}", other["id"]);
    assert_eq!(planner.patch(&path, json!({"email": null})).await.ok()["email"], "new@example.org");
}

/// S-09, X-484: the scenario's token shows a card with a link per run.
#[tokio::test]
async fn qr_codes_open_run_sheets() {
    let ready = ready().await;
    let token = ready.scenario["ws_token"].as_str().unwrap();
    let path = format!("/scenarios/token/{token}/qr_codes");
    let codes = ready.tenant.planner.nobody().get(&path).await.ok();
    assert_eq!(codes["scenario"], json!({"name": "Monday", "scheduled_date": "2026-11-23"}));
    let card = &codes["runs"][0];
    assert_eq!((&card["driver_uid"], &card["jobs_count"]), (&json!("Ana"), &json!(3)));
    assert!(card["url"].as_str().unwrap().ends_with(ready.run["token"].as_str().unwrap()));
    let wrong = ready.tenant.organisation.links.long(ready.tenant.organisation.id);
    ready.tenant.planner.nobody().get(&format!("/scenarios/token/{wrong}/qr_codes")).await.refused(401);
}

/// V-30: what may not have arrived is listed without its text. Whoever knows that it did says so: nothing is sent, and the run is
/// dispatched as it was.
#[tokio::test]
async fn v_30_a_sheet_that_arrived_is_dispatched() {
    let ready = lost("unknown").await;
    let planner = &ready.tenant.planner;
    let listed = planner.get("/messages?state=unknown").await.ok();
    let message = &listed["data"][0];
    assert_eq!(listed["total_count"], 1);
    assert_eq!(
        (&message["kind"], &message["recipients"], &message["run_id"], &message["scenario_id"]),
        (&json!("run_sheet"), &json!(["ana@example.org"]), &ready.run["id"], &ready.scenario["id"])
    );
    assert!(!listed.to_string().contains(ready.run["token"].as_str().unwrap()), "{listed}");
    assert_eq!(planner.get("/messages?state=failed").await.ok()["total_count"], 0);
    planner.get("/messages?run_id=x").await.refused(400);

    let path = format!("/messages/{}", message["id"]);
    assert_eq!(planner.post(&format!("{path}/arrived"), json!({})).await.ok()["state"], "sent");
    let run = ready.reload().await;
    assert_eq!((&run["dispatched"], &run["dispatched_at"]), (&json!(true), &json!("2026-11-23T08:00:00Z")));
    assert_eq!(ready.events("broadcast_run_update").await.last().unwrap()["run"]["dispatched"], true);
    let refused = planner.post(&format!("{path}/arrived"), json!({})).await.refused(409);
    assert_eq!(
        refused["description"],
        "Only of a message of which nobody knows can it be said that it arrived"
    );
    planner.post(&format!("{path}/send_again"), json!({})).await.refused(409);
    planner.post("/messages/999999/arrived", json!({})).await.refused(404);
    assert_eq!(ready.mails("ana@example.org").await.len(), 1);
}

/// V-30: what was not taken, or may not have arrived, is sent again to the same recipient; the run counts as dispatched until that
/// is refused, too.
#[tokio::test]
async fn v_30_a_sheet_is_sent_again() {
    for state in ["failed", "unknown"] {
        let ready = lost(state).await;
        let planner = &ready.tenant.planner;
        let message = planner.get(&format!("/messages?state={state}")).await.ok()["data"][0].clone();
        let path = format!("/messages/{}/send_again", message["id"]);
        let again = planner.post(&path, json!({})).await.ok();
        assert_eq!(
            (&again["state"], &again["attempts"], &again["error"]),
            (&json!("pending"), &json!(0), &Value::Null)
        );
        assert_eq!(ready.reload().await["dispatched"], true);
        let database = &mut ready.tenant.organisation.database().await;
        let looks: i64 = sqlx::query_scalar(
            "select count(*) from background_jobs where kind = 'settle_dispatch' and state = 'queued'
                 and payload -> 'messages' = jsonb_build_array($1::bigint)",
        )
        .bind(message["id"].as_i64())
        .fetch_one(database)
        .await
        .unwrap();
        assert!(looks > 0, "nobody looks whether it is taken");
        let refused = planner.post(&path, json!({})).await.refused(409);
        assert!(refused["description"].as_str().unwrap().contains("can be sent again"), "{refused}");
    }
}

/// A dispatched run whose sheet came to this, as the settling leaves it.
async fn lost(state: &str) -> crate::execution::Ready {
    let ready = ready().await;
    let item = json!([{"run_id": ready.run["id"], "method": "email"}]);
    let _ = ready.tenant.planner.post("/runs/dispatch", item).await.ok();
    let database = &mut ready.tenant.organisation.database().await;
    for statement in [
        "update messages set state = $1, attempts = 3, error = 'Nobody knows' where run_id is not null",
        "update runs set dispatched = false, dispatched_at = null where $1 <> ''",
    ] {
        sqlx::query(statement).bind(state).execute(&mut *database).await.unwrap();
    }
    ready
}
