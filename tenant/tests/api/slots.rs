//! Other days that customers may ask for: those into which a plan can take the job, and what becomes of the request.

use serde_json::{Value, json};

use crate::execution::{Ready, ready};

/// Three deliveries of Tuesday that may be moved, and Rui's run on Wednesday from nine to twelve with room for one of them.
struct Week {
    ready: Ready,
    wednesday: Value,
    run: Value,
}

pub(crate) async fn set(ready: &Ready, group: &str, value: Value) {
    let organisation = &ready.tenant.organisation;
    let admin = ready.tenant.admin.with_token(organisation.token(organisation.admin));
    let path = format!("/organisations/{}/information/{group}", organisation.id);
    let _ = admin.put(&path, value).await.ok();
}

async fn week() -> Week {
    let ready = ready().await;
    let planner = ready.planner();
    set(&ready, "reschedule_settings", json!({"enabled": true, "min_notice_hours": 0})).await;
    set(&ready, "notification_settings", json!({"eta_alert": {"recipients": ["office@example.org"]}})).await;
    let tuesday = json!({"scheduled_date": "2026-11-24"});
    let _ = planner.patch(&format!("/scenarios/{}", ready.scenario["id"]), tuesday).await.ok();
    for job in &ready.jobs {
        let _ = planner.patch(&format!("/jobs/{}", job["id"]), json!({"idm": true})).await.ok();
    }
    let body = json!({"name": "Wednesday", "scheduled_date": "2026-11-25"});
    let wednesday = planner.post("/scenarios", body).await.ok();
    let driver = json!({
        "uid": "Rui", "location": {"address": "Avenida da Boavista 9, Porto", "lat": 41.158, "lon": -8.63},
        "shift_start": "09:00", "shift_end": "12:00", "capacity": "boxes:4",
    });
    let driver = planner.post("/drivers", driver).await.ok();
    let run =
        planner.post("/runs", json!({"scenario_id": wednesday["id"], "driver_id": driver["id"]})).await.ok();
    let week = Week { ready, wednesday, run };
    week.load("W1", "boxes:2").await;
    week
}

impl Week {
    /// Puts another job on Rui's run.
    async fn load(&self, uid: &str, size: &str) {
        let planner = self.ready.planner();
        let job = json!({
            "uid": uid, "scenario_id": self.wednesday["id"], "size": size,
            "location": {"address": "Rua W, Porto", "lat": 41.16, "lon": -8.62},
        });
        let job = planner.post("/jobs", job).await.ok();
        let body = json!({"job_ids": [job["id"]], "seq": null, "pool": false});
        let _ = planner.put(&format!("/runs/move_job_to_new/{}", self.run["id"]), body).await.ok();
    }

    fn path(&self, job: usize, part: &str) -> String {
        format!("/jobs/tracking/{}/{part}", self.ready.jobs[job]["tracking_token"].as_str().unwrap())
    }

    async fn slots(&self, job: usize) -> Value {
        self.ready.tenant.planner.nobody().get(&self.path(job, "slots")).await.ok()
    }

    /// The spans of a day as `08:00-10:00 …`; `open`; nothing when it is not offered.
    async fn day(&self, job: usize, date: &str) -> String {
        let slots = self.slots(job).await;
        let days = slots["days"].as_array().unwrap();
        let Some(day) = days.iter().find(|day| day["date"] == date) else { return String::new() };
        if day["open"] == true {
            assert_eq!(day["spans"], json!([]));
            return "open".to_owned();
        }
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let spans = day["spans"].as_array().unwrap().iter();
        spans
            .map(|span| format!("{}-{}", text(&span["time_from"]), text(&span["time_to"])))
            .collect::<Vec<_>>()
            .join(" ")
    }

    async fn ask(&self, job: usize, wish: Value) -> routewright_testing::Answer {
        self.ready.tenant.planner.nobody().post(&self.path(job, "reschedule"), wish).await
    }

    async fn job(&self, job: usize) -> Value {
        self.ready.planner().get(&format!("/jobs/{}", self.ready.jobs[job]["id"])).await.ok()
    }

    /// The newest open request.
    async fn request(&self) -> Value {
        self.ready.planner().get("/reschedule_requests?handled=false").await.ok()["data"][0].clone()
    }
}

