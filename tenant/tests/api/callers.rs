//! Who may not call: expired, forged and mistaken tokens, users who are gone, links of others.

use axum::body::Body;
use chrono::{Duration, Utc};
use http::{Method, Request};
use routewright_core::{Clock, OrganisationId};
use serde_json::{Value, json};

use crate::jobs::job;
use crate::support::{tenant, tenant_at};

const REFUSED: &str = "Incorrect or expired token";

/// A-164, S-35: every token but a good access token of a user who is there answers 401 with one text, whatever is called, and
/// nothing is done.
#[tokio::test]
async fn only_a_good_access_token_opens() {
    let clock = Clock::fixed(Utc::now());
    let tenant = tenant_at(clock.clone()).await;
    let other = crate::support::tenant().await;
    let (ours, theirs) = (&tenant.organisation, &other.organisation);
    let good = ours.token(ours.planner);
    let until = clock.now() + Duration::hours(1);
    let (head, signature) = good.rsplit_once('.').expect("three parts");
    let (header, claims) = head.split_once('.').expect("three parts");
    let swapped = theirs.token(theirs.planner);
    let their_claims = swapped.split('.').nth(1).expect("three parts");
    let unsigned = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0";
    let stranger = ours.tokens.access(i64::MAX, ours.id, 0, None).expect("a token").token;
    let elsewhere =
        ours.tokens.access(ours.planner.id, OrganisationId::new(7), 0, None).expect("a token").token;
    let crossed = ours.tokens.access(ours.planner.id, theirs.id, 0, None).expect("a token").token;
    let stale = ours.tokens.access(ours.planner.id, ours.id, 3, None).expect("a token").token;
    let run_sheet = ours.tokens.runsheet(1, ours.id, until).expect("a token").token;
    let tokens: Vec<(&str, String)> = vec![
        ("empty", String::new()),
        ("garbage", "x.y.z".to_owned()),
        ("a NUL", "a%00b".to_owned()),
        ("cut off", good[..good.len() - 1].to_owned()),
        ("another signature", format!("{header}.{claims}.{}", "A".repeat(signature.len()))),
        ("claims of another", format!("{header}.{their_claims}.{signature}")),
        ("not signed", format!("{unsigned}.{claims}.")),
        ("run sheet", run_sheet),
        ("a link", ours.links.long(ours.id)),
        ("unknown user", stranger),
        ("no organisation", elsewhere),
        ("user of another organisation", crossed),
        ("ended session", stale),
    ];
    let calls: [(Method, &str, Option<Value>); 6] = [
        (Method::GET, "/jobs", None),
        (Method::POST, "/jobs", Some(job("A"))),
        (Method::PATCH, "/jobs/1", Some(json!({"invoice": "I"}))),
        (Method::DELETE, "/scenarios/1", None),
        (Method::GET, "/v2/runsheet", None),
        (Method::GET, "/files/1", None),
    ];
    for (what, token) in &tokens {
        for (method, path, body) in &calls {
            if *what == "run sheet" && *path == "/v2/runsheet" {
                continue;
            }
            let caller = tenant.planner.with_token(token.clone());
            let refusal = caller.call(method.clone(), path, body.clone()).await.refused(401);
            assert_eq!(refusal["description"], REFUSED, "{what} at {method} {path}");
        }
    }
    // A user's token is none of a driver.
    let refusal = tenant.planner.get("/v2/runsheet").await.refused(401);
    assert_eq!(refusal["description"], REFUSED);
    for scheme in ["Basic cGxhbm5lcjpwYXNz", "Bearer", "Bearer  ", "bearer\u{a0}x"] {
        let request = Request::get("/jobs").header("authorization", scheme.as_bytes()).body(Body::empty());
        let _ = tenant.planner.nobody().send(request.expect("a request")).await.refused(401);
    }
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 0);
    clock.advance(Duration::minutes(31));
    assert_eq!(tenant.planner.get("/jobs").await.refused(401)["description"], REFUSED);
}

/// V-22: the token of a session that has ended is refused, though its user may still sign in; those of his other sessions
/// are not.
#[tokio::test]
async fn an_ended_session_is_no_caller() {
    let tenant = tenant().await;
    let organisation = &tenant.organisation;
    let begin = async || -> sqlx::types::Uuid {
        sqlx::query_scalar(
            "insert into refresh_families (user_id, expires_at) values ($1, now() + interval '1 hour') returning id",
        )
        .bind(organisation.planner.id)
        .fetch_one(&organisation.control)
        .await
        .expect("a session")
    };
    let (ended, other) = (begin().await, begin().await);
    let client = |session| {
        let user = organisation.planner.id;
        let token = organisation.tokens.session_access(user, organisation.id, 0, None, session);
        tenant.planner.with_token(token.expect("a token").token)
    };
    let (ended_client, other_client) = (client(ended), client(other));
    for caller in [&ended_client, &other_client] {
        let _ = caller.get("/jobs").await.ok();
    }
    for statement in [
        "update refresh_families set revoked_at = now() where id = $1",
        "insert into policy_changes (organisation_id)
         select organisation_id from users where id = (select user_id from refresh_families where id = $1)",
    ] {
        sqlx::query(statement).bind(ended).execute(&organisation.control).await.expect("an end");
    }
    tenant.app.gate.policies.poll().await.expect("policies are read");
    assert_eq!(ended_client.get("/jobs").await.refused(401)["description"], REFUSED);
    let _ = other_client.get("/jobs").await.ok();
    let _ = tenant.planner.get("/jobs").await.ok();
}

/// S-35, P-371: a user who was deleted or lost a level is refused within the second, with the token he still has.
#[tokio::test]
async fn rights_end_at_once() {
    let tenant = tenant().await;
    let organisation = &tenant.organisation;
    let person = organisation.person_with(&["jobs_read", "jobs_write"]).await;
    tenant.app.gate.policies.poll().await.expect("policies are read");
    let caller = tenant.planner.with_token(organisation.token(person));
    let _ = caller.post("/jobs", job("A")).await.ok();
    let change = async |statement: &'static str, id: i64| {
        sqlx::query(statement).bind(id).execute(&organisation.control).await.expect("a change");
        sqlx::query("insert into policy_changes (organisation_id) values ($1)")
            .bind(organisation.id)
            .execute(&organisation.control)
            .await
            .expect("a change");
        tenant.app.gate.policies.poll().await.expect("policies are read");
    };
    change("update roles set access_levels = '{jobs_read}' where id = $1", person.role_id).await;
    let refusal = caller.post("/jobs", job("B")).await.refused(403);
    assert_eq!(refusal["description"], "User is not authorized to perform this action");
    let _ = caller.get("/jobs").await.ok();
    change("update users set deleted_at = now() where id = $1", person.id).await;
    assert_eq!(caller.get("/jobs").await.refused(401)["description"], REFUSED);
    assert_eq!(caller.post("/jobs", job("B")).await.refused(401)["description"], REFUSED);
    assert_eq!(tenant.planner.get("/jobs").await.ok()["total_count"], 1);
}
