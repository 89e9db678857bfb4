//! A valid call of every route of the service, in an order in which a day would make them. A route without one fails the
//! walk.

use routewright_testing::calls::Call;
use serde_json::{Value, json};

use super::execution::{afterwards, links, proofs, searches};

pub(super) fn call(method: &str, target: &str) -> Call {
    Call::new(method, target)
}

pub(super) fn send(method: &str, target: &str, body: &Value) -> Call {
    Call::new(method, target).with(body)
}

/// The calls of a plain resource. `new` are the fields of another one, `change` those of a change.
fn resource(path: &str, name: &str, filter: &str, new: &Value, change: &Value) -> Vec<Call> {
    let mut item = change.clone();
    item["id"] = format!("${name}").into();
    vec![
        call("GET", &format!("{path}?{filter}")),
        send("POST", path, new),
        send("PATCH", &format!("{path}/bulk"), &json!([item])),
        send("DELETE", &format!("{path}/bulk"), &json!({"ids": [format!("${name}")]})),
        call("GET", &format!("{path}/${name}")),
        send("PATCH", &format!("{path}/${name}"), change),
        call("DELETE", &format!("{path}/${name}")),
    ]
}

/// All calls.
pub(super) fn all() -> Vec<Call> {
    [settings(), fleet(), scenarios(), proofs(), links(), jobs(), items(), runs(), searches(), afterwards()]
        .concat()
}

fn settings() -> Vec<Call> {
    let named = json!({"name": "Other"});
    let checklist = json!({"name": "Other", "type": "end_route", "fields": []});
    let action = json!({"name": "Other", "event": "job_created", "action": "add_tag", "config": {"tag": "x"}, "conditions": []});
    let pattern = json!({"name": "Other", "pattern": "x", "target": "job_import"});
    let sms = json!({"provider": "http", "account": "a", "api_key": "key-of-the-gateway", "sender": "A",
        "base_url": "https://sms.example.com/send", "enabled": true});
    let group = "/organisations/$organisation/information/pod_settings";
    let mut calls = [
        resource("/tags", "tag", "tag_id=$tag", &named, &named),
        resource(
            "/reasons",
            "reason",
            "reason_id=$reason",
            &json!({"name": "Other", "ok": true}),
            &json!({"ok": false}),
        ),
        resource("/scenario_reasons", "scenario_reason", "search=x", &named, &named),
        resource(
            "/secrets",
            "secret",
            "secret_id=$secret",
            &json!({"name": "other", "value": "v"}),
            &json!({"value": "w"}),
        ),
        resource("/udf/actions", "action", "action_id=$action", &action, &named),
        resource("/filename_regex", "filename_regex", "filename_regex_id=$filename_regex", &pattern, &named),
        resource(
            "/config_values",
            "config_value",
            "config_value_id=$config_value",
            &json!({"group": "x", "key": "other", "value": 1}),
            &json!({"order": 2}),
        ),
        resource("/checklist/definitions", "checklist", "name=x", &checklist, &named),
    ]
    .concat();
    calls.extend([
        call("GET", "/checklist/submissions?run_id=$run&scenario_id=$scenario"),
        call("GET", "/checklist/submissions/$submission"),
        call("GET", "/udf/config"),
        call("GET", "/udf/events"),
        call("GET", "/udf/runs?action_id=$action"),
        send("POST", "/filename_regex/test", &json!({"file_name": "x.csv"})),
        call("GET", "/secrets/sms_configuration"),
        send("POST", "/secrets/sms_configuration", &sms),
        call("DELETE", "/secrets/sms_configuration"),
        call("GET", group),
        send("PUT", group, &json!({"logo_file_id": "$file"})),
        send(
            "PUT",
            "/organisations/$organisation/information/delivery_tracking_settings",
            &json!({"logo_file_id": "$file"}),
        ),
        send(
            "PUT",
            "/organisations/$organisation/information/udf_config",
            &json!({"signing_secret_id": "$secret"}),
        ),
        call("GET", "/files/$photo"),
        call("GET", "/files/get_temp_link/$file"),
        call("DELETE", "/files/$file"),
        call("GET", "/excel_exports?excel_export_id=$export"),
        call("GET", "/excel_exports/$export"),
        call("GET", "/excel_exports/$export/file"),
        call("GET", "/map/config"),
        call("GET", "/location_options?text=street"),
        call("GET", "/location_options/$location_option"),
        call("GET", "/location_options/$client_option"),
        call("GET", "/location_options/$job_option"),
        call("GET", "/location_options/at?lat=41.15&lon=-8.61"),
    ]);
    calls
}

