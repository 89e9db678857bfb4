//! What customers see and ask for behind a tracking link.

use chrono::Duration;
use serde_json::{Value, json};

use crate::execution::{Ready, ready};
use crate::files::picture;

pub(crate) fn token(ready: &Ready, job: usize) -> &str {
    ready.jobs[job]["tracking_token"].as_str().expect("a token")
}

pub(crate) async fn page(ready: &Ready, job: usize) -> Value {
    let path = format!("/jobs/tracking/{}", token(ready, job));
    ready.tenant.planner.nobody().get(&path).await.ok()
}

pub(crate) async fn set(ready: &Ready, group: &str, value: Value) {
    let organisation = &ready.tenant.organisation;
    let admin = ready.tenant.admin.with_token(organisation.token(organisation.admin));
    let path = format!("/organisations/{}/information/{group}", organisation.id);
    let _ = admin.put(&path, value).await.ok();
}

/// P-446, P-450, X-059, L-16, S-07: the page of a planned delivery; nothing of others, no key of anything else; 401 with the
/// documented text for what opens nothing.
#[tokio::test]
async fn a_link_shows_one_delivery_and_nothing_else() {
    let ready = ready().await;
    let nobody = ready.tenant.planner.nobody();
    let seen = page(&ready, 1).await;
    assert_eq!((&seen["uid"], &seen["status"]), (&json!("J2"), &json!("planned")));
    assert_eq!((&seen["state"], &seen["delayed"]), (&json!("planned"), &json!(false)));
    assert_eq!((&seen["customer_name"], &seen["comments"]), (&json!("Customer J2"), &json!("Ring twice")));
    assert_eq!((&seen["scheduled_date"], &seen["timezone"]), (&json!("2026-11-23"), &json!("Europe/Lisbon")));
    assert_eq!(seen["location"]["address"], "Rua J2, Porto");
    assert_eq!(seen["driver"], json!({"first_name": "Ana"}));
    // a span that begins at five minutes and lasts fifteen.
    let moment =
        |text: &Value| text.as_str().expect("a time").parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    let (from, to) = (moment(&seen["eta_range"]["from"]), moment(&seen["eta_range"]["to"]));
    let eta = moment(&ready.jobs[1]["eta"]);
    assert_eq!((to - from, from.timestamp() % 300), (Duration::minutes(15), 0));
    assert!(from <= eta && eta < from + Duration::minutes(5));
    for absent in ["stops_before", "vehicle_position", "proof", "updated_eta"] {
        assert!(seen[absent].is_null(), "{absent}");
    }
    assert_eq!((&seen["idm"], &seen["reschedule"]["enabled"]), (&json!(false), &json!(false)));
    assert!(seen["organisation"]["modules"].as_array().expect("modules").contains(&json!("units")));

    for path in ["", "/all", "/units", "/returns", "/proofs"] {
        let path = format!("/jobs/tracking/{}{path}", token(&ready, 1));
        let text = nobody.get(&path).await.ok().to_string();
        for (secret, what) in [
            (token(&ready, 0), "another job's token"),
            (ready.run["token"].as_str().unwrap(), "the run's token"),
            (ready.scenario["ws_token"].as_str().unwrap(), "the scenario's token"),
            ("Customer J1", "another customer"),
            ("Supplier 7", "what the office keeps to itself"),
        ] {
            assert!(!text.contains(secret), "{path} shows {what}");
        }
    }
    let reasons = nobody.get(&format!("/jobs_tracking/{}/reasons", token(&ready, 1))).await.ok();
    assert!(
        reasons
            .as_array()
            .unwrap()
            .iter()
            .any(|reason| reason["name"] == "Not home" && reason["ok"] == false)
    );

    let foreign = ready.tenant.organisation.links.short(ready.tenant.organisation.id);
    for wrong in ["nonsense", foreign.as_str(), "AAAAAAAAAAAA"] {
        for path in [format!("/jobs/tracking/{wrong}"), format!("/jobs_tracking/{wrong}/reasons")] {
            assert_eq!(nobody.get(&path).await.refused(401)["description"], "Job not found.", "{path}");
        }
    }
}

