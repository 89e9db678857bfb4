//! Bills of validated runs: what is billed stays as it was, whatever becomes of what it was made of, until somebody who may
//! validate accepts the difference.

use serde_json::{Value, json};

use crate::execution::{Ready, ready};

/// An hour and 40 km, at a rate of all four parts; the run is of Ana with three stops.
async fn driven(ready: &Ready) -> (String, Value) {
    let rate = json!({"name": "Van", "cost_per_run": 20, "cost_per_km": 0.5, "cost_per_hour": 18, "cost_per_drop": 1.5});
    let rate = ready.tenant.admin.post("/billing_rates", rate).await.ok();
    let path = format!("/runs/{}", ready.run["id"]);
    let fields = json!({
        "billing_start_time": "2026-11-23T06:30:00Z", "actual_start_time": "2026-11-23T06:30:00Z",
        "actual_end_time": "2026-11-23T07:30:00Z", "start_odometer": 1000, "end_odometer": 1040,
        "billing_rate_id": rate["id"],
    });
    let _ = ready.tenant.admin.patch(&path, fields).await.ok();
    (path, rate)
}

async fn validate(ready: &Ready, force: bool) -> Value {
    ready
        .tenant
        .admin
        .patch("/runs/validate", json!({"run_ids": [ready.run["id"]], "force": force}))
        .await
        .ok()
}

/// Every bill of the run as the database has it, byte by byte.
async fn stored(ready: &Ready) -> Vec<String> {
    let mut database = ready.tenant.organisation.database().await;
    sqlx::query_scalar("select b::text from run_bills b where run_id = $1 order by version")
        .bind(ready.run["id"].as_i64())
        .fetch_all(&mut database)
        .await
        .expect("the bills")
}

async fn bill(ready: &Ready) -> Value {
    ready.tenant.admin.get(&format!("/runs/{}/bill", ready.run["id"])).await.ok()
}

fn fields(billing: &Value) -> Vec<&str> {
    let parts = billing["differences"].as_array().expect("differences");
    parts.iter().filter_map(|part| part["field"].as_str()).collect()
}

/// What the readers of a run's cost say: the run, its row of the run costs, its vehicle's sum.
async fn told(ready: &Ready, path: &str) -> [Value; 3] {
    let admin = &ready.tenant.admin;
    let run = admin.get(path).await.ok();
    let costs = admin.get(&format!("/run_cost_calculator?run_id={}", ready.run["id"])).await.ok();
    let search = admin.get("/search/runs?uid=Ana").await.ok();
    [
        run["estimated_cost"].clone(),
        costs["data"][0]["cost"].clone(),
        search["data"][0]["estimated_cost"].clone(),
    ]
}

/// W-060: charged drops are the stops with a proof; a run whose bill looks like a mistake is asked about before it is
/// validated, whoever closed it, on every path.
#[tokio::test]
async fn what_looks_like_a_mistake_is_asked_about() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let (path, rate) = driven(&ready).await;
    let run = ready.reload().await;
    assert_eq!((&run["billing_drops"], &run["jobs_count"]), (&json!(0), &json!(3)));
    let codes = |asked: &Value| -> Vec<String> {
        let concerns = asked["concerns"].as_array().expect("concerns");
        concerns.iter().filter_map(|concern| concern["code"].as_str().map(str::to_owned)).collect()
    };
    let asked = validate(&ready, false).await;
    assert_eq!((&asked["validated"], &asked["failed"]), (&json!([]), &json!([])));
    assert_eq!(codes(&asked["asking"][0]), ["no_drops"]);
    assert_eq!(
        asked["asking"][0]["concerns"][0]["text"],
        "The rate charges drops, but none of 3 stops has a proof"
    );
    let one = json!({"validated_by_id": ready.tenant.organisation.admin.id});
    let refusal = admin.patch(&path, one.clone()).await.refused(409);
    assert_eq!((&refusal["error"], codes(&refusal)), (&json!("BILL_CONCERNS"), vec!["no_drops".to_owned()]));
    let _ = ready.prove(0, json!({})).await;
    assert_eq!(
        validate(&ready, false).await["asking"][0]["concerns"][0]["text"],
        "2 of 3 stops have no proof and are not charged"
    );
    let _ = admin.patch(&path, json!({"billing_rate_id": null})).await.ok();
    assert_eq!(codes(&validate(&ready, false).await["asking"][0]), ["no_rate"]);
    let zero = json!({"name": "Nothing", "cost_per_km": 0});
    let zero = admin.post("/billing_rates", zero).await.ok();
    let _ = admin.patch(&path, json!({"billing_rate_id": zero["id"]})).await.ok();
    assert_eq!(codes(&validate(&ready, false).await["asking"][0]), ["zero"]);
    let still = json!({"billing_rate_id": rate["id"], "end_odometer": 1000, "additional_billing_kms": 0});
    let _ = admin.patch(&path, still).await.ok();
    assert_eq!(codes(&validate(&ready, false).await["asking"][0]), ["no_km", "drops_without_proof"]);
    assert_eq!(ready.reload().await["validated_at"], Value::Null, "nobody confirmed it");
    assert_eq!(stored(&ready).await, Vec::<String>::new());

    let mut meant = one;
    meant["force"] = true.into();
    assert_eq!(admin.patch(&path, meant).await.ok()["bill_version"], 1);
    let bill = &bill(&ready).await["bill"];
    // 20 + 0 + 18 + 1.5
    assert_eq!((&bill["total"], &bill["drops"], &bill["stops"]), (&json!(39.5), &json!(1), &json!(3)));
}