fn fleet() -> Vec<Call> {
    let place = json!({"address": "Rua 1", "lat": 41.1, "lon": -8.6});
    let ring = json!([[-8.7, 41.1], [-8.61, 41.1], [-8.61, 41.2], [-8.7, 41.2], [-8.7, 41.1]]);
    let area = json!({"name": "Other", "geometry": {"type": "Polygon", "coordinates": [ring]}, "driver_ids": ["$driver"]});
    let rate =
        json!({"name": "Other", "cost_per_run": 1, "cost_per_km": 1, "cost_per_hour": 1, "cost_per_drop": 1});
    let vehicle = json!({"uid": "Other", "billing_rate_id": "$billing_rate", "haulier_id": "$haulier"});
    let driver = json!({"uid": "Other", "vehicle_id": "$vehicle", "driver_user_id": "$user", "haulier_id": "$haulier"});
    let config =
        json!({"driver_id": "$driver", "vehicle_id": "$vehicle", "name": "Other", "days": ["tuesday"]});
    let mapped = json!({"run_code": "Other", "driver_id": "$driver", "vehicle_id": "$vehicle"});
    let mut calls = [
        resource("/locations", "location", "location_id=$location", &place, &json!({"name": "x"})),
        resource(
            "/clients",
            "client",
            "client_id=$client",
            &json!({"uid": "Other", "name": "Other", "location": place}),
            &json!({"name": "Other"}),
        ),
        resource(
            "/billing_rates",
            "billing_rate",
            "billing_rate_id=$billing_rate",
            &rate,
            &json!({"cost_per_km": 2}),
        ),
        resource(
            "/vehicles",
            "vehicle",
            "vehicle_id=$vehicle&haulier_id=$haulier",
            &vehicle,
            &json!({"billing_rate_id": "$billing_rate", "haulier_id": "$haulier"}),
        ),
        resource(
            "/drivers",
            "driver",
            "driver_id=$driver&vehicle_id=$vehicle&haulier_id=$haulier",
            &driver,
            &json!({"vehicle_id": "$vehicle", "driver_user_id": "$user", "haulier_id": "$haulier"}),
        ),
        resource(
            "/tracking_devices",
            "tracking_device",
            "tracking_device_id=$tracking_device&driver_id=$driver&vehicle_id=$vehicle",
            &json!({"uid": "Other", "vehicle_id": "$vehicle"}),
            &json!({"driver_id": "$driver"}),
        ),
        resource(
            "/drivers/configs",
            "driver_config",
            "driver_id=$driver",
            &config,
            &json!({"driver_id": "$driver", "vehicle_id": "$vehicle"}),
        ),
        resource(
            "/gefco/run_code_maps",
            "run_code_map",
            "driver_id=$driver&vehicle_id=$vehicle&run_code_map_id=$run_code_map",
            &mapped,
            &json!({"driver_id": "$driver", "vehicle_id": "$vehicle"}),
        ),
        resource(
            "/territories",
            "territory",
            "territory_id=$territory",
            &area,
            &json!({"driver_ids": ["$driver"]}),
        ),
        resource(
            "/territory_groups",
            "territory_group",
            "territory_group_id=$territory_group",
            &json!({"name": "Other"}),
            &json!({"name": "Another"}),
        ),
    ]
    .concat();
    let territories = json!({"territory_ids": ["$territory"]});
    calls.extend([
        send("POST", "/clients/bulk_create", &json!([{"uid": "Other 2", "name": "Other 2"}])),
        call("GET", "/bin?object_id=$client"),
        call("POST", "/bin/$binned/restore"),
        call("GET", "/vehicles/$vehicle/billing_rates"),
        call("GET", "/vehicles/$vehicle/cost?start_date=2026-11-01&end_date=2026-11-30"),
        call("POST", "/vehicles/$vehicle/billing_rates/$billing_rate"),
        call("DELETE", "/vehicles/$vehicle/billing_rates/$billing_rate"),
        call("PATCH", "/drivers/$driver/restore"),
        send("PUT", "/drivers/$driver/territories", &territories),
        send("POST", "/territory_groups/$territory_group/assign_territory", &territories),
        send("POST", "/territory_groups/$territory_group/remove_territory", &territories),
        send("PUT", "/territory_groups/$territory_group/territories", &territories),
    ]);
    calls
}