/// S-07, S-24, S-25: on the way, with the stops before and the vehicle near the time only; arrived at the door; then what
/// became of it.
#[tokio::test]
async fn the_page_follows_the_driver() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let start = json!({"odometer": 10, "actual_start_time": "2026-11-23T08:00:00Z"});
    let _ = driver.put("/v2/runsheet/start_route", start).await.ok();
    let point = json!([{"lat": 41.2, "lon": -8.7, "recorded_at": "2026-11-23T08:00:00Z"}]);
    let _ = driver.post("/v2/runsheet/gps_points", point).await.ok();
    let seen = page(&ready, 1).await;
    assert_eq!((&seen["status"], &seen["stops_before"]), (&json!("on_the_way"), &json!(1)));
    assert_eq!(seen["state"], "out_for_delivery");
    assert!(seen["updated_eta"].is_string());
    // The way to others is nobody's business.
    assert!(seen["vehicle_position"].is_null(), "W-105");
    let next = page(&ready, 0).await;
    assert_eq!((&next["state"], &next["vehicle_position"]["lat"]), (&json!("next"), &json!(41.2)));
    assert_eq!(next["vehicle_position"]["lon"], -8.7);
    // Too early for the vehicle to show.
    set(&ready, "delivery_tracking_settings", json!({"position_visible_minutes": 1})).await;
    assert!(page(&ready, 0).await["vehicle_position"].is_null());
    let hidden = json!({"show_vehicle_position": false, "show_driver_name": false, "show_stops_before": false,
        "show_eta_range": false, "primary_colour": "#102030", "contact_phone": "+351220000009"});
    set(&ready, "delivery_tracking_settings", hidden).await;
    let seen = page(&ready, 1).await;
    for absent in ["vehicle_position", "driver", "stops_before", "eta_range", "updated_eta"] {
        assert!(seen[absent].is_null(), "{absent}");
    }
    assert_eq!(
        (&seen["organisation"]["colour"], &seen["organisation"]["contact_phone"]),
        (&json!("#102030"), &json!("+351220000009"))
    );
    set(&ready, "delivery_tracking_settings", json!({})).await;

    let _ = ready.prove(0, json!({"record_time": "2026-11-23 08:00:00"})).await;
    let place = &ready.jobs[1]["location"];
    let door = json!([{"lat": place["lat"], "lon": place["lon"], "recorded_at": "2026-11-23T08:01:00Z"}]);
    let _ = driver.post("/v2/runsheet/gps_points", door).await.ok();
    let seen = page(&ready, 1).await;
    assert_eq!((&seen["status"], &seen["stops_before"]), (&json!("arrived"), &Value::Null));
    assert!(
        seen["eta_range"].is_null() && seen["updated_eta"].is_null(),
        "W-105: no forecast of what is there"
    );
    // Somebody else's turn at the same door.
    assert_eq!(page(&ready, 2).await["status"], "on_the_way");
    ready.clock.advance(Duration::minutes(20));
    assert_eq!(page(&ready, 1).await["status"], "on_the_way", "an old position says nothing");

    let fields = json!({"record_time": "2026-11-23 08:02:00", "signature_name": "Maria"});
    let _ = ready.prove(1, fields).await;
    let seen = page(&ready, 1).await;
    assert_eq!(seen["status"], "delivered");
    assert_eq!(
        seen["proof"],
        json!({"success": true, "record_time": "2026-11-23 08:02:00", "reason": null, "signature_name": "Maria"})
    );
    assert!(seen["eta_range"].is_null() && seen["vehicle_position"].is_null());
    let _ = ready.prove(2, json!({"record_time": "2026-11-23 08:03:00", "success": false})).await;
    assert_eq!(page(&ready, 2).await["status"], "failed");
}