/// W-061: the bill names its rate and terms, quantities, parts, currency, rounding, evidence, who and when. A late proof and
/// an edited rate are differences; until one is accepted nobody reads another cost, and the bill is the same to the byte.
#[tokio::test]
async fn a_bill_stays_until_a_difference_is_accepted() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let (path, rate) = driven(&ready).await;
    let proof = ready.prove(0, json!({})).await;
    assert_eq!(validate(&ready, true).await["validated"][0]["id"], ready.run["id"]);
    let found = bill(&ready).await;
    let first = &found["bill"];
    for (field, expected) in [
        ("version", json!(1)),
        ("kind", json!("validated")),
        ("run_uid", json!("Ana")),
        ("driver", json!("Ana")),
        ("rate", json!("Van")),
        ("rate_id", rate["id"].clone()),
        ("rate_source", json!("run")),
        ("currency", json!("EUR")),
        ("cost_per_km", json!(0.5)),
        ("km", json!(40.0)),
        ("hours", json!(1.0)),
        ("drops", json!(1)),
        ("stops", json!(3)),
        ("run_amount", json!(20.0)),
        ("km_amount", json!(20.0)),
        ("hour_amount", json!(18.0)),
        ("drop_amount", json!(1.5)),
        ("total", json!(59.5)),
        ("rounding", json!("total_half_up_2")),
        ("made_by_id", json!(ready.tenant.organisation.admin.id)),
        ("reason", Value::Null),
    ] {
        let own = found["currency"].clone();
        let expected = if field == "currency" { own } else { expected };
        assert_eq!(first[field], expected, "{field}");
    }
    assert_eq!(first["evidence"]["job_proof_ids"], json!([proof["id"]]));
    assert_eq!(first["evidence"]["billed_seconds"], 3600);
    assert_eq!((fields(&found), &found["dismissed"]), (vec![], &Value::Null));

    let before = stored(&ready).await;
    let _ = admin.patch(&format!("/billing_rates/{}", rate["id"]), json!({"cost_per_run": 30})).await.ok();
    let _ = ready.prove(1, json!({})).await;
    assert_eq!(stored(&ready).await, before);
    assert_eq!(told(&ready, &path).await, [json!(59.5), json!(59.5), json!(59.5)]);
    let seen = bill(&ready).await;
    assert_eq!(fields(&seen), ["cost_per_run", "drops", "run_amount", "drop_amount", "total"]);
    assert_eq!(seen["differences"][4], json!({"field": "total", "billed": 59.5, "now": 71.0}));

    // Nobody accepts what he has not seen, or may not.
    let decision = json!({"version": 1, "key": seen["key"], "reason": "Proof came late"});
    let accept = format!("{path}/bill/accept");
    let dismiss = format!("{path}/bill/dismiss");
    for path in [&accept, &dismiss] {
        ready.tenant.planner.post(path, decision.clone()).await.refused(403);
        let stale = json!({"version": 1, "key": found["key"], "reason": "x"});
        assert_eq!(admin.post(path, stale).await.refused(409)["error"], "BILL_CHANGED");
        let silent = json!({"version": 1, "key": seen["key"], "reason": " "});
        assert!(admin.post(path, silent).await.refused(400)["fields"]["reason"].is_string());
    }
    // Dismissed, it is told no more, until there is another difference.
    let dismissed = admin.post(&dismiss, decision.clone()).await.ok();
    assert_eq!(dismissed["dismissed"]["reason"], "Proof came late");
    assert_eq!(stored(&ready).await, before);
    let _ = ready.prove(2, json!({})).await;
    let again = bill(&ready).await;
    assert_eq!((&again["dismissed"], &again["now"]["total"]), (&Value::Null, &json!(72.5)));

    let decision = json!({"version": 1, "key": again["key"], "reason": "Agreed with the client"});
    let accepted = admin.post(&accept, decision.clone()).await.ok();
    assert_eq!((&accepted["bill"]["version"], &accepted["bill"]["kind"]), (&json!(2), &json!("accepted")));
    assert_eq!(fields(&accepted), Vec::<&str>::new());
    admin.post(&accept, decision).await.refused(409);
    assert_eq!(told(&ready, &path).await, [json!(72.5), json!(72.5), json!(72.5)]);
    let after = stored(&ready).await;
    assert_eq!((after.len(), &after[0]), (2, &before[0]), "the old version is kept as it was");
    let versions = admin.get(&format!("{path}/bills")).await.ok();
    assert_eq!(
        (&versions[0]["total"], &versions[1]["reason"]),
        (&json!(59.5), &json!("Agreed with the client"))
    );
    let mut database = ready.tenant.organisation.database().await;
    let changed = sqlx::query("update run_bills set total = 0").execute(&mut database).await;
    assert!(changed.is_err(), "not even by hand");
}

