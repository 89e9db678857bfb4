//! Runs, whole plans, and what happens on the road and after it.

use chrono::{Days, Utc};
use serde_json::{Value, json};

use super::{By, Step, step};

pub(super) fn runs() -> Vec<Step> {
    let new = json!({"scenario_id": "$scenario", "driver_id": "$eva_driver"});
    vec![
        step("a run", "POST", "/runs", new.clone(), json!({"runs": ["eva"]})).keeps(&[("eva", "/id")]),
        step(
            "a run's field",
            "PATCH",
            "/runs/$ana",
            json!({"capacity": "boxes:90"}),
            json!({"runs": ["ana"]}),
        ),
        step(
            "a run's shift",
            "PATCH",
            "/runs/$ana",
            json!({"shift_start": "09:30"}),
            json!({"runs": ["ana"], "jobs": ["a"]}),
        ),
        step(
            "runs' fields",
            "PATCH",
            "/runs/bulk",
            json!([{"id": "$rui", "route_colour": "#112233"}]),
            json!({"runs": ["rui"]}),
        ),
        step(
            "a run's areas",
            "PUT",
            "/runs/$rui/territories",
            json!({"territory_ids": ["$territory"]}),
            json!({"runs": ["rui"]}),
        ),
        step("a run deleted", "DELETE", "/runs/$eva", Value::Null, json!({"removed_run_ids": ["eva"]})),
        step("the run again", "POST", "/runs", new, json!({"runs": ["eva2"]})).keeps(&[("eva2", "/id")]),
        step(
            "runs deleted",
            "DELETE",
            "/runs/bulk",
            json!({"ids": ["$eva2"]}),
            json!({"removed_run_ids": ["eva2"]}),
        ),
        step(
            "a run sent",
            "POST",
            "/runs/dispatch",
            json!([{"run_id": "$rui", "method": "qrcode"}]),
            json!({"runs": ["rui"]}),
        ),
    ]
}

pub(super) fn plans() -> Vec<Step> {
    let wanted = json!({"driver_ids": ["$ana_driver", "$rui_driver"], "options": {"max_seconds": 1}});
    let seven = json!({"job_ids": ["$a", "$b", "$c", "$d", "$e", "$f"]});
    let after = Utc::now().date_naive() + Days::new(2);
    vec![
        step(
            "a way there and back",
            "PUT",
            "/runs/move_job_to_new/$ana",
            json!({"job_ids": ["$f", "$a", "$e", "$b", "$c"], "seq": 1}),
            json!({"jobs": ["f", "a", "e", "b", "c"], "runs": ["ana"]}),
        ),
        step("a run optimised", "POST", "/optimise/runs/$ana", json!({}), json!({"runs": ["ana"]})),
        step(
            "an optimisation",
            "POST",
            "/optimise/scenarios/$scenario",
            wanted.clone(),
            json!({"jobs": ["c"], "some": "runs", "scenario": true}),
        ),
        step(
            "everything off the runs",
            "PUT",
            "/runs/move_job_to_new/unserved",
            seven.clone(),
            json!({"jobs": ["a"]}),
        ),
        step("off the runs", "PUT", "/runs/move_job_to_new/unserved", seven.clone(), json!({"jobs": ["a"]})),
        step(
            "a colleague's optimisation",
            "POST",
            "/optimise/scenarios/$scenario",
            wanted,
            json!({"jobs": ["a"], "scenario": true}),
        )
        .by(By::Colleague),
        step(
            "off the runs again",
            "PUT",
            "/runs/move_job_to_new/unserved",
            seven.clone(),
            json!({"jobs": ["a"]}),
        ),
        step(
            "all onto one",
            "PUT",
            "/runs/move_job_to_new/$ana",
            seven,
            json!({"jobs": ["a", "f"], "runs": ["ana"]}),
        ),
        step("a name", "PATCH", "/scenarios/$scenario", json!({"name": "Theirs"}), json!({"scenario": true})),
        step(
            "another day",
            "PATCH",
            "/scenarios/$scenario",
            json!({"scheduled_date": after}),
            json!({"scenario": true, "jobs": ["a"], "runs": ["ana"]}),
        ),
        step(
            "a name again",
            "PATCH",
            "/scenarios/bulk",
            json!([{"id": "$scenario", "name": "Ours"}]),
            json!({"scenario": true}),
        ),
        step(
            "areas",
            "PUT",
            "/scenarios/$scenario/territory_groups",
            json!({"territory_group_ids": ["$area"]}),
            json!({"scenario": true}),
        ),
    ]
}

/// What customers ask for, and what becomes of it.
fn wishes() -> Vec<Step> {
    let later = Utc::now().date_naive() + Days::new(4);
    vec![
        step(
            "a customer's wish",
            "POST",
            "/jobs/tracking/$f_tracking/reschedule",
            json!({"date": later}),
            json!({"jobs": ["f"]}),
        )
        .by(By::Customer),
        step(
            "a customer's word",
            "PUT",
            "/jobs/tracking/$f_tracking/instructions",
            json!({"instructions": "Gate 2"}),
            json!({"jobs": ["f"]}),
        )
        .by(By::Customer),
        step(
            "a wish settled",
            "PATCH",
            "/reschedule_requests/$wish",
            json!({"handled": true}),
            json!({"jobs": ["f"]}),
        ),
    ]
}

