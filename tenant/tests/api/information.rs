//! Grouped settings.

use serde_json::json;

use crate::support::tenant;

/// every group has its defaults, is replaced as a whole and read again.
#[tokio::test]
async fn groups_have_defaults_and_are_replaced() {
    let tenant = tenant().await;
    let organisation = tenant.organisation.id;
    let path = |group: &str| format!("/organisations/{organisation}/information/{group}");
    for (group, field, default) in [
        ("reschedule_settings", "min_notice_hours", json!(12)),
        ("notification_settings", "on_delivered", json!(true)),
        ("app_settings", "gps_interval_seconds", json!(30)),
        ("pod_settings", "max_photos", json!(5)),
        ("delivery_tracking_settings", "link_valid_days", json!(14)),
        ("dispatch_settings", "email_subject", json!("Run sheet {run} {date}")),
        ("udf_config", "retries", json!(3)),
    ] {
        let mut value = tenant.planner.get(&path(group)).await.ok();
        assert_eq!(value[field], default, "{group}");
        value[field] = match &default {
            serde_json::Value::Bool(value) => json!(!value),
            serde_json::Value::Number(value) => json!(value.as_i64().unwrap() + 1),
            _ => json!("Sheet {run}"),
        };
        assert_eq!(tenant.admin.put(&path(group), value.clone()).await.ok(), value);
        assert_eq!(tenant.planner.get(&path(group)).await.ok(), value);
        tenant.planner.put(&path(group), value).await.refused(403);
    }
    tenant.planner.get(&path("nothing")).await.refused(404);
}

/// wrong and unknown settings are named; blank ones fall back to the default.
#[tokio::test]
async fn faulty_settings_are_refused_with_their_field() {
    let tenant = tenant().await;
    let path = |group: &str| format!("/organisations/{}/information/{group}", tenant.organisation.id);
    for (group, body, field) in [
        ("notification_settings", json!({"eta_alert": {"recipients": ["nobody"]}}), "eta_alert.recipients"),
        ("notification_settings", json!({"eta_alert": {"treshold": 3}}), "eta_alert.treshold"),
        ("app_settings", json!({"gps_interval_seconds": 0}), "gps_interval_seconds"),
        ("app_settings", json!({"gps_interval_seconds": "often"}), "gps_interval_seconds"),
        ("pod_settings", json!({"logo_file_id": 999_999}), "logo_file_id"),
        ("delivery_tracking_settings", json!({"primary_colour": "red"}), "primary_colour"),
        ("reschedule_settings", json!({"allowed_days": ["someday"]}), "allowed_days"),
        ("dispatch_settings", json!({"copy_to": ["a@b"]}), "copy_to"),
        // V-23: lists have a bound.
        ("dispatch_settings", json!({"copy_to": vec!["a@example.org"; 21]}), "copy_to"),
        (
            "notification_settings",
            json!({"eta_alert": {"recipients": vec!["a@example.org"; 21]}}),
            "eta_alert.recipients",
        ),
        ("reschedule_settings", json!({"allowed_days": vec!["monday"; 10_000]}), "allowed_days"),
        ("app_settings", json!({"required_job_fields": vec!["uid"; 10_000]}), "required_job_fields"),
    ] {
        let refusal = tenant.admin.put(&path(group), body).await.refused(400);
        assert!(refusal["fields"][field].is_string(), "{field}: {refusal}");
    }
    let body = json!({"email_subject": " ", "email_text": null});
    let saved = tenant.admin.put(&path("dispatch_settings"), body).await.ok();
    assert_eq!(saved["email_subject"], "Run sheet {run} {date}");
}

/// another organisation's settings are not there, and events & actions need their module.
#[tokio::test]
async fn settings_are_the_organisations_own() {
    let (ours, theirs) = (tenant().await, tenant().await);
    let path = format!("/organisations/{}/information/app_settings", ours.organisation.id);
    theirs.admin.get(&path).await.refused(404);
    theirs.admin.put(&path, json!({})).await.refused(404);
    ours.organisation.modules(&["units"]).await;
    ours.app.gate.policies.forget_all();
    let path = format!("/organisations/{}/information/udf_config", ours.organisation.id);
    ours.admin.get(&path).await.refused(403);
}
