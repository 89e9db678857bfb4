//! Secrets, config values, filename patterns, run code maps.

use serde_json::{Value, json};

use crate::support::tenant;

/// A-219, A-408, A-409, A-438: a secret is stored encrypted, shown masked and never read out; every write is logged.
#[tokio::test]
async fn a_secret_is_never_shown() {
    let tenant = tenant().await;
    let made =
        tenant.admin.post("/secrets", json!({"name": "sftp_partner", "value": "correct-horse-1234"})).await;
    assert_eq!(made.status, 201);
    let made = made.ok();
    assert_eq!(made["masked"], "****");
    assert!(made["value"].is_null());
    let path = format!("/secrets/{}", made["id"]);
    let shown = tenant.admin.get(&path).await;
    assert!(!shown.text().contains("horse"), "{}", shown.text());
    let again = tenant.admin.post("/secrets", json!({"name": "sftp_partner", "value": "short"})).await.ok();
    assert_eq!((&again["id"], &again["masked"]), (&made["id"], &json!("****")));
    let renamed =
        tenant.admin.patch(&path, json!({"name": "sftp_other", "value": "correct-horse-9876"})).await.ok();
    assert_eq!((&renamed["name"], &renamed["masked"]), (&json!("sftp_other"), &json!("****")));
    let mut database = tenant.organisation.trail().await;
    let stored: Vec<u8> = sqlx::query_scalar("select value_encrypted from secrets")
        .fetch_one(&mut database)
        .await
        .expect("a secret");
    assert!(!stored.windows(5).any(|part| part == b"horse"));
    let logged: Vec<(Option<i64>, Value, Value)> =
        sqlx::query_as("select actor_id, before, after from audit_entries where kind = 'secret' order by id")
            .fetch_all(&mut database)
            .await
            .expect("a trail");
    let user = Some(tenant.organisation.admin.id);
    let (was, is) = ("***", "*** (new)");
    let expected = [
        (user, json!({}), json!({"name": "sftp_partner", "value": was})),
        (user, json!({"value": was}), json!({"value": is})),
        (user, json!({"name": "sftp_partner", "value": was}), json!({"name": "sftp_other", "value": is})),
    ];
    assert_eq!(logged, expected);
    for (body, field) in [
        (json!({"name": "x"}), "value"),
        (json!({"value": "x"}), "name"),
        (json!({"name": " ", "value": "x"}), "name"),
        (json!({"name": "sms_configuration", "value": "x"}), "name"),
        (json!({"name": "x", "value": "x".repeat(20_001)}), "value"),
    ] {
        assert!(tenant.admin.post("/secrets", body).await.refused(400)["fields"][field].is_string());
    }
    tenant.planner.post("/secrets", json!({"name": "x", "value": "y"})).await.refused(403);
    let _ = tenant.admin.delete(&path).await.ok();
    assert_eq!(tenant.admin.get("/secrets").await.ok()["total_count"], 0);
}

