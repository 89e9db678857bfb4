//! The calls of execution, and searches: see [`super::calls`].

use routewright_testing::calls::Call;
use serde_json::json;

use super::calls::{call, send};

pub(super) fn proofs() -> Vec<Call> {
    let mut calls = Vec::new();
    for (kind, filters) in [
        ("job", "job_id=$job&run_id=$run&scenario_id=$scenario&reason_id=$reason&proof_id=$job_proof"),
        ("unit", "unit_id=$unit&job_id=$job&run_id=$run&container_id=$container&proof_id=$unit_proof"),
        ("return", "return_id=$return&job_id=$job&run_id=$run&proof_id=$return_proof"),
        ("container", "container_id=$container&run_id=$run&proof_id=$container_proof"),
    ] {
        let path = format!("/{kind}_proofs");
        let one = format!("{path}/${kind}_proof");
        let fields = json!({"reason_id": "$reason", "photo_ids": ["$photo"], "signature_id": "$photo"});
        let mut new = fields.clone();
        new[format!("{kind}_id")] = format!("${kind}").into();
        new["record_time"] = "2026-11-23 07:59:00".into();
        if kind != "job" {
            new["mode"] = "load".into();
        }
        calls.extend([
            call("GET", &format!("{path}?{filters}")),
            send("POST", &path, &new),
            call("GET", &one),
            send("PATCH", &one, &fields),
        ]);
        if kind != "job" {
            calls.push(send("POST", &format!("/v2/runsheet/{kind}_proofs"), &new));
        }
    }
    let new = json!({"run_id": "$run", "mode": "end", "odometer": 150, "photo_ids": ["$photo"], "signature_id": "$photo"});
    let bulk = json!([{"id": "$container_proof", "reason_id": "$reason", "photo_ids": ["$photo"]}]);
    let driven = json!({"mode": "end", "odometer": 150, "photo_ids": ["$photo"], "signature_id": "$photo"});
    calls.extend([
        send("PATCH", "/container_proofs/bulk", &bulk),
        send("DELETE", "/container_proofs/bulk", &json!({"ids": ["$container_proof"]})),
        call("DELETE", "/container_proofs/$container_proof"),
        call("GET", "/run_proofs?run_id=$run&scenario_id=$scenario"),
        send("POST", "/run_proofs", &new),
        call("GET", "/run_proofs/$run_proof"),
        call("GET", "/export_proofs?scenario_id=$scenario&start_date=2026-11-01&end_date=2026-11-30"),
        call("GET", "/export_proofs?job_ids=$job&start_date=2026-11-01&end_date=2026-11-30"),
        send("POST", "/v2/runsheet/run_proofs", &driven),
    ]);
    calls
}

/// What drivers and customers open.
pub(super) fn links() -> Vec<Call> {
    let proof =
        json!({"job_id": "$job2", "reason_id": "$reason", "photo_ids": ["$photo"], "signature_id": "$photo"});
    let answers = json!({"checklist_definition_id": "$checklist", "values": {"fuel": "full"}});
    let record = json!({"id": "0c0ffee0-0000-4000-8000-000000000001", "kind": "start",
        "captured_at": "2026-11-23T08:00:00Z", "route": {"odometer": 100}});
    let message = json!({"_type": "location", "lat": 41.1, "lon": -8.6, "tst": 1_795_420_800});
    vec![
        send("POST", "/auth/runsheet_token", &json!({"token_uid": "$run_token"})),
        call("GET", "/v2/runsheet"),
        call("GET", "/v2/runsheet/"),
        send("POST", "/runsheet/$run_token/job_proofs", &proof),
        send("POST", "/v2/runsheet/checklist_submissions", &answers),
        send(
            "POST",
            "/v2/runsheet/gps_points",
            &json!([{"lat": 41.1, "lon": -8.6, "recorded_at": "2026-11-23T08:00:00Z"}]),
        ),
        send("POST", "/v2/runsheet/pin", &json!({"job_id": "$job", "pin": "123456"})),
        call("GET", "/positions/osmand/$device_key?lat=41.1&lon=-8.6"),
        call("POST", "/positions/osmand/$device_key?lat=41.1&lon=-8.6"),
        send("POST", "/positions/owntracks/$device_key", &message),
        // From here on the key is another one.
        call("PUT", "/tracking_devices/$tracking_device/key"),
        call("DELETE", "/tracking_devices/$tracking_device/key"),
        send("POST", "/v2/runsheet/contact", &json!({"waiting": 1})),
        call("GET", "/scenarios/$scenario/contacts"),
        call("POST", "/v2/runsheet/upload/file"),
        call("POST", "/files/upload"),
        send("PUT", "/v2/runsheet/start_route", &json!({"odometer": 100})),
        // What it names that is not there is kept for the office: `evidence` tries another organisation's things.
        send("POST", "/v2/runsheet/records", &record),
        call("GET", "/evidence?run_id=$run&job_id=$job&scenario_id=$scenario"),
        call("GET", "/evidence/$evidence"),
        send("POST", "/evidence/$evidence/assign", &json!({"job_id": "$job"})),
        send("POST", "/evidence/$evidence/dismiss", &json!({"reason": "A test"})),
        send("PUT", "/v2/runsheet/end_route", &json!({"odometer": 200})),
        call("GET", "/files/uid/$file_uid"),
        call("GET", "/files/temp/$ticket"),
        call("GET", "/scenarios/token/$ws_token"),
        call("GET", "/scenarios/token/$ws_token/qr_codes"),
        call("GET", "/jobs/tracking/$job_tracking"),
        call("GET", "/jobs/tracking/$job_tracking/page"),
        call("GET", "/jobs/tracking/$job_tracking/all"),
        call("GET", "/jobs/tracking/$job_tracking/proofs"),
        call("GET", "/jobs/tracking/$job_tracking/units"),
        call("GET", "/jobs/tracking/$job_tracking/returns"),
        call("GET", "/jobs/tracking/$job_tracking/proof_of_delivery_pdf"),
        call("GET", "/jobs_tracking/$job_tracking/reasons"),
        call("GET", "/proofs/check/$check_token"),
        call("GET", "/proofs/check/$check_token/page"),
        call("GET", "/jobs/tracking/$job_tracking/slots"),
        send("PUT", "/jobs/tracking/$job_tracking/instructions", &json!({"instructions": "Ring twice"})),
        send("POST", "/jobs/tracking/$job_tracking/reschedule", &json!({"date": "2026-11-25"})),
        call("GET", "/reschedule_requests?job_id=$job&scenario_id=$scenario"),
        call("GET", "/reschedule_requests/$reschedule_request"),
        call("GET", "/reschedule_requests/$reschedule_request/fit"),
        call("POST", "/reschedule_requests/$reschedule_request/accept"),
        send("PATCH", "/reschedule_requests/$reschedule_request", &json!({"handled": true})),
    ]
}