/// Issue 13.4: the days within the terms; on those that are planned only times at which a run has room; nothing of others.
#[tokio::test]
async fn a_customer_is_offered_what_plans_have_room_for() {
    let week = week().await;
    let slots = week.slots(0).await;
    let days: Vec<&str> =
        slots["days"].as_array().unwrap().iter().map(|day| day["date"].as_str().unwrap()).collect();
    assert_eq!(days, ["2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27", "2026-11-30"]);
    assert_eq!(slots["left_out"], 0);
    let text = slots.to_string();
    for secret in ["Rui", "Ana", "Wednesday", "W1", "_id"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    assert_eq!(
        week.day(0, "2026-11-24").await,
        "08:00-10:00 10:00-12:00 12:00-14:00 14:00-16:00 16:00-18:00"
    );
    assert_eq!(week.day(0, "2026-11-25").await, "08:00-10:00 10:00-12:00");
    assert_eq!(week.day(0, "2026-11-26").await, "open");
    // The plan changes, and with it what is offered.
    week.load("W2", "boxes:1").await;
    assert_eq!(week.day(0, "2026-11-25").await, "", "no room for two boxes");
    let small = json!({"size": "boxes:1"});
    let _ = week.ready.planner().patch(&format!("/jobs/{}", week.ready.jobs[0]["id"]), small).await.ok();
    assert_eq!(week.day(0, "2026-11-25").await, "08:00-10:00 10:00-12:00", "one box has room");
    // Nobody may drive a minute more for it.
    set(
        &week.ready,
        "reschedule_settings",
        json!({"enabled": true, "min_notice_hours": 0, "max_extra_minutes": 0}),
    )
    .await;
    assert_eq!(week.day(0, "2026-11-25").await, "");
    assert_eq!(week.day(0, "2026-11-26").await, "open");
}

/// Issue 13.4: where nothing may be asked, it is too late or asked too often, no times are told.
#[tokio::test]
async fn times_are_told_to_those_who_may_ask() {
    let week = week().await;
    let nobody = week.ready.tenant.planner.nobody();
    let planner = week.ready.planner();
    let job = format!("/jobs/{}", week.ready.jobs[0]["id"]);
    let path = week.path(0, "slots");
    let _ = planner.patch(&job, json!({"idm": false})).await.ok();
    nobody.get(&path).await.refused(403);
    let _ = planner.patch(&job, json!({"idm": true})).await.ok();
    set(&week.ready, "reschedule_settings", json!({"enabled": true, "min_notice_hours": 17})).await;
    assert_eq!(
        nobody.get(&path).await.refused(409)["description"],
        "Another day can be asked for until 17 hours before the planned day"
    );
    set(&week.ready, "reschedule_settings", json!({"enabled": false})).await;
    nobody.get(&path).await.refused(403);
    set(&week.ready, "reschedule_settings", json!({"enabled": true, "min_notice_hours": 0})).await;
    for _ in 0..20 {
        let _ = nobody.get(&path).await.ok();
    }
    let refused = nobody.get(&path).await;
    assert_eq!(refused.headers["retry-after"], "60");
    refused.refused(429);
    let _ = nobody.get(&week.path(1, "slots")).await.ok();
    week.ready.clock.advance(chrono::Duration::minutes(1));
    let _ = nobody.get(&path).await.ok();
    let _ = week.ready.prove(0, json!({"record_time": "2026-11-23 08:00:00"})).await;
    assert_eq!(nobody.get(&path).await.refused(409)["description"], "The delivery was made already");
}

/// Issue 13.4: what no plan can take is refused with the reason and what is nearest to it; nothing is kept of it.
#[tokio::test]
async fn what_no_plan_can_take_is_refused() {
    let week = week().await;
    let refused = week
        .ask(0, json!({"date": "2026-11-25", "time_from": "13:00", "time_to": "15:00"}))
        .await
        .refused(409);
    assert_eq!((&refused["error"], &refused["reason"]), (&json!("NO_SLOT"), &json!("no_time")));
    assert_eq!(refused["description"], "Nobody can be there at that time");
    assert_eq!(
        refused["nearest"][0],
        json!({"date": "2026-11-25", "time_from": "10:00", "time_to": "12:00"})
    );
    assert_eq!(refused["nearest"].as_array().unwrap().len(), 3);
    // It was free when it was looked at.
    let wish = json!({"date": "2026-11-25", "time_from": "10:00", "time_to": "12:00"});
    assert!(week.day(0, "2026-11-25").await.contains("10:00-12:00"));
    week.load("W2", "boxes:1").await;
    let refused = week.ask(0, wish.clone()).await.refused(409);
    assert_eq!(refused["reason"], "full");
    assert!(refused["nearest"].as_array().unwrap().iter().all(|near| near["date"] != "2026-11-25"));
    for secret in ["Rui", "boxes", "W2"] {
        assert!(!refused.to_string().contains(secret), "{refused}");
    }
    let far = json!({"enabled": true, "min_notice_hours": 0, "max_extra_minutes": 0});
    set(&week.ready, "reschedule_settings", far).await;
    let job = format!("/jobs/{}", week.ready.jobs[0]["id"]);
    let _ = week.ready.planner().patch(&job, json!({"size": "boxes:1"})).await.ok();
    assert_eq!(week.ask(0, wish.clone()).await.refused(409)["reason"], "too_far");
    let _ = week.ready.planner().patch(&job, json!({"spec_type": "frozen"})).await.ok();
    assert_eq!(week.ask(0, wish).await.refused(409)["reason"], "not_possible");
    let none = week.ready.planner().get("/reschedule_requests").await.ok();
    assert_eq!((&none["total_count"], &week.job(0).await["tags"]), (&json!(0), &json!([])));
    assert!(week.ready.mails("office@example.org").await.is_empty());
}

/// Issue 13.4: the office sees where a request fits and what it costs; accepting moves the job in one go, with the window
/// that was asked for, and tells the customer.
#[tokio::test]
async fn accepting_moves_the_job_in_one_go() {
    let week = week().await;
    let planner = week.ready.planner();
    let wish = json!({"date": "2026-11-25", "time_from": "10:00", "time_to": "12:00"});
    assert_eq!(week.ask(0, wish).await.ok(), json!({"success": true}));
    let request = week.request().await;
    let path = format!("/reschedule_requests/{}", request["id"]);
    let fit = planner.get(&format!("{path}/fit")).await.ok();
    assert_eq!((&fit["fits"], &fit["open"], &fit["reason"]), (&json!(true), &json!(false), &Value::Null));
    assert_eq!((&fit["run_id"], &fit["run_uid"]), (&week.run["id"], &week.run["uid"]));
    assert_eq!(fit["scenario_name"], "Wednesday");
    assert!(fit["added_distance"].as_i64().unwrap() > 0 && fit["added_driving"].as_i64().unwrap() > 0);
    assert_eq!(week.job(0).await["scenario_id"], week.ready.scenario["id"], "looking changes nothing");

    let accept = format!("{path}/accept");
    let (one, two) = tokio::join!(planner.post(&accept, json!({})), planner.post(&accept, json!({})));
    let mut codes = [one.status.as_u16(), two.status.as_u16()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "{} {}", one.text(), two.text());
    let done = planner.get(&path).await.ok();
    assert_eq!((&done["outcome"], &done["scheduled_date"]), (&json!("accepted"), &json!("2026-11-25")));
    assert_eq!(done["handled_by"], week.ready.tenant.organisation.planner.id);
    let job = week.job(0).await;
    assert_eq!((&job["scenario_id"], &job["run_id"]), (&week.wednesday["id"], &week.run["id"]));
    assert_eq!((&job["arrive_after"], &job["leave_by"]), (&json!("10:00"), &json!("12:00")));
    let eta = job["eta"].as_str().unwrap();
    assert!(("2026-11-25T10:00"..="2026-11-25T12:00:00Z").contains(&eta), "{eta}");
    assert_eq!(job["eta"], fit["eta"]);
    assert_eq!(job["tags"], json!([]));
    let old = week.ready.reload().await;
    let left: Vec<&Value> = old["jobs"].as_array().unwrap().iter().map(|job| &job["uid"]).collect();
    assert_eq!(left, ["J2", "J3"]);
    let mails = week.ready.mails("j1@example.org").await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].0.ends_with("your delivery J1 was moved"), "{}", mails[0].0);
    assert!(mails[0].1.contains("2026/11/25") && mails[0].1.contains("10:00–12:00"), "{}", mails[0].1);
    planner.get(&format!("{path}/fit")).await.refused(409);
    planner.post("/reschedule_requests/999999/accept", json!({})).await.refused(404);
    week.ready.tenant.planner.nobody().post(&format!("{path}/accept"), json!({})).await.refused(401);

    // What fitted when it was asked does not any more.
    assert_eq!(week.day(1, "2026-11-25").await, "", "the last room is taken");
    let _ = week.ask(1, json!({"date": "2026-11-24", "time_from": "14:00"})).await.ok();
    let _ =
        planner.patch(&format!("/runs/{}", week.ready.run["id"]), json!({"shift_end": "11:00"})).await.ok();
    let path = format!("/reschedule_requests/{}", week.request().await["id"]);
    let fit = planner.get(&format!("{path}/fit")).await.ok();
    assert_eq!((&fit["fits"], &fit["reason"]), (&json!(false), &json!("no_time")));
    let before = week.job(1).await;
    let refused = planner.post(&format!("{path}/accept"), json!({})).await.refused(409);
    assert_eq!(refused["error"], "NO_SLOT");
    assert_eq!(week.job(1).await, before);
}

