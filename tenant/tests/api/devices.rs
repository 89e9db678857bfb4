//! Phones' apps and trackers that send positions by themselves.

use axum::body::Body;
use chrono::Duration;
use http::{Request, header};
use routewright_testing::{Answer, Client};
use serde_json::{Value, json};

use crate::execution::{Ready, ready};

/// A device of the run's driver, and its key.
async fn device(ready: &Ready, uid: &str) -> (Value, String) {
    let admin = &ready.tenant.admin;
    let body = json!({"uid": uid, "driver_id": ready.run["driver"]["id"]});
    let device = admin.post("/tracking_devices", body).await.ok();
    let key = key(ready, &device).await;
    (device, key)
}

async fn key(ready: &Ready, device: &Value) -> String {
    let path = format!("/tracking_devices/{}/key", device["id"]);
    let made = ready.tenant.admin.put(&path, json!({})).await.ok();
    let key = made["key"].as_str().unwrap().to_owned();
    assert_eq!(made["osmand"], format!("/positions/osmand/{key}"));
    assert_eq!(made["owntracks"], format!("/positions/owntracks/{key}"));
    key
}

async fn start(ready: &Ready) {
    let start = json!({"odometer": 10, "actual_start_time": "2026-11-23T08:00:00Z"});
    let _ = ready.driver().await.put("/v2/runsheet/start_route", start).await.ok();
}

/// The positions of the scenario, the oldest first.
async fn positions(ready: &Ready) -> Vec<Value> {
    let path = format!("/scenario/{}/gps_points", ready.scenario["id"]);
    ready.planner().get(&path).await.ok().as_array().unwrap().clone()
}

async fn stored(ready: &Ready) -> i64 {
    let database = &mut ready.tenant.organisation.database().await;
    sqlx::query_scalar("select count(*) from gps_points").fetch_one(database).await.unwrap()
}

async fn form(client: &Client, path: &str, text: &str) -> Answer {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    client.send(request.body(Body::from(text.to_owned())).unwrap()).await
}

fn location(lat: f64, tst: &str) -> Value {
    let tst = tst.parse::<chrono::DateTime<chrono::Utc>>().unwrap().timestamp();
    json!({"_type": "location", "lat": lat, "lon": -8.62, "tst": tst, "acc": 12, "vel": 36, "cog": 271, "batt": 41,
        "tid": "an", "t": "t", "conn": "m", "bs": 1})
}

/// Issue 13.3: what apps and trackers send by each of the protocols goes where the run sheet's positions go, in its units,
/// and the estimates and the office's screens follow it.
#[tokio::test]
async fn positions_come_by_every_protocol() {
    let ready = ready().await;
    let (made, key) = device(&ready, "Ana's phone").await;
    start(&ready).await;
    ready.clock.advance(Duration::minutes(10));
    let nobody = ready.tenant.planner.nobody();
    let osmand = format!("/positions/osmand/{key}");
    let query = "id=704&lat=41.1501&lon=-8.62&timestamp=1795421100&speed=10&bearing=90.5&altitude=80&accuracy=5&batt=80.4";
    let taken = nobody.get(&format!("{osmand}?{query}&charge=false&motion=true")).await.ok();
    assert_eq!(taken, json!({"accepted": 1}));
    let asked = nobody.post(&format!("{osmand}?{}", query.replace("421100", "421160")), json!(null)).await;
    assert_eq!(asked.status, 400, "a body that says nothing: {}", asked.text());
    let text = query.replace("421100", "421160");
    assert_eq!(form(&nobody, &osmand, &text).await.ok()["accepted"], 1);
    let coords =
        json!({"latitude": 41.152, "longitude": -8.62, "accuracy": 8.5, "speed": 12.5, "heading": -1});
    let newer = json!({"device_id": "704", "location": {"timestamp": "2026-11-23T08:07:00.000Z", "coords": coords,
        "is_moving": true, "odometer": 12.3, "event": "motionchange", "battery": {"level": 0.55, "is_charging": false}}});
    assert_eq!(nobody.post(&osmand, newer).await.ok()["accepted"], 1);
    let owntracks = format!("/positions/owntracks/{key}");
    assert_eq!(nobody.post(&owntracks, location(41.153, "2026-11-23T08:08:00Z")).await.ok(), json!([]));
    for other in [json!({"_type": "status", "iOS": {}}), json!({"_type": "lwt", "tst": 1}), json!([])] {
        assert_eq!(nobody.post(&owntracks, other).await.ok(), json!([]), "taken and left aside");
    }

    let points = positions(&ready).await;
    let part = |name: &str| points.iter().map(|point| point[name].clone()).collect::<Vec<_>>();
    assert_eq!(part("device_id"), ["Ana's phone"; 4]);
    assert_eq!(part("run_id"), vec![ready.run["id"].clone(); 4]);
    assert_eq!(part("lat"), [41.1501, 41.1501, 41.152, 41.153]);
    assert_eq!(part("accuracy"), [5.0, 5.0, 8.5, 12.0]);
    assert_eq!(part("heading"), [json!(90.5), json!(90.5), json!(null), json!(271.0)]);
    let speeds: Vec<f64> = points.iter().map(|point| point["speed"].as_f64().unwrap()).collect();
    for (speed, right) in speeds.iter().zip([5.1444, 5.1444, 12.5, 10.0]) {
        assert!((speed - right).abs() < 0.001, "{speeds:?}");
    }
    assert_eq!(points[3]["recorded_at"], "2026-11-23T08:08:00Z");
    let told = ready.events("broadcast_gps_location").await;
    assert_eq!((&told[0]["device_id"], &told[0]["run_id"]), (&json!("Ana's phone"), &ready.run["id"]));
    assert!(ready.reload().await["jobs"][0]["updated_eta"].is_string(), "timed anew from there");
    let seen = ready.tenant.admin.get(&format!("/tracking_devices/{}", made["id"])).await.ok();
    assert_eq!((&seen["last_seen_at"], &seen["battery"]), (&json!("2026-11-23T08:10:00Z"), &json!(41)));
    assert!(!seen.to_string().contains(&key[12..]), "the key is told once");
}