/// Issue 13.3, 13.4: while the driver is on the road customers are told what the office sees: by the run's own pace, a span
/// that is wider the further away, and that nothing was heard of the vehicle for a while. The mail with the link says it too.
#[tokio::test]
async fn customers_are_told_the_span_that_the_office_sees() {
    let ready = ready().await;
    let driver = ready.driver().await;
    let moment =
        |text: &Value| text.as_str().expect("a time").parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    let html = async |job: usize| {
        let path = format!("/jobs/tracking/{}/page", token(&ready, job));
        ready.tenant.planner.nobody().get(&path).await.text()
    };
    assert!(!html(2).await.contains("between"), "not on the road yet");
    let start = json!({"odometer": 10, "actual_start_time": "2026-11-23T08:00:00Z"});
    let _ = driver.put("/v2/runsheet/start_route", start).await.ok();
    let width = async |job: usize| {
        let seen = page(&ready, job).await;
        let (from, to) = (moment(&seen["eta_range"]["from"]), moment(&seen["eta_range"]["to"]));
        let at = moment(&seen["updated_eta"]);
        assert!(from <= at && at <= to, "{seen}");
        (at, to - from)
    };
    let (planned, narrow) = width(1).await;
    let (_, wide) = width(2).await;
    assert!(narrow < wide, "the further away, the less is known: {narrow} {wide}");
    // The first stop takes an hour and a half: what comes then is expected later than its way and service alone would be.
    ready.clock.advance(Duration::minutes(90));
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 09:30:00"})).await;
    let (later, _) = width(2).await;
    let estimate = moment(&ready.reload().await["jobs"][2]["updated_eta"]);
    assert!(later > planned && later > estimate, "at its own pace: {later} {estimate}");
    assert!(page(&ready, 2).await["not_heard_since"].is_null());
    let text = html(2).await;
    assert!(text.contains("between ") && !text.contains("last heard of"), "{text}");
    let seen = page(&ready, 2).await;
    let item = json!([{"email": "a@example.org", "token": token(&ready, 2), "job_id": ready.jobs[2]["id"]}]);
    let _ = ready.planner().post("/jobs/send_tracking_urls", item).await.ok();
    let clock = |text: &Value| moment(text).format("%H:%M").to_string();
    let span = format!("{}–{}", clock(&seen["eta_range"]["from"]), clock(&seen["eta_range"]["to"]));
    let mails = ready.mails("a@example.org").await;
    assert!(mails[0].1.contains(&span), "{span}: {mails:?}");

    let point = json!([{"lat": 41.2, "lon": -8.7, "recorded_at": "2026-11-23T09:30:30Z"}]);
    ready.clock.advance(Duration::minutes(1));
    let _ = driver.post("/v2/runsheet/gps_points", point).await.ok();
    let seen = page(&ready, 1).await;
    assert_eq!((&seen["not_heard_since"], &seen["vehicle_position"]["stale"]), (&Value::Null, &json!(false)));
    ready.clock.advance(Duration::minutes(30));
    let seen = page(&ready, 1).await;
    assert_eq!(seen["not_heard_since"], "2026-11-23T09:30:30Z");
    assert_eq!(seen["vehicle_position"]["stale"], true);
    assert!(moment(&seen["updated_eta"]) >= moment(&json!("2026-11-23T10:01:00Z")), "never in the past");
    assert!(html(1).await.contains("last heard of at 09:30"));
    let _ = ready.prove(1, json!({"record_time": "2026-11-23 10:01:00"})).await;
    assert!(page(&ready, 1).await["not_heard_since"].is_null() && !html(1).await.contains("between"));
}

/// Issue 13.4: addresses and numbers in what was written about a delivery are masked on its page and in its JSON; whom to ask
/// is not. The office reads them whole.
#[tokio::test]
async fn people_are_masked_behind_the_link() {
    let ready = ready().await;
    let job = format!("/jobs/{}", ready.jobs[0]["id"]);
    let written = "Ring +351 912 345 789 or mail maria.silva@example.org";
    let body = json!({"comments": written, "dock_location": "Gate 2, 220000123", "customer_name": "rui@example.org"});
    let _ = ready.planner().patch(&job, body).await.ok();
    set(&ready, "delivery_tracking_settings", json!({"contact_phone": "+351220000009"})).await;
    let _ = ready
        .prove(0, json!({"record_time": "2026-11-23 08:00:00", "comments": format!("Left with 934567891. {written}")}))
        .await;
    let nobody = ready.tenant.planner.nobody();
    let path = format!("/jobs/tracking/{}", token(&ready, 0));
    let seen = nobody.get(&path).await.ok();
    assert_eq!(seen["comments"], "Ring …789 or mail m…@example.org");
    assert_eq!(
        (&seen["dock_location"], &seen["customer_name"]),
        (&json!("Gate 2, …123"), &json!("r…@example.org"))
    );
    assert_eq!(seen["organisation"]["contact_phone"], "+351220000009");
    for part in ["", "/all", "/proofs", "/page"] {
        let text = nobody.get(&format!("{path}{part}")).await.text();
        for whole in ["912 345", "maria.silva", "220000123", "rui@", "934567891", "j1@example.org"] {
            assert!(!text.contains(whole), "{part} shows {whole}: {text}");
        }
    }
    assert_eq!(ready.planner().get(&job).await.ok()["comments"], written);
}