/// W-063: what is billed of a validated run is changed nowhere; reopened, with the right and a reason, it can be.
#[tokio::test]
async fn validated_runs_are_reopened_first() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let (path, _) = driven(&ready).await;
    let van = admin.post("/vehicles", json!({"uid": "Van 9"})).await.ok();
    let _ = validate(&ready, true).await;
    let run = ready.reload().await;
    let bills = stored(&ready).await;
    for change in [
        json!({"end_odometer": 1041}),
        json!({"start_odometer": null}),
        json!({"vehicle_id": van["id"]}),
        json!({"additional_billing_kms": 5}),
        json!({"min_billing_hours": 5}),
        json!({"billing_rate_id": null}),
        json!({"actual_end_time": "2026-11-23T07:40:00Z"}),
        json!({"billing_start_time": "2026-11-23T06:40:00Z"}),
    ] {
        let refusal = admin.patch(&path, change.clone()).await.refused(409);
        assert_eq!(refusal["error"], "RUN_VALIDATED", "{change}");
        assert_eq!(refusal["description"], "Run Ana is validated and cannot be changed: reopen it first");
        let mut item = change.clone();
        item["id"] = ready.run["id"].clone();
        admin.patch("/runs/bulk", json!([item])).await.refused(409);
    }
    admin.delete(&path).await.refused(409);
    assert_eq!(ready.reload().await["validated_at"], run["validated_at"]);
    // What is not billed may change, and what stays the same may be sent.
    let _ = admin.patch(&path, json!({"route_colour": "#102030", "end_odometer": 1040})).await.ok();

    let reopen = format!("{path}/reopen");
    let reason = json!({"reason": "Odometer misread"});
    ready.tenant.planner.post(&reopen, reason.clone()).await.refused(403);
    admin.post(&reopen, json!({"reason": ""})).await.refused(400);
    let opened = admin.post(&reopen, reason.clone()).await.ok();
    assert_eq!((&opened["validated_at"], &opened["bill_version"]), (&Value::Null, &Value::Null));
    admin.post(&reopen, reason).await.refused(409);
    let mut database = ready.tenant.organisation.trail().await;
    let why: Option<String> = sqlx::query_scalar(
        "select reason from audit_entries where kind = 'run' and after -> 'validated_by_id' = 'null' order by id desc",
    )
    .fetch_one(&mut database)
    .await
    .expect("the log");
    assert_eq!(why.as_deref(), Some("Odometer misread"));
    let _ = admin.patch(&path, json!({"end_odometer": 1041})).await.ok();
    assert_eq!(stored(&ready).await, bills, "the bill stays on record");
    let _ = validate(&ready, true).await;
    assert_eq!(bill(&ready).await["bill"]["version"], 2);
    // As before, whoever may write rates takes it back, or validates a correction, by the run's own field.
    let _ = admin.patch(&path, json!({"validated_by_id": null})).await.ok();
    assert_eq!(bill(&ready).await["bill"], Value::Null);
}