pub(super) fn road() -> Vec<Step> {
    let a = json!({"jobs": ["a"]});
    let with_items = json!({"jobs": ["a"], "items": true});
    let mut steps = wishes();
    steps.extend([
        step(
            "a start",
            "PUT",
            "/v2/runsheet/start_route",
            json!({"odometer": 100}),
            json!({"runs": ["ana"]}),
        )
        .by(By::Driver),
        step(
            "a proof",
            "POST",
            "/runsheet/$ana_token/job_proofs",
            json!({"job_id": "$a", "success": true}),
            json!({"jobs": ["a"]}),
        )
        .by(By::Sheet)
        .keeps(&[("job_proof", "/id")]),
        step(
            "a proof by the office",
            "POST",
            "/job_proofs",
            json!({"job_id": "$b", "success": false, "reason_id": "$reason"}),
            json!({"jobs": ["b"]}),
        ),
        step("a proof corrected", "PATCH", "/job_proofs/$job_proof", json!({"success": false}), a.clone())
            .by(By::Colleague),
        step(
            "a stop recorded on the phone",
            "POST",
            "/v2/runsheet/records",
            json!({"id": "6f1c1c5e-54a9-4f3e-9d0e-0b5a6c0a1d01", "kind": "stop", "job_id": "$a",
                "captured_at": Utc::now(), "job_proof": {"success": true}}),
            a.clone(),
        )
        .by(By::Driver),
        step("evidence given to a job", "POST", "/evidence/$evidence/assign", json!({"job_id": "$a"}), a),
    ]);
    for (noun, keeps) in [
        ("unit", &[("unit_proof", "/id")] as &'static [(&str, &str)]),
        ("return", &[("return_proof", "/id")]),
        ("container", &[("container_proof", "/id")]),
    ] {
        let mut new = json!({"mode": "deliver", "job_id": "$a"});
        new[format!("{noun}_id")] = format!("${noun}").into();
        let mut office = new.clone();
        office["record_time"] = "2026-11-22T08:00:00Z".into();
        let one = format!("/{noun}_proofs/${noun}_proof");
        steps.extend([
            step(
                "a proof of an item",
                "POST",
                &format!("/v2/runsheet/{noun}_proofs"),
                new,
                with_items.clone(),
            )
            .by(By::Driver)
            .keeps(keeps),
            step(
                "the office's proof of an item",
                "POST",
                &format!("/{noun}_proofs"),
                office,
                with_items.clone(),
            ),
            step(
                "a proof of an item corrected",
                "PATCH",
                &one,
                json!({"comments": "Dented"}),
                with_items.clone(),
            ),
        ]);
    }
    steps.extend(end_of_the_road(with_items));
    steps
}

fn end_of_the_road(with_items: Value) -> Vec<Step> {
    let bulk = json!([{"id": "$container_proof", "comments": "Rusty"}]);
    let ends = json!({"mode": "end", "odometer": 150, "run_id": "$ana"});
    let sheet = json!({"mode": "start", "odometer": 100});
    vec![
        step("proofs of containers corrected", "PATCH", "/container_proofs/bulk", bulk, with_items.clone()),
        step(
            "a proof of a container unmade",
            "DELETE",
            "/container_proofs/$container_proof",
            Value::Null,
            with_items,
        ),
        step(
            "the driver's figures of the start",
            "POST",
            "/v2/runsheet/run_proofs",
            sheet,
            json!({"runs": ["ana"]}),
        )
        .by(By::Driver),
        step("the office's figures of the end", "POST", "/run_proofs", ends, json!({"runs": ["ana"]})),
        step("an end", "PUT", "/v2/runsheet/end_route", json!({"odometer": 160}), json!({"runs": ["ana"]}))
            .by(By::Driver),
    ]
}

pub(super) fn afterwards() -> Vec<Step> {
    let ana = json!({"runs": ["ana"]});
    let mut finish = json!({"end_odometer": 170, "force": true});
    finish["actual_end_time"] = (Utc::now() + chrono::TimeDelta::hours(1)).to_rfc3339().into();
    let open = json!({"actual_end_time": null, "end_odometer": null});
    vec![
        step("an end taken back", "PATCH", "/runs/$ana", open, ana.clone()).by(By::Colleague),
        step("the office's end", "POST", "/runs/$ana/finish", finish, ana.clone()).by(By::Colleague),
        step(
            "a validation",
            "PATCH",
            "/runs/validate",
            json!({"run_ids": ["$ana"], "force": true}),
            ana.clone(),
        )
        .by(By::Colleague),
        step("no validation", "PATCH", "/runs/$ana", json!({"validated_by_id": null}), ana.clone())
            .by(By::Colleague),
        step(
            "a validation with costs",
            "PATCH",
            "/run_cost_calculator/validate",
            json!({"run_ids": ["$ana"], "force": true}),
            ana.clone(),
        )
        .by(By::Colleague),
        step("a run reopened", "POST", "/runs/$ana/reopen", json!({"reason": "Misread"}), ana)
            .by(By::Colleague),
    ]
}
