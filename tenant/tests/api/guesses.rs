//! V-23: tokens of links cannot be guessed one after the other.

use axum::body::Body;
use chrono::{TimeDelta, Utc};
use http::Request;
use routewright_core::Clock;
use routewright_testing::{Answer, Client, variables};
use serde_json::json;

use crate::support::tenant_at;

/// A replica that refuses an address after five wrong tokens, behind one proxy.
async fn replica(clock: &Clock) -> Client {
    let mut config = routewright_tenant::Config::from_source(&variables()).expect("a configuration");
    (config.token_guesses, config.trusted_proxies) = (5, 1);
    let service = routewright_tenant::build(config, clock.clone()).await.expect("the service starts");
    Client::new(service.router, None)
}

async fn ask(replica: &Client, from: &str, path: &str) -> Answer {
    let request = Request::get(path).header("x-forwarded-for", from).body(Body::empty());
    replica.send(request.expect("a request")).await
}

fn address() -> String {
    let text = routewright_core::token::random(4);
    let part = text.bytes().fold(7_u16, |sum, byte| sum.wrapping_mul(131).wrapping_add(byte.into()));
    format!("2001:db8:{part:x}::1")
}

/// Tracking numbers, run sheets, sockets' tokens and files: after so many wrong ones an address gets 429, at every replica,
/// with a right one too; others are not concerned, and later it may try again.
#[tokio::test]
async fn guesses_of_link_tokens_are_limited() {
    let clock = Clock::fixed(Utc::now());
    let tenant = tenant_at(clock.clone()).await;
    let job = tenant.planner.post("/jobs", crate::jobs::job("A")).await.ok();
    let right = format!("/jobs/tracking/{}", job["tracking_token"].as_str().expect("a token"));
    let (one, two) = (replica(&clock).await, replica(&clock).await);
    let guess = || tenant.app.gate.links.short(tenant.organisation.id);
    for path in
        ["/jobs/tracking/{}", "/files/uid/{}", "/scenarios/token/{}/qr_codes", "/runsheet/{}/job_proofs"]
    {
        let from = address();
        let wrong = || path.replace("{}", &guess());
        // The same wrong one again and again, as a page that is left open asks, counts once.
        let same = wrong();
        for _ in 0..10 {
            let _ = send(&one, &from, path, &same).await;
        }
        for _ in 0..4 {
            let status = send(&one, &from, path, &wrong()).await.status.as_u16();
            assert!([401, 404].contains(&status), "{path}: {status}");
        }
        let refused = send(&one, &from, path, &wrong()).await;
        assert!(refused.headers.contains_key("retry-after"));
        assert_eq!(refused.refused(429)["description"], "Too many requests", "{path}");
        assert_eq!(ask(&one, &from, &right).await.status, 429, "{path}");
        assert_eq!(send(&two, &from, path, &wrong()).await.status, 429, "{path}");
        assert_eq!(ask(&one, &address(), &right).await.status, 200);
        clock.advance(TimeDelta::minutes(10));
        assert_eq!(ask(&one, &from, &right).await.status, 200);
    }
}

async fn send(replica: &Client, from: &str, pattern: &str, path: &str) -> Answer {
    if !pattern.starts_with("/runsheet") {
        return ask(replica, from, path).await;
    }
    let request =
        Request::post(path).header("x-forwarded-for", from).header("content-type", "application/json");
    replica.send(request.body("{}".into()).expect("a request")).await
}

/// The exchange of a run's token, which stands in the body.
#[tokio::test]
async fn guesses_of_run_tokens_are_limited() {
    let clock = Clock::fixed(Utc::now());
    let tenant = tenant_at(clock.clone()).await;
    let (one, from) = (replica(&clock).await, address());
    let exchange = || {
        let body = json!({"token_uid": tenant.app.gate.links.long(tenant.organisation.id)}).to_string();
        let request = Request::post("/auth/runsheet_token").header("x-forwarded-for", &from);
        let request = request.header("content-type", "application/json").body(body.into());
        one.send(request.expect("a request"))
    };
    for _ in 0..5 {
        let _ = exchange().await.refused(401);
    }
    let _ = exchange().await.refused(429);
}