fn scenarios() -> Vec<Call> {
    let template = json!({"name": "Other", "copy_of_scenario_id": "$scenario", "default_active_driver_ids": ["$driver"],
        "territory_group_ids": ["$territory_group"], "job_ids": ["$pool_job"]});
    let advanced = json!({"name": "Other", "scheduled_date": "2026-11-25", "template_id": "$template",
        "copy_from_scenario_id": "$scenario", "copy_items": ["jobs"], "job_ids": ["$pool_job"], "driver_ids": ["$driver"],
        "default_active_driver_ids": ["$driver"], "territory_group_ids": ["$territory_group"]});
    let copies = json!({"copy_items": ["jobs"], "scheduled_date": "2026-11-25", "number_of_copies": 1});
    let fixed = json!({"copy_items": ["runs"], "from_date": "2026-11-25", "to_date": "2026-11-25", "days": ["wednesday"],
        "number_of_copies": 1});
    let mut calls = resource(
        "/scenarios/templates",
        "template",
        "template_id=$template",
        &template,
        &json!({"copy_of_scenario_id": "$scenario", "default_active_driver_ids": ["$driver"],
            "territory_group_ids": ["$territory_group"], "job_ids": ["$pool_job"]}),
    );
    calls.extend(resource(
        "/scenarios",
        "scenario",
        "scenario_id=$scenario",
        &json!({"name": "Other", "scheduled_date": "2026-11-25", "default_active_driver_ids": ["$driver"],
            "territory_group_ids": ["$territory_group"]}),
        &json!({"default_active_driver_ids": ["$driver"]}),
    ));
    calls.extend([
        call("DELETE", "/scenarios/$scenario?delete_jobs=true"),
        call("GET", "/scenarios_select?scenario_id=$scenario"),
        call("GET", "/dashboard/scenarios?scenario_id=$scenario"),
        call("GET", "/scenarios/$scenario/constraints_check"),
        call("GET", "/scenarios/$scenario/changes?since=0"),
        call("GET", "/scenarios/$scenario/diagnosis"),
        call("GET", "/scenarios/$scenario/diagnosis/$job3"),
        send("POST", "/scenarios/$scenario/remedies", &json!({"job_id": "$job3", "kind": "insert"})),
        send(
            "PUT",
            "/scenarios/$scenario/territory_groups",
            &json!({"territory_group_ids": ["$territory_group"]}),
        ),
        send("POST", "/scenarios/advanced", &advanced),
        send("POST", "/scenarios/$scenario/duplicate", &copies),
        send("POST", "/scenarios/$scenario/create_fixed_runs", &fixed),
        call("GET", "/scenarios/$scenario/runsheets_pdf"),
        call("GET", "/scenarios/$scenario/runsheets_excel"),
        call("GET", "/scenario/$scenario/gps_points"),
        call("GET", "/scenario/$scenario/gps_points?latest_only=true"),
    ]);
    calls
}