/// Issue 13.4: links that never were, have expired, are switched off or open something else are answered alike at every door.
#[tokio::test]
async fn links_that_open_nothing_are_answered_alike() {
    let ready = ready().await;
    let nobody = ready.tenant.planner.nobody();
    let links = &ready.tenant.organisation.links;
    let id = ready.tenant.organisation.id;
    let right = token(&ready, 0).to_owned();
    let ask = async |token: &str| {
        let mut answers = Vec::new();
        for part in ["", "/all", "/page", "/units", "/returns", "/proofs", "/proof_of_delivery_pdf", "/slots"]
        {
            let answer = nobody.get(&format!("/jobs/tracking/{token}{part}")).await;
            answers.push((part.to_owned(), answer.status.as_u16(), answer.json));
        }
        let reasons = nobody.get(&format!("/jobs_tracking/{token}/reasons")).await;
        answers.push(("reasons".to_owned(), reasons.status.as_u16(), reasons.json));
        let wanted = json!({"date": "2026-11-25"});
        let asked = nobody.post(&format!("/jobs/tracking/{token}/reschedule"), wanted).await;
        answers.push(("reschedule".to_owned(), asked.status.as_u16(), asked.json));
        let wish = json!({"instructions": "Ring"});
        let told = nobody.put(&format!("/jobs/tracking/{token}/instructions"), wish).await;
        answers.push(("instructions".to_owned(), told.status.as_u16(), told.json));
        answers
    };
    let never = ask(&links.short(id)).await;
    assert!(never.iter().all(|(_, status, _)| *status == 401), "{never:?}");
    let elsewhere = links.short(routewright_core::OrganisationId::new(900_000));
    let sheet = ready.run["token"].as_str().unwrap();
    let changed = format!("{}{}", &right[..11], if right.ends_with('A') { 'B' } else { 'A' });
    for (what, wrong) in [
        ("of no organisation", elsewhere.as_str()),
        ("a run's token", sheet),
        ("one letter is another", &changed),
        ("no token at all", "x"),
    ] {
        assert_eq!(ask(wrong).await, never, "{what}");
    }
    set(&ready, "delivery_tracking_settings", json!({"enabled": false})).await;
    assert_eq!(ask(&right).await, never, "switched off");
    set(&ready, "delivery_tracking_settings", json!({})).await;
    assert_ne!(ask(&right).await, never);
    ready.clock.advance(Duration::days(60));
    assert_eq!(ask(&right).await, never, "expired");
}

/// W-105: a job that nobody brings is not "planned", and no link is sent for it; what is late says so; a number is no name.
#[tokio::test]
async fn customers_are_told_the_truth() {
    let ready = ready().await;
    let planner = ready.planner();
    let to = |run: &str| format!("/runs/move_job_to_new/{run}");
    let moved = json!({"job_ids": [ready.jobs[2]["id"]], "seq": null, "pool": false});
    let _ = planner.put(&to("unserved"), moved).await.ok();
    let seen = page(&ready, 2).await;
    assert_eq!((&seen["state"], &seen["eta_range"]), (&json!("not_planned"), &Value::Null));
    let item = json!([{"email": "a@example.org", "token": token(&ready, 2), "job_id": ready.jobs[2]["id"]}]);
    let sent = planner.post("/jobs/send_tracking_urls", item).await.ok();
    assert_eq!(sent[0]["error"], "The job is not planned");
    assert!(ready.mails("a@example.org").await.is_empty());

    let driver = format!("/drivers/{}", ready.run["driver_id"]);
    let _ = planner.patch(&driver, json!({"uid": "Driver 11"})).await.ok();
    assert!(page(&ready, 1).await["driver"].is_null());
    ready.clock.advance(Duration::hours(8));
    let late = page(&ready, 1).await;
    assert_eq!((&late["delayed"], &late["eta_range"]), (&json!(true), &Value::Null));
}

