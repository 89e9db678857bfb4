//! Jobs, their places, the pool, and what hangs on jobs.

use routewright_testing::calls::Call;
use serde_json::{Value, json};

use super::{By, Step, step};

pub(super) fn jobs() -> Vec<Step> {
    let new = json!({"uid": "New", "scenario_id": "$scenario", "location": {"address": "Rua 1", "lat": 41.17, "lon": -8.6}});
    let rows = json!([{"uid": "Row", "address": "41.18, -8.6"}, {"uid": "a", "reference": "R"}]);
    let tags = json!({"tag_ids": ["$tag"]});
    let many = json!({"tag_ids": ["$tag"], "job_ids": ["$a", "$b"]});
    let copy = json!({"job_id": "$d"});
    let merge = json!({"destination_id": "$d", "source_ids": ["$copy"], "is_pool": false});
    let merges = json!({"groups": [{"destination_id": "$d", "source_ids": ["$copy2"]}], "is_pool": false});
    vec![
        step("a job", "POST", "/jobs", new, json!({"jobs": ["new"]})).keeps(&[("new", "/id")]),
        step("its field", "PATCH", "/jobs/$new", json!({"comments": "Ring"}), json!({"jobs": ["new"]}))
            .by(By::Colleague),
        step(
            "fields",
            "PATCH",
            "/jobs/bulk",
            json!([{"id": "$new", "duration": 9}]),
            json!({"jobs": ["new"]}),
        ),
        step(
            "one field of many",
            "PATCH",
            "/jobs/bulk_update",
            json!({"job_ids": ["$a", "$b"], "values": {"colour": "#445566"}}),
            json!({"jobs": ["a", "b"]}),
        ),
        step(
            "an import",
            "POST",
            "/jobs/template_upload",
            json!({"rows": rows, "scenario_id": "$scenario"}),
            json!({"jobs": ["a"]}),
        ),
        Step {
            call: Call::new("POST", "/jobs/bulk_upload?scenario_id=$scenario")
                .lines(r#"{"uid": "Line", "location": {"address": "Rua 2", "lat": 41.16, "lon": -8.6}}"#),
            ..step("an upload line by line", "POST", "", Value::Null, json!({"some": "jobs"}))
        },
        step(
            "a tutorial",
            "POST",
            "/tutorial/create_jobs",
            json!({"lat": 41.15, "lon": -8.6, "scenario_id": "$scenario"}),
            json!({"some": "jobs"}),
        ),
        step("a tag", "POST", "/jobs/$a/assign_tags", tags.clone(), json!({"jobs": ["a"]})),
        step("no tag", "DELETE", "/jobs/$a/assign_tags", tags.clone(), json!({"jobs": ["a"]})),
        step("these tags", "PUT", "/jobs/$a/assign_tags", tags, json!({"jobs": ["a"]})),
        step("a tag for many", "POST", "/jobs/assign_tags_bulk", many.clone(), json!({"jobs": ["b"]})),
        step(
            "no tag for many",
            "DELETE",
            "/jobs/assign_tags_bulk",
            many.clone(),
            json!({"jobs": ["a", "b"]}),
        ),
        step("these tags for many", "PUT", "/jobs/assign_tags_bulk", many, json!({"jobs": ["a", "b"]})),
        step("a tag deleted", "DELETE", "/tags/$tag", Value::Null, json!({"jobs": ["a", "b"]}))
            .by(By::Colleague),
        step("a copy", "POST", "/duplicate_job", copy.clone(), json!({"jobs": ["copy"]}))
            .keeps(&[("copy", "/id")]),
        step("a merge", "PUT", "/jobs/merge", merge, json!({"jobs": ["d"], "removed_job_ids": ["copy"]})),
        step("another copy", "POST", "/duplicate_job", copy.clone(), json!({"jobs": ["copy2"]}))
            .keeps(&[("copy2", "/id")]),
        step(
            "merges",
            "PUT",
            "/jobs/bulk_merge",
            merges,
            json!({"jobs": ["d"], "removed_job_ids": ["copy2"]}),
        ),
        step("a job deleted", "DELETE", "/jobs/$new", Value::Null, json!({"removed_job_ids": ["new"]}))
            .by(By::Colleague),
        step("a third copy", "POST", "/duplicate_job", copy, json!({"jobs": ["copy3"]}))
            .keeps(&[("copy3", "/id")]),
        step(
            "jobs deleted",
            "DELETE",
            "/jobs/bulk",
            json!({"ids": ["$copy3"]}),
            json!({"removed_job_ids": ["copy3"]}),
        ),
    ]
}

pub(super) fn moves() -> Vec<Step> {
    let three = json!({"job_ids": ["$a", "$b", "$c"]});
    let moves =
        json!({"moves": [{"run_id": "$rui", "job_ids": ["$b"]}, {"run_id": null, "job_ids": ["$c"]}]});
    vec![
        step(
            "a move",
            "PUT",
            "/runs/move_job_to_new/$ana",
            three,
            json!({"jobs": ["a", "b", "c"], "runs": ["ana"]}),
        ),
        step(
            "a tracking link sent",
            "POST",
            "/jobs/send_tracking_urls",
            json!([{"email": "a@example.org", "token": "$a_tracking", "job_id": "$a"}]),
            json!({"jobs": ["a"]}),
        ),
        step(
            "moves",
            "PUT",
            "/runs/bulk_move_jobs",
            moves,
            json!({"jobs": ["b", "c"], "runs": ["ana", "rui"]}),
        )
        .by(By::Colleague),
        step(
            "a move back",
            "PUT",
            "/runs/move_job_to_new/$ana",
            json!({"job_ids": ["$b"], "seq": 1}),
            json!({"jobs": ["b"], "runs": ["ana", "rui"]}),
        ),
        step(
            "off its run",
            "PUT",
            "/runs/move_job_to_new/unserved",
            json!({"job_ids": ["$b"]}),
            json!({"jobs": ["b"], "runs": ["ana"]}),
        ),
        step(
            "its best place",
            "POST",
            "/scenarios/$scenario/remedies",
            json!({"job_id": "$b", "kind": "insert"}),
            json!({"jobs": ["b"]}),
        ),
        step(
            "together again",
            "PUT",
            "/runs/move_job_to_new/$ana",
            json!({"job_ids": ["$b", "$d"]}),
            json!({"jobs": ["d"], "runs": ["ana"]}),
        ),
        step(
            "a delay",
            "POST",
            "/runs/$ana/delay",
            json!({"delay": 15}),
            json!({"jobs": ["a", "b", "d"], "runs": ["ana"]}),
        ),
        step(
            "the other way round",
            "POST",
            "/runs/$ana/reverse_sequence",
            json!({}),
            json!({"jobs": ["a", "d"], "runs": ["ana"]}),
        ),
    ]
}

pub(super) fn pool() -> Vec<Step> {
    let back = json!([{"id": "$e", "scenario_id": "$scenario"}]);
    let into = json!({"job_id": "$e", "scenario_id": "$scenario"});
    vec![
        step(
            "the pool",
            "PUT",
            "/jobs/move_to_pool",
            json!({"job_ids": ["$e", "$d"]}),
            json!({"removed_job_ids": ["d", "e"], "runs": ["ana"]}),
        ),
        step("back", "PUT", "/jobs/move_jobs_from_pool", back, json!({"jobs": ["e"]})),
        step(
            "the pool again",
            "PUT",
            "/jobs/move_to_pool",
            json!({"job_ids": ["$e"]}),
            json!({"removed_job_ids": ["e"]}),
        ),
        step("back by itself", "PUT", "/jobs/pool/to_scenario", into, json!({"jobs": ["e"]})),
        step(
            "from the pool onto a run",
            "PUT",
            "/runs/move_job_to_new/$rui",
            json!({"job_ids": ["$d"], "pool": true}),
            json!({"jobs": ["d"], "runs": ["rui"]}),
        ),
    ]
}

pub(super) fn items() -> Vec<Step> {
    let a = json!({"items": true, "jobs": ["a"]});
    let mut steps = Vec::new();
    for (noun, path, ids) in [("unit", "/units", "unit_ids"), ("return", "/returns", "return_ids")] {
        let one = format!("{path}/${noun}");
        let on = json!({"job_id": "$a"});
        let mut away = on.clone();
        away[ids] = json!([format!("${noun}")]);
        let mut new = on.clone();
        new["uid"] = "I-1".into();
        let keeps: &'static [(&str, &str)] =
            if noun == "unit" { &[("unit", "/id")] } else { &[("return", "/id")] };
        let extra: &'static [(&str, &str)] =
            if noun == "unit" { &[("unit2", "/id")] } else { &[("return2", "/id")] };
        let more: &'static [(&str, &str)] =
            if noun == "unit" { &[("unit3", "/id")] } else { &[("return3", "/id")] };
        steps.extend([
            step("an item", "POST", path, new.clone(), a.clone()).keeps(keeps),
            step("its number", "PATCH", &one, json!({"uid": "I-2"}), a.clone()),
            step(
                "its number again",
                "PATCH",
                &format!("{path}/bulk"),
                json!([{"id": format!("${noun}"), "uid": "I-3"}]),
                a.clone(),
            ),
            step("an item to the pool", "PATCH", &format!("{path}/move_to_pool"), away, a.clone()),
            step("an item back", "PATCH", &one, on, a.clone()),
            step("a second item", "POST", path, new.clone(), a.clone()).keeps(extra),
            step("an item deleted", "DELETE", &format!("{path}/${noun}2"), Value::Null, a.clone()),
            step("a third item", "POST", path, new, a.clone()).keeps(more),
            step(
                "items deleted",
                "DELETE",
                &format!("{path}/bulk"),
                json!({"ids": [format!("${noun}3")]}),
                a.clone(),
            ),
        ]);
    }
    steps.push(step(
        "an item into a container",
        "PATCH",
        "/units/$unit",
        json!({"container_id": "$container"}),
        a.clone(),
    ));
    steps.push(step("a copy of a return", "POST", "/returns/duplicate", json!({"return_id": "$return"}), a));
    steps
}