/// A-410, A-411, A-412, S-34: the SMS account is saved, shown masked, kept when the form sends its mask back, removed.
#[tokio::test]
async fn the_sms_account_is_kept() {
    let tenant = tenant().await;
    tenant.admin.get("/secrets/sms_configuration").await.refused(404);
    tenant.admin.delete("/secrets/sms_configuration").await.refused(404);
    let body = json!({"provider": "http", "account": "acme", "api_key": "key-of-the-gateway", "sender": "ACME",
        "base_url": "https://sms.example.com/send", "enabled": true});
    let saved = tenant.admin.post("/secrets/sms_configuration", body.clone()).await.ok();
    assert_eq!((&saved["api_key"], &saved["enabled"]), (&json!("****"), &json!(true)));
    let mut form = saved.clone();
    form["enabled"] = false.into();
    let _ = tenant.admin.post("/secrets/sms_configuration", form).await.ok();
    let shown = tenant.admin.get("/secrets/sms_configuration").await.ok();
    assert_eq!((&shown["enabled"], &shown["api_key"]), (&json!(false), &json!("****")), "off answers 200");
    let dispatcher = tenant.organisation.person_with(&["runs_read"]).await;
    let nobody = tenant.organisation.person_with(&["jobs_read"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    let dispatcher = tenant.planner.with_token(tenant.organisation.token(dispatcher));
    assert_eq!(dispatcher.get("/secrets/sms_configuration").await.ok(), json!({"enabled": false}));
    let nobody = tenant.planner.with_token(tenant.organisation.token(nobody));
    nobody.get("/secrets/sms_configuration").await.refused(403);
    assert_eq!(tenant.admin.get("/secrets").await.ok()["total_count"], 0, "it has calls of its own");
    for (field, value) in [
        ("provider", json!("pigeon")),
        ("base_url", json!("ftp://sms.example.com")),
        ("base_url", json!("")),
        ("sender", json!("")),
        ("account", json!("a\r\nb")),
    ] {
        let mut wrong = body.clone();
        wrong[field] = value;
        let refusal = tenant.admin.post("/secrets/sms_configuration", wrong).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{field}: {refusal}");
    }
    assert_eq!(tenant.admin.delete("/secrets/sms_configuration").await.ok(), json!({"success": true}));
    tenant.admin.get("/secrets/sms_configuration").await.refused(404);
}

/// A-217, A-441, S-40: values by group and key; a kind of vehicle is checked.
#[tokio::test]
async fn config_values_are_kept() {
    let tenant = tenant().await;
    let van = json!({"group": "vehicle_definition", "key": "van", "order": 2,
        "value": {"name": "Van", "capacity": "pallets:4", "speed_multiplier": 1.1, "fuel_consumption": null}});
    let made = tenant.admin.post("/config_values", van.clone()).await.ok();
    assert_eq!(
        (&made["group"], &made["order"], &made["value"]["name"]),
        (&json!("vehicle_definition"), &json!(2), &json!("Van"))
    );
    let path = format!("/config_values/{}", made["id"]);
    assert_eq!(tenant.admin.patch(&path, json!({"order": 1})).await.ok()["order"], 1);
    assert_eq!(
        tenant.admin.get("/config_values?group=vehicle_definition&sort_by=value.name").await.ok()["total_count"],
        1
    );
    for (field, value, named) in [
        ("key", json!("van"), "key"),
        ("key", json!(" "), "key"),
        ("group", json!(null), "group"),
        ("value", json!({"name": ""}), "value.name"),
        ("value", json!({"name": "X", "capacity": "a|&"}), "value.capacity"),
        ("value", json!({"name": "X", "speed_multiplier": 9}), "value.speed_multiplier"),
        ("value", json!([1]), "value"),
    ] {
        let mut wrong = van.clone();
        wrong["key"] = "other".into();
        wrong[field] = value;
        let refusal = tenant.admin.post("/config_values", wrong.clone()).await.refused(400);
        assert!(refusal["fields"][named].is_string(), "{wrong}: {refusal}");
    }
    let any =
        tenant.admin.post("/config_values", json!({"group": "x", "key": "k", "value": [1, "a"]})).await.ok();
    assert_eq!(any["value"], json!([1, "a"]));
}

/// A-025, A-216, A-448, S-18: patterns compile in linear time, are tried in order and can be tried out.
#[tokio::test]
async fn filename_patterns_are_tried() {
    let tenant = tenant().await;
    let body = json!({"name": "Proofs", "pattern": r"^pod_(?P<job_uid>[\w-]+)\.", "target": "proof_file", "position": 1});
    let second = tenant.admin.post("/filename_regex", body).await.ok();
    let body =
        json!({"name": "Days", "pattern": r"(?P<scenario>\w+?)_(?P<date>\d{8})", "target": "job_import"});
    let first = tenant.admin.post("/filename_regex", body).await.ok();
    assert_eq!(first["active"], true);
    let test = async |body: serde_json::Value| tenant.admin.post("/filename_regex/test", body).await.ok();
    let found = test(json!({"file_name": "Porto_20261120.csv"})).await;
    assert_eq!(
        (&found["matched"], &found["filename_regex_id"], &found["date"]),
        (&json!(true), &first["id"], &json!("2026-11-20"))
    );
    let found = test(json!({"file_name": "pod_A-17.jpg"})).await;
    assert_eq!((&found["filename_regex_id"], &found["groups"]["job_uid"]), (&second["id"], &json!("A-17")));
    assert_eq!(test(json!({"file_name": "x.pdf"})).await["matched"], false);
    let found =
        test(json!({"file_name": "20.11.26", "pattern": "(?P<date>.*)", "date_format": "%d.%m.%y"})).await;
    assert_eq!(found["date"], "2026-11-20");
    for (field, value) in [
        ("pattern", json!("(")),
        ("pattern", json!("(?P<colour>x)")),
        ("pattern", json!(r"(\w{1000}){1000}")),
        ("target", json!("photo")),
        ("name", json!("")),
        ("date_format", json!("%Q")),
    ] {
        let mut wrong = json!({"name": "X", "pattern": "x", "target": "job_import"});
        wrong[field] = value;
        let refusal = tenant.admin.post("/filename_regex", wrong.clone()).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{wrong}: {refusal}");
    }
    tenant.planner.get("/filename_regex").await.refused(403);
}

/// A-052, A-422, S-17: route codes are unique; the noun needs its module.
#[tokio::test]
async fn run_codes_are_mapped() {
    let tenant = tenant().await;
    let driver = tenant.planner.post("/drivers", json!({"uid": "Driver 1"})).await.ok()["id"].clone();
    let body = json!({"run_code": "PT-17", "driver_id": driver, "depot_code": "OPO"});
    let made = tenant.admin.post("/gefco/run_code_maps", body.clone()).await.ok();
    assert_eq!((&made["run_code"], &made["driver_id"]), (&json!("PT-17"), &driver));
    let refusal = tenant.admin.post("/gefco/run_code_maps", body).await.refused(400);
    assert_eq!(refusal["fields"]["run_code"], "This value is already in use");
    assert!(
        tenant.admin.post("/gefco/run_code_maps", json!({})).await.refused(400)["fields"]["run_code"]
            .is_string()
    );
    let wrong = json!({"run_code": "X", "driver_id": 987_654});
    assert!(
        tenant.admin.post("/gefco/run_code_maps", wrong).await.refused(400)["fields"]["driver_id"]
            .is_string()
    );
    tenant.organisation.modules(&["units"]).await;
    tenant.app.gate.policies.forget(tenant.organisation.id);
    tenant.admin.get("/gefco/run_code_maps").await.refused(403);
}
