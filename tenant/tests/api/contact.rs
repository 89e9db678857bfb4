//! What the office knows of drivers' phones, and drivers of what the office changed.

use chrono::Duration;
use serde_json::{Value, json};

use crate::execution::{Ready, ready};

const CONTACT: &str = "/v2/runsheet/contact";

async fn seen(ready: &Ready) -> Value {
    let path = format!("/scenarios/{}/contacts", ready.scenario["id"]);
    ready.planner().get(&path).await.ok()
}

fn changed(changes: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let stops = changes.as_array().expect("changes").iter();
    stops.map(|stop| (text(&stop["kind"]), text(&stop["uid"]))).collect()
}

/// Issue 13: last contact and records that wait on the phone, whichever way it was heard of.
#[tokio::test]
async fn the_office_sees_when_a_phone_was_heard_of_and_what_waits_on_it() {
    let ready = ready().await;
    let driver = ready.driver().await;
    assert_eq!(seen(&ready).await, json!([]));
    assert_eq!(driver.post(CONTACT, json!({"waiting": 3})).await.ok(), json!({"changes": null}));
    let contact = seen(&ready).await[0].clone();
    assert_eq!((&contact["run_id"], &contact["waiting"]), (&ready.run["id"], &json!(3)));
    assert_eq!((&contact["last_at"], &contact["unconfirmed"]), (&json!("2026-11-23T08:00:00Z"), &json!([])));
    ready.clock.advance(Duration::minutes(2));
    let point = json!([{"lat": 41.2, "lon": -8.7, "recorded_at": "2026-11-23T08:02:00Z"}]);
    let _ = driver.post("/v2/runsheet/gps_points", point).await.ok();
    assert_eq!(seen(&ready).await[0]["last_at"], "2026-11-23T08:02:00Z");
    ready.clock.advance(Duration::minutes(3));
    let note = json!({"id": "6f1c1c5e-54a9-4f3e-9d0e-000000000001", "kind": "note", "note": "Late",
        "captured_at": "2026-11-23T08:05:00Z"});
    let _ = driver.post("/v2/runsheet/records", note).await.ok();
    let contact = seen(&ready).await[0].clone();
    assert_eq!((&contact["last_at"], &contact["waiting"]), (&json!("2026-11-23T08:05:00Z"), &json!(3)));
    for waiting in [json!(-1), json!(1_000_000), json!("many"), json!(null)] {
        driver.post(CONTACT, json!({"waiting": waiting})).await.refused(400);
    }
    ready.tenant.planner.nobody().post(CONTACT, json!({"waiting": 0})).await.refused(401);
}

/// Issue 13: a driver is told what the office changed since he saw the run, and the office sees whether he has confirmed
/// it. Confirming what was changed again meanwhile confirms nothing.
#[tokio::test]
async fn a_driver_confirms_what_the_office_changed() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let planner = ready.planner();
    let contact = async |body: Value| driver.post(CONTACT, body).await.ok()["changes"].clone();
    let _ = contact(json!({"waiting": 0})).await;
    let onto =
        |job: usize, seq: Value| json!({"job_ids": [ready.jobs[job]["id"]], "seq": seq, "pool": false});
    let run = format!("/runs/move_job_to_new/{}", ready.run["id"]);
    let _ = planner.put(&run, onto(2, json!(1))).await.ok();
    let told = contact(json!({"waiting": 0})).await;
    let stops = changed(&told["stops"]);
    assert!(stops.contains(&("moved".to_owned(), "J3".to_owned())), "{told}");
    assert_eq!(told["stops"][0]["seq"], 1, "{told}");
    let known = seen(&ready).await[0].clone();
    assert_eq!(changed(&known["unconfirmed"]), stops);
    let made = known["changed_at"].clone();
    assert!(made.is_string(), "{known}");
    // Told again under the same number while nothing else changes.
    assert_eq!(contact(json!({"waiting": 0})).await["number"], told["number"]);

    let _ = planner.put("/runs/move_job_to_new/unserved", onto(0, json!(null))).await.ok();
    let newer = contact(json!({"waiting": 0, "confirmed": 99})).await;
    assert!(changed(&newer["stops"]).contains(&("removed".to_owned(), "J1".to_owned())), "{newer}");
    assert_eq!(seen(&ready).await[0]["changed_at"], made, "since the first of them");
    let late = contact(json!({"waiting": 0, "confirmed": told["number"]})).await;
    assert_eq!(late, newer);
    assert_eq!(contact(json!({"waiting": 0, "confirmed": newer["number"]})).await, Value::Null);
    let contact_of_run = seen(&ready).await[0].clone();
    assert_eq!(
        (&contact_of_run["unconfirmed"], &contact_of_run["confirmed_at"]),
        (&json!([]), &json!("2026-11-23T08:00:00Z"))
    );
    assert_eq!(contact_of_run["changed_at"], Value::Null);

    // A stop that is made already is no news, whatever the office does with it.
    let _ = ready.prove(1, json!({"record_time": "2026-11-23 08:00:00"})).await;
    let _ = planner.put(&run, onto(0, json!(null))).await.ok();
    let added = changed(&contact(json!({"waiting": 0})).await["stops"]);
    assert_eq!(added, [("added".to_owned(), "J1".to_owned())]);
    let again = seen(&ready).await[0]["changed_at"].clone();
    let moment = |text: &Value| text.as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    assert!(moment(&again) > moment(&made), "since what he confirmed");
}

/// The phone of a run that was deleted is answered and changes nothing.
#[tokio::test]
async fn a_deleted_run_has_no_contact() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let _ = driver.get("/v2/runsheet").await.ok();
    let ids: Vec<&Value> = ready.jobs.iter().map(|job| &job["id"]).collect();
    let off = json!({"job_ids": ids, "seq": null, "pool": false});
    let _ = ready.planner().put("/runs/move_job_to_new/unserved", off).await.ok();
    let _ = ready.planner().delete(&format!("/runs/{}", ready.run["id"])).await.ok();
    assert_eq!(driver.post(CONTACT, json!({"waiting": 1})).await.ok(), json!({"changes": null}));
    assert_eq!(seen(&ready).await, json!([]));
}
