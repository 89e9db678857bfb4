//! What customers leave for the driver by their link.

use serde_json::{Value, json};

use crate::execution::ready;
use crate::slots::set;

/// Issue 13.4: a word for the driver and a place to leave it: bounded, kept until the driver has been there, read by planner
/// and driver as it was written, masked behind the link, and on the record as the customer's.
#[tokio::test]
async fn a_customer_leaves_a_word_for_the_driver() {
    let ready = ready().await;
    let nobody = ready.tenant.planner.nobody();
    let token = ready.jobs[0]["tracking_token"].as_str().unwrap();
    let path = format!("/jobs/tracking/{token}/instructions");
    let page = async || nobody.get(&format!("/jobs/tracking/{token}")).await.ok()["wishes"].clone();
    assert_eq!(
        page().await,
        json!({"may_instruct": true, "may_name_place": false, "instructions": null, "safe_place": null})
    );
    let refused = nobody.put(&path, json!({"safe_place": "Gate"})).await.refused(400);
    assert!(refused["fields"]["safe_place"].is_string(), "{refused}");
    set(&ready, "reschedule_settings", json!({"allow_safe_drop": true})).await;
    for (field, value) in [
        ("instructions", json!("x".repeat(501))),
        ("safe_place", json!("x".repeat(201))),
        ("instructions", json!("a\u{0}b")),
    ] {
        let refused = nobody.put(&path, json!({field: value})).await.refused(400);
        assert!(refused["fields"][field].is_string(), "{refused}");
    }
    for wrong in [json!({"duration": 7}), json!({"instructions": 7}), json!([])] {
        nobody.put(&path, wrong).await.refused(400);
    }

    let driver = ready.driver().await;
    let sheet = async || driver.get("/v2/runsheet/").await.ok()["jobs"][0].clone();
    let contact = async || driver.post("/v2/runsheet/contact", json!({"waiting": 0})).await.ok();
    let _ = sheet().await;
    let _ = contact().await;
    let words = "<script>alert(1)</script> Ring 912345789";
    let wish = json!({"instructions": format!(" {words} "), "safe_place": "Behind the gate"});
    let kept = nobody.put(&path, wish).await.ok();
    assert_eq!(kept["instructions"], "<script>alert(1)</script> Ring …789");
    let job = ready.planner().get(&format!("/jobs/{}", ready.jobs[0]["id"])).await.ok();
    assert_eq!(
        (&job["customer_instructions"], &job["customer_safe_place"]),
        (&json!(words), &json!("Behind the gate"))
    );
    assert_eq!(sheet().await["customer_instructions"], words);
    let changes = contact().await["changes"].clone();
    assert_eq!((&changes["stops"][0]["kind"], &changes["stops"][0]["uid"]), (&json!("wishes"), &json!("J1")));
    assert_eq!(changes["stops"].as_array().unwrap().len(), 1);
    let html = nobody.get(&format!("/jobs/tracking/{token}/page")).await.text();
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; Ring …789"), "{html}");
    assert!(!html.contains("<script>alert") && !html.contains("912345789"));
    assert_eq!(page().await["safe_place"], "Behind the gate");
    // It goes by itself to those who have the plan open, and stands against the customer in the trail.
    let change =
        ready.planner().get(&format!("/scenarios/{}/changes?since=0", ready.scenario["id"])).await.ok();
    assert!(change["jobs"].to_string().contains("Behind the gate") || change["reload"] == true, "{change}");
    let trail: Vec<(String, Value)> = {
        let database = &mut ready.tenant.organisation.trail().await;
        sqlx::query_as(
            "select actor_kind, after from audit_entries where kind = 'job' and after ? 'customer_instructions'
                 and change = 'changed'",
        )
        .fetch_all(database)
        .await
        .unwrap()
    };
    assert_eq!(trail.len(), 1, "{trail:?}");
    assert_eq!((trail[0].0.as_str(), &trail[0].1["customer_instructions"]), ("link", &json!(words)));

    // What is absent stays, blank clears.
    let _ = nobody.put(&path, json!({"instructions": " "})).await.ok();
    assert_eq!(
        (&page().await["instructions"], &page().await["safe_place"]),
        (&Value::Null, &json!("Behind the gate"))
    );
    set(&ready, "delivery_tracking_settings", json!({"allow_instructions": false})).await;
    nobody.put(&path, json!({"instructions": "Ring"})).await.refused(400);
    set(&ready, "reschedule_settings", json!({"allow_safe_drop": false})).await;
    nobody.put(&path, json!({"instructions": "Ring"})).await.refused(403);
    set(&ready, "delivery_tracking_settings", json!({})).await;
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 08:00:00"})).await;
    assert_eq!(
        nobody.put(&path, json!({"instructions": "Ring"})).await.refused(409)["description"],
        "The delivery was made already"
    );
}