/// Issue 13.3: late and doubled points fall into their places; what is of another time, too inexact or of no run is a sign of
/// life and nothing else.
#[tokio::test]
async fn batches_in_any_order_go_to_the_run_of_their_time() {
    let ready = ready().await;
    let (made, key) = device(&ready, "Ana's phone").await;
    let nobody = ready.tenant.planner.nobody();
    let path = format!("/positions/owntracks/{key}");
    let _ = nobody.post(&path, location(41.15, "2026-11-23T07:59:00Z")).await.ok();
    assert_eq!(stored(&ready).await, 0, "nobody is followed beyond the run");
    let seen = ready.tenant.admin.get(&format!("/tracking_devices/{}", made["id"])).await.ok();
    assert_eq!(seen["last_seen_at"], "2026-11-23T08:00:00Z");

    start(&ready).await;
    ready.clock.advance(Duration::minutes(30));
    let at = |time: &str| location(41.15, time);
    let mut inexact = at("2026-11-23T08:06:00Z");
    inexact["acc"] = json!(101);
    let batch = json!([
        at("2026-11-23T08:20:00Z"),
        at("2026-11-23T08:10:00Z"),
        at("2026-11-23T08:10:00Z"),
        inexact,
        at("2026-11-23T08:34:00Z"),
        at("2026-11-23T08:36:00Z"),
        at("2026-08-01T08:00:00Z"),
        at("2026-11-22T08:00:00Z"),
        at("2026-11-23T07:29:00Z"),
        at("2026-11-23T07:31:00Z"),
    ]);
    for _ in 0..2 {
        let _ = nobody.post(&path, batch.clone()).await.ok();
    }
    let times: Vec<Value> =
        positions(&ready).await.iter().map(|point| point["recorded_at"].clone()).collect();
    let right =
        ["2026-11-23T07:31:00Z", "2026-11-23T08:10:00Z", "2026-11-23T08:20:00Z", "2026-11-23T08:34:00Z"];
    assert_eq!(times, right);
    assert_eq!(stored(&ready).await, 4);
    // Who knows some asks for what has arrived since, which may be older.
    let known = positions(&ready).await.iter().filter_map(|point| point["id"].as_i64()).max().unwrap();
    let since = format!("/scenario/{}/gps_points?since={known}", ready.scenario["id"]);
    assert_eq!(ready.planner().get(&since).await.ok(), json!([]));
    let _ = nobody.post(&path, at("2026-11-23T08:02:00Z")).await.ok();
    let new = ready.planner().get(&since).await.ok();
    assert_eq!((new.as_array().unwrap().len(), &new[0]["recorded_at"]), (1, &json!("2026-11-23T08:02:00Z")));
    assert_eq!(ready.planner().get(&format!("{since}&latest_only=true")).await.ok(), new);
    ready.planner().get(&since.replace(&known.to_string(), "x")).await.refused(400);

    ready.clock.advance(Duration::minutes(60));
    let end = json!({"odometer": 30, "actual_end_time": "2026-11-23T09:00:00Z"});
    let _ = ready.driver().await.put("/v2/runsheet/end_route", end).await.ok();
    for (time, kept) in [("2026-11-23T09:10:00Z", 5), ("2026-11-23T08:55:00Z", 6)] {
        let _ = nobody.post(&path, at(time)).await.ok();
        assert_eq!(stored(&ready).await, kept, "{time}");
    }
}