/// W-062: copies carry what was driven, never validation, validator, bill or the rate of a bill.
#[tokio::test]
async fn copies_are_not_billed() {
    let ready = ready().await;
    driven(&ready).await;
    let _ = ready.prove(0, json!({})).await;
    let _ = validate(&ready, true).await;
    let body = json!({"copy_items": ["proofs", "runs", "jobs", "units", "returns"], "scheduled_date": "2026-11-24",
        "number_of_copies": 1, "scenario_name": "Copy"});
    let made =
        ready.tenant.admin.post(&format!("/scenarios/{}/duplicate", ready.scenario["id"]), body).await.ok();
    let runs = ready.tenant.admin.get(&format!("/runs?scenario_id={}", made[0]["id"])).await.ok();
    let copy = &runs["data"][0];
    assert_eq!((&copy["start_odometer"], &copy["status"]), (&json!(1000.0), &json!("closed")));
    for field in ["validated_at", "validated_by_id", "bill_version"] {
        assert_eq!(copy[field], Value::Null, "{field}");
    }
    let billing = ready.tenant.admin.get(&format!("/runs/{}/bill", copy["id"])).await.ok();
    assert_eq!((&billing["bill"], &billing["differences"]), (&Value::Null, &json!([])));
    // A plan with what was billed is not thrown away.
    let _ = ready
        .tenant
        .admin
        .post("/scenarios", json!({"name": "Other", "scheduled_date": "2026-11-25"}))
        .await
        .ok();
    ready.tenant.admin.delete(&format!("/scenarios/{}", ready.scenario["id"])).await.refused(400);
}

/// Issue 14: whatever is edited after validation, in whatever order, the stored bills are the same to the byte until
/// somebody accepts a difference; then one is added.
#[tokio::test]
async fn any_edits_leave_the_bill() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let (path, rate) = driven(&ready).await;
    let other = admin.post("/billing_rates", json!({"name": "Other", "cost_per_km": 9})).await.ok();
    let van = admin.post("/vehicles", json!({"uid": "Van 9", "billing_rate_id": other["id"]})).await.ok();
    let _ = admin.patch(&path, json!({"vehicle_id": van["id"]})).await.ok();
    let _ = validate(&ready, true).await;
    let rate_path = format!("/billing_rates/{}", rate["id"]);
    let mut bills = stored(&ready).await;
    let mut random = 14_u32;
    let mut accepted = 0;
    for step in 0..120_u32 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let n = random >> 16;
        // Refused or taken, whatever it is.
        let status = match n % 12 {
            0 => admin.patch(&rate_path, json!({"cost_per_km": f64::from(n % 97) / 10.0})).await.status,
            1 => {
                admin
                    .patch(&rate_path, json!({"name": format!("Van {step}"), "currency": "USD"}))
                    .await
                    .status
            }
            2 => {
                ready.clock.advance(chrono::Duration::minutes(1));
                let proof =
                    json!({"job_id": ready.jobs[n as usize % 3]["id"], "success": n.is_multiple_of(2)});
                ready.tenant.planner.nobody().post(&ready.job_proofs(), proof).await.status
            }
            3 => admin.patch(&path, json!({"end_odometer": 1040 + n % 50})).await.status,
            4 => admin.patch(&path, json!({"vehicle_id": null, "min_billing_hours": n % 9})).await.status,
            5 => admin.patch(&path, json!({"billing_rate_id": other["id"]})).await.status,
            6 => {
                admin.patch(&path, json!({"uid": format!("Ana {step}"), "capacity": "boxes:9"})).await.status
            }
            7 => {
                admin
                    .patch(&format!("/vehicles/{}", van["id"]), json!({"uid": format!("Van {step}")}))
                    .await
                    .status
            }
            8 => {
                let job = format!("/jobs/{}", ready.jobs[n as usize % 3]["id"]);
                admin.delete(&job).await.status
            }
            9 => {
                let seen = bill(&ready).await;
                let decision =
                    json!({"version": seen["bill"]["version"], "key": seen["key"], "reason": "No"});
                admin.post(&format!("{path}/bill/dismiss"), decision).await.status
            }
            10 => {
                let seen = bill(&ready).await;
                let decision =
                    json!({"version": seen["bill"]["version"], "key": seen["key"], "reason": "Yes"});
                let answer = admin.post(&format!("{path}/bill/accept"), decision).await;
                if answer.status.is_success() {
                    accepted += 1;
                    let now = stored(&ready).await;
                    assert_eq!(now.len(), bills.len() + 1);
                    assert_eq!(now[..bills.len()], bills[..], "old versions stay");
                    bills = now;
                }
                answer.status
            }
            _ => {
                admin
                    .patch("/runs/validate", json!({"run_ids": [ready.run["id"]], "force": true}))
                    .await
                    .status
            }
        };
        assert!(!status.is_server_error(), "{step}: {status}");
        assert_eq!(stored(&ready).await, bills, "step {step}, edit {}", n % 12);
        let told = ready.tenant.admin.get(&path).await.ok()["estimated_cost"].clone();
        let billed = bill(&ready).await["bill"]["total"].clone();
        assert_eq!(told, billed, "step {step}");
    }
    assert!(accepted > 0, "the random walk never accepted");
}

