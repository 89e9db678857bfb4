//! Tokens that were forged, or meant for something else.

use chrono::Duration;
use routewright_core::access::{Link, Who, all_levels};
use routewright_core::http::routes::Row;
use routewright_testing::Client;
use routewright_testing::calls::Call;
use serde_json::{Value, json};

use super::calls;
use super::fill::Filled;

fn table() -> Vec<Row> {
    routewright_tenant::routes::table().rows()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// contract §1.2: a link's token opens only what it was made for. Neither a token of another kind nor one
/// put together of two does, and it says nothing about the job, run, scenario or file it belongs to.
#[tokio::test]
async fn a_link_opens_one_thing() {
    let theirs = Filled::new("Quokka", Some(2_000_000)).await;
    let ours = theirs.beside("Wombat").await;
    let nobody = ours.admin.nobody();
    let kinds = [
        (Link::Tracking, "job_tracking"),
        (Link::Run, "run_token"),
        (Link::Scenario, "ws_token"),
        (Link::File, "file_uid"),
        (Link::Device, "device_key"),
        (Link::Proof, "check_token"),
    ];
    let rows: Vec<Row> = table().into_iter().filter(|row| matches!(row.access.who, Who::Link(_))).collect();
    assert!(rows.len() > 8);
    for row in &rows {
        let Who::Link(link) = row.access.who else { continue };
        let of_kind = |kind: Link| kinds.iter().find(|(known, _)| *known == kind).unwrap().1;
        let mut wrong: Vec<String> = kinds
            .iter()
            .filter(|(kind, _)| *kind != link)
            .map(|(_, name)| text(&theirs.things[*name]))
            .collect();
        let (own, foreign) = (text(&ours.things[of_kind(link)]), text(&theirs.things[of_kind(link)]));
        // The first 12 letters say whose it is.
        wrong.push(format!("{}{}", &foreign[..12], &own[12..]) + if own.len() == 12 { "A" } else { "" });
        wrong.push(format!("{}{}", &own[..12], &foreign[12..]) + if own.len() == 12 { "A" } else { "" });
        wrong.push(foreign.to_lowercase() + "x");
        wrong.push(theirs.tenant.organisation.links.long(theirs.tenant.organisation.id));
        wrong.push(theirs.tenant.organisation.links.short(theirs.tenant.organisation.id));
        for token in wrong {
            let path = row.path.replace("{token}", &token).replace("{uid}", &token);
            let reschedules = row.path.ends_with("/reschedule");
            let body = match row.method.as_str() {
                "POST" if reschedules => Some(json!({"date": "2026-11-25"})),
                "POST" => Some(json!({"job_id": theirs.things["job2"], "success": true})),
                "PUT" => Some(json!({"instructions": "Quokka"})),
                _ => None,
            };
            let answer = nobody.call(row.method.clone(), &path, body).await;
            assert!([401, 404].contains(&answer.status.as_u16()), "{} {path}: {}", row.method, answer.text());
            assert!(!answer.text().contains("Quokka"));
        }
    }
    // A run's token trades for that run's sheet only.
    for wrong in ["job_tracking", "ws_token", "file_uid"] {
        let body = json!({"token_uid": theirs.things[wrong]});
        nobody.post("/auth/runsheet_token", body).await.refused(401);
    }
}

/// Contract §1.1: no route lets in a token of another kind, of another organisation's user, or of a user who is gone.
#[tokio::test]
async fn only_a_members_access_token_opens_a_route() {
    let theirs = Filled::new("Quokka", Some(2_000_000)).await;
    let ours = theirs.beside("Wombat").await;
    let (organisation, foreign) = (&ours.tenant.organisation, &theirs.tenant.organisation);
    let tokens = &organisation.tokens;
    let now = organisation.clock.now();
    let gone = organisation.person_with(&["jobs_read"]).await;
    sqlx::query("update users set deleted_at = now() where id = $1")
        .bind(gone.id)
        .execute(&organisation.control)
        .await
        .unwrap();
    ours.tenant.app.gate.policies.forget_all();
    let file = tokens.file(1, organisation.id, Duration::hours(1)).unwrap().token;
    let sheet = tokens.runsheet(1, organisation.id, now + Duration::hours(1)).unwrap().token;
    let foreign_run = theirs.things["run"].as_i64().unwrap();
    let users = [
        (
            "our user in their organisation",
            tokens.access(organisation.admin.id, foreign.id, 0, None).unwrap().token,
        ),
        (
            "their user in our organisation",
            tokens.access(foreign.admin.id, organisation.id, 0, None).unwrap().token,
        ),
        ("a user who is gone", organisation.token(gone)),
        ("a file's ticket", file.clone()),
        ("a driver's token", sheet.clone()),
        ("a tracking token", text(&ours.things["job_tracking"])),
        ("a run's token", text(&ours.things["run_token"])),
        ("nothing", String::new()),
    ];
    let access = organisation.token(organisation.admin);
    let drivers = [
        (
            "their run in our organisation",
            tokens.runsheet(foreign_run, organisation.id, now + Duration::hours(1)).unwrap().token,
        ),
        ("a user's token", access.clone()),
        ("a file's ticket", file),
        ("a run's token", text(&ours.things["run_token"])),
        ("an old token", tokens.runsheet(1, organisation.id, now - Duration::hours(1)).unwrap().token),
    ];
    let refuse = async |row: &Row, what: &str, client: Client| {
        let path = row.path.replace("{id}", "1").replace("{run_id}", "1").replace("{rate_id}", "1");
        let path = path.replace("{group}", "pod_settings");
        let body = (row.method != "GET").then(|| json!({}));
        let answer = client.call(row.method.clone(), &path, body).await;
        let status = answer.status.as_u16();
        // Signed by us, and still there is no such run: some routes look at the body first.
        let refused = [400, 415].contains(&status) && what.starts_with("their run");
        assert!(
            [401, 404].contains(&status) || refused,
            "{what} at {} {}: {status} {}",
            row.method,
            row.path,
            answer.text()
        );
    };
    for row in table() {
        let wrong: &[(&str, String)] = match row.access.who {
            Who::User => &users,
            Who::Runsheet => &drivers,
            _ => continue,
        };
        for (what, token) in wrong {
            refuse(&row, what, ours.admin.with_token(token.clone())).await;
        }
    }
}

/// V-26 W-043: with the key of a run sheet anybody acts as its driver, and the scenario's opens them all. Whoever may not
/// dispatch gets neither by any route, whatever else he may do; of hauliers' people, who see their own runs, nobody gets
/// the scenario's.
#[tokio::test]
async fn only_those_who_dispatch_get_the_keys_of_run_sheets() {
    let ours = Filled::new("Wombat", None).await;
    let organisation = &ours.tenant.organisation;
    let levels = all_levels();
    let others: Vec<&str> =
        levels.iter().map(String::as_str).filter(|level| *level != "runs_write").collect();
    let reader = organisation.person_with(&others).await;
    let reader = ours.admin.with_token(organisation.token(reader));
    let table = routewright_tenant::routes::table().rows();
    let keys: Vec<String> =
        ["run_token", "run2_token", "ws_token", "ws_token2"].map(|name| text(&ours.things[name])).into();
    let is_read = |call: &&Call| call.method == "GET";
    let calls = calls::all();
    let (reads, writes): (Vec<&Call>, Vec<&Call>) =
        calls.iter().filter(|call| call.method != "DELETE").partition(is_read);
    let (mut faults, mut answered) = (Vec::new(), 0);
    for call in reads.into_iter().chain(writes) {
        let row = call.route(&table).unwrap();
        // What is called with a key shows it to nobody who has it not.
        if !matches!(row.access.who, Who::User | Who::RunsheetOrUser) {
            continue;
        }
        let answer = call.make(&reader, &ours.things, None).await;
        answered += usize::from(answer.status.is_success());
        if keys.iter().any(|key| answer.text().contains(key)) {
            faults.push(format!("{call:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(answered > 150, "{answered}");
    let run = ours.things["run"].to_string();
    let sheet = format!("/runs/{run}/runsheet_pdf");
    assert!(!reader.get(&sheet).await.text().contains("token="));
    assert!(ours.admin.get(&sheet).await.text().contains("token="));
    assert_eq!(ours.admin.get(&format!("/runs/{run}")).await.ok()["token"], ours.things["run_token"]);
}