/// Issue 13.3: a device in a vehicle, or one whose name a run, driver or vehicle gives as its device.
#[tokio::test]
async fn a_device_belongs_to_a_driver_a_vehicle_or_who_names_it() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let vehicle = admin.post("/vehicles", json!({"uid": "VAN-1"})).await.ok();
    let body = json!({"vehicle_id": vehicle["id"]});
    let _ = ready.planner().patch(&format!("/runs/{}", ready.run["id"]), body).await.ok();
    start(&ready).await;
    let nobody = ready.tenant.planner.nobody();
    let accepted = async |uid: &str, fields: Value, minute: i32| {
        let mut body = fields;
        body["uid"] = json!(uid);
        let device = admin.post("/tracking_devices", body).await.ok();
        let path = format!("/positions/osmand/{}", key(&ready, &device).await);
        let query = format!("lat=41.15&lon=-8.6&timestamp=2026-11-23T07:5{minute}:00Z");
        nobody.get(&format!("{path}?{query}")).await.ok()["accepted"].clone()
    };
    assert_eq!(accepted("In the van", json!({"vehicle_id": vehicle["id"]}), 1).await, 1);
    assert_eq!(accepted("IMEI 7", json!({}), 2).await, 0, "nobody names it");
    let _ = admin.patch(&format!("/vehicles/{}", vehicle["id"]), json!({"device_id": "IMEI 8"})).await.ok();
    assert_eq!(accepted("IMEI 8", json!({}), 3).await, 1);

    let both = json!({"uid": "Two", "driver_id": ready.run["driver"]["id"], "vehicle_id": vehicle["id"]});
    let refused = admin.post("/tracking_devices", both).await.refused(400);
    assert!(refused["fields"]["vehicle_id"].is_string(), "{refused}");
    let refused = admin.post("/tracking_devices", json!({"uid": "IMEI 8"})).await.refused(400);
    assert!(refused["fields"]["uid"].is_string(), "{refused}");
    admin.post("/tracking_devices", json!({"uid": " "})).await.refused(400);
    admin.post("/tracking_devices", json!({})).await.refused(400);
    admin.post("/tracking_devices", json!({"uid": "X", "vehicle_id": 900_000_000})).await.refused(400);
    // A vehicle that goes leaves its device behind, which then follows nobody.
    let _ =
        ready.planner().patch(&format!("/runs/{}", ready.run["id"]), json!({"vehicle_id": null})).await.ok();
    let _ = admin.delete(&format!("/vehicles/{}", vehicle["id"])).await.ok();
    let left = admin.get("/tracking_devices?search=van").await.ok();
    assert_eq!(
        (&left["data"][0]["uid"], &left["data"][0]["vehicle_id"]),
        (&json!("In the van"), &json!(null))
    );
}