/// Issue 13.4: another time of the same day; a day on which nothing is planned, whose plan is made when it is accepted.
#[tokio::test]
async fn the_same_day_and_a_day_without_a_plan() {
    let week = week().await;
    let planner = week.ready.planner();
    let accept = async || {
        let path = format!("/reschedule_requests/{}/accept", week.request().await["id"]);
        planner.post(&path, json!({})).await.ok()
    };
    let _ = week.ask(0, json!({"date": "2026-11-24", "time_from": "14:00", "time_to": "16:00"})).await.ok();
    let done = accept().await;
    assert_eq!(done["scenario_id"], week.ready.scenario["id"]);
    let job = week.job(0).await;
    assert_eq!((&job["run_id"], &job["arrive_after"]), (&week.ready.run["id"], &json!("14:00")));
    let eta = job["eta"].as_str().unwrap();
    assert!(("2026-11-24T14:00"..="2026-11-24T16:00:00Z").contains(&eta), "{eta}");

    let _ = week.ask(1, json!({"date": "2026-11-26"})).await.ok();
    let request = week.request().await;
    let fit = planner.get(&format!("/reschedule_requests/{}/fit", request["id"])).await.ok();
    assert_eq!((&fit["fits"], &fit["open"], &fit["scenario_id"]), (&json!(true), &json!(true), &Value::Null));
    let done = accept().await;
    assert_eq!(done["scheduled_date"], "2026-11-26");
    let job = week.job(1).await;
    assert_eq!((&job["run_id"], &job["scenario_id"]), (&Value::Null, &done["scenario_id"]));
    assert_eq!(job["arrive_after"], Value::Null, "without a time the window stays");
    // A job of the pool, and the plan that there is by now.
    let pool = json!({"job_ids": [week.ready.jobs[2]["id"]]});
    let _ = planner.put("/jobs/move_to_pool", pool).await.ok();
    let _ = week.ask(2, json!({"date": "2026-11-26", "time_to": "11:00"})).await.ok();
    assert_eq!(accept().await["scenario_id"], done["scenario_id"]);
    assert_eq!(week.job(2).await["leave_by"], "11:00");
}