fn jobs() -> Vec<Call> {
    let new = json!({"uid": "Other", "scenario_id": "$scenario", "client_id": "$client",
        "location": {"address": "Rua 1", "lat": 41.1, "lon": -8.6}});
    let filters = "scenario_id=$scenario&run_id=$run&job_id=$job&client_id=$client&tag_id=$tag";
    let change = json!({"client_id": "$client"});
    let confirmed = json!({"address": "$doubtful_address", "client_id": "$client", "lat": 41.2, "lon": -8.6});
    let mut calls = vec![send("POST", "/addresses_to_confirm/confirm", &confirmed)];
    calls.extend(resource("/jobs", "job", filters, &new, &change));
    let tags = json!({"tag_ids": ["$tag"]});
    let bulk_tags = json!({"tag_ids": ["$tag"], "job_ids": ["$job"]});
    for method in ["POST", "PUT", "DELETE"] {
        calls.push(send(method, "/jobs/$job/assign_tags", &tags));
        calls.push(send(method, "/jobs/assign_tags_bulk", &bulk_tags));
    }
    let row = json!({"uid": "Row", "address": "Rua 2", "lat": 41.1, "lon": -8.6});
    calls.extend([
        send("PATCH", "/jobs/bulk_update", &json!({"job_ids": ["$job"], "values": {"client_id": "$client"}})),
        call("GET", "/jobs/$job/all"),
        call("GET", "/jobs/$job/proofs"),
        call("GET", "/jobs/stats?scenario_ids=$scenario&run_ids=$run"),
        call("GET", "/jobs/pool?job_id=$pool_job"),
        call("GET", "/jobs/pool/$pool_job"),
        send("PUT", "/jobs/move_jobs_from_pool", &json!([{"id": "$pool_job", "scenario_id": "$scenario"}])),
        send("PUT", "/jobs/pool/to_scenario", &json!({"job_id": "$pool_job2", "scenario_id": "$scenario"})),
        send("PUT", "/jobs/move_to_pool", &json!({"job_ids": ["$pool_job", "$pool_job2"]})),
        send("PUT", "/jobs/move_to_day", &json!({"job_ids": ["$pool_job2"], "scenario_id": "$scenario2"})),
        call("GET", "/scenarios/$scenario/steps"),
        send("PUT", "/scenarios/$scenario/undo", &json!({"step_id": 1})),
        send("PUT", "/scenarios/$scenario/redo", &json!({"step_id": 1})),
        send("POST", "/duplicate_job", &json!({"job_id": "$job", "unit_ids": ["$unit"]})),
        send("PUT", "/jobs/merge", &json!({"destination_id": "$job3", "source_ids": ["$job2"], "is_pool": false})),
        send("PUT", "/jobs/bulk_merge", &json!({"groups": [{"destination_id": "$pool_job", "source_ids": ["$pool_job2"]}], "is_pool": true})),
        send(
            "POST",
            "/jobs/template_upload",
            &json!({"rows": [row], "scenario_id": "$scenario", "mapping": {"uid": "uid"}, "partial": true}),
        ),
        call("POST", "/jobs/read_file?delimiter=%2C").lines("uid,address\nA,Rua 1"),
        call("POST", "/drivers/read_file").lines("uid,name\nD,Ana"),
        send("POST", "/jobs/look_up_addresses", &json!({"addresses": ["Rua 1"]})),
        call("GET", "/addresses_to_confirm"),
        call("GET", "/jobs/import_template?kind=csv"),
        call("POST", "/jobs/bulk_upload?scenario_id=$scenario").lines(r#"{"uid": "Line", "location": null}"#),
        send("POST", "/jobs/send_tracking_urls", &json!([{"email": "a@example.org", "token": "$job_tracking", "job_id": "$job"}])),
        send("POST", "/jobs/excel_export", &json!({"job_ids": ["$job"]})),
        send("POST", "/tutorial/create_jobs", &json!({"lat": 41.15, "lon": -8.6, "scenario_id": "$scenario"})),
        call("GET", "/pod_pdfs/jobs?job_ids=$job"),
        call("GET", "/pod_pdfs/jobs?scenario_id=$scenario"),
        call("GET", "/pod_pdfs/jobs/$job"),
        call("GET", "/runsheet/jobs/$job/proof_of_delivery_pdf"),
    ]);
    calls
}

fn items() -> Vec<Call> {
    let unit = json!({"uid": "Other", "job_id": "$job", "container_id": "$container"});
    let item = json!({"uid": "Other", "job_id": "$job", "client_id": "$client"});
    let mut calls = [
        resource(
            "/containers",
            "container",
            "container_id=$container&job_id=$job",
            &json!({"uid": "Other"}),
            &json!({"uid": "x"}),
        ),
        resource(
            "/units",
            "pool_unit",
            "unit_id=$unit&job_id=$job&container_id=$container&scenario_id=$scenario&run_id=$run",
            &unit,
            &json!({"job_id": "$job", "container_id": "$container"}),
        ),
        resource(
            "/returns",
            "pool_return",
            "return_id=$return&job_id=$job&client_id=$client&scenario_id=$scenario&run_id=$run",
            &item,
            &json!({"job_id": "$job", "client_id": "$client"}),
        ),
    ]
    .concat();
    calls.extend([
        call("GET", "/units/pool?unit_id=$pool_unit"),
        call("GET", "/returns/pool?return_id=$pool_return"),
        send("POST", "/units/copy_to_pool", &json!({"job_id": "$job", "unit_ids": ["$unit"]})),
        send("PATCH", "/units/move_to_pool", &json!({"job_id": "$job", "unit_ids": ["$unit"]})),
        send("POST", "/returns/copy_to_pool", &json!({"job_id": "$job", "return_ids": ["$return"]})),
        send("PATCH", "/returns/move_to_pool", &json!({"job_id": "$job", "return_ids": ["$return"]})),
        send("POST", "/returns/duplicate", &json!({"return_id": "$return"})),
        call("GET", "/bulk_labels/units?obj_ids=$unit"),
        call("GET", "/bulk_labels/units?job_id=$job"),
        call("GET", "/bulk_labels/returns?obj_ids=$return"),
        call("GET", "/bulk_labels/returns?job_id=$job"),
    ]);
    calls
}

fn runs() -> Vec<Call> {
    let filters = "scenario_id=$scenario&run_id=$run&driver_id=$driver&vehicle_id=$vehicle";
    let new = json!({"scenario_id": "$scenario", "driver_id": "$driver", "vehicle_id": "$vehicle"});
    let change = json!({"driver_user_id": "$user", "vehicle_id": "$vehicle", "billing_rate_id": "$billing_rate",
        "territory_ids": ["$territory"]});
    let mut calls = resource("/runs", "run", filters, &new, &change);
    let moved = json!({"job_ids": ["$job3"]});
    let wanted = json!({"driver_ids": ["$driver"], "options": {"max_seconds": 1, "ignore_capacity": true, "job_ids": ["$job3"]}});
    let configured = json!({"scenario_id": "$scenario", "driver_id": "$driver", "config_id": "$driver_config",
        "billing_rate_id": "$billing_rate"});
    let days = "scheduled_date_start=2026-01-01&scheduled_date_end=2030-12-31";
    let finished = json!({"actual_end_time": "2026-11-23T12:00:00Z", "end_odometer": 200});
    let decision = json!({"version": 1, "key": "0000000000000000", "reason": "Late proof"});
    calls.extend([
        send("POST", "/runs", &configured),
        send("PATCH", "/runs/$run", &json!({"validated_by_id": "$user"})),
        send("PUT", "/runs/$run/territories", &json!({"territory_ids": ["$territory"]})),
        send("PUT", "/runs/move_job_to_new/$run", &moved),
        send("PUT", "/runs/move_job_to_new/unserved", &moved),
        send("PUT", "/runs/bulk_move_jobs", &json!({"moves": [{"run_id": "$run2", "job_ids": ["$job3"]}]})),
        call("POST", "/runs/$run/reverse_sequence"),
        send("POST", "/runs/$run/delay", &json!({"delay": 10})),
        call("GET", "/runs/$run/runsheet_pdf"),
        send("POST", "/runs/dispatch", &json!([{"run_id": "$run", "method": "qrcode"}])),
        send("POST", "/optimise/scenarios/$scenario", &wanted),
        send("POST", "/optimise/background/scenarios/$scenario", &wanted),
        call("GET", "/optimise/background/scenarios/$scenario2"),
        call("DELETE", "/optimise/background/scenarios/$scenario2"),
        send("POST", "/optimise/runs/$run", &json!({"ignore_capacity": true})),
        send("POST", "/runs/$run/finish", &finished),
        send("PATCH", "/runs/validate", &json!({"run_ids": ["$run"]})),
        send("PATCH", "/run_cost_calculator/validate", &json!(["$run"])),
        call("GET", "/run_cost_calculator/totals?client_id=$client"),
        call("GET", &format!("/run_cost_calculator/statement?client_id=$client&{days}")),
        call("GET", &format!("/run_cost_calculator/statement?haulier_id=$haulier&{days}")),
        call("GET", "/runs/$run/bill"),
        call("GET", "/runs/$run/bills"),
        send("POST", "/runs/$run/bill/accept", &decision),
        send("POST", "/runs/$run/bill/dismiss", &decision),
        send("POST", "/runs/$run/reopen", &json!({"reason": "Misread"})),
    ]);
    calls
}