/// W-061: what was validated before bills were kept gets one, of the rate that was copied then, as it would be made now.
#[tokio::test]
async fn former_validations_get_their_bill() {
    let ready = ready().await;
    let admin = &ready.tenant.admin;
    let (path, _) = driven(&ready).await;
    let _ = ready.prove(0, json!({})).await;
    let odd =
        json!({"end_odometer": 1043.33, "actual_end_time": "2026-11-23T07:31:07Z", "billing_rate_id": null});
    let _ = admin.patch(&path, odd).await.ok();
    let mut database = ready.tenant.organisation.database().await;
    sqlx::query(
        "update runs set validated_at = '2026-11-23 07:45Z', validated_by_id = 7, rate_name = 'Then', rate_currency = 'CHF',
             rate_cost_per_run = 10.005, rate_cost_per_km = 0.3333, rate_cost_per_hour = 17.77, rate_cost_per_drop = 1.115",
    )
    .execute(&mut database)
    .await
    .expect("a former validation");
    let before = admin.get(&path).await.ok();
    let migration = include_str!("../../../migrations/tenant/0030_run_bills.sql");
    let (_, filling) = migration.split_once("-- What was validated before.").expect("the filling");
    sqlx::raw_sql(filling).execute(&mut database).await.expect("the bills");
    let bill = &bill(&ready).await["bill"];
    assert_eq!(
        (&bill["kind"], &bill["version"], &bill["made_by_id"]),
        (&json!("taken_over"), &json!(1), &json!(7))
    );
    assert_eq!(
        (&bill["rate"], &bill["currency"], &bill["drops"]),
        (&json!("Then"), &json!("CHF"), &json!(1))
    );
    assert_eq!((&bill["km"], &bill["hours"]), (&json!(43.33), &json!(1.018_611)));
    // 10.005 + 43.33 * 0.3333 + 3667 s * 17.77 / 3600 + 1.115 = 43.66266...
    assert_eq!(bill["total"], 43.66);
    assert_eq!(bill["total"], before["estimated_cost"]);
    // Rounded down: 10.00, 14.44, 18.10, 1.11; one cent is left, for the first that lost most.
    let parts = ["run_amount", "km_amount", "hour_amount", "drop_amount"].map(|part| bill[part].clone());
    assert_eq!(parts, [json!(10.01), json!(14.44), json!(18.1), json!(1.11)]);
    assert_eq!(admin.get(&path).await.ok()["estimated_cost"], before["estimated_cost"]);
}