/// Issue 13.4: linked jobs go together, or not at all.
#[tokio::test]
async fn linked_jobs_go_together() {
    let week = week().await;
    let planner = week.ready.planner();
    let link = json!({"deliver_to": "J2"});
    let _ = planner.patch(&format!("/jobs/{}", week.ready.jobs[0]["id"]), link).await.ok();
    assert_eq!(week.day(1, "2026-11-25").await, "", "both do not fit");
    for job in 0..2 {
        let path = format!("/jobs/{}", week.ready.jobs[job]["id"]);
        let _ = planner.patch(&path, json!({"size": "boxes:1"})).await.ok();
    }
    let _ = week.ask(1, json!({"date": "2026-11-25", "time_from": "10:00"})).await.ok();
    let path = format!("/reschedule_requests/{}/accept", week.request().await["id"]);
    let _ = planner.post(&path, json!({})).await.ok();
    let (pickup, delivery) = (week.job(0).await, week.job(1).await);
    assert_eq!((&pickup["run_id"], &delivery["run_id"]), (&week.run["id"], &week.run["id"]));
    assert!(pickup["seq"].as_i64() < delivery["seq"].as_i64());
    assert_eq!((&pickup["arrive_after"], &delivery["arrive_after"]), (&Value::Null, &json!("10:00")));
}