pub(super) fn searches() -> Vec<Call> {
    let jobs =
        "job_id=$job&scenario_id=$scenario&run_id=$run&driver_id=$driver&client_id=$client&tag_id=$tag";
    let units = "unit_id=$unit&job_id=$job&container_id=$container&scenario_id=$scenario&run_id=$run&driver_id=$driver";
    let returns =
        "return_id=$return&job_id=$job&client_id=$client&scenario_id=$scenario&run_id=$run&driver_id=$driver";
    let runs = "run_id=$run&scenario_id=$scenario&driver_id=$driver&vehicle_id=$vehicle";
    vec![
        call("GET", &format!("/search/jobs?{jobs}")),
        call("GET", &format!("/search/jobs/export?{jobs}&kind=csv")),
        call("GET", &format!("/search/units?{units}")),
        call("GET", &format!("/search/units/export?{units}&kind=csv")),
        call("GET", &format!("/search/returns?{returns}")),
        call("GET", &format!("/search/returns/export?{returns}&kind=csv")),
        call("GET", &format!("/search/runs?{runs}")),
        call("GET", &format!("/search/runs/export?{runs}&kind=csv")),
        call("GET", "/search/containers?container_id=$container"),
        call(
            "GET",
            "/jobs/search_pod?job_id=$job&scenario_id=$scenario&run_id=$run&driver_id=$driver&reason_id=$reason",
        ),
    ]
}

/// Costs, exports, reports and what partners get.
pub(super) fn afterwards() -> Vec<Call> {
    let runs = "run_id=$run&scenario_id=$scenario&driver_id=$driver&vehicle_id=$vehicle";
    let (run, job) = (json!({"run_id": "$run"}), json!({"job_id": "$job"}));
    let days = "start_date=2026-11-23&end_date=2026-11-23";
    vec![
        call("GET", "/scenarios/$scenario/progress_report"),
        call("GET", &format!("/run_cost_calculator?{runs}")),
        call("GET", "/run_cost_calculator/export?kind=csv"),
        call("GET", "/audit?object_id=$job&actor_id=$user"),
        call("GET", "/audit/export?object_id=$job&kind=csv"),
        send("POST", "/excel_exports", &json!({"source": "runs", "kind": "csv"})),
        call("GET", &format!("/gefco/excel-kpi-internal-report?{days}")),
        call("GET", &format!("/gefco/excel-kpi-client-report?{days}")),
        call("GET", &format!("/kpi/days?{days}")),
        call("GET", "/scenarios/$scenario/all_purpose_transport_download"),
        call("PUT", "/scenarios/$scenario/all_purpose_transport_send_to_sftp"),
        call("GET", "/runs/bunzl_export?run_ids=$run"),
        send("POST", "/gefco/run_load", &run),
        send("POST", "/gefco/model_update", &run),
        call("POST", "/gefco/delivery_out/$run"),
        send("POST", "/gefco/delivery_execution", &job),
        call(
            "GET",
            "/gefco/messages?message_id=$partner_message&run_id=$run&job_id=$job&scenario_id=$scenario",
        ),
        call("GET", "/gefco/messages/$partner_message"),
        call("POST", "/gefco/messages/$partner_message/retry"),
        call("GET", "/messages?ids=$message&run_id=$run&job_id=$job&scenario_id=$scenario"),
        call("GET", "/messages/$message"),
        call("POST", "/messages/$message/arrived"),
        call("POST", "/messages/$lost_message/send_again"),
    ]
}