/// Issue 13: forged, revoked, replaced and foreign keys are answered alike, whatever comes with them, and store nothing.
#[tokio::test]
async fn only_a_good_key_is_taken() {
    let ready = ready().await;
    let (made, first) = device(&ready, "Ana's phone").await;
    start(&ready).await;
    let replaced = key(&ready, &made).await;
    let path = format!("/tracking_devices/{}/key", made["id"]);
    let _ = ready.tenant.admin.delete(&path).await.ok();
    let seen = ready.tenant.admin.get(&format!("/tracking_devices/{}", made["id"])).await.ok();
    assert_eq!(seen["key_made_at"], Value::Null);
    let good = key(&ready, &made).await;
    let links = &ready.tenant.organisation.links;
    let other = routewright_core::OrganisationId::new(900_000);
    let wrong = [
        first,
        replaced,
        links.long(ready.tenant.organisation.id),
        links.long(other),
        format!("{}{}", &good[..35], if good.ends_with('A') { 'B' } else { 'A' }),
        good.to_lowercase(),
        "key".to_owned(),
        ready.run["token"].as_str().unwrap().to_owned(),
        ready.jobs[0]["tracking_token"].as_str().unwrap_or("AAAAAAAAAAAA").to_owned(),
    ];
    let nobody = ready.tenant.planner.nobody();
    let mut answers = Vec::new();
    for key in &wrong {
        for body in [location(41.15, "2026-11-23T08:00:00Z"), json!({"_type": 7}), json!({})] {
            let answer = nobody.post(&format!("/positions/owntracks/{key}"), body).await;
            answers.push(answer.refused(401));
        }
        answers.push(nobody.get(&format!("/positions/osmand/{key}?lat=91")).await.refused(401));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(stored(&ready).await, 0);
    let _ = nobody.get(&format!("/positions/osmand/{good}?lat=41.15&lon=-8.6")).await.ok();
    assert_eq!(stored(&ready).await, 1);
    // Only the fingerprint is kept, and nothing of it is shown.
    let database = &mut ready.tenant.organisation.database().await;
    let kept: (i32, bool) = sqlx::query_as(
        "select octet_length(key_hash), t::text like '%' || $1 || '%' from tracking_devices t where id = $2",
    )
    .bind(&good)
    .bind(made["id"].as_i64())
    .fetch_one(&mut *database)
    .await
    .unwrap();
    assert_eq!(kept, (32, false));
    let trail: Vec<Value> =
        sqlx::query_scalar("select before || after from audit_entries where kind = 'tracking_device'")
            .fetch_all(&mut ready.tenant.organisation.trail().await)
            .await
            .unwrap();
    assert!(trail.iter().any(|entry| entry["key_made_at"].is_string()), "{trail:?}");
    assert!(!json!(trail).to_string().contains("key_hash"), "{trail:?}");
    let _ = ready.tenant.admin.delete(&format!("/tracking_devices/{}", made["id"])).await.ok();
    nobody.get(&format!("/positions/osmand/{good}?lat=41.15&lon=-8.6")).await.refused(401);
}

/// Issue 13: ten thousand points at once, places that are none, and what is no message at all: a clear 4xx, nothing stored.
#[tokio::test]
async fn bad_positions_change_nothing() {
    let ready = ready().await;
    let (made, key) = device(&ready, "Ana's phone").await;
    start(&ready).await;
    let nobody = ready.tenant.planner.nobody();
    let (osmand, owntracks) = (format!("/positions/osmand/{key}"), format!("/positions/owntracks/{key}"));
    let many: Vec<Value> = (0..10_000).map(|_| location(41.15, "2026-11-23T08:00:00Z")).collect();
    let refused = nobody.post(&owntracks, json!(many)).await.refused(400);
    assert_eq!(refused["description"], "At most 1000 points at once");
    let item = json!({"timestamp": "2026-11-23T08:00:00Z", "coords": {"latitude": 41.1, "longitude": -8.6}});
    let many: Vec<Value> = (0..10_000).map(|_| item.clone()).collect();
    nobody.post(&osmand, json!({"location": many})).await.refused(400);
    let huge = "x".repeat(3_000_000);
    nobody.post(&osmand, json!({"location": item, "extras": huge})).await.refused(413);
    form(&nobody, &osmand, &format!("lat=41&lon=-8&extras={huge}")).await.refused(413);
    let fields = async |answer: Answer| {
        let refused = answer.refused(400);
        let mut names: Vec<String> =
            refused["fields"].as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default();
        names.sort();
        names.join(",")
    };
    for (query, field) in [
        ("", "lat,lon"),
        ("lat=91&lon=-8", "lat"),
        ("lat=41&lon=-181", "lon"),
        ("lat=NaN&lon=inf", "lat,lon"),
        ("location=here", "lat,lon"),
        ("lat=41&lon=-8&timestamp=yesterday", "timestamp"),
    ] {
        assert_eq!(fields(nobody.get(&format!("{osmand}?{query}")).await).await, field, "{query}");
    }
    for (body, field) in [
        (json!({"device_id": "7"}), "location"),
        (json!({"location": []}), ""),
        (json!({"location": {}}), "location.coords.latitude,location.coords.longitude"),
        (
            json!({"location": [item, {"timestamp": 1, "coords": {"latitude": "north"}}]}),
            "location.1.coords.latitude,location.1.coords.longitude",
        ),
        (json!({"location": {"timestamp": "x", "coords": {}}}), "location.timestamp"),
    ] {
        let answer = nobody.post(&osmand, body.clone()).await;
        if field.is_empty() {
            assert_eq!(answer.ok()["accepted"], 0);
        } else {
            assert_eq!(fields(answer).await, field, "{body}");
        }
    }
    for (body, field) in [
        (json!({}), "_type"),
        (json!({"_type": "location", "lat": 41, "lon": -8}), "tst"),
        (json!({"_type": "location", "lat": 41, "lon": -8, "tst": "now"}), "tst"),
        (json!([{"_type": "location", "lat": 410, "lon": -8, "tst": 1_795_420_800}]), "0.lat"),
    ] {
        assert_eq!(fields(nobody.post(&owntracks, body.clone()).await).await, field, "{body}");
    }
    form(&nobody, &owntracks, "lat=41&lon=-8").await.refused(400);
    assert_eq!(form(&nobody, &osmand, "lat=0&lon=0&valid=false").await.ok()["accepted"], 0, "without a fix");
    assert_eq!(stored(&ready).await, 0);
    let seen = ready.tenant.admin.get(&format!("/tracking_devices/{}", made["id"])).await.ok();
    assert_eq!(seen["last_seen_at"], "2026-11-23T08:00:00Z");
}

/// Issue 13.3: a device that tells too often is refused until the minute is over; others are not.
#[tokio::test]
async fn a_device_tells_so_often_at_most() {
    let ready = ready().await;
    let (_, loud) = device(&ready, "Loud").await;
    let (_, quiet) = device(&ready, "Quiet").await;
    let nobody = ready.tenant.planner.nobody();
    let tell = async |key: &str| nobody.get(&format!("/positions/osmand/{key}?lat=41.15&lon=-8.6")).await;
    for _ in 0..300 {
        let _ = tell(&loud).await.ok();
    }
    for _ in 0..3 {
        tell(&loud).await.refused(429);
    }
    let _ = tell(&quiet).await.ok();
    ready.clock.advance(Duration::minutes(1));
    let _ = tell(&loud).await.ok();
}

/// Issue 13.3: hauliers' people see and change the devices of their own drivers and vehicles only.
#[tokio::test]
async fn hauliers_see_their_own_devices() {
    let ready = ready().await;
    let organisation = &ready.tenant.organisation;
    let admin = &ready.tenant.admin;
    let (theirs, _) = device(&ready, "Ana's phone").await;
    let others = admin.post("/tracking_devices", json!({"uid": "Nobody's"})).await.ok();
    let (haulier, person) = organisation.haulier_with(&["vehicles_read", "vehicles_write"]).await;
    ready.tenant.app.gate.policies.forget_all();
    let body = json!({"haulier_id": haulier});
    let _ = admin.patch(&format!("/drivers/{}", ready.run["driver"]["id"]), body).await.ok();
    let client = admin.with_token(organisation.token(person));
    let listed = client.get("/tracking_devices").await.ok();
    assert_eq!((&listed["total_count"], &listed["data"][0]["uid"]), (&json!(1), &json!("Ana's phone")));
    let path = |device: &Value| format!("/tracking_devices/{}", device["id"]);
    let _ = client.put(&format!("{}/key", path(&theirs)), json!({})).await.ok();
    let refused = client.post("/tracking_devices", json!({"uid": "Mine"})).await.refused(400);
    assert!(refused["fields"]["driver_id"].is_string(), "{refused}");
    let mine = json!({"uid": "Mine", "driver_id": ready.run["driver"]["id"]});
    let _ = client.post("/tracking_devices", mine).await.ok();
    for refused in [
        client.get(&path(&others)).await,
        client.patch(&path(&others), json!({"uid": "Mine"})).await,
        client.put(&format!("{}/key", path(&others)), json!({})).await,
        client.delete(&format!("{}/key", path(&others))).await,
        client.delete(&path(&others)).await,
        client.patch(&path(&theirs), json!({"driver_id": null})).await,
    ] {
        refused.refused(404);
    }
}