/// Issue 13.4: two requests for a day without a plan, accepted at the same moment, end in one plan for both.
#[tokio::test]
async fn two_who_want_an_empty_day_share_its_plan() {
    let week = week().await;
    let planner = week.ready.planner();
    let mut paths = Vec::new();
    for job in 0..2 {
        let _ = week.ask(job, json!({"date": "2026-11-26"})).await.ok();
        paths.push(format!("/reschedule_requests/{}/accept", week.request().await["id"]));
    }
    let (one, two) = tokio::join!(planner.post(&paths[0], json!({})), planner.post(&paths[1], json!({})));
    let (one, two) = (one.ok(), two.ok());
    assert!(one["scenario_id"].is_number());
    assert_eq!(one["scenario_id"], two["scenario_id"]);
    let days: i64 = {
        let database = &mut week.ready.tenant.organisation.database().await;
        sqlx::query_scalar("select count(*) from scenarios where scheduled_date = '2026-11-26'")
            .fetch_one(database)
            .await
            .unwrap()
    };
    assert_eq!(days, 1);
}

/// Issue 13.4: a haulier's people see requests about their own runs, but decide nothing about plans.
#[tokio::test]
async fn hauliers_decide_nothing() {
    let week = week().await;
    let organisation = &week.ready.tenant.organisation;
    let _ = week.ask(0, json!({"date": "2026-11-25", "time_from": "10:00"})).await.ok();
    let request = week.request().await;
    let path = format!("/reschedule_requests/{}", request["id"]);
    let levels = ["jobs_read", "jobs_write", "scenarios_read", "scenarios_write", "runs_read", "runs_write"];
    let (haulier, person) = organisation.haulier_with(&levels).await;
    week.ready.tenant.app.gate.policies.forget_all();
    let body = json!({"haulier_id": haulier});
    let _ = week
        .ready
        .tenant
        .admin
        .patch(&format!("/drivers/{}", week.ready.run["driver"]["id"]), body)
        .await
        .ok();
    let member = week.ready.tenant.planner.with_token(organisation.token(person));
    assert_eq!(member.get(&path).await.ok()["id"], request["id"]);
    let before = week.job(0).await;
    member.get(&format!("{path}/fit")).await.refused(403);
    member.post(&format!("{path}/accept"), json!({})).await.refused(403);
    assert_eq!((week.job(0).await, week.request().await["outcome"].clone()), (before, Value::Null));
}

/// Issue 13.4: where the organisation lets it, what fits is carried out at once, told to the office and the customer; of two
/// who want the last room at the same moment one gets it, and a day without a plan waits for the office.
#[tokio::test]
async fn what_fits_is_carried_out_at_once() {
    let week = week().await;
    let terms = json!({"enabled": true, "min_notice_hours": 0, "auto_accept": true});
    set(&week.ready, "reschedule_settings", terms).await;
    let wish = json!({"date": "2026-11-25", "time_from": "10:00", "time_to": "12:00"});
    let (one, two) = tokio::join!(week.ask(0, wish.clone()), week.ask(1, wish.clone()));
    let mut codes = [one.status.as_u16(), two.status.as_u16()];
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "{} {}", one.text(), two.text());
    let (won, lost, refused) = if one.status.is_success() { (0, 1, two) } else { (1, 0, one) };
    assert_eq!(refused.refused(409)["reason"], "full");
    assert_eq!(week.job(won).await["run_id"], week.run["id"]);
    assert_eq!(week.job(lost).await["run_id"], week.ready.run["id"]);
    let done = week.ready.planner().get("/reschedule_requests").await.ok();
    assert_eq!((&done["total_count"], &done["data"][0]["outcome"]), (&json!(1), &json!("automatic")));
    assert_eq!(week.job(won).await["tags"], json!([]));
    let uid = week.ready.jobs[won]["uid"].as_str().unwrap();
    let mails = week.ready.mails("office@example.org").await;
    assert_eq!((mails.len(), mails[0].0.as_str()), (1, format!("Rescheduled: {uid}").as_str()));
    assert!(mails[0].1.contains("It was moved there by itself, on "), "{}", mails[0].1);
    let customer = format!("{}@example.org", uid.to_lowercase());
    assert_eq!(week.ready.mails(&customer).await.len(), 1);
    let trail: Vec<String> = {
        let database = &mut week.ready.tenant.organisation.trail().await;
        sqlx::query_scalar("select actor_kind from audit_entries where kind = 'reschedule_request'")
            .fetch_all(database)
            .await
            .unwrap()
    };
    assert_eq!(trail, ["link"]);

    assert_eq!(week.ask(lost, json!({"date": "2026-11-26"})).await.ok(), json!({"success": true}));
    assert_eq!(week.job(lost).await["tags"][0]["name"], "Reschedule requested");
}
