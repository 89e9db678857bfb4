//! Notices between processes.

use std::time::Duration;

use routewright_bus::queue::enqueue;
use routewright_bus::{Listener, Notice, Notices, announce};
use sqlx::Connection as _;

use crate::add_tag;
use crate::support::Deployment;

async fn next(notices: &mut Notices) -> Notice {
    tokio::time::timeout(Duration::from_secs(20), notices.next())
        .await
        .expect("no notice")
        .expect("no listener")
}

/// Listens to the deployment's database and waits until it does.
async fn listener(deployment: &Deployment) -> (Listener, Notices) {
    let listener = Listener::start([deployment.placements.owner("default").unwrap()]);
    let mut notices = listener.subscribe();
    assert_eq!(next(&mut notices).await, Notice::Resynchronise);
    (listener, notices)
}

#[tokio::test]
async fn a_notice_arrives_when_its_transaction_commits_and_only_then() {
    let deployment = Deployment::fresh().await;
    let organisation = deployment.organisation("Loud").await;
    let (listener, mut notices) = listener(&deployment).await;
    let mut second = listener.subscribe();
    let mut connection = deployment.sign_in(organisation).await;

    let mut transaction = connection.begin().await.unwrap();
    announce(&mut transaction, Notice::Event { organisation, event_id: 1 }).await.unwrap();
    transaction.rollback().await.unwrap();
    let mut transaction = connection.begin().await.unwrap();
    for _ in 0..3 {
        announce(&mut transaction, Notice::Event { organisation, event_id: 2 }).await.unwrap();
    }
    announce(&mut transaction, Notice::Message { organisation: Some(organisation) }).await.unwrap();
    enqueue(&mut transaction, &add_tag("job")).await.unwrap();
    let early = tokio::time::timeout(Duration::from_millis(200), notices.next()).await;
    assert!(early.is_err(), "{early:?}");
    transaction.commit().await.unwrap();

    for subscriber in [&mut notices, &mut second] {
        assert_eq!(next(subscriber).await, Notice::Event { organisation, event_id: 2 });
        assert_eq!(next(subscriber).await, Notice::Message { organisation: Some(organisation) });
        assert_eq!(next(subscriber).await, Notice::Job { organisation: Some(organisation) });
    }
}

#[tokio::test]
async fn the_platform_and_provisioning_announce_in_the_same_words() {
    let deployment = Deployment::fresh().await;
    let (_listener, mut notices) = listener(&deployment).await;
    enqueue(&mut deployment.control.acquire().await.unwrap(), &add_tag("job")).await.unwrap();
    assert_eq!(next(&mut notices).await, Notice::Job { organisation: None });
    let organisation = deployment.organisation("New").await;
    assert_eq!(next(&mut notices).await, Notice::Policy { organisation });
}

#[tokio::test]
async fn after_a_lost_connection_subscribers_are_told_and_hear_again() {
    let deployment = Deployment::fresh().await;
    let (_listener, mut notices) = listener(&deployment).await;
    for _ in 0..2 {
        let ended: i64 = sqlx::query_scalar(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity
             where datname = current_database() and application_name = 'routewright listener'",
        )
        .fetch_one(&deployment.control)
        .await
        .unwrap();
        assert_eq!(ended, 1);
        assert_eq!(next(&mut notices).await, Notice::Resynchronise);
        let mut connection = deployment.control.acquire().await.unwrap();
        announce(&mut connection, Notice::Job { organisation: None }).await.unwrap();
        assert_eq!(next(&mut notices).await, Notice::Job { organisation: None });
    }
}

#[tokio::test]
async fn several_databases_are_heard_and_one_that_is_away_does_not_matter() {
    let deployment = Deployment::with_placements(&["second"]).await;
    let away = deployment.placements.owner("default").unwrap().database("does_not_exist");
    let databases = [
        away,
        deployment.placements.owner("default").unwrap(),
        deployment.placements.owner("second").unwrap(),
    ];
    let listener = Listener::start(databases.clone());
    let mut notices = listener.subscribe();
    for _ in 0..2 {
        assert_eq!(next(&mut notices).await, Notice::Resynchronise);
    }
    for (number, options) in (1..).zip(&databases[1..]) {
        let mut connection = sqlx::PgConnection::connect_with(options).await.unwrap();
        let organisation = routewright_core::OrganisationId::new(number);
        announce(&mut connection, Notice::Policy { organisation }).await.unwrap();
        assert_eq!(next(&mut notices).await, Notice::Policy { organisation });
    }
}

#[tokio::test]
async fn what_is_not_understood_is_passed_over() {
    let deployment = Deployment::fresh().await;
    let (_listener, mut notices) = listener(&deployment).await;
    for payload in ["", "{", r#"{"holiday":5}"#, r#"{"job":"5; drop table x"}"#, r#"{"job":7}"#] {
        sqlx::query("select pg_notify('routewright', $1)")
            .bind(payload)
            .execute(&deployment.control)
            .await
            .unwrap();
    }
    assert_eq!(next(&mut notices).await, Notice::Job { organisation: Some(7.into()) });
}

#[tokio::test]
async fn a_subscriber_that_falls_behind_is_told_to_look_everywhere() {
    let deployment = Deployment::fresh().await;
    let (listener, mut slow) = listener(&deployment).await;
    let mut quick = listener.subscribe();
    sqlx::query(
        r#"select pg_notify('routewright', json_build_object('job', number)::text)
           from generate_series(1, 5000) as number"#,
    )
    .execute(&deployment.control)
    .await
    .unwrap();
    while next(&mut quick).await != (Notice::Job { organisation: Some(5000.into()) }) {}
    assert_eq!(next(&mut slow).await, Notice::Resynchronise);
    // And then what is left, to the end.
    while next(&mut slow).await != (Notice::Job { organisation: Some(5000.into()) }) {}
}

#[tokio::test]
async fn a_listener_that_is_dropped_ends_its_subscriptions() {
    let deployment = Deployment::fresh().await;
    let (listener, mut notices) = listener(&deployment).await;
    drop(listener);
    let ended = tokio::time::timeout(Duration::from_secs(20), notices.next()).await.expect("still there");
    assert_eq!(ended, None);
}