/// W-112: the page is HTML that needs no script, one card per token; what opens nothing is 401, and beside others a card
/// that says so. What people typed stays text.
#[tokio::test]
async fn the_page_can_be_read_without_scripts() {
    let ready = ready().await;
    let nobody = ready.tenant.planner.nobody();
    let job = format!("/jobs/{}", ready.jobs[0]["id"]);
    let _ = ready.planner().patch(&job, json!({"customer_name": "<b>Maria & Co</b>"})).await.ok();
    let text = async |tokens: &str| {
        let answer = nobody.get(&format!("/jobs/tracking/{tokens}/page")).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.headers["content-type"]),
            (200, &"text/html; charset=utf-8".parse().unwrap())
        );
        String::from_utf8(answer.bytes.to_vec()).unwrap()
    };
    let one = text(token(&ready, 0)).await;
    for part in [
        "J1",
        "Planned",
        "&lt;b&gt;Maria &amp; Co&lt;/b&gt;",
        "Rua J1, Porto",
        "Expected",
        "Ana",
        "2026/11/23",
    ] {
        assert!(one.contains(part), "{part}: {one}");
    }
    for other in ["Customer J2", "<b>", ready.run["token"].as_str().unwrap()] {
        assert!(!one.contains(other), "{other}");
    }
    let wrong = ready.tenant.app.gate.links.short(ready.tenant.organisation.id);
    let several = text(&format!("{},{wrong},{}", token(&ready, 1), token(&ready, 2))).await;
    assert_eq!(several.matches("<article").count(), 3);
    assert!(
        several.contains("Customer J2")
            && several.contains("Customer J3")
            && several.contains("Job not found.")
    );
    let _ = ready.prove(0, json!({"record_time": "2026-11-23 08:00:00", "success": false})).await;
    let failed = text(token(&ready, 0)).await;
    assert!(failed.contains("Not delivered") && failed.contains("another attempt"), "{failed}");
    nobody.get(&format!("/jobs/tracking/{wrong}/page")).await.refused(401);
    nobody.get("/jobs/tracking/,/page").await.refused(401);
}

/// P-447, P-448, P-449, P-378, X-505, X-506, C-24: units, returns and proofs behind the token, whatever the modules; the proof of delivery as PDF, if
/// customers may have it.
#[tokio::test]
async fn proofs_are_seen_behind_the_link() {
    let ready = ready().await;
    let nobody = ready.tenant.planner.nobody();
    let driver = ready.driver().await;
    let database = &mut ready.tenant.organisation.database().await;
    let job = ready.jobs[0]["id"].as_i64().unwrap();
    for table in ["units", "returns"] {
        let insert =
            format!("insert into {table} (uid, job_id) values ('{table}-1', {job}), ('other', null)");
        sqlx::raw_sql(sqlx::AssertSqlSafe(insert)).execute(&mut *database).await.unwrap();
    }
    let unit: i64 = sqlx::query_scalar("select id from units where job_id = $1")
        .bind(job)
        .fetch_one(&mut *database)
        .await
        .unwrap();
    let path = format!("/jobs/tracking/{}", token(&ready, 0));
    nobody.get(&format!("{path}/proof_of_delivery_pdf")).await.refused(404);
    let photo = picture(&ready.tenant).await;
    let body = json!({"job_id": job, "photo_ids": [photo["id"]], "record_time": "2026-11-23 07:00:00"});
    let _ = ready.tenant.planner.post("/job_proofs", body).await.ok();
    let _ = driver.post("/v2/runsheet/unit_proofs", json!({"unit_id": unit, "mode": "deliver"})).await.ok();
    ready.tenant.organisation.modules(&[]).await;
    ready.tenant.app.gate.policies.forget_all();

    let units = nobody.get(&format!("{path}/units")).await.ok();
    assert_eq!((units.as_array().map(Vec::len), &units[0]["uid"]), (Some(1), &json!("units-1")));
    assert_eq!(units[0]["unit_proofs"][0]["mode"], "deliver");
    let returns = nobody.get(&format!("{path}/returns")).await.ok();
    assert_eq!((returns.as_array().map(Vec::len), &returns[0]["return_proofs"]), (Some(1), &json!([])));
    let proofs = nobody.get(&format!("{path}/proofs")).await.ok();
    assert_eq!(proofs["job_proofs"][0]["photos"][0]["link"], photo["link"]);
    assert_eq!(proofs["unit_proofs"].as_array().map(Vec::len), Some(1));
    let all = nobody.get(&format!("{path}/all")).await.ok();
    assert_eq!((&all["units"], &all["returns"], &all["proofs"]), (&units, &returns, &proofs));
    assert_eq!(
        (&all["uid"], &all["units_count"], &all["returns_count"]),
        (&json!("J1"), &json!(1), &json!(1))
    );

    let pdf = nobody.get(&format!("{path}/proof_of_delivery_pdf")).await;
    assert_eq!(pdf.headers["content-type"], "application/pdf");
    assert!(pdf.bytes.starts_with(b"%PDF"));
    set(&ready, "pod_settings", json!({"customer_download": false})).await;
    nobody.get(&format!("{path}/proof_of_delivery_pdf")).await.refused(403);
}
