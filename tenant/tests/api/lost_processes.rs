//! A process is lost in the midst of handing run sheets over: nothing is sent twice, and whoever asked is told.

use routewright_core::Clock;
use routewright_tenant::{Config, work};
use routewright_testing::smtp::{self, Security, Sink};
use routewright_testing::{Client, TestOrganisation, variables};
use serde_json::json;

use crate::outages::{one_run, pauses_are_over, refuse, submit};
use crate::support::until;
use crate::worker::ONE_AT_A_TIME;

/// V-30: the process is lost after the mail server has taken a run sheet and before that is noted: the sheet is not sent again
/// by itself, the run is open again and its history says why, and dispatching it again is the planner's decision.
#[tokio::test]
async fn v_30_a_mail_of_a_lost_process_is_told_and_not_sent_again() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let sink = Sink::start(Security::None).await;
    let mut variables = variables();
    variables.extend(smtp::variables(sink.port).map(|(name, value)| (name.to_owned(), value)));
    let organisation = TestOrganisation::new().await;
    let start = async || {
        let config = Config::from_source(&variables).unwrap();
        routewright_tenant::build(config, Clock::system()).await.unwrap()
    };
    let service = start().await;
    let admin = Client::new(service.router, Some(organisation.token(organisation.admin)));
    let run = one_run(&admin).await;
    refuse(&organisation, "update of sent_at on {schema}.messages", "the process is lost", "57P01").await;
    let dispatch = json!([{"run_id": run, "method": "email"}]);
    assert_eq!(admin.post("/runs/dispatch", dispatch.clone()).await.ok()[0]["success"], true);
    let identity = |raw: &[u8]| {
        let text = String::from_utf8_lossy(raw).into_owned();
        text.lines().find(|line| line.to_lowercase().starts_with("message-id:")).map(str::to_owned)
    };
    let first = identity(&sink.mails()[0].raw);
    assert!(first.is_some());
    drop(service.app);

    // An hour later another process is there.
    let schema = format!("org_{}", organisation.id);
    let later = format!(
        "drop trigger refuse on {schema}.messages;
         alter table {schema}.messages disable trigger touch_modified;
         update {schema}.messages set modified = modified - interval '1 hour';
         alter table {schema}.messages enable trigger touch_modified"
    );
    let mut database = organisation.database().await;
    until(&mut database, "select bool_and(state = 'sending') from messages").await;
    sqlx::raw_sql(sqlx::AssertSqlSafe(later)).execute(&organisation.control).await.unwrap();
    let service = start().await;
    let loops = work::start(&service.app).unwrap();
    until(&mut database, "select bool_and(state = 'unknown') from messages").await;
    pauses_are_over(&organisation).await;
    until(&mut database, "select not bool_or(dispatched) from runs").await;
    let reason: String = sqlx::query_scalar("select reason from audit_entries where after ? 'dispatch'")
        .fetch_one(&mut organisation.trail().await)
        .await
        .unwrap();
    assert!(reason.contains("it may have arrived"), "{reason}");
    // A worker sends what other organisations of the deployment have waiting, too.
    let copies = sink.mails().iter().filter(|mail| identity(&mail.raw) == first).count();
    assert_eq!(copies, 1, "it was sent again");
    let admin = Client::new(service.router.clone(), Some(organisation.token(organisation.admin)));
    assert_eq!(admin.post("/runs/dispatch", dispatch).await.ok()[0]["success"], true);
    until(&mut database, "select count(*) = 1 from messages where state = 'sent'").await;
    drop(loops);
}

/// V-30: a process is lost while it hands run sheets over. Whoever asked for it and got no answer asks again with the same mark: he
/// is told what is under way, and nothing is sent twice.
#[tokio::test]
async fn v_30_a_dispatch_that_is_asked_for_again_is_the_same() {
    let _turn = ONE_AT_A_TIME.lock().await;
    // Takes connections and says nothing.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut variables = variables();
    variables.extend(
        smtp::variables(silent.local_addr().unwrap().port()).map(|(name, value)| (name.to_owned(), value)),
    );
    let organisation = TestOrganisation::new().await;
    let config = Config::from_source(&variables).unwrap();
    let service = routewright_tenant::build(config, Clock::system()).await.unwrap();
    let admin = Client::new(service.router, Some(organisation.token(organisation.admin)));
    let run = one_run(&admin).await;
    let body = json!([{"run_id": run, "method": "email"}]);
    let request = {
        let (admin, body) = (admin.clone(), body.clone());
        tokio::spawn(async move { submit(&admin, "/runs/dispatch", "once", &body).await })
    };
    let mut database = organisation.database().await;
    until(&mut database, "select bool_and(state = 'sending') from messages").await;
    request.abort();
    let answer = submit(&admin, "/runs/dispatch", "once", &body).await;
    assert_eq!((&answer[0]["run_id"], &answer[0]["success"]), (&json!(run), &json!(true)), "{answer}");
    assert_eq!(answer[0]["sent_to"].as_array().map(Vec::len), Some(1));
    let messages: i64 =
        sqlx::query_scalar("select count(*) from messages").fetch_one(&mut database).await.unwrap();
    assert_eq!(messages, 1);
}
